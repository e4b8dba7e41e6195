-- test_bindings.lua - tests/bindings/cases.txt in Lua, and names that are both
-- a parameter's and a word's.
--
-- Guards: tests/bindings/cases.txt, which tests/embed/cases.c and
-- tests/python/suite.py read, too: function constants that the source has not
-- or of another type, structs that no bytes can give, compare functions of
-- samplers; parameters that are called as a word of a call
local t = dofile "tests/tap.lua"

local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"

local function fields(line)
  local list = {}
  for part in (line .. "|"):gmatch "([^|]*)|" do list[#list + 1] = part end
  return list
end

local function value_of(kind, text)
  if kind == "bool" then return text ~= "0" end
  return kind == "int" and math.tointeger(text) or tonumber(text) + 0.0
end

local kinds = {}

function kinds.constant(case)
  local _, declaration, name, _, kind, value, _, wanted = table.unpack(case)
  local source = HEAD .. (declaration == "" and "constant float c = 1;"
    or ("constant %s [[function_constant(0)]];"):format(declaration))
    .. "kernel void f(device float *x) { x[0] = float(c); }"
  local x = gpu.buffer(1)
  local ok, why = pcall(function()
    local k = gpu.kernel(source, { constants = {
      [name] = value_of(kind, value) } })
    k { x, grid = 1 }
  end)
  if wanted == "refused" then
    t.ok(not ok, "it was taken")
    t.has(tostring(why), "function constant")
    t.ok(not tostring(why):find "\n", why)
  else
    t.ok(ok, why)
    t.equal(x[0], tonumber(wanted))
  end
end

function kinds.struct(case)
  local k = gpu.kernel(("%sstruct S { %s };\nkernel void f(constant S &s, device float *x) { x[0] = sizeof(s); }"):format(
    HEAD, case[2]))
  local x = gpu.buffer(1)
  for _, given in ipairs { 1, { 1, 2, 3, 4 }, "bytes" } do
    local ok, why = pcall(k, { given, x, grid = 1 })
    t.ok(not ok, "it was taken")
    t.ok(not tostring(why):find "\n", why)
  end
end

function kinds.sampler(case)
  local k = gpu.kernel(HEAD .. [=[kernel void f(depth2d<float> d, sampler s,
    constant float &reference, device float *x) {
    x[0] = d.sample_compare(s, float2(0.5f), reference);
  }]=])
  local d = gpu.texture("depth32float", 2, 2)
  d:write(gpu.buffer { 0.125, 0.25, 0.5, 0.75 })
  local x, how = gpu.buffer(1), { filter = case[3] }
  if case[2] ~= "" then how.compare = case[2] end
  local function run()
    k { d, gpu.sampler(how), tonumber(case[4]), x, grid = 1 }
  end
  if case[5] == "refused" then
    t.raises(("'%s': it is none, less, less_equal, greater, greater_equal, equal, not_equal, always or never"):format(case[2]), run)
  else
    run()
    t.equal(x[0], tonumber(case[5]) + 0.0)
  end
end

for line in io.lines "tests/bindings/cases.txt" do
  if line ~= "" and line:sub(1, 1) ~= "#" then
    local case = fields(line)
    t.test(line, function() kinds[case[1]](case) end)
  end
end

----------------------------------------------- names of parameters and of words

local x = gpu.buffer("uint", 8)

-- A kernel with two values of these names, whose sum it writes.
local function kernel(a, b)
  return gpu.kernel(([=[kernel void f(device uint *x, constant uint &%s, constant uint &%s,
    uint i [[thread_position_in_grid]]) { x[i] = %s + 100 * %s; }]=]):format(a,
    b, a, b))
end

t.test("a word of the launch: the parameter is given by its position", function()
  for _, word in ipairs { "grid", "groups", "group", "repeats", "limit" } do
    local k = kernel(word, "other")
    x:fill(0)
    k { x, 5, 2, grid = 8, group = 8 }
    t.equal(x[7], 205, word)
    local launch = { x, grid = 8, other = 2 }
    launch[word] = launch[word] or 1
    t.raises("by its position", k, launch)
  end
end)

t.test("check's words: by position the parameter, by name the option", function()
  local k = kernel("seed", "schedules")
  t.has(tostring(check { k, x, 5, 2, grid = 8, seed = 7, schedules = 2 }),
    "2 other schedules (seed 7)")
  t.has(tostring(check { k, x, grid = 8, seed = 7, schedules = 2 }),
    "3 other schedules (seed 1)")
  t.has(tostring(check { k, x, 5, grid = 8, seed = 7, schedules = 2 }),
    "3 other schedules (seed 7)")
end)

t.test("compare's words, too", function()
  local k = kernel("bytes", "budget")
  local r = compare { k, x, 5, 2, grid = 8, bytes = 64, budget = 0.01,
    verify = function(b) return b[7] == 205 end }
  t.equal(r.ok, true); t.equal(r.bytes, 64)
  r = compare { k, x, grid = 8, bytes = 5, budget = 2,
    verify = function(b) return b[7] == 205 end }
  t.equal(r.ok, true)
end)

t.done()

-- test_rounding.lua - a half or bfloat that is assigned, passed or returned is
-- rounded, in fast math too: no pass may regroup, fuse or leave out a rounding
-- across a variable. Answers are computed here, rounded after each step.
-- On several processors; METTLE_TESTS=all takes more of them.
--
-- Guards: msl/passes/rounding.c: a half or bfloat that is assigned, passed or
-- returned is rounded in fast math, 120 forms, scalars and vectors; optimised,
-- quick, checked and thread by thread, for older processors too
local t = dofile "tests/tap.lua"
t.compiler("roundings")
local program = os.getenv "METTLE" or "build/mettle"

local digits = { half = 11, bfloat = 8 }

-- to the nearest with so many binary digits, ties to even
local function rounded(x, p)
  if x == 0 then return 0 end
  local scale = 2.0 ^ (p - 1 - math.floor(math.log(math.abs(x), 2)))
  local down = math.floor(x * scale)
  local rest = x * scale - down
  if rest > 0.5 or rest == 0.5 and down % 2 == 1 then down = down + 1 end
  return down / scale
end

-- A name, text at program scope, the body, which sets s from x, y and z, and
-- what it gives; T is the type, 'r' rounds to it.
local forms = {
  { "a variable", "", "T v = x + y; s = v - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "the same variable", "", "s = x + y; s = s - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "+= and -=", "", "s = x; s += y; s -= x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "a const", "", "const T v = x + y; s = v - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "an argument", "static T less(T v, T x) { return v - x; }",
    "s = less(x + y, x);", function(r, x, y) return r(r(x + y) - x) end },
  { "a result", "static T sum(T x, T y) { return x + y; }",
    "s = sum(x, y) - x;", function(r, x, y) return r(r(x + y) - x) end },
  { "a field", "struct S { T v; };", "S q; q.v = x + y; s = q.v - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "an element", "", "T v[2]; v[1] = x + y; s = v[1] - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "a reference", "static void add(thread T &v, T y) { v += y; }",
    "T v = x; add(v, y); s = v - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "a product", "", "T v = z * z; s = v - y;",
    function(r, _, y, z) return r(r(z * z) - y) end },
  { "a product that is added", "", "T v = z * z; s = y + v;",
    function(r, _, y, z) return r(y + r(z * z)) end },
  { "a product's result", "static T square(T v) { return v * v; }",
    "s = square(z) - y;", function(r, _, y, z) return r(r(z * z) - y) end },
  { "a product of products", "", "T v = z * z; T w = v * z; s = w * z;",
    function(r, _, _, z) return r(r(r(z * z) * z) * z) end },
  { "a product of constants", "", "T v = z * T(3); s = v * T(5);",
    function(r, _, _, z) return r(r(z * 3) * 5) end },
  { "a sum of constants", "", "T v = x + T(1); s = v + T(1);",
    function(r, x) return r(r(x + 1) + 1) end },
  { "a loop", "", "s = x; for (int k = 0; k < 5; k++) s += y;",
    function(r, x, y)
      for _ = 1, 5 do x = r(x + y) end
      return x
    end },
  { "a loop that was unrolled by hand", "", "s = y; s = s + x; s = s + y; s = s + y; s = s - x;",
    function(r, x, y) return r(r(r(r(y + x) + y) + y) - x) end },
  { "a choice", "", "T v = x + y; s = (y > T(0) ? v : x) - x;",
    function(r, x, y) return r(r(x + y) - x) end },
  { "a float and back", "", "T v = T(float(x) + float(y)); s = T(float(v) - float(x));",
    function(r, x, y) return r(r(x + y) - x) end },
  { "a comparison", "", "T v = x + y; s = v - x == y ? T(1) : T(2);",
    function(r, x, y) return r(r(x + y) - x) == y and 1 or 2 end },
  { "a factor that is taken out", "", "T v = x * z, w = y * z; s = v + w;",
    function(r, x, y, z) return r(r(x * z) + r(y * z)) end },
  { "a minus", "", "T v = -(x + y); s = v + x;",
    function(r, x, y) return r(-r(x + y) + x) end },
}

local function name_of(form, type, n)
  local vector = n > 1 and n or ""
  return ("%s%s, %s"):format(type, vector, form[1])
end

-- Of each form a function for scalars and vectors; comparisons and choices are
-- of scalars.
local function all_forms()
  local list = {}
  for _, type in ipairs { "half", "bfloat" } do
    for _, n in ipairs { 1, 2, 4 } do
      for _, form in ipairs(forms) do
        if n == 1 or not form[3]:find "?" and not form[3]:find "float" then
          list[#list + 1] = { form = form, type = type, n = n,
            name = name_of(form, type, n) }
        end
      end
    end
  end
  return list
end

local function source(list)
  local text = { "#include <metal_stdlib>\nusing namespace metal;\n" }
  local calls = {}
  for k, f in ipairs(list) do
    local T = f.type .. (f.n > 1 and f.n or "")
    local function fill(s) return (s:gsub("%f[%w_]T%f[^%w_]", T)) end
    text[#text + 1] = ("namespace f%d { %s\nstatic %s go(%s x, %s y, %s z) { %s s; %s return s; } }\n")
      :format(k, fill(f.form[2]), T, T, T, T, T, fill(f.form[3]))
    local half, last = f.type == "half", f.n > 1 and "[" .. f.n - 1 .. "]" or ""
    calls[k] = ("  o[%d] = float(f%d::go(%s(in[%d]), %s(in[1]), %s(in[%d]))%s);")
      :format(k - 1, k, T, half and 0 or 3, T, T, half and 2 or 4, last)
  end
  text[#text + 1] = "kernel void go(device float *o, device const float *in) {\n"
    .. table.concat(calls, "\n") .. "\n}\n"
  return table.concat(text)
end

-- x is so large that y is lost in x + y; z has all digits
local inputs = { 2048, 1, 1 + 2 ^ -6, 256, 1 + 2 ^ -4 }

local function wrong(list, launch)
  local bad, o = {}, gpu.buffer("float", #list)
  launch { gpu.kernel(source(list)), o, gpu.buffer("float", inputs) }
  for k, f in ipairs(list) do
    local half = f.type == "half"
    local want = f.form[4](function(x) return rounded(x, digits[f.type]) end,
      inputs[half and 1 or 4], inputs[2], inputs[half and 3 or 5])
    if o[k - 1] ~= want then
      bad[#bad + 1] = ("%s: %g, not %g"):format(f.name, o[k - 1], want)
    end
  end
  return table.concat(bad, "\n")
end

local list = all_forms()

t.test(#list .. " forms in fast math", function()
  t.equal(wrong(list, function(call)
    call[1] { call[2], call[3], grid = 1 }
  end), "")
end)

if gpu.device.name == "host" then
  t.test("under check", function()
    t.equal(wrong(list, function(call)
      call.grid, call.inplace, call.outputs = 1, true, {}
      check(call)
    end), "")
  end)
end

-- halves are soft on older processors: other code is made for them
local function others()
  if os.getenv "METTLE_ROUNDING" or gpu.device.name ~= "host" then return {} end
  local all = { "METTLE_TIER=quick", "METTLE_ENGINE=scalar" }
  local machine = io.popen("uname -m"):read "l"
  local levels = machine ~= "x86_64" and {} or os.getenv "METTLE_TESTS" == "all"
    and { "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4" } or { "x86-64-v3" }
  for _, level in ipairs(levels) do all[#all + 1] = "METTLE_CPU=" .. level end
  return all
end

for _, setting in ipairs(others()) do
  t.test("with " .. setting, function()
    local run = io.popen(("METTLE_ROUNDING=1 %s '%s' tests/lua/msl/test_rounding.lua 2>&1"):format(setting, program))
    local said = run:read "a"
    t.ok(run:close(), said)
    t.has(said, "ok 1 - ")
  end)
end

t.done()

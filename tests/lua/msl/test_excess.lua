-- test_excess.lua - sources, sizes and numbers of things that are too much:
-- each gets one sentence that says what it was and what to do.
--
-- Guards: sources, sizes and numbers that are too much get one true sentence,
-- with the way out
local t = dofile "tests/tap.lua"

local there, why = pcall(gpu.kernel, "kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }")
if not there and tostring(why):find("no device that runs kernels", 1, true) then
  t.skip("what is too much", tostring(why))
  t.done()
end

local function says(words, f)
  local ok, said = pcall(f)
  t.ok(not ok, "it must fail")
  t.ok(tostring(said):find(words, 1, true), tostring(said):sub(1, 300))
  t.ok(#tostring(said) < 2000, "a message of " .. #tostring(said)
    .. " characters")
end

local function body(text) return "kernel void k(device float *a [[buffer(0)]]) { " .. text .. " }" end

-- #define A0 …, and each of the others twice the one before
local function doubled(first, count)
  local lines = { "#define A0 " .. first }
  for i = 1, count do
    lines[#lines + 1] = ("#define A%d A%d A%d"):format(i, i - 1, i - 1)
  end
  return table.concat(lines, "\n") .. "\n"
end

t.test("macros that double", function()
  says("doubles it at each step", function() gpu.kernel(doubled("x", 40) .. body("int x; A40;")) end)
end)

t.test("a define that no command line takes", function()
  says("write it into the source", function()
    gpu.kernel(body("a[0] = X;"), { defines = {
      X = ("1+"):rep(100000) .. "1" } })
  end)
end)

t.test("expressions without end", function()
  says("cut it into parts", function()
    gpu.kernel("#define X " .. ("1+"):rep(100000) .. "1\n" .. body("a[0] = X;"))
  end)
  says("cut it into parts", function()
    gpu.kernel(body("a[0] = " .. ("*"):rep(100000) .. "a;"))
  end)
  says("nested too deep", function()
    gpu.kernel(body("a[0] = " .. ("("):rep(100000) .. "1" .. (")"):rep(100000)
      .. ";"))
  end)
  says("error", function() gpu.kernel(("*"):rep(100000)) end)
  says("100000 '*' in a row are too many", function() gpu.kernel(body("float " .. ("*"):rep(100000) .. "p; a[0] = 1;")) end)
end)

t.test("integers that are too wide", function()
  says("mulhi", function() gpu.kernel(body("__uint128_t x = 1; a[0] = x;")) end)
end)

t.test("sizes of threadgroup memory", function()
  local k = gpu.kernel "kernel void k(device float *a [[buffer(0)]], threadgroup float *t [[threadgroup(0)]]) { a[0] = t[0]; }"
  local a = gpu.buffer(4)
  says("got -4", function() k{a, grid = 1, threadgroup = -4} end)
  says("got 1.5", function() k{a, grid = 1, threadgroup = {1.5}} end)
  says("at most 2^30", function() k{a, grid = 1, t = 1e30} end)
  says("give its size in bytes", function() k{a, grid = 1, threadgroup = "four"} end)
end)

t.test("more buffers than the system allows", function()
  local f = io.open "/proc/sys/vm/max_map_count"
  local most = f and f:read "n" or math.huge
  if f then f:close() end
  if most > 80000 then return end
  local all = {}
  local ok, said = pcall(function()
    for i = 1, most do all[i] = gpu.buffer(1) end
  end)
  -- the stand-in's, not the host's
  if tostring(said):find("Metal has no memory", 1, true) then return end
  t.ok(not ok and tostring(said):find(#all .. " are alive", 1, true),
    tostring(said))
  for _, b in ipairs(all) do b:free() end
  t.equal(#gpu.buffer(2), 2)
end)

t.done()

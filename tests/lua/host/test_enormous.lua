-- test_enormous.lua - kernels whose functions call each other in many ways: if
-- all were inlined, they would have millions of instructions. They keep
-- their functions (prepare/keep_calls.c), and give the same answers.
--
-- Guards: devices/compiler/prepare/keep_calls.c: kernels that would have
-- millions of instructions with their functions inlined keep these, give right
-- answers and say what cannot be done with them
local t = dofile "tests/tap.lua"
gpu.use "host"
t.compiler "enormous kernels"

-- Each function calls the one before it twice: 2 to the power of LEVELS calls.
local LEVELS = 18

local function source(leaf, kernel)
  local text = { "#include <metal_stdlib>\nusing namespace metal;\n", leaf }
  for k = 1, LEVELS do
    text[#text + 1] = (("float f@(float x, uint n) { return f#(x, n) + " ..
      "f#(float(n & 1), n / 2) * 0.5f; }\n"):gsub("@", k):gsub("#", k - 1))
  end
  text[#text + 1] = kernel:gsub("%f[%w]f%(", "f" .. LEVELS .. "(")
  return table.concat(text)
end

local LEAF = "float f0(float x, uint n) { return x + float(n); }\n"
local KERNEL = [=[
kernel void deep(device const float *x, device float *out,
                 uint i [[thread_position_in_grid]]) {
  out[i] = f(x[i], i * 7);
}
]=]

local function expected(k, x, n)
  if k == 0 then return x + n end
  return expected(k - 1, x, n) + expected(k - 1, n % 2, n // 2) * 0.5
end

local N = 5
local function run(kernel)
  local x, out = gpu.buffer(N):iota(), gpu.buffer(N)
  kernel { x, out, grid = N }
  return out
end

local deep = gpu.kernel(source(LEAF, KERNEL))

t.test("its answers are right, by quick code and by optimised code", function()
  local quick = run(deep)
  for i = 0, N - 1 do
    local want = expected(LEVELS, i, i * 7)
    t.ok(math.abs(quick[i] - want) <= want * 1e-5, ("element %d"):format(i))
  end
  local x, out = gpu.buffer(N):iota(), gpu.buffer(N)
  deep { x, out, grid = N, repeats = 2 }
  t.ok(out:equals(quick), "both have the same bits")
end)

t.test("why says why it has no vectors", function()
  t.has(tostring(deep:why()), "with its functions inlined it would be too large")
end)

t.test("it cannot be checked, and that is said in a sentence", function()
  local ok, why = pcall(check, { deep, gpu.buffer(N), gpu.buffer(N), grid = N })
  t.ok(not ok)
  t.has(tostring(why), "kernel 'deep' is too large to be instrumented")
end)

t.test("threadgroup variables, pointers and asserts in its functions", function()
  local k = gpu.kernel(source([[
#include <metal_assert>
float f0(float x, uint n) { assert(n != 1000); return x + float(n); }
static uint count(device const float *x) { return uint(x[3]); }
static void put(threadgroup float *to, float v) { *to = v; }
]], [=[
kernel void deep(device const float *x, device float *out,
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float shelf[32];
  put(&shelf[t % 32], f(x[i], i == 3 ? count(x) : i * 7));
  out[i] = shelf[t % 32];
}
]=]))
  local x, out = gpu.buffer { 0, 1, 2, 21, 4 }, gpu.buffer(N)
  k { x, out, grid = N }
  t.equal(out[2], run(deep)[2])
  x[3] = 1000
  local ok, why = pcall(k, { x, out, grid = N })
  t.ok(not ok, "the assert holds")
  t.has(tostring(why), "n != 1000")
  t.has(tostring(why), "line 4, threadgroup (0, 0, 0): thread (3, 0, 0)")
end)

-- The cuda device has flat code alone; the stand-in for its driver is enough.
if pcall(gpu.use, "cuda") then
  t.test("cuda says in a sentence that it cannot take it", function()
    local ok, why = pcall(function() return run(gpu.kernel(source(LEAF,
      KERNEL))) end)
    t.ok(not ok)
    t.has(tostring(why), "kernel 'deep' is too large: with its functions " ..
                         "inlined it would have more than 1000000 instructions")
  end)
end
t.done()

-- test_msl_accuracy.lua - the math functions are as accurate when a device runs
-- them as test_msl_math.c found their bodies to be: no pass of the front end or
-- the engine may loosen them. The reference is Lua's double; errors are in ulp.
--
-- Guards: the same functions as a device runs them, in fast and safe math: no
-- pass may loosen them
local t = dofile "tests/tap.lua"

-- 16384 floats over all exponents and both signs, and 4096 of everyday size.
local xs = {}
for i = 0, 16383 do
  local bits = (i << 18 | (i * 2654435761 >> 7 & 0x3ffff)) & 0xffffffff
  xs[#xs + 1] = (string.unpack("f", string.pack("I4", bits)))
end
for i = 0, 4095 do xs[#xs + 1] = (i - 2048) / 256 end
local a = gpu.buffer("float", xs)
for i = 1, #xs do xs[i] = a[i - 1] end -- as the float has it

local function ulp(got, ref)
  if got ~= got or ref ~= ref then
    return got ~= got and ref ~= ref and 0 or math.huge
  end
  if got == ref then return 0 end
  if math.abs(got) == math.huge then
    return math.abs(ref) >= 3.4028234e38 and 0 or math.huge
  end
  if math.abs(ref) == math.huge then return math.huge end
  local size = math.abs(ref)
  local e = size > 0 and math.floor(math.log(size, 2)) or -149
  if 2.0 ^ e > size then e = e - 1 end
  return math.abs(got - ref) / 2.0 ^ math.max(e - 23, -149)
end

local functions = { -- name, reference, ulp, largest |x| tried
  { "exp", math.exp, 3 },
  { "exp2", function(x) return 2.0 ^ x end, 3 },
  { "log", math.log, 3 },
  { "log2", function(x) return math.log(x, 2) end, 3 },
  { "log10", function(x) return math.log(x, 10) end, 4 },
  { "sqrt", function(x) return x < 0 and 0 / 0 or x ^ 0.5 end, 0.501 },
  { "rsqrt", function(x) return x < 0 and 0 / 0 or 1 / x ^ 0.5 end, 2 },
  { "asin", math.asin, 5 },
  { "acos", math.acos, 5 },
  { "atan", math.atan, 5 },
  { "precise::sin", math.sin, 4 },
  { "precise::cos", math.cos, 4 },
  { "precise::tan", math.tan, 6 },
  { "floor", function(x)
    return x ~= x and x or math.abs(x) < 2 ^ 53 and math.floor(x) + 0.0 or x
  end, 0 },
}

local function kernel(name, options)
  return gpu.kernel("#include <metal_stdlib>\nusing namespace metal;\n" ..
    "kernel void f(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],\n" ..
    "              uint i [[thread_position_in_grid]]) { out[i] = " .. name .. "(a[i]); }", options)
end

for _, mode in ipairs { "fast", "safe" } do
  for _, f in ipairs(functions) do
    t.test(f[1] .. " in " .. mode .. " math", function()
      local out = gpu.buffer(#xs)
      kernel(f[1], { math = mode }) { a, out, grid = #xs, group = 64 }
      local worst, at = 0, 1
      for i = 1, #xs do
        local ref = f[2](xs[i])
        if f[1]:find "^log" and xs[i] < 0 then ref = 0 / 0 end
        local u = ulp(out[i - 1], ref)
        if u > worst then worst, at = u, i end
      end
      t.ok(worst <= f[3], ("off by %g ulp at %a: got %a, should be %a"):format(worst, xs[at], out[at - 1], f[2](xs[at])))
    end)
  end
end
t.done()

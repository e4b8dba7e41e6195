-- test_kernels.lua - every kernel of the library gives the right answer at the
-- sizes that are likely to break it, and leaves alone what is not its own.
local t = dofile "tests/tap.lua"
local kernels = require "lua.kernels"
local problem = require "lua.problem"

-- What the library promises; a name that goes missing is noticed.
local promised = [[add mul relu saxpy fill copy triad transpose_naive transpose_tiled transpose_padded
  matmul_naive matmul_tiled matmul_tiled32 matmul_blocked matmul_simdgroup sum_atomic sum_tree sum_simd mean dot
  scan histogram bitonic_sort conv1d conv2d maxpool activations softmax layernorm linear attention random_uniform
  random_normal mandelbrot nbody life blackscholes blur sobel]]

t.test("the library is complete, and every kernel says what it does", function()
  local there = {}
  for _, name in ipairs(gpu.kernels) do there[name] = true end
  for name in promised:gmatch "%S+" do t.ok(there[name], name .. " is missing") end
  for _, name in ipairs(gpu.kernels) do
    local data = kernels.data(name)
    t.has(tostring(gpu.kernels), data.about)
    t.ok(#data.try >= 3, name .. ": at least three sizes to try")
    t.ok(data.bytes and data.operations and data.tolerance and data.reference, name)
  end
  for line in tostring(gpu.kernels):gmatch "[^\n]+" do t.ok(utf8.len(line) <= 80, line) end
end)

for _, name in ipairs(gpu.kernels) do
  t.test(name, function()
    for _, sizes in ipairs(kernels.data(name).try) do
      local p = kernels.problem(name, sizes)
      local check = p:verify()
      t.ok(check.ok, kernels.sizes_text(sizes) .. ": " .. check.text)
      local bytes, operations = p:work()
      t.ok(bytes > 0 and operations >= 0, "work of " .. kernels.sizes_text(sizes))
    end
  end)
end

t.test("gpu.kernel loads one by its name", function()
  local k = gpu.kernel "add"
  t.equal(k.name, "add")
  t.raises("no kernel of that name", gpu.kernel, "adds")
end)

-- The checks themselves must be able to fail.
local function broken(change)
  local data = kernels.data "add"
  local p = kernels.problem("add", { n = 1000 })
  change(p, data)
  return p:verify()
end

t.test("an answer that is wrong in one place is noticed", function()
  local p = kernels.problem("add", { n = 1000 })
  local run = p.run
  p.run = function(self, n) run(self, n); self.outputs[1].value[999] = 5 end
  local check = p:verify()
  t.equal(check.ok, false)
  t.has(check.text, "worst at [999]")
end)

t.test("a kernel that does not run, or stops short, is noticed", function()
  t.equal(broken(function(p) p.run = function() end end).ok, false)
  t.equal(broken(function(p) p.steps[1].launch.grid = 999 end).ok, false)
end)

t.test("writing behind the end of an output is noticed", function()
  local check = broken(function(p)
    local launch = p.steps[1].launch
    launch.n, launch.grid = 1010, 1010
    launch.a, launch.b = gpu.buffer(1010):fill(launch.a:view(0, 1000):copy() and 0), gpu.buffer(1010)
    p.reference = function(out) out.c:fill(0) end
    p.cpu = nil
  end)
  t.equal(check.ok, false)
  t.has(check.text, "behind the end")
end)

t.test("sizes that make no sense are refused in a sentence", function()
  t.raises("no kernel 'matmull'", kernels.problem, "matmull")
  t.raises("has no size 'q'", kernels.problem, "add", { q = 3 })
  t.raises("must be a whole number", kernels.problem, "add", { n = 1.5 })
  t.raises("at least 1", kernels.problem, "add", { n = 0 })
end)

t.done()

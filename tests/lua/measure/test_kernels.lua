-- test_kernels.lua - every kernel of the library gives the right answer at the
-- sizes that are likely to break it, and leaves alone what is not its own.
--
-- Guards: every kernel of kernels/ at adversarial sizes, and that the checks
-- can fail; lua/workload/kernels.lua
local t = dofile "tests/tap.lua"
local kernels = require "lua.workload.kernels"
local own_launch = require "lua.workload.own_launch"
local workload = require "lua.workload.workload"

-- What the library promises; a name that goes missing is noticed.
local promised = [[
  add add_wide mul relu relu_wide saxpy fill fill_wide copy copy_wide triad
  transpose_naive transpose_tiled transpose_padded matmul_naive matmul_tiled
  matmul_tiled32 matmul_blocked matmul_simdgroup matmul_registers matmul_wide
  sum_atomic sum_tree sum_simd sum_wide sum_once mean dot dot_wide scan
  scan_chunks histogram histogram_wide bitonic_sort conv1d conv2d maxpool
  activations activations_wide softmax softmax_once layernorm layernorm_once
  linear attention random_uniform random_normal mandelbrot nbody life
  blackscholes blur sobel]]

t.test("the library is complete, and every kernel says what it does", function()
  local there = {}
  for _, name in ipairs(gpu.kernels) do there[name] = true end
  for name in promised:gmatch "%S+" do
    t.ok(there[name], name .. " is missing")
  end
  for _, name in ipairs(gpu.kernels) do
    local data = kernels.data(name)
    t.has(tostring(gpu.kernels), data.about)
    t.ok(#data.try >= 3, name .. ": at least three sizes to try")
    t.ok(data.bytes and data.operations and data.tolerance and data.reference,
      name)
  end
  for line in tostring(gpu.kernels):gmatch "[^\n]+" do
    t.ok(utf8.len(line) <= 80, line)
  end
end)

for _, name in ipairs(gpu.kernels) do
  t.test(name, function()
    for _, sizes in ipairs(kernels.data(name).try) do
      local p = t.fits(kernels.workload(name, sizes))
      local check = p:verify()
      t.ok(check.ok, kernels.sizes_text(sizes) .. ": " .. check.text)
      local bytes, operations = p:work()
      t.ok(bytes > 0 and operations >= 0, "work of "
        .. kernels.sizes_text(sizes))
    end
  end)
end

t.test("who names no group gets one that the kernel takes", function()
  for _, most in ipairs { 1, 2, 3, 5, 100, 1000 } do
    local k = gpu.kernel(([=[
[[max_total_threads_per_threadgroup(%d)]]
kernel void mark(device uint *a, uint3 i [[thread_position_in_grid]], uint3 n [[threads_per_grid]]) {
  a[i.x + n.x * (i.y + n.y * i.z)] = 1;
}]=]):format(most))
    t.ok(k.max_threads <= most, "the attribute counts")
    for _, grid in ipairs { { 1000 }, { 30, 40 }, { 9, 10, 11 } } do
      local a = gpu.buffer("uint", grid[1] * (grid[2] or 1) * (grid[3] or 1))
      local group = k { a, grid = grid }.group
      t.ok(group[1] * group[2] * group[3] <= k.max_threads, most .. ": "
        .. table.concat(group, " x "))
      t.equal(a:sum(), #a)
      group = k { gpu.buffer("uint", #grid == 1 and 8 * 256 or 8 * 8 * 8 * 256),
        groups = { 2, grid[2] and 2, grid[3] and 2 } }.group
      t.ok(group[1] * group[2] * group[3] <= k.max_threads, "groups, " .. most
        .. ": " .. table.concat(group, " x "))
    end
  end
end)

t.test("the library fits GPUs that take few threads", function()
  for _, name in ipairs(gpu.kernels) do
    local p = kernels.workload(name, kernels.data(name).try[1])
    for _, step in ipairs(p.fixed_group and {} or p.steps) do
      local group, threads = step.launch.group or 1, 1
      for _, side in ipairs(type(group) == "table" and group or { group }) do
        threads = threads * side
      end
      t.ok(threads <= step.kernel.max_threads, name .. ": " .. threads)
    end
  end
end)

------------------------------------------------------------------ long sums

-- Where answers add up many terms: right ones must pass, and one term too few
-- must not. 'spoil' takes a term away from the first element, or changes it as
-- much.
-- of a product whose first row and column meet in the first element
local function term(p, a, b, stride)
  local x, y = a:reshape(#a), b:reshape(#b)
  for j = #x // 2 % 1000, #x - 1 do
    local v = x[j] * y[j * stride]
    if math.abs(v) > 0.1 then return v end -- some are next to nothing
  end
end
local function less(name, of)
  return function(p)
    local b = p.arguments[name]
    local flat = b:as "float":reshape(b.bytes // 4)
    flat[0] = flat[0] - of(p, p.arguments)
  end
end
local product = less("c", function(p, arg)
  return term(p, arg.a:view(0, p.sizes.k), arg.b, p.sizes.n)
end)
local first_of_x = less("total", function(p, arg)
  return arg.x:reshape(#arg.x)[#arg.x // 2]
end)
local long = {
  matmul_naive = { { m = 8, n = 8, k = 100000 }, product },
  matmul_tiled = { { m = 8, n = 8, k = 100000 }, product },
  matmul_tiled32 = { { m = 8, n = 8, k = 100000 }, product },
  matmul_blocked = { { m = 8, n = 8, k = 100000 }, product },
  matmul_simdgroup = { { m = 8, n = 8, k = 100000 }, product },
  matmul_registers = { { m = 8, n = 8, k = 100000 }, product },
  matmul_wide = { { m = 8, n = 8, k = 100000 }, product },
  linear = { { rows = 4, inputs = 100000, outputs = 4 },
    less("y", function(p, arg)
    t.ok(arg.y:at(0, 0) > 1, "relu has made it 0")
    return 0.1
  end) },
  conv1d = { { n = 10007, k = 256 }, less("y", function(p, arg)
    return term(p, arg.x:view(0, 256), arg.w, 1)
  end) },
  conv2d = { { rows = 140, columns = 140, size = 129 }, less("y", function()
    return 0.1
  end) },
  sum_atomic = { { n = 2000003 }, first_of_x },
  sum_tree = { { n = 5000011 }, first_of_x },
  sum_simd = { { n = 5000011 }, first_of_x },
  sum_wide = { { n = 5000011 }, first_of_x },
  sum_once = { { n = 5000011 }, first_of_x },
  dot = { { n = 5000011 }, less("total", function(p, arg)
    return arg.x[9] * arg.y[9]
  end) },
  dot_wide = { { n = 5000011 }, less("total", function(p, arg)
    return arg.x[9] * arg.y[9]
  end) },
  mean = { { rows = 1000, columns = 5001 }, less("mean", function(p, arg)
    return arg.x:reshape(#arg.x)[7] / #arg.x
  end) },
  scan = { { n = 5000011 }, less("y", function() return 1 end) },
  scan_chunks = { { n = 5000011 }, less("y", function() return 1 end) },
  softmax = { { rows = 3, columns = 200000 }, less("y", function(p, arg)
    return arg.y:at(0, 0) / 1000
  end) },
  softmax_once = { { rows = 3, columns = 200000 }, less("y", function(p, arg)
    return arg.y:at(0, 0) / 1000
  end) },
  layernorm = { { rows = 3, columns = 200000 }, less("y", function()
    return 0.005
  end) },
  layernorm_once = { { rows = 3, columns = 200000 }, less("y", function()
    return 0.005
  end) },
  attention = { { rows = 4, keys = 20000 }, less("out", function(p, arg)
    return arg.v:at(0, 0) / 20000
  end) },
  nbody = { { n = 6000 }, less("velocities2", function() return 0.001 end) },
}

for name, case in pairs(long) do
  t.test(name .. ": long sums are right, and a missing term is found", function()
    local p = t.fits(kernels.workload(name, case[1]))
    local check = p:verify()
    t.ok(check.ok, check.text)
    local run = p.run
    p.run = function(self, n) run(self, n); case[2](self) end
    t.equal(p:verify().ok, false, "one term less")
    p.run = function(self, n)
      run(self, n)
      local b = self.outputs[1].value
      local flat = b:as "float":reshape(b.bytes // 4)
      flat[#flat // 2] = flat[#flat // 2] * 1.01 + 0.1
    end
    t.equal(p:verify().ok, false, "one wrong element")
  end)
end

t.test("whatever adds up many terms says so", function()
  for _, name in ipairs(gpu.kernels) do
    t.ok(long[name] or not kernels.data(name).additions, name .. " is tried at no length")
  end
end)

t.test("short rows of layernorm may lie close together", function()
  local check = kernels.workload("layernorm", { rows = 300000, columns = 2 })
    :verify()
  t.ok(check.ok, check.text)
end)

t.test("a person's own launch is judged by the length of its sums, too", function()
  local n = 20000
  local a, b, c = gpu.buffer(8, n):random(1, -1, 1),
    gpu.buffer(n, 8):random(2, -1, 1), gpu.buffer(8, 8)
  local launch = { gpu.kernel "matmul_naive", a, b, c, 8, 8, n, grid = { 8, 8 },
    cpu = cpu.matmul }
  local p = own_launch.workload(launch, "compare")
  local check = p:verify()
  t.ok(check.ok, check.text)
  local run = p.run
  p.run = function(self, times) run(self, times); c[3] = c[3] + 2 end
  t.equal(p:verify().ok, false)
  launch.tolerance = 1e-9 -- what is said holds
  t.equal(own_launch.workload(launch, "compare").tolerance, 1e-9)
end)

-- The rule itself, against sums that are added up in single precision here.
t.test("the tolerance is beyond the errors of sums, and not far beyond", function()
  local tolerance = require "lua.workload.tolerance"
  local function single(v) return (string.unpack("f", string.pack("f", v))) end
  local seed = 11
  local function random()
    seed = seed * 1103515245 + 12345 & 0x7fffffff; return seed / 0x7fffffff
  end
  for _, low in ipairs { -1, 0 } do
    for _, n in ipairs { 10, 100, 1000, 10000 } do
      local worst = 0
      for _ = 1, 200000 // n do
        local sum, exact, squares = 0.0, 0.0, 0.0
        for _ = 1, n do
          local v = single(low + (1 - low) * random())
          sum, exact, squares = single(sum + v), exact + v, squares + v * v
        end
        worst = math.max(worst, math.abs(sum - exact) / math.max(
          math.sqrt(squares), math.abs(exact)))
      end
      t.ok(worst < tolerance.of_sum(n), ("%d terms: %g, allowed %g"):format(
        n, worst, tolerance.of_sum(n)))
      t.ok(worst > tolerance.of_sum(n) / 100,
        ("%d terms: %g, allowed %g"):format(n, worst, tolerance.of_sum(n)))
    end
  end
end)

t.test("gpu.kernel loads one by its name", function()
  local k = gpu.kernel "add"
  t.equal(k.name, "add")
  t.raises("no kernel of that name", gpu.kernel, "adds")
end)

-- The checks themselves must be able to fail.
local function broken(change)
  local data = kernels.data "add"
  local p = kernels.workload("add", { n = 1000 })
  change(p, data)
  return p:verify()
end

t.test("an answer that is wrong in one place is noticed", function()
  local p = kernels.workload("add", { n = 1000 })
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

t.test("writing past the end of an output is noticed", function()
  local check = broken(function(p)
    local launch = p.steps[1].launch
    launch.n, launch.grid = 1010, 1010
    launch.a, launch.b = gpu.buffer(1010):fill(
      launch.a:view(0, 1000):copy() and 0), gpu.buffer(1010)
    p.reference = function(out) out.c:fill(0) end
    p.cpu = nil
  end)
  t.equal(check.ok, false)
  t.has(check.text, "past the end")
end)

t.test("sizes that make no sense are refused in a sentence", function()
  t.raises("no kernel 'matmull'", kernels.workload, "matmull")
  t.raises("has no size 'q'", kernels.workload, "add", { q = 3 })
  t.raises("must be a whole number", kernels.workload, "add", { n = 1.5 })
  t.raises("k is at most 256, got 257", kernels.workload, "conv1d", { n = 1000, k = 257 })
  t.raises("at least 1", kernels.workload, "add", { n = 0 })
end)

-- A person who gives a small size wants a small launch.
t.test("a launch is no larger than its sizes ask for", function()
  local function product(v)
    if type(v) == "number" then return v end
    local n = 1
    for _, x in ipairs(v or {}) do n = n * x end
    return n
  end
  for _, name in ipairs(gpu.kernels) do
    local p = kernels.workload(name, kernels.small_sizes(name, 64))
    for _, step in ipairs(p.steps) do
      local l = step.launch
      local threads = l.grid and product(l.grid)
        or product(l.groups) * product(l.group)
      local words = ("%s: %d threads"):format(name, threads)
      t.ok(threads <= 64 or threads <= 64 * product(l.group), words)
      t.ok(threads <= 4096, ("%s: %d threads"):format(name, threads))
    end
  end
end)

t.test("sizes by name are used or refused, whoever is asked", function()
  local function each(f)
    for _, name in ipairs { "record", "draw", "check", "profile", "compare",
      "sweep" } do
      f(name, _G[name])
    end
  end
  each(function(_, ask)
    t.raises("add has no size 'grid', since its launch follows from its sizes", ask, { "add", n = 64, grid = 32 })
    t.raises("add has no size '2'", ask, { "add", 64 })
    t.raises("add has no size 'N'", ask, { "add", N = 64 })
    t.raises('got the string "64"', ask, { "add", n = "64" })
    t.raises("a whole number, at least 0, got 6.5", ask, { "add", n = 6.5 })
  end)
  -- one threadgroup, of 256 threads where the pipeline takes so many
  local one = tostring(record { "sum_tree", n = 64 }):match "of (%d+) threads"
  t.ok(one and tonumber(one) <= 256, one)
  t.has(tostring(draw { "sum_tree", n = 64 }), "grid " .. one)
  t.has(tostring(check { "add", n = 64, seed = 3, schedules = 2, limit = 60 }), "2 other schedules (seed 3)")
  t.has(tostring(profile { "mean", rows = 3, columns = 5 }), " threads in 1 threadgroup")
  t.has(tostring(record { "matmul_naive", n = 4 }), "threads")
  t.raises("group is what is swept", sweep, { "add", n = 64, group = 32 })
  t.raises("add has no size '2'", compare, "add", { 64 })
  t.raises("add has no size 'group'", sweep, { "add", group = 32, over = { n = { 64 } } })
end)

t.done()

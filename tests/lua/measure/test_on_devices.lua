-- test_on_devices.lua - buffers and textures move to the device that uses them;
-- compare and sweep on several devices. The second device is the GPU that is
-- there: Metal's stand-in, or CUDA's (tests/cuda/test_on_devices.sh); without
-- one, what is said then. No assertion is about how fast anything was.
--
-- Guards: lua/bind/gpu/migrate.c: buffers, views, textures and what structs
-- point at move to the device of a launch; lua/workload/on_devices.lua: compare
-- and sweep on several devices, with Metal's stand-in and CUDA's; what is said
-- where a device is missing
local t = dofile "tests/tap.lua"
require("lua.workload.timing").quick = 0.002
-- to measure them would take minutes on a stand-in, and they are not what is
-- tested
require("lua.measure.peaks").peaks = function()
  return { memory = 1e12, cache = 2e12, cache_bytes = 1e6, operations = 1e13 }
end

local GPU -- its name
for _, d in ipairs(gpu.devices()) do
  if pcall(gpu.use, d.name) and gpu.device.is_gpu then
    GPU = GPU or d.name
  end
end
gpu.use "host"
local N = 96

-- What fails leaves the GPU in use: t.test asks it whether it lacks something.
local leaves_gpu = { __close = function(_, failed)
  if failed then gpu.use(GPU) end
end }
local function on_gpu(name, body)
  if not GPU then return t.skip(name, "no GPU here") end
  gpu.use "host"
  t.test(name, function()
    local _ <close> = setmetatable({}, leaves_gpu)
    body()
  end)
  gpu.use "host"
end

local ADD = [=[
kernel void add(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                device float *c [[buffer(2)]], uint i [[thread_position_in_grid]]) { c[i] = a[i] + b[i]; }]=]
local MORE = [=[
kernel void more(device float *c [[buffer(0)]], uint i [[thread_position_in_grid]]) { c[i] += 1; }]=]

-- The kernel on the host and on the GPU.
local function both(source)
  gpu.use "host"
  local h = gpu.kernel(source)
  gpu.use(GPU)
  local g = gpu.kernel(source)
  gpu.use "host"
  return h, g
end

local function buffers()
  return gpu.buffer(N):iota(), gpu.buffer(N):fill(100), gpu.buffer(N):fill(7)
end

----------------------------------------------------------------------- moving

on_gpu("a buffer moves to the device of the launch, and back", function()
  local h, g = both(MORE)
  local c = gpu.buffer(N)
  local view = c:view(8, 4)
  t.equal(c.device, "host")
  for round = 1, 3 do
    h { c, grid = N }
    t.equal(view.device, "host")
    t.equal(view[0], 2 * round - 1)
    g { c, grid = N }
    t.equal(view.device, GPU)
    t.equal(view[3], 2 * round)
  end
  view:fill(50)
  h { c, grid = N }
  t.equal(c[8], 51, "what Lua wrote between launches")
  t.equal(c[7], 7)
end)

on_gpu("all arguments of a launch, the same memory twice among them", function()
  local _, g = both(ADD)
  local a = gpu.buffer(3 * N):iota()
  g { a:view(0, N), a:view(N, N), a:view(2 * N, N), grid = N }
  t.equal(a[2 * N + 5], 5 + N + 5)
  local x, y, z = buffers()
  gpu.use(GPU)
  local w = gpu.buffer(N)
  g { x, y, w, grid = N }
  g { x, w, z, grid = N }
  t.equal(z[9], 9 + 9 + 100)
  t.equal(x.device .. y.device .. z.device, GPU .. GPU .. GPU)
end)

on_gpu("textures, and arrays of them", function()
  local source = [=[
#include <metal_stdlib>
using namespace metal;
kernel void mix(array<texture2d<float, access::read>, 2> in [[texture(0)]], texture2d<float, access::write> out [[texture(2)]],
                uint2 p [[thread_position_in_grid]]) { out.write(in[0].read(p) + in[1].read(p), p); }]=]
  local h, g = both(source)
  local function texture(v)
    return gpu.texture("r32float", 8, 4):write(gpu.buffer(4, 8):fill(v))
  end
  local a, b, out = texture(1), texture(20), texture(0)
  for _, k in ipairs { g, h, g } do
    k { { a, b }, out, grid = { 8, 4 } }
    t.equal(out:read()[31], 21)
    t.equal(a.device .. out.device, k.device .. k.device)
    a:write(gpu.buffer(4, 8):fill(1))
    out:write(gpu.buffer(4, 8))
  end
end)

on_gpu("buffers that a struct points at", function()
  local h, g = both [=[
struct Job { device const float *x; device float *y; };
kernel void f(constant Job &job [[buffer(0)]], uint i [[thread_position_in_grid]]) { job.y[i] = 2 * job.x[i] + job.y[i]; }]=]
  local x, y = gpu.buffer(N):iota(), gpu.buffer(N)
  g { { x = x, y = y }, grid = N }
  h { { x = x, y = y }, grid = N }
  g { { x = y, y = y }, grid = N }
  t.equal(y[10], 3 * 40)
  t.equal(x.device .. y.device, "host" .. GPU)
end)

on_gpu("what another launch is about to use stays, and that is said", function()
  local more_h, more_g = both(MORE)
  local h = gpu.kernel [=[
struct Job { device float *x; device float *y; };
kernel void f(constant Job &job [[buffer(0)]], uint i [[thread_position_in_grid]]) { job.y[i] = job.x[i]; }]=]
  local x, y, said = gpu.buffer(N):fill(3), gpu.buffer(N), {}
  -- fields are read twice, for their bytes and for what they lead to: x is then
  -- pinned
  local job = setmetatable({}, { __index = function(_, field)
    if field == "x" then return x end
    local ok, why = pcall(x.device == "host" and more_g or more_h,
      { x, grid = N })
    said[#said + 1] = ok and "moved" or tostring(why)
    return y
  end })
  h { job, grid = N }
  t.equal(said[1], "moved")
  t.has(said[#said], "cannot move to host")
  t.equal(x.device, "host")
  t.equal(y[5], 4, "what was not refused ran")
end)

on_gpu("what has no room there stays where it is", function()
  local _, g = both(MORE)
  gpu.use(GPU)
  local most = gpu.device.max_buffer
  gpu.use "host"
  if most > 1 << 27 then return end -- the stand-in for CUDA's is small
  local big = gpu.buffer("float", most // 4 + 1000000)
  big[17] = 5
  local ok, why = pcall(g, { big, grid = N })
  t.equal(ok, false)
  t.has(tostring(why), "more than this device has")
  t.equal(big.device, "host")
  t.equal(big[17], 5)
end)

t.test("gpu.devices says what is missing, as gpu.use does", function()
  local listed = {}
  for _, d in ipairs(gpu.devices()) do
    listed[d.name] = d
    if d.missing then
      t.raises(d.missing, gpu.use, d.name)
      t.ok(#d.missing > 20 and not d.missing:find "\n", "one sentence")
    end
  end
  t.ok(listed.host and not listed.host.missing)
  gpu.use "host"
end)

---------------------------------------------------------------------- compare

local function row(r, name)
  for _, one in ipairs(r.rows) do if one.name == name then return one end end
end

on_gpu("compare: rows of each device, the CPU's once, one against the other", function()
  local a, b, c = buffers()
  local r = compare { gpu.kernel(ADD), a, b, c, grid = N, group = 32,
    cpu = cpu.add, devices = { "host", GPU }, budget = 0.002 }
  t.equal(r.ok, true)
  t.equal(#r.rows, 3 + #cpu.add.ways)
  t.equal(r.rows[1].name .. r.rows[2].name .. r.rows[3].name,
    ("host%s, GPU time%s, launched"):format(GPU, GPU))
  for i = 2, #r.rows do
    if i ~= 3 then
      t.near(r.rows[i].speedup, r.rows[i].median / r.rows[1].median, 1e-9,
        r.rows[i].name)
    end
  end
  t.equal(#r.agreement, 1)
  t.ok(r.agreement[1].close and r.agreement[1].worst == 0)
  local text = tostring(r)
  t.has(text, "host: correct"); t.has(text, GPU .. ": correct"); t.has(text, "every element is the same")
  t.has(text, "the kernel on host is"); t.has(text, "on " .. GPU .. " (")
  t.equal(a.device .. b.device .. c.device, "hosthosthost", "they are back")
  t.equal(c[5], 105, "the answer of one run on their own device")
  t.equal(gpu.device.name, "host")
end)

on_gpu("compare: elsewhere only, what the person made is as it was", function()
  local a, b, c = buffers()
  local r = compare { ADD, a, b, c, grid = N, cpu = cpu.add, devices = GPU,
    budget = 0.002 }
  t.equal(r.ok, true)
  t.equal(r.rows[1].name, GPU .. ", GPU time")
  t.ok(c:equals(gpu.buffer(N):fill(7)) and a[5] == 5)
  t.equal(gpu.device.name, "host")
end)

on_gpu("compare: each device starts from the same, before and verify see its buffers", function()
  local c, saw = gpu.buffer(N):fill(7), {}
  local function run(before)
    return compare { gpu.kernel(MORE), c, grid = N, before = before,
      devices = { "host", GPU }, budget = 0.002,
      verify = function(x)
        saw[gpu.device.name] = x.device
        return x[3] == (before and 1 or 8), ("it is %g"):format(x[3])
      end }
  end
  local r = run()
  t.equal(r.ok, true, tostring(r))
  t.equal(saw.host .. saw[GPU], "host" .. GPU)
  t.equal(run(function() c:fill(0) end).ok, true)
end)

on_gpu("compare: a kernel of the library", function()
  gpu.use(GPU)
  t.fits(require("lua.workload.kernels").workload("matmul_simdgroup",
    { m = 16, n = 16, k = 16 }))
  local r = compare { "matmul_simdgroup", m = 16, n = 16, k = 16,
    devices = "all", budget = 0.002 }
  t.equal(r.ok, true)
  t.ok(row(r, "host") and row(r, GPU .. ", launched"))
  t.ok(r.agreement[1].close)
end)

on_gpu("compare: wrong on one device: no time there, and it says so", function()
  local a, b, c = buffers()
  local r = compare { gpu.kernel(ADD), a, b, c, grid = N,
    devices = { "host", GPU }, budget = 0.002,
    verify = function() return gpu.device.name == "host", "not here" end }
  t.equal(r.ok, false)
  t.ok(row(r, "host").median > 0)
  t.equal(row(r, GPU).wrong, true)
  t.equal(row(r, GPU).median, nil)
  t.has(tostring(r), GPU .. ": wrong: not here")
end)

on_gpu("compare: without a reference the devices must agree", function()
  local c = gpu.buffer(N)
  local function run(apart)
    return compare { gpu.kernel(MORE), c, grid = N, devices = { "host", GPU },
      budget = 0.002,
      before = function() c:fill(gpu.device.name == "host" and 0 or apart) end }
  end
  local r = run(0)
  t.equal(r.ok, nil)
  t.ok(#r.rows == 3)
  r = run(1)
  t.equal(r.ok, false)
  t.equal(#r.rows, 0)
  t.has(tostring(r), "they differ"); t.has(tostring(r), "devices disagree")
end)

on_gpu("compare: a device that cannot run it is a row that says why", function()
  local source = [=[
#include <metal_stdlib>
using namespace metal;
kernel void f(device float *c [[buffer(0)]], threadgroup float *s [[threadgroup(0)]],
              uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
  s[l] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  c[i] = s[l ^ 1];
}]=]
  local limit = { host = gpu.device.max_threadgroup_memory }
  gpu.use(GPU)
  limit[GPU] = gpu.device.max_threadgroup_memory
  gpu.use "host"
  local c = gpu.buffer(N)
  local function run(bytes)
    return compare { source, c, grid = N, group = 32, threadgroup = bytes,
      devices = { "host", GPU }, budget = 0.002,
      verify = function(x) return x[0] == 1 end }
  end
  t.raises("threadgroup memory", run, 1 << 20) -- on none
  if limit.host >= limit[GPU] then return end
  local r = run(limit.host + 1024)
  t.has(row(r, "host").failed, "threadgroup memory")
  t.ok(row(r, GPU .. ", GPU time").median > 0)
  t.has(tostring(r), "host: cannot run it")
  t.equal(r.base.device, GPU)
end)

on_gpu("a kernel is measured, and named, on its own device", function()
  local a, b, c = buffers()
  local k = gpu.kernel(ADD)
  gpu.use(GPU)
  local r = compare { k, a, b, c, grid = N, cpu = cpu.add, budget = 0.002 }
  t.equal(r.device .. r.rows[1].name, "hosthost")
  t.equal(sweep { k, a, b, c, grid = N, group_sizes = { 32 },
    budget = 0.002 }.device, "host")
  t.equal(gpu.device.name, GPU)
end)

on_gpu("bench on two devices: a card each, side by side", function()
  local folder = os.tmpname()
  os.remove(folder)
  local r = bench { only = "relu", save = folder .. ".json", budget = 0.001,
    devices = { "host", GPU } }
  t.equal(#r.cards, 2)
  for i, name in ipairs { "host", GPU } do
    local file = ("%s-%s.json"):format(folder, (name:gsub("%W", "-")))
    t.equal(r.cards[i].device.name, name)
    t.equal(r.cards[i].file, file)
    t.equal(cards(file).figures[1].ok, true)
    os.remove(file)
  end
  -- noise may leave no ratio to tell, but each card has its time
  t.ok(r.rows[1].times[1] > 0 and r.rows[1].times[2] > 0)
  t.ok(r.rows[1].verdicts[2].ratio > 0)
  t.has(tostring(r), "1: host")
  t.equal(gpu.device.name, "host", "the device in use is as before")
end)

t.test("compare takes a source", function()
  local a, b, c = buffers()
  local r = compare { ADD, a, b, c, grid = N, cpu = cpu.add, budget = 0.002 }
  t.equal(r.ok, true)
  t.equal(r.name, "add")
end)

t.test("what is not here: a sentence with all, an error by its name", function()
  local r = compare { "add", n = 50, devices = "all", budget = 0.002 }
  t.equal(r.ok, true)
  local s = sweep { "add", over = { n = { 10, 20 } }, devices = "all",
    budget = 0.002 }
  for _, d in ipairs(gpu.devices()) do
    if d.missing then
      t.has(table.concat(r.notes, "\n"), ("not on %s: %s"):format(
        d.name, d.missing))
      t.has(tostring(s):gsub("%s+", " "), "not on " .. d.name)
      t.raises(("devices: '%s' cannot be used here: "):format(d.name), compare, { "add", devices = { "host", d.name } })
      t.raises("cannot be used here", sweep, { "add", devices = d.name })
    end
  end
  t.raises("there is no device 'cudo'", compare, { "add", devices = { "host", "cudo" } })
  t.raises('devices is "all"', compare, { "add", devices = {} })
  t.raises('devices is "all"', compare, { "add", devices = 3 })
  t.raises("stands alone", sweep, { "add", devices = { "all" } })
  t.equal(gpu.device.name, "host")
end)

------------------------------------------------------------------------ sweep

on_gpu("sweep: every size on every device, held against the same answer", function()
  local a, b, c = buffers()
  local r = sweep { gpu.kernel(ADD), a, b, c, grid = N, cpu = cpu.add,
    group_sizes = { 16, 32, 4096 }, devices = { "host", GPU }, budget = 0.002 }
  t.equal(#r.points, 6)
  for i, p in ipairs(r.points) do
    t.equal(p.device, i <= 3 and "host" or GPU)
    t.ok(i % 3 == 0 and p.illegal or p.median > 0, p.name)
  end
  local text = tostring(r)
  for _, device in ipairs { "host", GPU } do -- whatever the times say
    t.ok(text:find("best on " .. device, 1, true)
      or text:find("as fast as each other on " .. device, 1, true), text)
  end
  t.has(text, "4096 (" .. GPU .. ")")
  t.ok(c:equals(gpu.buffer(N):fill(7)) and c.device == "host", "as it was")
  t.equal(gpu.device.name, "host")
end)

on_gpu("sweep: without a reference, another answer on one device is wrong", function()
  local c = gpu.buffer(N)
  local r = sweep { gpu.kernel(MORE), c, grid = N, group_sizes = { 16, 32 },
    devices = { GPU, "host" }, budget = 0.002,
    before = function() c:fill(gpu.device.name == "host" and 1 or 0) end }
  for _, p in ipairs(r.points) do
    t.equal(p.wrong ~= nil, p.device == "host", p.device)
  end
  t.has(r.points[3].wrong, "on " .. GPU)
end)

on_gpu("sweep: parameters, two of them, and functions", function()
  local r = sweep { "matmul_tiled", over = { n = { 8, 12 }, TILE = { 4, 8 } },
    m = 8, k = 8, devices = { "host", GPU }, budget = 0.002 }
  t.equal(#r.points, 8)
  local names = {}
  for _, p in ipairs(r.points) do
    t.ok(p.median, p.illegal or p.wrong)
    names[p.series] = true
  end
  t.ok(names["n = 8, host"] and names["n = 12, " .. GPU]
    or names["TILE = 4, host"] and names["TILE = 8, " .. GPU])
  local a, b, c = buffers()
  r = sweep { function(p)
    return { gpu.kernel(ADD), a, b, c, grid = p.n, cpu = function(x, y)
      return cpu.add(x, y)
    end, tolerance = 1e9 }
  end,
    over = { n = { N } }, devices = { "host", GPU }, budget = 0.002 }
  t.equal(#r.points, 2)
end)

t.done()

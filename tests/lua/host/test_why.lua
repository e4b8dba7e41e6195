-- test_why.lua - what the host says it made of a kernel: k:why(), the list of
-- accesses at the head of k:ir(), and the fallback's name in a kernel's print
-- and a launch's result.
--
-- Guards: devices/host/kernel/explain.c, devices/host/strategy/strategy.c:
-- k:why() and the list of accesses in k:ir(), a kernel for each strategy; the
-- fallback in prints and results; devices/host/native/listing.c,
-- devices/host/vectorise/report.c, devices/compiler/prepare/debug_lines.c
local t = dofile "tests/tap.lua"
local program = os.getenv "METTLE" or "build/mettle"
gpu.use "host"

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

local function kernel(body, params)
  return gpu.kernel(("%skernel void k(device float *a [[buffer(0)]], device float *o [[buffer(1)]],\n" ..
    "  constant uint &n [[buffer(2)]], %s uint3 p [[thread_position_in_grid]]) {\n" ..
    "  uint i = p.x; (void)i;\n%s\n}\n"):format(head, params or "", body))
end
local LINE = 6 -- of the body's first line

local function launched(k, group)
  local a, o = gpu.buffer(4096), gpu.buffer(4096)
  return k { a, o, 16, grid = group, group = group }
end

-- Threads may leave the loop at different times, as far as a compiler sees;
-- those of a group of 64 do not.
local DIVERGENT = head .. [=[
kernel void odd(device float *a [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  for (uint j = 0; j < (a[i + 128] < 1 ? 2 : 3); j++) {
    a[i] += j;
    threadgroup_barrier(mem_flags::mem_device);
  }
  a[i + 64] = a[i];
}
]=]
local REASON = "a barrier that not all threads may reach, in line 6"

t.test("a kernel of vectors says so, and names no fallback", function()
  local k = kernel "  o[i] = 2 * a[i];"
  t.has(k:why(), "The host runs k, in threadgroups of 256, as vectors of 32 threads. Its code is optimised.")
  t.has(k:why(), "Loads: 1 contiguous. Stores: 1 contiguous.")
  local r = launched(k, { 64, 2 })
  t.has(k:why(), "threadgroups of 64 x 2, as vectors")
  t.equal(r.fallback, nil)
  t.ok(not (tostring(k) .. tostring(r)):find "thread by thread")
end)

t.test("a barrier in a divergent loop is named as the reason", function()
  local k = gpu.kernel(DIVERGENT)
  t.has(k:why(), "thread by thread, ")
  t.has(k:why(), "the reason: " .. REASON .. ".")
  t.ok(not tostring(k):find "thread by thread", "nothing is known before a launch")
  for _ = 1, 2 do -- made, and from memory
    local r = k { gpu.buffer(256), grid = 64, group = 64 }
    t.equal(r.fallback, REASON)
    t.has(tostring(r), "\n  runs thread by thread: " .. REASON)
    t.has(tostring(k), "\n  runs thread by thread: " .. REASON)
  end
  t.has(k:ir(), "thread by thread: " .. REASON)
end)

local function other(lua, settings)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(("gpu.use 'host'\nlocal k = gpu.kernel [==[%s]==]\n%s"):format(DIVERGENT, lua))
  file:close()
  local pipe = io.popen(("%s '%s' %s 2>&1"):format(
    settings or "", program, name))
  local text = pipe:read "a"
  pipe:close()
  os.remove(name)
  return text
end

t.test("code from the disk still has its reason", function()
  t.has(other "print(k { gpu.buffer(256), grid = 64, group = 64 })", "runs thread by thread: " .. REASON)
end)

t.test("METTLE_ENGINE=scalar is a reason", function()
  local lua = "print(k:why()) print(k { gpu.buffer(256), grid = 64, group = 64 })"
  local text = other(lua, "METTLE_ENGINE=scalar")
  t.has(text, "the reason: METTLE_ENGINE=scalar asks for it.")
  t.has(text, "runs thread by thread: METTLE_ENGINE=scalar asks for it")
end)

t.test("quick code is named", function()
  t.has(other("print(k:why())", "METTLE_TIER=quick"), "Its code is quick code")
  t.has(other("print(k:why())", "METTLE_TIER=both"), "launches run quick code until its optimised code is made")
  t.has(other("k { gpu.buffer(256), grid = 64, group = 64 } print(k:why())", "METTLE_TIER=quick"),
    "The last launch ran quick code.")
end)

t.test("SIMD-groups side by side are counted", function()
  local k = gpu.kernel("matmul_naive")
  t.ok(k:why():find "%d SIMD%-groups side by side", k:why())
end)

local KEPT = "kept for the next threadgroups"

t.test("tiles that are kept are told", function()
  local k, n = gpu.kernel("matmul_tiled32"), 256
  local a, b, c = gpu.buffer(n, n), gpu.buffer(n, n), gpu.buffer(n, n)
  k { a, b, c, n, n, n, grid = { n, n }, group = { 32, 32 } }
  t.ok(k:why():find "Its 2 tiles are filled for all iterations", k:why())
  -- written to a factor: it may change
  k { a, b, a, n, n, n, grid = { n, n }, group = { 32, 32 } }
  t.ok(not k:why():find(KEPT), k:why())
end)

t.test("a launch of few threadgroups keeps no tiles, one of many does", function()
  local k, n = gpu.kernel("matmul_tiled32"), 256
  local a, b = gpu.buffer(n, n):fill(1), gpu.buffer(n, n):fill(2)
  local c = gpu.buffer(n, n)
  t.ok(k:why():find(KEPT), "before the first launch")
  for _, side in ipairs { 32, 224, 256, 224 } do
    k { a, b, c, side, n, n, grid = { n, side }, group = { 32, 32 } }
    t.equal(k:why():find(KEPT) ~= nil, side == 256)
    t.equal(c[side * n - 1], 2.0 * n)
  end
end)

-- One kernel for each strategy: what k:ir() has to list for a line of the body,
-- counted from 0.
local strategies = {
  { "uniform", "  o[i] = a[3];", "load, uniform" },
  { "uniform store", "  o[3] = a[i];", "store, uniform" },
  { "contiguous", "  o[i] = a[i + 1];", "load, contiguous" },
  { "contiguous store, under a mask too", "  if (a[i] > 0) o[i] = 1;", "store, contiguous" },
  { "contiguous in pieces", "  o[p.y * n + p.x] = a[p.y * n + p.x];", "load, contiguous in pieces", group = { 16, 4 } },
  { "strided", "  o[i] = a[3 * i];", "load, strided" },
  { "interleaved stores", "  o[2 * i] = a[i]; o[2 * i + 1] = a[i + 1];", "2 stores, interleaved" },
  { "interleaved vectors", "  ((device float4 *)o)[i] = 2 * ((device float4 *)a)[i];", "load, interleaved" },
  { "short vectors", "  o[i] = length(((device float4 *)a)[int(o[i])]);", "load, short vector of each lane" },
  { "run-time test", "  o[i] = a[clamp(int(i) - 1, 0, int(n) - 1)];", "load, contiguous if a run-time test says so" },
  { "row buffer", "  float s = 0;\n  for (uint j = 0; j < n; j++) s = sin(s) + a[i * n + j];\n  o[i] = s;",
    "load, row buffer", line = 1 },
  { "inner loop", "  float s = 0;\n  for (uint j = 0; j < n; j++) s += a[i * n + j];\n  o[i] = s;",
    "load, lane by lane in an inner loop", line = 1 },
  { "tile transpose", "  o[p.x * n + p.y] = a[p.y * n + p.x];", "store, tile transpose", group = { 16, 16 } },
  { "gather", "  o[i] = a[int(o[i])];", "load, gather" },
  { "scatter", "  o[int(a[i])] = 1;", "store, scatter" },
  { "private array", "  float s[64];\n  for (uint j = 0; j < n; j++) s[j] = a[i + j];\n" ..
    "  for (uint j = 0; j < n; j++) o[i] += s[n - j];", "store, private array", line = 1 },
  { "gather from a private array", "  float s[64];\n  for (uint j = 0; j < n; j++) s[j] = a[i + j];\n  o[i] = s[int(o[i])];",
    "load, gather", line = 2 },
  { "atomic", "  atomic_fetch_add_explicit((device atomic_uint *)o, i, memory_order_relaxed);", "operation, atomic" },
}
for _, s in ipairs(strategies) do
  t.test("strategy: " .. s[1], function()
    local k = kernel(s[2])
    if s.group then launched(k, s.group) end
    local list = k:ir():match "^;[^\n]*\n(.-)\ndefine"
    t.has(list .. "\n", ("; line %d: %s"):format(LINE + (s.line or 0), s[3]))
  end)
end

t.test("k:why() sums the strategies", function()
  local k = kernel "  o[i] = a[i] * a[3] + a[int(o[i])];\n  o[3 * i] = a[2 * i];"
  t.has(k:why(), "Loads: 1 uniform, 2 contiguous, 1 strided, 1 gather. Stores: 1 contiguous, 1 scatter.")
end)

t.test("metal does not tell, and says that", function()
  if not pcall(gpu.use, "metal") then return end
  local k = gpu.kernel(DIVERGENT)
  gpu.use "host"
  t.equal(k:why(), "The metal device compiles kernels by itself and does not say what it made of this one.")
end)

t.test("rows of a solid grid are read in one piece, in groups of the usual size", function()
  local k = kernel "  o[(p.z * n + p.y) * n + p.x] = a[(p.z * n + p.y) * n + p.x];"
  local r = k { gpu.buffer(32 * 32 * 4), gpu.buffer(32 * 32 * 4), 32,
    grid = { 32, 32, 4 } }
  t.equal(table.concat(r.group, " "), "32 4 2")
  t.has(k:why(), "1 contiguous. Stores: 1 contiguous.")
end)

t.test("a kernel that cannot tell its threadgroup runs along the rows of the grid", function()
  local k = kernel "  o[p.y * 256 + p.x] = a[p.y * 256 + p.x];"
  local a, o = gpu.buffer(256 * 16), gpu.buffer(256 * 16)
  k { a, o, 16, grid = { 256, 16 }, group = { 8, 8 } }
  t.has(k:why(), "along the rows of the grid since no thread can tell which threadgroup it is in")
  t.has(k:ir(), "32 threads of a row of the grid as a vector")
  k { a, o, 16, grid = { 24, 16 }, group = { 8, 8 } } -- rows too short
  t.ok(not k:why():find("rows of the grid", 1, true))
end)

t.test("small groups of one long row run as pieces of 1024 threads", function()
  local k = kernel "  o[p.x] = a[p.x] + p.x;"
  local a, o = gpu.buffer(20000), gpu.buffer(20000)
  a:fill(3)
  k { a, o, 16, grid = 16437, group = 40 }
  t.has(k:why(), "along the rows of the grid")
  t.equal(o[0], 3)
  t.equal(o[16436], 16439)
  t.equal(o[16437], 0)
  k { a, o, 16, grid = 4000, group = 40 } -- too few for several cores
  t.ok(not k:why():find("rows of the grid", 1, true))
  k { a, o, 16, grid = 16437, group = 1024 } -- large groups
  t.ok(not k:why():find("rows of the grid", 1, true))
end)

t.test("a fault in a row of the grid names the threadgroup of the launch", function()
  local k = kernel "  o[p.y * 256 + p.x + (p.x == 200 && p.y == 9 ? 1u << 28 : 0)] = a[p.y * 256 + p.x];"
  local a, o = gpu.buffer(256 * 16), gpu.buffer(256 * 16)
  local function fault(group)
    local good, why = pcall(k, { a, o, 16, grid = { 256, 16 }, group = group })
    t.ok(not good)
    return tostring(why)
  end
  local exact = fault { 32, 8 }
  t.has(exact, ", threadgroup (6, 1, 0): wrote memory that is not there")
  t.has(k:why(), "along the rows of the grid")
  t.has(fault { 12, 8 }, ", near threadgroup (16, 1, 0): wrote memory")
end)

t.done()

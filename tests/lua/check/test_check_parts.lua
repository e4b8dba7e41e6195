-- test_check_parts.lua - single bytes that lanes far apart read and write:
-- their shadow would outgrow the buffers, so the launch is watched part by
-- part. What is found must be what is found beside words, which need no parts,
-- and memory must stay within its limit (of no device).
--
-- Guards: devices/host/check/shadow_partition.c, devices/host/check/epochs.c:
-- scattered accesses to bytes are checked part by part, with the same findings,
-- and memory within its limit
local t = dofile "tests/tap.lua"

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
#define MIX(i) (((i) * 40503u) & (n - 1))
]=]

-- Findings in words: all that does not depend on which part came first.
local function told(r)
  local list = {}
  for i, f in ipairs(r) do
    local first = f.kind == "race" or f.kind == "uninitialised"
    local where = first and "" or f.index
    list[i] = ("%s %s:%s %s:%s %s[%s] ×%d"):format(
      f.kind, f.line, f.column, f.other_line, f.other_column, f.buffer,
      where, f.count)
  end
  return table.concat(list, "\n")
end

-- The kernel with elements of each type: the same is found.
local function alike(name, body, launch, kinds)
  t.test(name, function()
    local reports = {}
    for i, type in ipairs { "uint", "uchar", "ushort" } do
      local r = check(launch(gpu.kernel(HEAD .. body,
        { defines = { T = type } }), type))
      reports[i] = told(r)
      t.equal(#r.unchecked, 0)
    end
    for kind in kinds:gmatch "%S+" do
      t.ok(reports[1]:find(kind, 1, true), kind .. " is missing:\n"
        .. reports[1])
    end
    if kinds == "" then t.equal(reports[1], "") end
    t.equal(reports[2], reports[1])
    t.equal(reports[3], reports[1])
  end)
end

local n = 1 << 16

-- Mistakes in each sixteenth of the memory, and some that are not about memory
-- with parts: those are counted once.
alike("mistakes of all kinds are found once each", [=[
kernel void k(device T *a, device T *out, device T *bin, constant uint &n,
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[256];
  uint j = MIX(i);
  tile[t] = i;
  uint x = tile[t ^ 1];
  a[j] = a[j] + T(x & 1);
  if (j % (n / 16) == 5) a[(j + n / 2) & (n - 1)] = 3;
  if (j % (n / 16) != 9) out[j] = T(i);
  if (i == 700) out[n + 3] = T(i / (i - 700));
  if (j % (n / 16) == 11) bin[j] = bin[j] + 1;
  else bin[j] = 1;
}
]=], function(k, type)
  return { k, gpu.buffer(type, n), gpu.buffer(type, n), gpu.buffer(type, n), n,
    grid = n, group = 256, schedules = 0,
    outputs = { "out" }, undefined = { "bin" } }
end, "race out-of-bounds division-by-zero uninitialised")

alike("elements that nobody writes are found in every part", [=[
kernel void k(device T *a, device T *out, constant uint &n, uint i [[thread_position_in_grid]]) {
  uint j = MIX(i);
  a[j] = a[j] + 1;
  if (j % (n / 16) != 9) out[j] = T(i);
}
]=], function(k, type)
  return { k, gpu.buffer(type, n), gpu.buffer(type, n), n, grid = n,
    group = 256, schedules = 1, outputs = { "out" } }
end, "coverage")

alike("barriers, fences and atomics order the same in every part", [=[
kernel void k(device T *all, device atomic_uint *count, device uint *last, constant uint &n,
              uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  device T *a = all + g * n;
  for (uint j = t; j < n; j += 128) a[MIX(j)] = T(j);
  threadgroup_barrier(mem_flags::mem_device);
  uint sum = 0;
  for (uint j = t; j < n; j += 128) sum += a[(j * 25741u) & (n - 1)];
  if (g % 3 == 0) threadgroup_barrier(mem_flags::mem_device);
  threadgroup_barrier(mem_flags::mem_device);
  for (uint j = t; j < n; j += 128) a[(j * 9377u) & (n - 1)] = T(sum);
  atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}
]=], function(k, type)
  return { k, gpu.buffer(type, n), gpu.buffer("uint", 1), gpu.buffer("uint", 1),
    n // 64, groups = 64, group = 128,
    schedules = 1 }
end, "")

alike("a barrier for the wrong memory is found in every part", [=[
kernel void k(device T *all, constant uint &n, uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
  device T *a = all + g * n;
  for (uint j = t; j < n; j += 128) a[MIX(j)] = T(j);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = t; j < n; j += 128) a[(j * 25741u) & (n - 1)] += 1;
}
]=], function(k, type)
  return { k, gpu.buffer(type, n), n // 64, groups = 64, group = 128,
    schedules = 0 }
end, "race")

-- By how many times the buffers the program grows while it checks.
local function growth(type, body, bytes)
  local source = HEAD .. "kernel void k(device T *a, constant uint &n, uint i [[thread_position_in_grid]]) {" .. body .. "}"
  local size = type == "ushort" and 2 or 1
  local k, a = gpu.kernel(source, { defines = { T = type } }),
    gpu.buffer(type, bytes // size)
  a:fill(1)
  check { k, gpu.buffer(type, 4096), 4096, grid = 4096 }
  local function now(name)
    local text = io.open("/proc/self/status"):read "a"
    return math.tointeger(text:match(name .. ":%s*(%d+)")) * 1024
  end
  io.open("/proc/self/clear_refs", "w"):write("5"):close()
  local before = now "VmRSS"
  check { k, a, bytes // size, grid = bytes // size }
  return (now "VmHWM" - before) / bytes
end

for _, case in ipairs { { "uchar", "a[MIX(i)] += 1;" },
  { "ushort", "a[MIX(i)] += 1;" } } do
  local name = "memory stays within 8 times the buffers: " .. case[1]
  if (os.getenv "METTLE" or ""):find("/tsan/", 1, true) then
    t.skip(name, "ThreadSanitizer takes several times the buffers itself")
  elseif not io.open("/proc/self/clear_refs", "w") then
    t.skip(name, "this system does not say what a program takes")
  else
    t.test(name, function()
      local times = growth(case[1], case[2], 1 << 22)
      t.ok(times < 8, ("%.2f times"):format(times))
      t.ok(times > 1, ("%.2f times: this measures nothing"):format(times))
    end)
  end
end

t.done()

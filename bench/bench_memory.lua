-- bench_memory.lua - what a check takes of memory: by how much the program
-- grows while it runs, as a multiple of the buffers, for ways to go through
-- memory that are hard on its shadow (docs/checking.md).
--
-- Each way runs in a Mettle of its own: this file again, with its number. The
-- kernel is checked once on little memory first, so that its code is there.
local units = require "lua.text.units"

local MANY = 1 << 24 -- bytes of the first buffer

-- MIX is a permutation of 0 … n - 1, n a power of two: lanes go far apart.
local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
#define MIX(i, odd) (((i) * (odd)) & (n - 1))
]=]

-- One byte or the like for each thread.
local function whole(body)
  return HEAD .. "kernel void k(device T *a, constant uint &n, uint i [[thread_position_in_grid]]) {" .. body .. "}"
end

-- Each group has 64 places for each of its threads.
local function parts(body)
  return HEAD .. [=[
kernel void k(device T *all, constant uint &count, uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]], uint size [[threads_per_threadgroup]]) {
  const uint n = 64 * 256;
  device T *a = all + g * n;]=] .. body .. "}"
end

local several = [=[
  for (uint j = t; j < n; j += size) a[MIX(j, 40503u)] = T(j);
  threadgroup_barrier(mem_flags::mem_device);
  uint sum = 0;
  for (uint j = t; j < n; j += size) sum += a[MIX(j, 25741u)];
  threadgroup_barrier(mem_flags::mem_device);
  for (uint j = t; j < n; j += size) a[MIX(j, 9377u)] = T(sum);
  threadgroup_barrier(mem_flags::mem_device);
  for (uint j = t; j < n; j += size) sum += a[MIX(j, 30011u)];
  if (sum == 77777) a[t] = 0;]=]

local apart = "a[MIX(i, 2654435761u)] += 1;"
local two = HEAD .. [=[
kernel void k(device const T *in, device T *out, constant uint2 &size, uint2 p [[thread_position_in_grid]]) {
  BODY
}]=]

-- title, T, source; threads of a group, bytes, whether there are two buffers
local list = {
  { "float, rows", "float", whole "a[i] += 1;" },
  { "float, apart", "float", whole(apart) },
  { "float, several passes", "float", parts(several) },
  { "uint, one group each", "uint", whole "a[i] += 1;", group = 1 },
  { "ushort, rows", "ushort", whole "a[i] += 1;" },
  { "ushort, apart", "ushort", whole(apart) },
  { "ushort, several passes", "ushort", parts(several) },
  { "uchar, rows", "uchar", whole "a[i] += 1;" },
  { "uchar, every 64th", "uchar", whole "uint j = i / (n / 64) + i % (n / 64) * 64; a[j] += 1;" },
  { "uchar, apart", "uchar", whole(apart) },
  { "uchar, apart, 1 thread a group", "uchar", whole(apart), group = 1, bytes = MANY / 4 },
  { "uchar, several passes", "uchar", parts(several) },
  { "uchar, rows then apart", "uchar", parts(several:gsub("MIX%(j, 40503u%)", "j")) },
  { "uchar, written apart", "uchar", whole "a[MIX(i, 2654435761u)] = 1;" },
  { "uchar, image transposed", "uchar", two:gsub("BODY", "out[p.x * size.y + p.y] = in[p.y * size.x + p.x];"), two = true },
  { "uchar, transposed and back", "uchar",
    two:gsub("BODY", "uint at = p.x * size.y + p.y; out[at] = in[p.y * size.x + p.x]; out[at] = 255 - out[at];"), two = true },
  { "uchar, histogram a thread", "uchar",
    whole "if (i * 256 < n) for (uint j = 0; j < 256; j++) a[i * 256 + (j * 41 + i) % 256] += 1;" },
  { "uchar4, apart", "uchar4", whole(apart) },
  { "packed_uchar3, apart", "packed_uchar3", whole "uint j = MIX(i, 2654435761u); a[j] = a[j].zyx;" },
  { "bytes of words, apart", "uint",
    whole "device uchar *b = (device uchar *)a; for (uint k = 0; k < 4; k++) b[((4 * i + k) * 2654435761u) & (4 * n - 1)] += k;" },
}

local sizes = { float = 4, uint = 4, uchar4 = 4, ushort = 2, uchar = 1,
  packed_uchar3 = 3 }

------------------------------------------------------------ one of them, alone

local function memory()
  local now = {}
  for line in io.lines "/proc/self/status" do
    local name, kb = line:match "^(Vm%a+):%s*(%d+) kB"
    if name then now[name] = tonumber(kb) * 1024 end
  end
  return now
end

-- The launch over buffers of up to 'bytes' each, and how many bytes they are.
local function launch(k, entry, bytes)
  local size = sizes[entry[2]]
  local n = 1
  while n * 2 * size <= bytes do n = n * 2 end
  local t = { k, group = entry.group or 256 }
  if entry.two then
    local side = 1
    while side * side * 4 <= n do side = side * 2 end
    t[2], t[3], t[4] = gpu.buffer(entry[2], n), gpu.buffer(entry[2], n),
      { n // side, side }
    t.grid, t.group = { n // side, side }, { 16, 16 }
  else
    t[2], t[3], t.grid = gpu.buffer(entry[2], n), n, n
    if entry[3]:find "n = 64" then t.grid = n // 64 end
  end
  local given = 0
  for i = 2, 3 do
    if type(t[i]) == "userdata" then
      t[i]:fill(1) given = given + #t[i] * size
    end
  end
  return t, given
end

local function alone(entry)
  local k = gpu.kernel(entry[3], { defines = { T = entry[2] } })
  check((launch(k, entry, 1 << 16)))
  local t, given = launch(k, entry, entry.bytes or MANY)
  collectgarbage()
  io.open("/proc/self/clear_refs", "w"):write("5"):close()
  local before, start = memory(), os.clock()
  local r = check(t)
  local seconds = os.clock() - start
  local found = {}
  for _, f in ipairs(r) do found[#found + 1] = f.kind end
  print(("%.3f %.3f %s"):format((memory().VmHWM - before.VmRSS) / given,
    seconds, table.concat(found, " ")))
end

----------------------------------------------------------------------- all

local number = tonumber(arg and arg[1])
if number then return alone(list[number]) end
if not io.open "/proc/self/clear_refs" then
  print "memory: this system does not say what a program takes"
  return
end
print "check{…}: memory beyond the buffers, as a multiple of them; seconds of one core"
local worst = 0
for i, entry in ipairs(list) do
  local out = io.popen(("build/mettle bench/bench_memory.lua %d 2>&1"):format(i))
  local text = out:read "a"
  out:close()
  local times, seconds, found = text:match "^(%S+) (%S+) ?(.-)\n$"
  if not times then error(entry[1] .. ": " .. text, 0) end
  times = tonumber(times)
  worst = math.max(worst, times)
  print(("%s %5.2f×  %s  %s"):format(units.pad(entry[1], 32), times,
    units.right(units.time(tonumber(seconds)), 8), found))
end
print(("the most is %.2f times the buffers; the aim is 8"):format(worst))

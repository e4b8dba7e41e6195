-- test_ahead.lua - in a program that compiles one source after the other, the
-- Clang of the next starts while a launch waits for its code.
--
-- Guards: devices/compiler_module.c, msl/clang/clang.c: the next Clang starts
-- while a launch waits for its code
local t = dofile "tests/tap.lua"
local system = require "mettle.system"

local function read(path)
  local f = io.open(path)
  local text = f and f:read "a"
  if f then f:close() end
  return text or ""
end

-- The Clangs that this process has begun and that have not ended: one that has
-- is without a command line.
local function clangs()
  local n = 0
  for _, thread in ipairs(system.list "/proc/self/task" or {}) do
    for child in read("/proc/self/task/" .. thread .. "/children")
      :gmatch "%d+" do
      if read("/proc/" .. child .. "/cmdline"):find "clang" then n = n + 1 end
    end
  end
  return n
end

local name = "the next Clang waits while the code of a launch is made"
if gpu.device.name ~= "host" or not io.open "/proc/self/task"
  or os.getenv "METTLE_LOADED" == "0" then
  t.skip(name, "needs the host device, and /proc")
  t.done()
end

t.test(name, function()
  local x = gpu.buffer(32)
  for i = 1, 600 do -- until one has been loaded, to fork from
    gpu.kernel(("kernel void k(device float *x, uint i [[thread_position_in_grid]]) { x[i] = %d; }"):format(i)) { x, grid = 32 }
    system.sleep(0.05)
    -- the one that was loaded, the next, and one that has the headers already
    local n = clangs()
    if n == 2 or n == 3 then return end
  end
  t.ok(false, clangs() .. " are there")
end)

t.test("sources that differ in an attribute alone have code of their own", function()
  local function places(attribute)
    local k = gpu.kernel(([=[
kernel void place(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]],
                  uint what [[%s]]) {
  out[i] = what;
}]=]):format(attribute))
    local out = gpu.buffer("uint", 96)
    k { out, grid = 96, group = 48 }
    return ("%d %d"):format(out[40], out[48])
  end
  t.equal(places "thread_position_in_threadgroup", "40 0")
  t.equal(places "thread_index_in_simdgroup", "8 0")
  t.equal(places "threadgroup_position_in_grid", "0 1")
  t.equal(places "thread_position_in_threadgroup", "40 0")
end)
t.done()

-- test_threads.lua - the kernels of the library give the same bits on 1, 2, 3
-- and 7 threads, and again and again; tests/msl/case.lua asks that of those in
-- tests/msl/run.
--
-- Guards: the kernels of kernels/ give the same bits on 1, 2, 3 and 7 threads;
-- a kernel with a race does not
local t = dofile "tests/tap.lua"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"

-- Enough threadgroups for seven threads, and a cut one at the end.
local LARGE = { n = 4099, m = 66, k = 35, rows = 66, columns = 170, width = 151,
  height = 53 }

local function bits(value)
  local list = {}
  if getmetatable(value).__name == "texture" then value = value:read() end
  local flat = value:reshape(#value)
  for i = 0, #flat - 1 do
    local v = flat[i]
    list[#list + 1] = type(v) == "table" and string.pack(
      ("n"):rep(#v), table.unpack(v)) or string.pack("n", v)
  end
  return table.concat(list)
end

-- All outputs of a fresh workload, after one run of it.
local function answer(name, sizes)
  local p, all = t.fits(kernels.workload(name, sizes)), {}
  p:run(1)
  for i, output in ipairs(p.outputs) do all[i] = bits(output.value) end
  return table.concat(all)
end

-- Sums of floats by atomics come in any order.
local function adds_floats(name)
  local file = assert(io.open("kernels/" .. name .. ".metal"))
  local source = file:read "a"
  file:close()
  return source:find("atomic_float", 1, true)
    or source:find("atomic<float>", 1, true)
end

-- The library's own sizes are for measuring.
local function sizes_of(name)
  local sizes = {}
  for key, usual in pairs(kernels.data(name).sizes) do
    sizes[key] = math.min(usual, LARGE[key] or usual)
  end
  return sizes
end

for _, name in ipairs(gpu.kernels) do
  if not adds_floats(name) then
    t.test(name, function()
      local one
      for _, n in ipairs { 1, 2, 3, 7, 2 } do
        system.threads(n)
        local got = answer(name, sizes_of(name))
        system.threads(0)
        t.ok(#got > 0, "an output")
        t.ok(got == (one or got), ("not the same bits on 1 and on %d threads"):format(n))
        one = got
      end
    end)
  end
end

-- The test must be able to fail: which thread comes last depends on how many
-- there are.
t.test("a kernel with a race is told from one without", function()
  local k = gpu.kernel [=[
    #include <metal_stdlib>
    using namespace metal;
    kernel void f(device atomic_uint *next [[buffer(0)]], device uint *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
      out[i] = atomic_fetch_add_explicit(next, 1u, memory_order_relaxed);
    }]=]
  local different = false
  for _ = 1, 200 do
    local seen = {}
    for _, n in ipairs { 1, 7 } do
      local next_one, out = gpu.buffer("uint", 1), gpu.buffer("uint", 20000)
      system.threads(n)
      k { next_one, out, grid = 20000, group = 1 }
      system.threads(0)
      seen[#seen + 1] = bits(out)
    end
    different = different or seen[1] ~= seen[2]
    if different then break end
  end
  t.ok(different, "200 launches came in order")
end)

t.done()

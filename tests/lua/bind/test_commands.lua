-- test_commands.lua - gpu.commands: several launches in one command buffer,
-- what may happen inside its function, and the timeline.
--
-- Guards: lua/bind/gpu/commands.c, lua/workload/commands.lua,
-- devices/commands.c: several launches in one command buffer, what may happen
-- inside the function, the timeline; lua/bind/core/advice.c
local t = dofile "tests/tap.lua"
t.compiler "gpu.commands"

local library = gpu.library [=[
#include <metal_stdlib>
using namespace metal;
struct Step { float by; uint n; };
kernel void scale(device float *x [[buffer(0)]], constant float &by [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) { x[i] *= by; }
kernel void add(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) { y[i] += x[i]; }
kernel void move(device float *x [[buffer(0)]], constant Step &s [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) { if (i < s.n) x[i] += s.by; }
kernel void pick(device float *x [[buffer(0)]], constant float &by [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) { x[i] = by + float(i); }
kernel void wild(device float *x [[buffer(0)]], constant uint &n [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) { x[i * n] = 1; }
kernel void paint(texture2d<float, access::write> image [[texture(0)]], constant float &v [[buffer(0)]],
                  uint2 p [[thread_position_in_grid]]) { image.write(float4(v), p); }
]=]
local k = setmetatable({}, { __index = function(all, name)
  all[name] = library:kernel(name)
  return all[name]
end })

local function fails(words, f, ...)
  local ok, why = pcall(f, ...)
  t.ok(not ok, "it must fail: " .. words)
  t.ok(tostring(why):find(words, 1, true), ("%q has no %q"):format(
    tostring(why), words))
end

t.test("launches run in their order, once the function has returned", function()
  local x, y = gpu.buffer(1000):fill(1), gpu.buffer(1000)
  local first
  local r, word, more = gpu.commands(function()
    first = k.scale { x, 2, grid = 1000 }
    t.ok(first.pending and first.time == nil)
    t.ok(tostring(first):find "runs when the function of gpu.commands returns")
    k.add { x, y, grid = 1000 }
    k.scale { x, 3, grid = 1000, group = 32 }
    k.add { x, y, grid = 1000, repeats = 2 }
    return "word", 7
  end)
  t.equal(x[999], 6)
  t.equal(y[999], 2 + 6 + 6)
  t.equal(word, "word")
  t.equal(more, 7)
  t.equal(#r, 4)
  t.ok(r[1] == first and not first.pending, "the launch's own result has its time")
  t.ok(r.time > 0 and r.wall > 0)
  t.equal(r.device, gpu.device.name)
  t.equal(r[3].kernel, "scale")
  t.equal(r[3].group[1], 32)
  t.equal(r.concurrent, false)
end)

-- Does the GPU note its clock at an encoder's ends? Apple's own do.
local samples = gpu.device.name ~= "metal"
  or tonumber((gpu.device.families or ""):match "Apple (%d+)" or 0) >= 7

t.test("each launch has a start and a time, where the device's clock tells", function()
  local x = gpu.buffer(100000):fill(1)
  local r = gpu.commands(function()
    for _ = 1, 3 do k.scale { x, 1, grid = 100000 } end
  end)
  for i = 1, 3 do
    if not samples then
      t.ok(r.time > 0 and not r[i].time and tostring(r):find "timed with the others")
      return
    end
    t.ok(r[i].time and r[i].time > 0, "launch " .. i .. " has a time")
    t.ok(r[i].start >= (i > 1 and r[i - 1].start or 0))
    t.ok(r[i].start + r[i].time <= r.time * 1.01 + 2e-5)
  end
end)

t.test("arguments are those of the call, not of the end", function()
  local x, s = gpu.buffer(8), { by = 1, n = 8 }
  gpu.commands(function()
    k.move { x, s, grid = 8 }
    s.by, s.n = 10, 4
    k.move { x, s, grid = 8 }
  end)
  t.ok(x:equals { 11, 11, 11, 11, 1, 1, 1, 1 })
end)

t.test("a launch reads what the one before it wrote, as a constant too", function()
  local x, by = gpu.buffer(8), gpu.buffer(8):fill(5)
  gpu.commands(function()
    k.scale { by, 2, grid = 8 }
    k.pick { x, by, grid = 8 }
    k.scale { by, 2, grid = 8 }
    k.add { by, x, grid = 8 }
  end)
  t.ok(x:equals { 30, 31, 32, 33, 34, 35, 36, 37 })
end)

t.test("textures, views and many launches", function()
  local image, x = gpu.texture { format = "r32float", width = 4, height = 4 },
    gpu.buffer(64):fill(1)
  gpu.commands(function()
    k.paint { image, 0.5, grid = { 4, 4 } }
    for i = 0, 599 do k.scale { x:view(i % 64, 1), 2, grid = 1 } end
  end)
  t.equal(image:read()[3], 0.5)
  t.equal(x[0], 2 ^ 10)
  t.equal(x[63], 2 ^ 9)
end)

t.test("concurrent launches, ordered by a barrier", function()
  local x, y, z = gpu.buffer(100):fill(1), gpu.buffer(100):fill(2),
    gpu.buffer(100)
  local r = gpu.commands({ function()
    gpu.barrier()
    k.scale { x, 2, grid = 100 }
    k.scale { y, 3, grid = 100 }
    gpu.barrier()
    k.add { x, z, grid = 100 }
    gpu.barrier()
    k.add { y, z, grid = 100 }
  end, concurrent = true })
  t.equal(z[99], 8)
  t.ok(r.concurrent)
  t.equal(table.concat(r.phase, " "), "1 1 2 3")
  t.ok(tostring(r):find "concurrent with 2 barriers")
  t.ok(r:timeline():find "barrier")
end)

t.test("what a launch uses cannot be read or changed before it ran", function()
  local x, other = gpu.buffer(8):fill(1), gpu.buffer(8)
  local image = gpu.texture { format = "r32float", width = 2, height = 2 }
  local sentence = "belongs to a launch of gpu.commands that has not run yet: read or change it before that launch, or after"
  for name, touch in pairs {
    reads = function() return x[0] end, writes = function() x[0] = 1 end,
    fills = function() x:fill(3) end, view = function()
      return x:view(2, 2)[0]
    end,
    prints = function() return tostring(x) end, cpu = function()
      return cpu.add(x, x)
    end,
    texture = function() return image:read() end, paints = function()
      image:write(gpu.buffer(4))
    end,
    checks = function() check { k.scale, x, 2, grid = 8 } end,
  } do
    local reached
    fails(sentence, gpu.commands, function()
      other[0] = x[0] -- before it is anybody's
      k.scale { x, 2, grid = 8 }
      k.paint { image, 1, grid = { 2, 2 } }
      other[1] = 2 -- not in use
      reached = true
      touch()
    end)
    t.ok(reached, name .. ": the rest is allowed")
    t.equal(x[0], 1, name .. ": nothing ran, and it can be read again")
  end
end)

t.test("an error in the function: nothing runs", function()
  local x = gpu.buffer(8):fill(1)
  fails("lua:", gpu.commands, function()
    k.scale { x, 2, grid = 8 }
    error "oops"
  end)
  local own = {}
  local ok, got = pcall(gpu.commands, function()
    k.scale { x, 2, grid = 8 }
    error(own)
  end)
  t.ok(not ok and got == own, "an error that is no text stays itself")
  fails("scale: argument 2", gpu.commands, function()
    k.scale { x, 2, grid = 8 }
    k.scale { x, grid = 8 }
  end)
  t.equal(x[0], 1)
  k.scale { x, 2, grid = 8 } -- and a plain launch runs at once again
  t.equal(x[0], 2)
end)

t.test("what was freed inside lives until it ran", function()
  local x, y = gpu.buffer(1000):fill(1), gpu.buffer(1000)
  gpu.commands(function()
    k.add { x, y, grid = 1000 }
    x:free()
    fails("was freed", function() return x[0] end)
    do local gone = gpu.buffer(1000):fill(4) k.add { gone, y, grid = 1000 } end
    collectgarbage()
    collectgarbage()
  end)
  t.equal(y[999], 5)
  fails("was freed", function() return x[0] end)
end)

t.test("mistakes get a sentence each", function()
  local x = gpu.buffer(8)
  fails("gpu.commands inside gpu.commands", gpu.commands, function() gpu.commands(function() end) end)
  fails("launches nothing", gpu.commands, function() end)
  fails("takes a function with launches in it", gpu.commands)
  fails("takes a function with launches in it", gpu.commands, { concurrent = true })
  fails("takes its options as a table", gpu.commands, print, true)
  fails("takes concurrent and limit, not 'serial'", gpu.commands, print, { serial = true })
  fails("concurrent is true or false", gpu.commands, print, { concurrent = 1 })
  fails("limit is a time in seconds", gpu.commands, print, { limit = 0 })
  fails("a limit is for all launches", gpu.commands, function() k.scale { x, 2, grid = 8, limit = 1 } end)
  fails("call it inside that function", gpu.barrier)
  fails("gpu.barrier takes nothing", gpu.barrier, 1)
  fails("nothing can be measured inside gpu.commands", gpu.commands, function()
    require "lua.workload.timing".measure(function() return 1 end)
  end)
  fails("yield", coroutine.wrap(function()
    gpu.commands(function() coroutine.yield() end)
  end))
  fails("saved as SVG", function()
    gpu.commands(function() k.scale { x, 2, grid = 8 } end):save "x.png"
  end)
end)

t.test("a launch that fails is named", function()
  local x, y = gpu.buffer(8):fill(1), gpu.buffer(8):fill(1)
  local ok, why = pcall(gpu.commands, function()
    k.scale { x, 2, grid = 8 }
    k.scale { x, 2, grid = 8 }
    k.wild { y, 0x3fffffff, grid = 8 }
    k.scale { x, 2, grid = 8 }
    k.scale { x, 2, grid = 8 }
  end)
  t.ok(not ok and why:find("launch 3 of 5", 1, true) and why:find "wild",
    tostring(why))
  t.ok(not why:find "or one after it", why)
  x:fill(1)
  k.scale { x, 2, grid = 8 }
  t.equal(x[0], 2, "and the device takes the next launch")
end)

t.test("two launches without a barrier may run in any order, with one in theirs", function()
  local x = gpu.buffer(8):fill(1)
  gpu.commands({ function()
    k.scale { x, 2, grid = 8, repeats = 3 }
    gpu.barrier()
    k.pick { x, 7, grid = 8 }
    gpu.barrier()
    k.scale { x, 10, grid = 8 }
  end, concurrent = true })
  t.equal(x[1], 80)
end)

t.test("a limit is for all of them, and names the launch that it stopped", function()
  if gpu.device.name == "metal" then return end -- which cannot stop a kernel
  local x = gpu.buffer("uint", 8)
  local spin = gpu.kernel [=[kernel void spin(device volatile uint *x [[buffer(0)]]) { while (x[0] == 0) x[1] += 1; }]=]
  fails("launch 2 of 2: kernel 'spin'", gpu.commands, function()
    k.scale { gpu.buffer(8), 2, grid = 8 }
    spin { x, grid = 1 }
  end, { limit = 0.2 })
end)

t.test("profile of a cuda kernel has the registers of its code beside the estimate", function()
  local p = profile { k.scale, gpu.buffer(8), 2, grid = 8, gpu = "H200" }
  local cuda = gpu.device.name:find "^cuda" ~= nil
  t.equal(p.real_registers ~= nil, cuda)
  t.equal(p.occupancy.registers, cuda and p.real_registers or p.registers)
  if not cuda then return end
  t.ok(tostring(p):find "in the code that runs on this GPU")
  t.equal(p.local_bytes, 0)
  p.local_bytes = 96
  t.has(tostring(p), "96 bytes of a thread")
end)

t.test("profile of a cuda kernel tells the arrays that are in local memory", function()
  local at = gpu.kernel [=[kernel void at(device const uint *x [[buffer(0)]], device uint *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint a[32];
  for (uint j = 0; j < 32; j++) a[j] = x[j] + i;
  y[i] = a[x[i] & 31];
}]=]
  local p = profile { at, gpu.buffer("uint", 32), gpu.buffer("uint", 32),
    grid = 32 }
  t.equal(p.local_bytes ~= nil, gpu.device.name:find "^cuda" ~= nil)
end)

t.test("the timeline as text and as SVG", function()
  local x = gpu.buffer(50000):fill(1)
  local r = gpu.commands(function()
    for _ = 1, 40 do k.scale { x, 1, grid = 50000 } end
    k.pick { x, 1, grid = 50000 }
  end)
  local text = tostring(r)
  t.ok(text:find "41 launches in one command buffer, one after the other")
  if r[1].time then t.ok(text:find "\n    1  scale +█") end
  t.ok(text:find "… and 9 more")
  for line in text:gmatch "[^\n]+" do
    t.ok(utf8.len(line) <= 79 or line:find " on ", line)
  end
  local path = os.tmpname() .. ".svg"
  r:save(path)
  local file = assert(io.open(path))
  local svg = file:read "a"
  file:close()
  os.remove(path)
  t.equal(select(2, svg:gsub("<rect", "")), 42)
  t.ok(svg:find "^<svg" and svg:find ">41  pick</text>" and not svg:find "nan")
end)

t.done()

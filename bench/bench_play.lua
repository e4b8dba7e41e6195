-- bench_play.lua - what play adds to the kernel, a frame of 512 × 512 pixels.
--
-- A frame of the loop beside the launch alone, in turns; the difference is
-- play's own: arguments by name, swaps, pixels from what the kernel wrote. The
-- screen's time is not in it: the view shows nothing. Processor time, so that a
-- busy machine does not count.
local side = dofile "bench/side.lua"
local timing = require "lua.workload.timing"
local play, loop = require "lua.play.play", require "lua.play.loop"

local SIZE, ROUNDS, FRAMES = 512, 41, 20

local head = "#include <metal_stdlib>\nusing namespace metal;\n"
local function kernel(parameters, body)
  return head .. ("kernel void f(%s, constant uint2 &size, constant float &time, uint2 g [[thread_position_in_grid]]) { uint i = g.y * size.x + g.x; %s }")
    :format(parameters, body)
end

local kinds = {
  { "a texture, rgba8unorm", kernel("texture2d<float, access::write> picture", "picture.write(float4(time, 0, 0, 1), g); (void)i;") },
  { "a texture, rgba32float", kernel("texture2d<float, access::write> picture", "picture.write(float4(time, 0, 0, 1), g); (void)i;"), format = "rgba32float" },
  { "a buffer of uchar4", kernel("device uchar4 *picture", "picture[i] = uchar4(g.x, g.y, 0, 255);") },
  { "a buffer of float4", kernel("device float4 *picture", "picture[i] = float4(time);") },
  { "a buffer of half4", kernel("device half4 *picture", "picture[i] = half4(time);") },
  { "a state of floats by a map", kernel("device const float *previous, device float *next", "next[i] = previous[i] + 0.001f * time;"), map = "viridis" },
}

local view = { show = function() end, poll = function() end,
  close = function() end }

-- Seconds of the processor for one frame, and for its launch alone.
local function own(kind)
  local s = play.scene { kind[2], size = SIZE, format = kind.format,
    map = kind.map }
  local l = loop.new(s, view, { step = 1 / 60 })
  local last
  local call = s.call
  s.call = function(self, k, launch)
    last = { k, launch }
    return call(self, k, launch)
  end
  local function frames()
    local start = os.clock()
    for _ = 1, FRAMES do
      l:listen()
      l:advance(1 / 60)
      l:show()
    end
    return (os.clock() - start) / FRAMES
  end
  local function launches()
    local start = os.clock()
    for _ = 1, FRAMES do last[1](last[2]) end
    return (os.clock() - start) / FRAMES
  end
  for _ = 1, 5 do frames() launches() end -- until the optimised code is there
  local list = {}
  for i = 1, ROUNDS do list[i] = math.max(0, frames() - launches()) end
  return timing.summary(list)
end

side.heading "play: processor time of a frame of 512 × 512 beyond its launch"
for _, kind in ipairs(kinds) do side.limit("play beyond the kernel, " .. kind[1], own(kind), 1e-3) end
side.write "Playing: processor time of a frame beyond its launch, without the screen"

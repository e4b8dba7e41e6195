-- play without a screen: frames, values, swaps, keys, reloading, messages;
-- every live example runs and passes check. A view that only takes notes stands
-- for the window.
--
-- Guards: lua/play/play.lua, lua/play/, lua/bind/screen/frame.c, demos/live:
-- frames, values that are filled in, swaps (Life's glider), keys, reloading,
-- errors over the picture, time limit, messages; every live example runs and
-- each of its kernels passes check; lua/play/{command, loop, roles, scene,
-- view}.lua
local t = dofile "tests/tap.lua"
t.compiler "play"
local play, system, frame = require "lua.play.play", require "mettle.system",
  require "mettle.frame"

-- A view that presses keys: script[n] is what is done before frame n is asked
-- for.
local function view(script)
  local v = { shows = 0, tops = {}, bottoms = {}, events = {} }
  function v:poll() return table.remove(self.events, 1) end
  function v:show(pixels, top, bottom)
    self.shows = self.shows + 1
    self.pixels, self.top, self.bottom = pixels, top, bottom
    if script then script(self) end
  end
  function v:close() self.closed = true end
  function v:key(key) table.insert(self.events, { kind = "key", key = key }) end
  return v
end

local function pixel(f, x, y)
  return f:bytes():byte((y * f.width + x) * 4 + 1, (y * f.width + x) * 4 + 3)
end

require("lua.play.scene").limit = 300 -- a loaded machine is slow

local folder = system.scratch()
local function write(name, text)
  local path = folder .. "/" .. name
  system.write(path, text)
  return path
end

local counter = [=[
#include <metal_stdlib>
using namespace metal;
kernel void count(device const uint *previous, device uint *next, constant uint2 &size, uint2 g [[thread_position_in_grid]]) {
  uint i = g.y * size.x + g.x;
  next[i] = previous[i] + 1;
}]=]

t.test("as many frames as were asked for; each sees the one before", function()
  local r = play.play { counter, frames = 7, size = { 6, 4 } }
  t.equal(r.frames, 7)
  t.equal(r.state.frame, 7)
  t.equal(r.picture.shape[1], 4)
  t.equal(r.picture.shape[2], 6)
  t.equal(r.picture:min(), 7)
  t.equal(r.picture:max(), 7)
  t.near(r.state.time, 7 / 60, 1e-6)
  t.ok(tostring(r):match "^7 frames in .* a second; kernel ", tostring(r))
  t.ok(rawequal(r.picture, r.state.previous), "the newest state is the old one of the next frame")
end)

-- A glider, which moves by one cell along both axes in four generations.
local glider = { { 1, 0 }, { 2, 1 }, { 0, 2 }, { 1, 2 }, { 2, 2 } }
local function lives(x, y)
  for _, c in ipairs(glider) do
    if c[1] == x and c[2] == y then return 255 end
  end
  return 0
end

t.test("Life: after four generations the glider stands one cell further", function()
  for generations = 4, 8, 4 do
    local r = play.play { "life", frames = generations, size = 16,
      seed = lives }
    local moved, state = generations // 4, r.state.previous
    for y = 0, 15 do
      for x = 0, 15 do
        local wanted = lives(x - moved, y - moved) == 255
        t.equal(state:at(y, x) == 255, wanted,
          ("cell %d, %d after %d"):format(x, y, generations))
      end
    end
  end
end)

t.test("textures are swapped, too, by names in many styles", function()
  local source = [=[
  #include <metal_stdlib>
  using namespace metal;
  kernel void grow(texture2d<float, access::read> stateIn, texture2d<float, access::write> stateOut, uint2 g [[thread_position_in_grid]]) {
    stateOut.write(stateIn.read(g) + 0.1f, g);
  }]=]
  local r = play.play { source, frames = 5, size = 4 }
  t.equal(r.picture.format, "rgba32float")
  t.near(r.picture:read()[0], 0.5, 1e-5)
  r = play.play { source:gsub("stateIn", "from_a"):gsub("stateOut", "to_a"),
    frames = 3, size = 4, format = "rgba16float",
    seed = function(x) return x, 0, 0, 1 end }
  t.equal(r.picture.format, "rgba16float")
  t.near(r.picture:read():at(0, 2, 0), 2.3, 0.01)
end)

t.test("time, frame, mouse, size, keys and the others are filled in", function()
  local source = [=[
  #include <metal_stdlib>
  using namespace metal;
  kernel void values(device float *out, constant float &time, constant uint &frame, constant float4 &mouse, constant int2 &size,
                     constant uint &keys, constant float2 *resolution, constant half &dt, constant uint &width, constant float &wheel,
                     uint g [[thread_position_in_grid]]) {
    if (g != 0) return;
    out[0] = time; out[1] = frame; out[2] = mouse.x; out[3] = mouse.y; out[4] = mouse.z; out[5] = mouse.w;
    out[6] = size.x; out[7] = size.y; out[8] = keys; out[9] = resolution[0].y; out[10] = dt; out[11] = width; out[12] = wheel;
  }]=]
  local v = view(function(v)
    if v.shows == 1 then
      v.events = { { kind = "mouse", x = 3.5, y = 2.0, buttons = 5 },
        { kind = "key", key = "right" }, { kind = "key", key = "up" },
        { kind = "wheel", x = 3.5, y = 2.0, buttons = 5, turned = 2 } }
    end
  end)
  local r = play.play { source, frames = 3, fps = 10, size = { 16, 4 },
    view = v }
  local wanted = { 0.2, 2, 3.5, 2, 1, 1, 16, 4, 2 + 4, 4, 0.1, 16, 2 }
  for i, w in ipairs(wanted) do
    t.near(r.picture:at((i - 1) // 16, (i - 1) % 16), w, 1e-3, "value " .. i)
  end
  t.ok(v.closed)
end)

t.test("the picture: its type, range and map", function()
  local function shown(source, o)
    local v = view()
    o[1], o.frames, o.size, o.view = "#include <metal_stdlib>\nusing namespace metal;\n" .. source, 1, 2, v
    play.play(o)
    return pixel(v.pixels, 1, 0)
  end
  local head = "kernel void f(device %s *a, uint2 g [[thread_position_in_grid]]) { a[g.y * 2 + g.x] = %s; }"
  local function is(o, type, value, r, g, b)
    local r2, g2, b2 = shown(head:format(type, value), o)
    t.ok(r == r2 and g == g2 and b == b2, ("%s %s: %d %d %d"):format(
      type, value, r2, g2, b2))
  end
  is({}, "uchar4", "uchar4(1, 2, 3, 0)", 1, 2, 3)
  is({}, "float4", "float4(0, 0.5, 2, 0)", 0, 128, 255)
  is({}, "float3", "float3(1, 0, 0.5)", 255, 0, 128)
  is({}, "half4", "half4(1, 0.5, 0, 0)", 255, 128, 0)
  is({}, "float", "0.5", 128, 128, 128)
  is({ range = { 0, 2 } }, "float", "0.5", 64, 64, 64)
  is({ range = { 0, 4 } }, "uint", "4", 255, 255, 255)
  local r, g, b = shown(head:format("float", "1"), { map = "viridis" })
  t.ok(r > 200 and g > 200 and b < 100, "viridis ends in yellow")
end)

t.test("a step in Lua runs several kernels; state is made when it is needed", function()
  local source = [=[
  #include <metal_stdlib>
  using namespace metal;
  kernel void add(device float *sum, constant float &amount, uint2 g [[thread_position_in_grid]]) { sum[g.y * 4 + g.x] += amount; }
  kernel void paint(device const float *sum, texture2d<float, access::write> picture, uint2 g [[thread_position_in_grid]]) {
    picture.write(float4(sum[g.y * 4 + g.x], 0, 0, 1), g);
  }]=]
  local started = 0
  local r = play.play { source, frames = 2, size = 4, amount = 0.25,
    start = function(f) started = started + 1 end,
    step = function(f)
      f.run "add"
      f.run("add", { amount = 0.1, grid = { 2, 4 } })
      f.run "paint"
    end }
  t.equal(started, 1)
  t.near(r.state.sum:at(0, 1), 0.7, 1e-6)
  t.near(r.state.sum:at(0, 2), 0.5, 1e-6)
  t.equal(r.picture:read():at(0, 2, 0), 128)
end)

t.test("a kernel of the person's, with arguments by position and by name", function()
  local k = gpu.kernel [=[kernel void f(device float *a, constant float &b, device const float *c, uint g [[thread_position_in_grid]]) { a[g] = b + c[g]; }]=]
  local a, c = gpu.buffer(2, 8), gpu.buffer(16):iota()
  local r = play.play { k, a, 100, c = c, frames = 1, grid = 16 }
  t.ok(rawequal(r.picture, a))
  t.equal(a:at(1, 7), 115.0)
  t.raises("f takes 3 arguments, got 4", play.play, { k, a, 1, c, 5, frames = 1 })
end)

t.test("keys: pause, single steps, restart, groups, hiding, the end", function()
  local groups, seen = {}, {}
  local v = view(function(v)
    local n = v.shows
    seen[n] = v.bottom
    if n == 2 then v:key " " end
    if n == 5 then v:key "." end
    if n == 8 then v:key " " end
    if n == 10 then v:key "[" end
    if n == 12 then v:key "]" v:key "]" end
    if n == 14 then v:key "r" end
    if n == 15 then v:key "i" end
    if n == 17 then v:key "q" end
    groups[n] = v.top
  end)
  local k = gpu.kernel(counter)
  t.takes(k, 32 * 16)
  local r = play.play { k, size = 64, view = v }
  t.equal(v.shows, 17)
  t.equal(seen[4], "paused")
  t.has(groups[11], "threadgroups of 16 × 8")
  t.has(groups[13], "threadgroups of 32 × 16")
  t.has(seen[14], "32 × 16")
  t.equal(seen[16], "")
  -- shows 3 to 5, 7 and 8 had no frame; 6 was a single step
  t.equal(r.frames, 17 - 5)
  t.equal(r.state.frame, 3, "restarted before frame 15")
  t.ok(v.closed)
end)

t.test("a group that the kernel does not take is told, and the old one stays", function()
  local k = gpu.kernel [=[
  [[max_total_threads_per_threadgroup(256)]]
  kernel void f(device float *a, uint2 g [[thread_position_in_grid]]) { a[g.y * 64 + g.x] = 1; }]=]
  local v = view(function(v)
    if v.shows == 1 then v:key "]" v:key "]" end
    if v.shows == 4 then v:key "q" end
  end)
  local r = play.play { k, size = 64, view = v }
  t.equal(r.frames, 4)
end)

t.test("saving the file reloads it; an error stands over the last good picture with its line", function()
  local shade = "kernel void f(device float *a, uint2 g [[thread_position_in_grid]]) {\n  a[g.y * 8 + g.x] = %s;\n}\n"
  local path = write("shade.metal", shade:format "0.0")
  local stage, since = 1, system.now()
  local v = view(function(v)
    if system.now() - since > 100 then
      error("stage " .. stage .. " took too long: " .. v.top, 0)
    end
    local value = pixel(v.pixels, 3, 3)
    if stage == 1 and v.shows > 2 then
      write("shade.metal", shade:format "1.0") -- replaces it, as editors do
      stage = 2
    elseif stage == 2 and value == 255 then
      t.has(v.top, "loaded again")
      local f = io.open(path, "w") -- in place, and wrong
      f:write(shade:format "colour")
      f:close()
      stage = 3
    elseif stage == 3 and v.top:find "error" then
      t.has(v.top, "shade.metal:2:22: error: use of undeclared identifier 'colour'")
      t.equal(value, 255, "the last good picture")
      os.remove(path) -- gone for a moment
      stage, v.gone = 4, v.shows
    elseif stage == 4 and v.shows > v.gone + 20 then
      t.has(v.top, "error")
      write("shade.metal", shade:format "0.5")
      stage = 5
    elseif stage == 5 and value == 128 then
      t.ok(not v.top:find "error")
      stage = 6
      v:key "q"
    end
  end)
  play.play { path, size = 8, view = v }
  t.equal(stage, 6)
end)

t.test("state survives a reload; a changed script starts anew", function()
  write("count.metal", counter)
  local path = write("count.lua", [[return { "count.metal", size = 4, title = "one" }]])
  local stage, since = 1, system.now()
  local v = view(function(v)
    if system.now() - since > 100 then
      error("stage " .. stage .. " took too long: " .. v.top, 0)
    end
    if stage == 1 and v.shows == 5 then
      write("count.metal", (counter:gsub("%+ 1", "+ 1000")))
      stage = 2
    elseif stage == 2 and v.top:find "loaded again" then
      stage, v.at = 3, v.shows
    elseif stage == 3 then
      write("count.lua", [[return { "count.metal", size = 4, range = {0, 4000} }]])
      stage = 4
    -- 1000 of 4000: its first frame
    elseif stage == 4 and pixel(v.pixels, 0, 0) == 64 then
      stage = 5
      v:key "q"
    end
  end)
  local r = play.play { path, view = v }
  t.equal(stage, 5)
  t.equal(r.state.previous:at(0, 0) % 1000, 0, "the fresh scene counts in thousands only")
end)

t.test("an endless kernel is stopped by the limit and told; the loop goes on", function()
  local path = write("endless.metal", "kernel void f(device float *a, uint g [[thread_position_in_grid]]) { while (a[g] == 0) {} }")
  local said
  local v = view()
  local polls = 0
  function v:poll()
    polls = polls + 1
    if polls == 5 then write("endless.metal", "kernel void f(device float *a, uint2 g [[thread_position_in_grid]]) { a[g.y * 8 + g.x] = 1; }") end
    return table.remove(self.events, 1)
  end
  function v:show() self:key "q" end
  local r = play.play { path, size = 8, limit = 0.2, view = v }
  t.equal(r.frames, 1)
  local ok, why = pcall(play.play, { "kernel void f(device float *a, uint g [[thread_position_in_grid]]) { while (a[g] == 0) {} }", size = 8, limit = 0.2, frames = 1 })
  t.ok(not ok)
  t.has(tostring(why), "it did not end within its time limit of 0.2 s")
end)

t.test("s saves a PNG under the first free name", function()
  local here = system.folder(folder)
  local ok, why = pcall(function()
    for n = 1, 2 do
      local v = view(function(v)
        if v.shows == 1 then v:key "s" end
        if v.shows == 2 then v.said = v.top v:key "q" end
      end)
      play.play { counter, size = { 6, 4 }, title = "shot", view = v }
      t.equal(v.said, ("saved shot-%d.png"):format(n))
      local f = assert(io.open(("shot-%d.png"):format(n), "rb"))
      local width, height = (">I4I4"):unpack(f:read "a", 17)
      f:close()
      t.equal(width, 6)
      t.equal(height, 4)
    end
  end)
  system.folder(here)
  -- a build without it
  if not ok and tostring(why.tap or why):find "need libpng" then return end
  if not ok then error(why, 0) end
end)

t.test("save: an animation of all frames, written whole", function()
  for _, ending in ipairs { "gif", "png", "apng" } do
    local path = ("%s/film.%s"):format(folder, ending)
    local ok, r = pcall(play.play, { "life", size = 24, frames = 6,
      seed = lives, save = path })
    -- a build without the library
    if not ok and tostring(r):find "need" then return end
    t.ok(ok, tostring(r))
    t.equal(r.frames, 6)
    t.ok(r.file:find(path, 1, true) == 1 and r.file:find "B$", r.file)
    t.near(r.state.time, 6 / (ending == "gif" and 25 or 30), 1e-6)
    local f = assert(io.open(path, "rb"))
    local text = f:read "a"
    f:close()
    if ending == "gif" then
      t.equal(text:sub(1, 6), "GIF89a")
      local _, images = text:gsub("\0\33\249\4", "")
      t.ok(images >= 5, images) -- each has its control block
    else
      local _, controls = text:gsub("fcTL", "")
      t.equal(controls, 6)
      t.has(text, "acTL\0\0\0\6")
    end
    os.remove(path)
    local why = select(2, pcall(play.play, { "life", size = 24, frames = 6,
      save = path, step = function(s)
      if s.frame == 3 then error "broken" end
      s.run "life"
    end }))
    t.has(tostring(why), "broken")
    t.equal(system.there(path), nil, "half a film is no film")
  end
  t.raises("an animation is a file .gif, .png or .apng", play.play, { counter, frames = 1, save = "x.mp4" })
  t.raises("save is a file for as many frames", play.play, { counter, save = "x.gif" })
  t.raises("at most 50 frames a second", play.play, { counter, frames = 1, save = "x.gif", fps = 60 })
end)

t.test("what cannot be played gets a sentence", function()
  local f = "kernel void f(%s uint g [[thread_position_in_grid]]) { %s }"
  local function wrong(part, o) t.raises(part, play.play, o) end
  wrong("f has no picture to show: it needs a texture2d with access::write", { f:format("", ""), frames = 1 })
  wrong("it writes flag", { "#include <metal_stdlib>\nusing namespace metal;\n" .. f:format("device atomic_uint *flag,", "atomic_store_explicit(&flag[0], 1, memory_order_relaxed);"), frames = 1 })
  wrong('f writes a, b: say which is the picture, as in picture = "a"', { f:format("device float *a, device float *b,", "a[g] = b[g] = 1;"), frames = 1 })
  wrong("f needs 'speed' (constant float &speed", { f:format("device float *a, constant float &speed,", "a[g] = speed;"), frames = 1 })
  wrong("f needs 'w' (device const float *w", { f:format("device float *a, device const float *w,", "a[g] = w[g];"), frames = 1 })
  wrong("use of undeclared identifier 'x'", { f:format("device float *a,", "a[g] = x;"), frames = 1 })
  wrong("'speeed' is neither a parameter", { f:format("device float *a,", "a[g] = 1;"), frames = 1, speeed = 1 })
  wrong("the source has 2 kernels (f, h)", { f:format("device float *a,", "") .. " kernel void h(device float *a) {}", frames = 1 })
  wrong("there is no kernel 'h' in the source; it has: f", { f:format("device float *a,", ""), kernel = "h", frames = 1 })
  wrong("there is no file 'nothing.metal' here", "nothing.metal")
  wrong("play takes a file", 5)
  wrong("play{…} begins with", {})
  wrong("frames is a number of pictures", { counter, frames = 0 })
  wrong("fps is a number", { counter, fps = -1 })
  wrong("range is", { counter, range = 3 })
  wrong("size is", { counter, size = {} })
  wrong("step is a function", { counter, step = 1 })
  wrong("there is no map 'pink'; there are: grey", { f:format("device float *a,", ""), map = "pink", frames = 1 })
  wrong("there is no kernel 'you'", { counter, frames = 1, step = function(s) s.run "you" end })
  wrong("there is no picture to show: step leaves it in f.picture", { f:format("device float *a,", "a[g] = 1;"), frames = 1, step = function() end })
  wrong("seed: there is no state 'x'", { counter, frames = 1, seed = { x = 1 } })
  wrong("view is", { counter, view = "wall" })
end)

t.test("a parameter may have the name of one of play's words", function()
  local source = [=[
#include <metal_stdlib>
using namespace metal;
kernel void show(device float *picture, constant float &view,
                 constant float &range, uint2 g [[thread_position_in_grid]]) {
  picture[g.y * 4 + g.x] = view + range;
}]=]
  local function run(more)
    local o = { source, frames = 1, size = { 4, 2 }, view = "none" }
    for key, value in pairs(more) do o[key] = value end
    return play.play(o)
  end
  t.equal(run { set = { view = 2, range = 0.5 } }.picture:max(), 2.5)
  t.equal(run { set = { view = 2 }, range = { 0, 9 },
    start = function(f) f.range = 1 end }.picture:max(), 3)
  t.raises("show needs 'view' (constant float &view [[buffer(1)]]): give it, as in set = {view = …}",
    run, { set = { range = 1 } })
  t.raises("set: there is no parameter 'vew'", run, { set = { vew = 1 } })
  t.raises("set is a table", run, { set = 3 })
end)

t.test("mettle play: its words", function()
  local command = require "lua.play.command"
  local o = command.read { "a.metal", "--size", "640,480", "--frames=3",
    "--group", "16", "--set", "speed=2.5", "--set=at=1,2", "--view", "none" }
  t.equal(o[1], "a.metal")
  t.equal(o.size[2], 480)
  t.equal(o.frames, 3)
  t.equal(o.group, 16)
  t.equal(o.set.speed, 2.5)
  t.equal(o.set.at[2], 2)
  t.equal(command.read {}, nil)
  t.has(select(2, command.read { "--help" }), "usage: mettle play")
  t.raises("unknown option --fast", command.read, { "--fast" })
  t.raises("one file at a time", command.read, { "a", "b" })
  t.raises("--size needs a value", command.read, { "a", "--size" })
  t.raises("numbers are expected", command.read, { "a", "--size", "big" })
  t.raises("which file?", command.read, { "--size", "3" })
end)

-- --------------------------------------------------------------- live examples

local names = play.names()
t.test("there are eight live examples at least, each with a line about it", function()
  t.ok(#names >= 8)
  for _, name in ipairs { "plasma", "mandelbrot", "life", "reaction", "nbody",
    "heat", "raymarch", "fluid" } do
    local f = io.open(("demos/live/%s.metal"):format(name))
    t.ok(f, name)
    t.has(f:read "l", "// " .. name .. ".metal - ")
    f:close()
  end
end)

for _, name in ipairs(names) do
  t.test(name .. ": two frames, and every launch of a frame passes check", function()
    local size = { 40, 32 }
    local r = play.play { name, frames = 2, size = size }
    t.equal(r.frames, 2)
    local first = frame.new(40, 32):take(r.picture):bytes()
    t.ok(#first:gsub(first:sub(1, 4):gsub("%p", "%%%0"), "") > 0, "the picture has one colour only")
    -- check runs on the host, once is enough
    if gpu.device.is_gpu then return end
    local s = play.scene { name, size = size }
    local kernels = {}
    s.call = function(_, kernel, launch)
      if not kernels[kernel.name] then
        kernels[kernel.name] = true
        local o = { kernel }
        for key, value in pairs(launch) do o[key] = value end
        o.limit = nil
        local report = check(o)
        t.ok(report.ok, tostring(report))
      end
      return kernel(launch)
    end
    s:step()
    t.ok(next(kernels))
  end)
end

os.execute("rm -rf '" .. folder .. "'")
t.done()

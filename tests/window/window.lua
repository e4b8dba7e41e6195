-- window.lua - the suite of test_window.sh, run where there is a screen.
local t = dofile "tests/tap.lua"
local window, frame, system = require "mettle.window", require "mettle.frame",
  require "mettle.system"
local program = os.getenv "METTLE" or "build/mettle"

-- The screen as Xvfb keeps it: an XWD file. pixel(x, y) -> red, green, blue
local function screenshot()
  local f = assert(io.open(os.getenv "screen", "rb"))
  local text = f:read "a"
  f:close()
  local header, _, _, _, width, height, _, order, _, _, _, bits,
    row = (">I4I4I4I4I4I4I4I4I4I4I4I4I4"):unpack(text)
  local colours = (">I4"):unpack(text, 19 * 4 + 1)
  assert(bits == 32, "not 32 bits a pixel")
  local start = header + colours * 12
  return function(x, y)
    local at = start + y * row + x * 4 + 1
    local v = (order == 0 and "<I4" or ">I4"):unpack(text, at)
    return v >> 16 & 255, v >> 8 & 255, v & 255
  end, width, height
end

-- Every pixel its own colour, so that none can be in another's place.
local function colours(w, h)
  local bytes = {}
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      bytes[#bytes + 1] = string.char(x * 255 // (w - 1), y * 255 // (h - 1),
        (x * 7 + y * 13) % 256, 255)
    end
  end
  return frame.new(w, h):put(table.concat(bytes))
end

local function at(bytes, width, x, y)
  return bytes:byte((y * width + x) * 4 + 1, (y * width + x) * 4 + 3)
end

-- The next event that 'wanted' accepts; waits for it.
local function wait(w, wanted)
  for _ = 1, 3000 do
    local e = w:poll()
    while e do
      if wanted(e) then return e end
      e = w:poll()
    end
    system.sleep(0.01)
  end
  error "no such event came"
end

t.test("a picture is on the screen pixel by pixel, enlarged by a whole factor", function()
  local picture = colours(128, 96)
  local w <close> = window.open("four times", 128, 96)
  local bytes = picture:bytes()
  local function same()
    local pixel, width, height = screenshot()
    -- it stands in the middle
    local left, top = (width - 512) // 2, (height - 384) // 2
    for y = 0, 95 do
      for x = 0, 127 do
        local r, g, b = at(bytes, 128, x, y)
        for _, d in ipairs { { 0, 0 }, { 3, 3 } } do
          local r2, g2, b2 = pixel(left + x * 4 + d[1], top + y * 4 + d[2])
          if r ~= r2 or g ~= g2 or b ~= b2 then
            return false, ("%d, %d: %d %d %d, not %d %d %d"):format(x, y, r2, g2, b2, r, g, b)
          end
        end
      end
    end
    return true
  end
  local ok, why
  for _ = 1, 600 do -- the server draws when it gets to it
    w:show(picture)
    w:poll()
    ok, why = same()
    if ok then break end
    system.sleep(0.05)
  end
  t.ok(ok, why)
end)

t.test("what is read back is what was shown; text stands over it, at both ends", function()
  local picture = frame.new(100, 100):put(("\0\0\255\255"):rep(10000))
  local w <close> = window.open("text", 100, 100)
  w:show(picture)
  local plain, width, height = w:read()
  t.equal(width, 500)
  t.equal(height, 500)
  t.equal(plain, ("\0\0\255\255"):rep(width * height))
  w:show(picture, "HI", "I")
  local text = w:read()
  local white = {}
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local r, g, b = at(text, width, x, y)
      if r == 255 and g == 255 and b == 255 then
        white[#white + 1] = { x, y }
      end
    end
  end
  -- letters of 2 × 2 pixels each: H has 17 pixels, I 11
  t.equal(#white, (17 + 11 + 11) * 4)
  local rows, left = {}, math.huge
  for _, p in ipairs(white) do
    rows[p[2]] = (rows[p[2]] or 0) + 1
    left = math.min(left, p[1])
  end
  t.equal(rows[6], 2 * 2 + 3 * 2) -- the first row of "HI": two of H, three of I
  t.equal(left, 6)
  local _, _, dark = at(text, width, 250, 3)
  local _, _, clear = at(text, width, 250, 250)
  t.ok(dark < 120, "no band behind the text")
  t.equal(clear, 255)
  w:show(picture)
  t.equal(w:read(), plain, "the text is gone again")
end)

t.test("a long line is wrapped, and one without end fills the window at most", function()
  local picture = frame.new(100, 100)
  local w <close> = window.open("long", 100, 100)
  w:show(picture, ("word "):rep(4000) .. "\xff\xc3 × µ …")
  local bytes, width = w:read()
  local lines = {}
  for y = 0, 499 do
    for x = 0, width - 1 do
      -- 20 pixels a line
      if at(bytes, width, x, y) == 255 then lines[y // 20] = true end
    end
  end
  for i = 0, 23 do t.ok(lines[i], "line " .. i .. " has no text") end
  t.ok(not lines[24], "the last line is free")
  w:show(picture, ("x"):rep(20000)) -- without a space to wrap at
  t.equal(#w:read(), #bytes)
end)

t.test("keys and the mouse, in pixels of the picture", function()
  local picture = frame.new(64, 64)
  local w <close> = window.open("keys", 64, 64)
  w:show(picture)
  for _, key in ipairs { "s", "[", " ", "left", "escape" } do
    w:pretend { kind = "key", key = key }
    t.equal(wait(w, function(e) return e.kind == "key" end).key, key)
    w:pretend { kind = "key_up", key = key }
    t.equal(wait(w, function(e) return e.kind == "key_up" end).key, key)
  end
  -- 8 points a pixel
  w:pretend { kind = "mouse", x = 256, y = 128, buttons = 1 }
  local e = wait(w, function(e) return e.kind == "mouse" and e.buttons == 1 end)
  t.equal(e.x, 32.0)
  t.equal(e.y, 16.0)
  w:pretend { kind = "mouse", x = -50, y = 5000, buttons = 0 }
  e = wait(w, function(e)
    return e.kind == "mouse" and e.buttons == 0 and e.y > 60
  end)
  t.equal(e.x, 0.0)
  t.equal(e.y, 63.0)
  w:pretend { kind = "wheel", turned = 2 }
  t.equal(wait(w, function(e) return e.kind == "wheel" end).turned, 2.0)
  w:pretend { kind = "close" }
  t.ok(wait(w, function(e) return e.kind == "close" end))
end)

t.test("keys that the X server sends", function()
  if not os.execute "command -v xdotool >/dev/null" then return t.skip("xdotool", "it is not here") end
  local picture = frame.new(64, 64)
  local w <close> = window.open("mettle keys", 64, 64)
  local got = {}
  -- without a window manager the pointer decides who gets keys
  for _ = 1, 100 do
    w:show(picture)
    os.execute "xdotool search --sync --name 'mettle keys' windowfocus mousemove 400 350 key bracketleft key Left key q >/dev/null 2>&1"
    for _ = 1, 20 do
      local e = w:poll()
      while e do
        if e.kind == "key" then got[e.key] = true end
        e = w:poll()
      end
      system.sleep(0.01)
    end
    if got["["] and got.left and got.q then break end
  end
  t.ok(got["["] and got.left and got.q, "not all keys came")
end)

t.test("windows are opened and closed many times; a closed one says so", function()
  local picture = frame.new(16, 16)
  for _ = 1, 5 do
    local w = window.open("again", 16, 16)
    w:show(picture)
    w:close()
    w:close()
    t.raises("the window was closed", w.show, w, picture)
  end
end)

-- ---------------------------------------------------------- mettle play itself

local paint = [=[
#include <metal_stdlib>
using namespace metal;
kernel void paint(texture2d<float, access::write> picture, uint2 g [[thread_position_in_grid]]) {
  picture.write(float4(%s, 1), g);
}
]=]

-- Waits until the screen is so; 'what' is for the message.
local function see(what, wanted)
  local last = ""
  for _ = 1, 2000 do
    local pixel, width, height = screenshot()
    local r, g, b = pixel(width // 2, height // 2)
    last = ("%d %d %d in the middle"):format(r, g, b)
    if wanted(r, g, b, pixel, width, height) then return end
    system.sleep(0.05)
  end
  error("not seen: " .. what .. "; " .. last)
end

local function white_above(pixel, width, height)
  local n = 0
  for y = (height - 512) // 2, (height - 512) // 2 + 60 do
    for x = (width - 512) // 2, (width - 512) // 2 + 511 do
      local r, g, b = pixel(x, y)
      if r == 255 and g == 255 and b == 255 then n = n + 1 end
    end
  end
  return n
end

local function ended(pid)
  for _ = 1, 1000 do
    if not os.execute("kill -0 " .. pid .. " 2>/dev/null") then return true end
    system.sleep(0.05)
  end
  os.execute("kill -9 " .. pid)
  return false
end

t.test("mettle play in a window: the picture, a reload, an error over it, the end by a key", function()
  if not os.execute "command -v xdotool >/dev/null" then return t.skip("xdotool", "it is not here") end
  local folder = system.scratch()
  local path = folder .. "/paint.metal"
  system.write(path, paint:format "float3(0, 1, 0)")
  local pipe = io.popen(("'%s' play '%s' --size 64 >'%s/out' 2>&1 & echo $!"):format(program, path, folder))
  local pid = pipe:read "l"
  pipe:close()
  local ok, why = pcall(function()
    see("green", function(r, g, b) return r == 0 and g == 255 and b == 0 end)
    system.write(path, paint:format "float3(1, 0, 0)")
    see("red", function(r, g, b) return r == 255 and g == 0 and b == 0 end)
    system.write(path, paint:format "float3(1, 0, nothing)")
    see("the error over red", function(r, g, b, ...)
      return r == 255 and g == 0 and b == 0 and white_above(...) > 500
    end)
    system.write(path, paint:format "float3(0, 0, 1)")
    see("blue, and no error", function(r, g, b, ...)
      return b == 255 and r == 0 and white_above(...) == 0
    end)
    for _ = 1, 100 do
      os.execute "xdotool search --name paint windowfocus mousemove 400 350 key q >/dev/null 2>&1"
      if not os.execute("kill -0 " .. pid .. " 2>/dev/null") then break end
      system.sleep(0.1)
    end
  end)
  local over = ended(pid)
  local f = io.open(folder .. "/out")
  local text = f and f:read "a" or ""
  os.execute("rm -rf '" .. folder .. "'")
  t.ok(ok, tostring(why) .. "\n" .. text)
  t.ok(over, "q did not end it")
  t.has(text, " frames in ")
end)

local function run(settings, code)
  local pipe = io.popen(("%s '%s' -e '%s' 2>&1"):format(
    settings, program, code))
  local text = pipe:read "a"
  pipe:close()
  return text
end

t.test("without a display, or SDL, one sentence says what is missing", function()
  local code = [[local w = require "mettle.window" print(w.lacks()) print(pcall(w.open, "x", 8, 8))]]
  local text = run("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER", code)
  t.has(text, "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set\nfalse")
  text = run("METTLE_LIB=/nonexistent", code)
  t.has(text, "libsdl2-dev")
  t.has(text, "Homebrew's sdl2")
  -- (unix: X asks for no address of localhost, which not every system names)
  text = run("DISPLAY=unix:6543", code)
  t.has(text, "nil\nfalse\tno window can be opened: ")
  text = run("env -u SDL_VIDEODRIVER DISPLAY=unix:6543", code)
  t.has(text, "\nfalse\tno window can be opened: ")
end)

t.done()

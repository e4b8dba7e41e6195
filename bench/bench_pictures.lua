-- bench_pictures.lua - what it costs to show a picture of 1024 × 1024 pixels:
-- everything but the terminal's own time, in processor time. The aim is 50 ms.
local side = dofile "bench/side.lua"
local picture = require "mettle.picture"

local N = 1024
local texture = gpu.texture("rgba8unorm", N, N)
local field = gpu.buffer(N, N)

-- A photograph's worth of colours: smooth, with fine detail.
do
  local pixels = gpu.buffer("uchar", N, N, 4):random(1)
  local floats = gpu.buffer("float", N * N)
  for i = 0, N * N - 1 do
    local x, y = i % N, i // N
    floats[i] = math.sin(x / 60) * math.cos(y / 45)
      + 0.1 * math.sin(x * y / 900)
    pixels[4 * i] = (x // 5 + pixels[4 * i] // 16) % 256
    pixels[4 * i + 1] = (y // 5 + pixels[4 * i + 1] // 16) % 256
    pixels[4 * i + 3] = 255
  end
  texture:write(pixels)
  field = floats:reshape(N, N)
end

local function cpu_time(f)
  return function(n)
    local start = os.clock()
    for _ = 1, n do f() end
    return (os.clock() - start) / n
  end
end

-- A window of 80 × 24, and one that fills a screen, where the picture is not
-- shrunk.
local small = { columns = 80, rows = 24, cell_width = 10, cell_height = 20 }
local large = { columns = 240, rows = 67, cell_width = 16, cell_height = 32 }

local function shown(x, terminal, way)
  return cpu_time(function()
    terminal.way = way
    return picture.of(x):show(terminal)
  end)
end

side.heading "image(texture of 1024 × 1024), beside a copy of its pixels"
local copy = { "copy", cpu_time(function() texture:read() end) }
for _, window in ipairs { { "80 × 24", small }, { "240 × 67", large } } do
  for _, way in ipairs { "kitty", "iterm", "sixel", "blocks", "256",
    "ascii" } do
    local title = ("%s, %s"):format(way, window[1])
    local ratios, first = side.row(title, copy,
      { way, shown(texture, window[2], way) })
    local r = ratios[way]
    side.limit("show 1024², " .. title, { median = r.median * first.median,
      low = r.low * first.median, high = r.high * first.median }, 0.05)
  end
end
side.row("a field of floats, kitty", copy, { "kitty", shown(field, small, "kitty") })
side.write "Showing a picture of 1024 × 1024 pixels, in processor time"

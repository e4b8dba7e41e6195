-- test_plot.lua - plots, units and the statistics of times: of no device.
--
-- Guards: lua/plot/plot.lua, lua/plot/, lua/plot/scale.lua, lua/text/units.lua,
-- and the statistics of lua/workload/timing.lua; lua/plot/{heat, roofline, svg,
-- text, theme}.lua
local t = dofile "tests/tap.lua"
local plot = require "lua.plot.plot"
local scale = require "lua.plot.scale"
local timing = require "lua.workload.timing"
timing.quick = nil -- what is measured here is made up
local units = require "lua.text.units"
local system = require "mettle.system"

local function lines_of(p)
  local lines = {}
  for line in (tostring(p) .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

local function count(text, part)
  return select(2, text:gsub(part:gsub("%p", "%%%0"), ""))
end

t.test("numbers have three digits and a unit", function()
  t.equal(units.time(0.00123456), "1.23 ms")
  t.equal(units.time(0.9996e-3), "1.00 ms")
  t.equal(units.time(1.5e-9), "1.50 ns")
  t.equal(units.time(59.94), "59.9 s")
  t.equal(units.time(150), "2 min 30 s")
  t.equal(units.time(0 / 0), "-")
  t.equal(units.rate(123456789, "B/s"), "123 MB/s")
  t.equal(units.rate(0.5, "FLOP/s"), "0.5 FLOP/s")
  t.equal(units.count(1234567), "1,234,567")
  t.equal(units.count(-999), "-999")
  t.equal(units.count(1000), "1,000")
  t.equal(units.short(1e6), "1M")
  t.equal(units.short(4096), "4096")
  t.equal(units.short(0.25), "0.25")
  t.equal(units.percent(0.0123), "1.2 %")
  t.equal(units.right("µs", 4), "  µs")
  t.equal(units.fold("  a sentence of words", 12), "  a sentence\n    of words")
  t.equal(units.fold("  averyveryverylongword", 8), "  averyveryverylongword")
  t.equal(units.fold("  short", 80), "  short")
  t.equal(units.cut("äöüß", 3), "äö…")
end)

t.test("the median and its interval", function()
  local s = timing.summary { 5, 1, 3 }
  t.equal(s.median, 3)
  t.equal(s.low, 1); t.equal(s.high, 5); t.equal(s.count, 3)
  t.equal(timing.summary({ 1, 2, 3, 4 }).median, 2.5)
  -- tables of the sign test: n = 10 gives ranks 2 and 9, n = 20 ranks 6 and 15
  local ten, twenty = {}, {}
  for i = 1, 10 do ten[i] = 11 - i end
  for i = 1, 20 do twenty[i] = i end
  s = timing.summary(ten)
  t.equal(s.low, 2); t.equal(s.high, 9)
  s = timing.summary(twenty)
  t.equal(s.low, 6); t.equal(s.high, 15)
  local outlier = timing.summary { 1, 1, 1, 1, 1, 1, 1, 1, 1, 100 }
  t.equal(outlier.median, 1)
  t.equal(outlier.high, 1); t.equal(outlier.spread, 0)
  t.equal(timing.summary {}, nil)
  local many = {}
  for i = 1, 2000 do many[i] = i end
  s = timing.summary(many)
  t.ok(s.low > 950 and s.low < 960 and s.high > 1041 and s.high < 1051, s.low
    .. " " .. s.high)
end)

t.test("measuring batches what is short and stops where it is sure", function()
  local asked = {}
  local m = timing.measure(function(n)
    asked[#asked + 1] = n; return 1e-4
  end, { warm = 0 })
  t.equal(m.median, 1e-4); t.equal(m.spread, 0); t.equal(m.count, 5)
  t.equal(m.batch, 20); t.equal(asked[1], 1); t.equal(asked[2], 20)
  t.equal(m.runs, 100)
  t.equal(m.cut, nil)
end)

t.test("measuring stops at its budget when the spread stays large", function()
  local now, clock, i = system.now, 0, 0
  system.now = function() return clock end
  local ok, m = pcall(timing.measure, function()
    clock, i = clock + 0.004, i + 1
    return i % 2 == 0 and 1 or 3
  end, { warm = 0, budget = 0.05 })
  system.now = now
  t.ok(ok, m)
  t.equal(m.count, 12) -- the thirteenth would not fit
  t.ok(m.spread > 0.3)
end)

t.test("long runs: three within four times the budget, else one", function()
  local now, clock = system.now, 0
  local function count(seconds)
    system.now = function() return clock end
    local m = timing.measure(function()
      clock = clock + seconds; return seconds
    end, { warm = 0, budget = 1 })
    system.now = now
    return m.count
  end
  t.equal(count(0.9), 3); t.equal(count(1.2), 3); t.equal(count(5), 1)
end)

t.test("errors of what is measured come through", function()
  t.raises("broken kernel", timing.measure, function()
    error("broken kernel", 0)
  end)
end)

t.test("launch overhead and physics are said in words", function()
  local m = { median = 10e-6 }
  t.has(timing.too_short(m, { each = 5e-6 }), "too short to measure")
  t.has(timing.too_short(m, { each = 1e-6 }, 5), "is launching in a batch")
  t.equal(timing.too_short(m, { each = 1e-6 }), nil)
  t.equal(timing.impossible(100e9, 100e9, "memory's peak", "B/s"), nil)
  t.has(timing.impossible(9.1e12, 273e9, "memory's peak", "B/s"), "9.10 TB/s is more than")
end)

t.test("bars are as long as their values", function()
  local p = plot.bars { title = "bars", rows = {
    { "a", 10, "ten" }, { "long name", 5, "five" }, { "none", 0, "0" } } }
  local lines = lines_of(p)
  t.equal(lines[1], "bars")
  local ten, five = count(lines[2], "█"), count(lines[3], "█")
  t.ok(ten >= 20, "room is used: " .. ten)
  t.ok(math.abs(ten - 2 * five) <= 1, ten .. " and " .. five)
  t.equal(count(lines[4], "█"), 0)
  for _, line in ipairs(lines) do t.ok(utf8.len(line) <= 80, line) end
end)

t.test("points stand where they belong", function()
  local p = plot.lines { x = { from = 0, to = 10 }, y = { from = 0, to = 10 },
    series = { { scatter = true, { 0, 0 }, { 10, 10 } } } }
  local lines = lines_of(p)
  t.ok(lines[1]:find "●$", "top right: " .. lines[1])
  t.ok(lines[14]:find "┤●", "bottom left: " .. lines[14])
  t.equal(count(tostring(p), "●"), 2)
  for _, line in ipairs(lines) do t.ok(utf8.len(line) <= 80, line) end
end)

t.test("axes have units, log scales and a legend", function()
  local p = plot.lines { title = "sweep", x = { label = "threads", log = 2 },
    y = { label = "time", unit = "ms", log = true },
    series = { { name = "naive", { 1, 100 }, { 1024, 1 } },
      { name = "tiled", { 1, 10 }, { 1024, 0.1 } } } }
  local text = tostring(p)
  t.has(text, "time (ms), log scale"); t.has(text, "● naive   ○ tiled")
  t.has(text, "threads, log scale"); t.has(text, "1024"); t.has(text, "100 ┤")
end)

t.test("scales: ticks are round and inside", function()
  local s = scale.new({}, { 0, 97 }, 6)
  t.equal(s.ticks[1][2], "0")
  t.equal(s.ticks[2][2], "20"); t.equal(s.high, 100)
  s = scale.new({ log = true }, { 3, 4000 }, 6)
  t.near(s:at(s.low), 0, 1e-12); t.near(s:at(s.high), 1, 1e-12)
  t.equal(s:at(0), nil)
  s = scale.new({}, { 5 }, 6)
  t.ok(s.low < 5 and s.high > 5)
  s = scale.new({ log = true }, { -1, 10 }, 6)
  t.ok(not s.log, "what is not positive has no logarithm")
end)

t.test("every finite number has its place, from the smallest to the largest", function()
  local most, least, inf, nan = 0x1.fffffffffffffp1023, 5e-324, math.huge, 0 / 0
  local lists = { { least, 1 }, { 1e308, -1e308 }, { least }, { most },
    { -most, most }, { least, 2 * least }, { least, most },
    { 1, 1 + 2.3e-16 }, { 1e-310, 3e-309 }, { 0 }, { -0.0 },
    { most, most * (1 - 2e-16) }, { 1e290, 1e291 }, { 1e-291, 1e-289 },
    { -least, least }, { 1e15, 1e15 + 1 }, { math.mininteger, math.maxinteger },
    { inf, 1 }, { -inf, nan, 2, 3 }, { nan }, { inf } }
  local seed = 3
  for _ = 1, 300 do -- bits at random: every size is as likely
    local list = {}
    for i = 1, 3 do
      seed = seed * 6364136223846793005 + 1442695040888963407
      list[i] = string.unpack("d", string.pack("j", seed))
    end
    lists[#lists + 1] = list
  end
  for _, list in ipairs(lists) do
    for _, log in ipairs { false, true, 2 } do
      local s, finite = scale.new({ log = log }, list, 6), 0
      t.ok(#s.ticks <= 14, #s.ticks .. " ticks")
      for _, v in ipairs(list) do
        local at = s:at(v)
        if v == v and math.abs(v) < inf then
          finite = finite + 1
          t.ok(at and at > -1e-6 and at < 1 + 1e-6,
            ("%.17g is at %s"):format(v, tostring(at)))
        else
          t.equal(at, nil)
        end
      end
      for _, tick in ipairs(s.ticks) do
        local at = s:place(tick)
        t.ok(at == at and at > -1e-6 and at < 1 + 1e-6, tick[2])
        t.ok(not tick[2]:find "inf" and not tick[2]:find "nan", tick[2])
      end
      list.log = log or nil
      local text = tostring(plot.plot(list))
      t.ok(finite == 0 or count(text, "●") >= 1, text)
      t.equal(text:find "not shown" ~= nil, finite < #list)
      local svg = require "lua.plot.svg".lines(plot.plot(list))
      t.ok(not svg:find '="%-?[ni][an]' and not svg:find "[ML]%-?[ni][an]", "a number that is none in the SVG")
    end
  end
end)

t.test("plot takes lists, pairs and several series", function()
  t.equal(count(tostring(plot.plot { 1, 4, 9 }), "●"), 3)
  t.equal(count(tostring(plot.plot { { 1, 2 }, { 3, 4 } }), "●"), 2)
  local two = tostring(plot.plot { { 1, 2, 3 }, { 3, 2, 1 },
    names = { "up", "down" } })
  t.has(two, "● up   ○ down")
  t.ok(tostring(plot.plot { 1, 0 / 0, 3 }), "NaN is left out")
  t.raises("nothing to plot", plot.plot, {})
  t.raises("not 'colour'", plot.plot, { 1, 2, colour = "red" })
  t.raises("no number", plot.plot, { 1, "x" })
end)

t.test("a plot saves as SVG", function()
  local name = os.tmpname()
  os.remove(name)
  local p = plot.lines { title = "a < b & c", x = { label = "n" }, y = {},
    series = { { name = "s", { 1, 2 }, { 2, 3 } } } }
  t.equal(p:save(name .. ".svg"), p)
  local file = io.open(name .. ".svg")
  local text = file:read "a"
  file:close()
  os.remove(name .. ".svg")
  t.ok(text:find "^<svg" and text:find "</svg>%s*$")
  t.has(text, "a &lt; b &amp; c")
  t.equal(count(text, "<circle"), 3) -- two points and the legend
  t.raises(".svg or .txt", p.save, p, "x.png")
  t.raises("saved to a file", p.save, p)
  local bars = plot.bars { rows = { { "a", 1 }, { "b", 2 } } }
  bars:save(name .. ".svg")
  file = io.open(name .. ".svg")
  t.equal(count(file:read "a", "<rect"), 3)
  file:close()
  os.remove(name .. ".svg")
end)

t.test("bars are drawn to both sides of zero", function()
  local text = tostring(plot.plot { 4, -2, 0, names = { "up", "down", "none" },
    bars = true, title = "balance" })
  local lines = {}
  for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
  t.equal(lines[1], "balance")
  local up, down = count(lines[2], "█"), count(lines[3], "█")
  t.ok(up >= 2 * down - 2 and up <= 2 * down + 2, text)
  -- the bar of down ends where that of up begins
  t.equal(utf8.len(lines[2]:match "^(.-)█"), utf8.len(lines[3]:match "^(.*)█")
    + 1)
  t.equal(count(lines[4], "█"), 0)
  t.has(tostring(plot.plot { { "a", 1 }, { "b", 2 }, bars = true }), "  b  ██")
  t.raises("bar 2 has no number", plot.plot, { 1, "x", bars = true })
  t.raises("nothing to plot", plot.plot, { bars = true })
end)

t.test("a second axis has its own scale at the right", function()
  local p = plot.plot { { 1, 2, 3 }, { 900, 500, 100 }, second = 2, y = "left",
    y2 = "metres", names = { "a", "b" } }
  local text = tostring(p)
  t.has(text, "right: metres")
  t.has(text, "b (right)")
  t.has(text, "├ 1000")
  t.ok(text:find " 3 ┤", text)
  for _, line in ipairs(lines_of(p)) do t.ok(units.width(line) <= 80, line) end
  t.raises("number of a series, 1 to 2", plot.plot, { { 1, 2, 3 }, { 1, 2, 3 }, second = 3 })
  t.raises("must stay on the left", plot.plot, { { 1, 2, 3 }, second = 1 })
  t.raises("which series stands on it", plot.plot, { 1, 2, y2 = "m" })
end)

-- What a person sees: the text with colours, and without the colours the same
-- text.
local function shown(p) return debug.getmetatable(p).__show(p) end

t.test("with colours a plot is the same text", function()
  for _, p in ipairs { plot.plot { { 1, 2, 3 }, { 3, 2, 1 } },
    plot.plot { 1, 2, bars = true } } do
    local colourful = shown(p)
    t.ok(colourful:find "\27%[36m", "no colour")
    t.equal((colourful:gsub("\27%[[%d;]*m", "")), tostring(p))
  end
end)

-- SVG is read as XML: every tag closed, attributes quoted, nothing that is no
-- number.
local function well_formed(svg)
  local open = {}
  t.ok(not svg:find "[^%g%s\128-\255]", "a control character")
  local rest = svg:gsub("<(/?)([%w:]+)(.-)(/?)>", function(closing, tag, attributes, alone)
    if closing == "/" then
      t.equal(table.remove(open), tag)
    else
      local left = attributes:gsub('%s+[%w:-]+="[^"<]*"', "")
      t.equal(left:gsub("%s+", ""), "", attributes)
      if alone == "" then open[#open + 1] = tag end
    end
    t.ok(not attributes:find '="%-?nan' and not attributes:find '="%-?inf',
      attributes)
    return ""
  end)
  t.equal(#open, 0)
  t.ok(not rest:find "[<>]" and not rest:gsub("&%a+;", ""):find "&", "text that is not escaped")
end

t.test("a matrix is a heat map", function()
  local m = {}
  for r = 1, 12 do
    m[r] = {}
    for c = 1, 8 do m[r][c] = r * c end
  end
  m[3][3] = 0 / 0
  local p = plot.plot { m, title = "a < b", x = "column", y = "row",
    map = "grey" }
  t.equal(p.kind, "heat")
  t.equal(p.low, 1)
  t.equal(p.high, 96)
  local text = tostring(p)
  t.has(text, "a < b")
  t.has(text, "@")
  t.has(text, "column")
  t.ok(not text:find "\27", "colours in plain text")
  t.ok(text:find " 1  .*@ 96$", text)
  for _, line in ipairs(lines_of(p)) do t.ok(units.width(line) <= 80, line) end
  local svg = require "lua.plot.svg".heat(p)
  well_formed(svg)
  t.has(svg, "#ff00ff") -- nan
  t.has(svg, "a &lt; b")
  local colourful = shown(p)
  t.ok(colourful:find "\27%[48;[25];", "no colours")
  local b = plot.plot(gpu.buffer(200, 300):random(1))
  t.equal(b.kind, "heat")
  well_formed(require "lua.plot.svg".heat(b))
  t.ok(select(2, require "lua.plot.svg".heat(b):gsub("<rect", "")) < 96 * 96
    + 100, "cells are not shrunk")
  t.equal(plot.plot { gpu.buffer(4, 4), range = { 0, 5 } }.high, 5)
  t.equal(plot.plot { { 1, 2, 3 }, { 4, 5, 6 } }.kind, "lines") -- two series
  t.raises("range is the number", plot.plot, { m, range = { 2, 1 } })
  t.raises("no colour map 'jet'", plot.plot, { m, map = "jet" })
end)

t.test("every plot's SVG is well-formed", function()
  local svg = require "lua.plot.svg"
  well_formed(svg.lines(plot.plot { { 1, 2, 3 }, { 900, 0 / 0, 100 },
    second = 2, y2 = "<m>", names = { "a&b", '"c"' } }))
  well_formed(svg.bars(plot.plot { { "<a>", -1 }, { "b", 2 }, bars = true,
    title = "x & y" }))
end)

-- A machine of round numbers: 100 GB/s, 1 TFLOP/s, so a ridge of 10 operations
-- a byte.
local peaks = { memory = 1e11, cache = 1e11, operations = 1e12, device = "it",
  title = "a machine" }
local function comparison(rate, intensity)
  return setmetatable({ ok = true, operations = 1e9, bytes = 1e9 / intensity,
    peaks = peaks,
    rows = { { name = "kernel", median = 1e9 / rate } } },
    { __name = "comparison" })
end

t.test("a roofline has the kernel's point below its roof", function()
  local p = plot.plot(comparison(5e10, 1))
  local text = tostring(p)
  t.has(text, "roofline of it (a machine)")
  t.has(text, "memory 100 GB/s")
  t.has(text, "arithmetic 1.00 TFLOP/s")
  t.has(text, "kernel 50.0 GFLOP/s")
  local memory, arithmetic, point = p.series[1], p.series[2], p.series[3]
  t.equal(memory[2][1], 10)
  t.equal(memory[2][2], 1e12)
  t.equal(memory[1][2], memory[1][1] * 1e11)
  t.equal(arithmetic[2][2], 1e12)
  t.equal(point[1][1], 1)
  t.ok(math.abs(point[1][2] - 5e10) < 1)
  well_formed(require "lua.plot.svg".lines(p))
  t.equal(#plot.plot { comparison(5e10, 1), comparison(9e11, 50) }.series, 4)
  local none = comparison(1, 1)
  none.operations = 0
  t.raises("give operations", plot.plot, none)
  t.raises("nothing else", plot.plot, { comparison(1, 1), 7 })
end)

t.test("a long title is squeezed into its picture", function()
  local svg = require "lua.plot.svg"
  local function timeline(n)
    return svg.timeline { title = ("x"):rep(n), whole = 1, bars = {} }
  end
  t.has(timeline(120), 'textLength="688"')
  t.ok(not timeline(40):find("textLength", 1, true))
end)

t.done()

-- plot.lua - plots that print in a terminal and save as SVG.
--
--   plot.bars { title = "…", rows = { { "label", value, "text" }, … } }
--   plot.lines { title = "…", x = axis, y = axis, y2 = axis,
--                series = { series, … } }
--   plot.plot(values, …)           the global plot: what a person types
--
-- A plot is a value: tostring gives its text, p:save "x.svg" writes it to a
-- file. An axis is described in lua/plot/scale.lua. A series is a list of
-- {x, y} with a name; 'scatter' leaves its points unconnected, 'line' has no
-- marks, 'second' stands on the right axis y2; a point's 'mark' takes the place
-- of the series' own. text.lua and svg.lua draw; heat.lua makes heat maps and
-- roofline.lua rooflines. At the prompt there are colours (__show).
local system = require "mettle.system"
local units = require "lua.text.units"

local plot = {}
local methods = {}
plot.methods = methods -- for completion
local meta = { __index = methods, __name = "plot" }

local function text_of(self, colours)
  local text = require "lua.plot.text"
  return text[self.kind](self, self.width or
    math.min(math.max(system.width(), 40), 80), colours)
end

-- On a page a function that has a picture take the text's place
-- (lua/notebook/mime_bundle.lua).
plot.instead = nil

function meta:__tostring()
  return plot.instead and plot.instead(self) or text_of(self)
end

function meta:__show()
  local way = self.kind == "heat" and require "mettle.picture".terminal().way
  return text_of(self, (way == "256" or way == "ascii") and way or "blocks")
end

-- Write the plot to a file: SVG if its name ends so, else the text.
function methods:save(path)
  if type(path) ~= "string" or path == "" then
    error('a plot is saved to a file: p:save "x.svg"', 2)
  end
  local svg = path:lower():find "%.svg$"
  if not svg and not path:lower():find "%.txt$" then
    error(("a plot is saved as .svg or .txt, not as '%s'"):format(path), 2)
  end
  system.write(path, svg and require("lua.plot.svg")[self.kind](self) or
    tostring(self) .. "\n")
  return self
end

function plot.bars(p)
  p.kind = "bars"
  for _, row in ipairs(p.rows) do row[3] = row[3] or units.short(row[2]) end
  return setmetatable(p, meta)
end

function plot.lines(p)
  p.kind = "lines"
  p.x, p.y = p.x or {}, p.y or {}
  return setmetatable(p, meta)
end

------------------------------------------------------------- the global plot

local MOST = 4000 -- points of one series: more than any screen shows

-- Points of a list of numbers or of {x, y} pairs, or of a buffer. A long one is
-- thinned evenly.
local function points_of(values, what)
  local buffer = type(values) == "userdata"
  if not buffer and type(values) ~= "table" then
    error(what .. " takes buffers or lists of numbers, not a " .. type(values),
      3)
  end
  local n = #values
  if n == 0 then
    error(what .. ": there is nothing to plot: the list is empty", 3)
  end
  local points, step = {}, math.max(1, n / MOST)
  for i = 0, math.min(n, MOST) - 1 do
    local at = math.floor(i * step)
    local v = values[buffer and at or at + 1]
    local pair = type(v) == "table"
    local x, y = pair and v[1] or at + (buffer and 0 or 1), pair and v[2] or v
    if type(y) == "boolean" then y = y and 1 or 0 end
    if type(x) ~= "number" or type(y) ~= "number" then
      error(("%s: value %d is no number and no pair of numbers"):format(what,
        at + 1), 3)
    end
    points[#points + 1] = { x, y }
  end
  points.scatter = n > 60 or nil
  return points
end

local function fractions(series)
  for _, points in ipairs(series) do
    for _, p in ipairs(points) do
      if p[1] ~= math.floor(p[1]) then return true end
    end
  end
  return false
end

local known = { title = true, x = true, y = true, log = true, names = true,
  scatter = true, bars = true, second = true,
  y2 = true, map = true, range = true }
local KNOWN = "title, x, y, log, names, scatter, bars, second, "
  .. "y2, map and range"

local function check_options(options)
  for key in pairs(options) do
    if type(key) == "string" and not known[key] then
      error(("plot knows %s, not '%s'"):format(KNOWN, key), 3)
    end
  end
  local range = options.range
  if range ~= nil and (type(range) ~= "table" or type(range[1]) ~= "number" or
    type(range[2]) ~= "number" or not (range[1] < range[2])) then
    error("plot: range is the number for the first colour and a larger one for "
      .. "the last: range = {0, 1}", 3)
  end
end

-- plot{3, 1, names = {"a", "b"}, bars = true},
-- plot{{"a", 3}, {"b", 1}, bars = true}
local function bars_of(list, options)
  local values = #list == 1 and type(list[1]) ~= "number" and list[1] or list
  local buffer, rows = type(values) == "userdata", {}
  if #values > 200 then
    error("plot: bars are for few values; this list has " .. #values, 3)
  end
  for i = 1, #values do
    local v = values[buffer and i - 1 or i]
    local name = options.names and options.names[i] or
      tostring(buffer and i - 1 or i)
    if type(v) == "table" then name, v = tostring(v[1]), v[2] end
    if type(v) ~= "number" then
      error(("plot: bar %d has no number: plot{{\"name\", "
        .. "3}, bars = true}"):format(i), 3)
    end
    rows[i] = { tostring(name), v }
  end
  if #rows == 0 then
    error("plot: there is nothing to plot: the list is empty", 3)
  end
  return plot.bars { title = options.title, rows = rows, log = options.log }
end

-- Which series stand on the right axis: second = 2, or {2, 3}.
local function mark_second(series, options)
  local second = options.second
  if second == nil then
    if options.y2 then
      error("plot: y2 is the text of the right axis: say with second = 2 which "
        .. "series stands on it", 3)
    end
    return nil
  end
  for _, i in ipairs(type(second) == "table" and second or { second }) do
    if not series[i] then
      error(("plot: second is the number of a series, 1 to %d"):format(#series),
        3)
    end
    series[i].second = true
  end
  local left = 0
  for _, one in ipairs(series) do left = left + (one.second and 0 or 1) end
  if left == 0 then error("plot: one series must stay on the left axis", 3) end
  return { label = options.y2 }
end

-- What is given first, and the options: plot(b, …), plot{1, 4, 9, title = "…"},
-- plot{a, b}.
local function read_arguments(first, ...)
  local options, list = {}, { first, ... }
  if type(first) == "table" and getmetatable(first) == nil then
    options = first
    local inner = first[1]
    local pair = type(inner) == "table" and #inner == 2 and
      type(inner[1]) == "number" and #first > 1
        and type(first[2]) == "table" and #first[2] == 2
    if type(inner) == "userdata" or (type(inner) == "table" and not pair) then
      list = first
    end
  end
  return list, options
end

-- plot(buffer), plot{1, 4, 9}, plot{a, b, names = {"a", "b"}, log = true, …}
function plot.plot(first, ...)
  if first == nil then
    error("what? plot(buffer), plot{1, 4, 9} or plot{a, b, title = \"…\"}", 2)
  end
  local list, options = read_arguments(first, ...)
  check_options(options)
  local heat, roofline = require "lua.plot.heat", require "lua.plot.roofline"
  if options.bars then return bars_of(list, options) end
  if #list == 1 and (heat.is_buffer(list[1]) or heat.is_matrix(list[1], 3)) then
    return setmetatable(heat.new(list[1], options), meta)
  end
  if roofline.takes(list[1]) then
    for _, r in ipairs(list) do
      if not roofline.takes(r) then
        error("plot: a roofline is of what compare and profile gave, "
          .. "and nothing else", 2)
      end
    end
    local ok, p = pcall(roofline.new, list, options)
    if not ok then error(p, 2) end
    return plot.lines(p)
  end
  local series = {}
  for i, values in ipairs(list) do
    series[i] = points_of(values, "plot")
    series[i].name = options.names and options.names[i]
    if options.scatter ~= nil then series[i].scatter = options.scatter end
  end
  if #series == 0 then
    error("plot: there is nothing to plot: the list is empty", 2)
  end
  return plot.lines { title = options.title, series = series,
    y2 = mark_second(series, options),
    x = { label = options.x or "index", whole = not fractions(series) },
    y = { label = options.y, log = options.log } }
end

return plot

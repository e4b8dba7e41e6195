-- plot.lua - plots that print in a terminal and save as SVG.
--
--   plot.bars { title = "…", rows = { { "label", value, "text" }, … } }
--   plot.lines { title = "…", x = axis, y = axis, series = { series, … } }
--   plot.plot(values, …)           the global plot: what a person types
--
-- A plot is a value: tostring gives its text, p:save "x.svg" writes it to a
-- file. An axis is described in lua/scale.lua. A series is a list of {x, y}
-- with a name; 'scatter' leaves its points unconnected; a point's 'mark' takes
-- the place of the series' own. lua/plot_text.lua and plot_svg.lua draw.
local system = require "mettle.system"
local units = require "lua.units"

local plot = {}
local methods = {}
local meta = { __index = methods, __name = "plot" }

function meta:__tostring()
  local text = require "lua.plot_text"
  return text[self.kind](self, self.width or math.min(math.max(system.width(), 40), 80))
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
  system.write(path, svg and require("lua.plot_svg")[self.kind](self) or tostring(self) .. "\n")
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
    error(what .. " takes buffers or lists of numbers, not a " .. type(values), 3)
  end
  local n = #values
  if n == 0 then error(what .. ": there is nothing to plot: the list is empty", 3) end
  local points, step = {}, math.max(1, n / MOST)
  for i = 0, math.min(n, MOST) - 1 do
    local at = math.floor(i * step)
    local v = values[buffer and at or at + 1]
    local pair = type(v) == "table"
    local x, y = pair and v[1] or at + (buffer and 0 or 1), pair and v[2] or v
    if type(y) == "boolean" then y = y and 1 or 0 end
    if type(x) ~= "number" or type(y) ~= "number" then
      error(("%s: value %d is no number and no pair of numbers"):format(what, at + 1), 3)
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

local known = { title = true, x = true, y = true, log = true, names = true, scatter = true }

-- plot(buffer), plot{1, 4, 9}, plot{a, b, names = {"a", "b"}, log = true, …}
function plot.plot(first, ...)
  if first == nil then error("what? plot(buffer), plot{1, 4, 9} or plot{a, b, title = \"…\"}", 2) end
  local options, list = {}, { first, ... }
  if type(first) == "table" and getmetatable(first) == nil then
    for key in pairs(first) do
      if type(key) == "string" and not known[key] then
        error(("plot knows title, x, y, log, names and scatter, not '%s'"):format(key), 2)
      end
    end
    options = first
    local inner = first[1]
    local pair = type(inner) == "table" and #inner == 2 and type(inner[1]) == "number" and #first > 1
        and type(first[2]) == "table" and #first[2] == 2
    if type(inner) == "userdata" or (type(inner) == "table" and not pair) then list = first end
  end
  local series = {}
  for i, values in ipairs(list) do
    series[i] = points_of(values, "plot")
    series[i].name = options.names and options.names[i]
    if options.scatter ~= nil then series[i].scatter = options.scatter end
  end
  if #series == 0 then error("plot: there is nothing to plot: the list is empty", 2) end
  return plot.lines { title = options.title, series = series,
    x = { label = options.x or "index", whole = not fractions(series) }, y = { label = options.y, log = options.log } }
end

return plot

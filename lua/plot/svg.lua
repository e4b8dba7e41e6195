-- svg.lua - the same plots as an SVG file, for slides and web pages.
--
-- Plain SVG with no style sheet and no font of its own. Series differ by
-- colour and by the shape of their points, so that a black-and-white print
-- can be read too.
local scale = require "lua.plot.scale"
local text = require "lua.plot.text"
local units = require "lua.text.units"

local svg = {}
local escape = require("lua.text.page").escape

local colours = { "#0b61a4", "#c2410c", "#15803d", "#7e22ce", "#a16207",
  "#be123c", "#0e7490", "#4d4d4d" }
local WIDTH, HEIGHT = 720, 420

local function document(width, height, parts)
  return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
    .. 'viewBox="0 0 %d %d" '
    .. 'font-family="sans-serif" font-size="13">\n<rect width="100%%" '
      .. 'height="100%%" fill="white"/>\n%s\n</svg>\n')
    :format(width, height, width, height, table.concat(parts, "\n"))
end

local function label(x, y, content, anchor, more)
  return ('<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>')
    :format(x, y, anchor or "start", more and " " .. more or "",
      escape(content))
end

local function line(x1, y1, x2, y2, colour)
  return ('<line x1="%.1f" y1="%.1f" x2="%.1f" '
    .. 'y2="%.1f" stroke="%s"/>'):format(x1, y1, x2, y2, colour)
end

local LONG = 84 -- characters: what is longer is squeezed into the picture

local function heading(words)
  local squeeze = units.width(words) > LONG
    and (' textLength="%d" lengthAdjust="spacingAndGlyphs"'):format(WIDTH - 32)
    or ""
  return label(16, 24, words, "start", 'font-weight="bold"' .. squeeze)
end

------------------------------------------------------------------------ bars

function svg.bars(p)
  local parts, length, reach_left, reach_right = {}, text.reach(p)
  local top, left, step, room = p.title and 40 or 14, 190, 28, WIDTH - 190 - 190
  local unit = reach_left > 0 and room / (reach_left + reach_right) or room
  local zero = left + reach_left * unit
  if p.title then
    parts[1] = heading(p.title .. (p.log and " (log scale)" or ""))
  end
  for i, row in ipairs(p.rows) do
    local y = top + (i - 1) * step
    local l = length(row[2]) * unit
    local w = math.max(1, math.abs(l))
    local x = l < 0 and zero - w or zero
    parts[#parts + 1] = label(left - 8, y + 15, row[1], "end")
    parts[#parts + 1] = ('<rect x="%.1f" y="%d" width="%.1f" '
      .. 'height="20" fill="%s"/>')
      :format(x, y, w, l < 0 and colours[6] or row.best and colours[2] or
        colours[1])
    parts[#parts + 1] = label(x + w + 6, y + 15, row[3])
  end
  return document(WIDTH, top + #p.rows * step + 10, parts)
end

-- Launches over time: a bar each, from its start to its end
-- (lua/workload/commands.lua). Those without times of their own have a hollow
-- bar over the whole.
function svg.timeline(p)
  local parts, top, left, step, room = {}, 62, 190, 26, WIDTH - 190 - 90
  local bottom = top + #p.bars * step
  parts[1] = heading(p.title)
  for i = 0, 4 do
    local x = left + room * i / 4
    parts[#parts + 1] = line(x, top - 6, x, bottom, "#dddddd")
    parts[#parts + 1] = label(x, top - 12, units.time((p.whole or 0) * i / 4),
      "middle", 'fill="#555555"')
  end
  for i, bar in ipairs(p.bars) do
    local y = top + (i - 1) * step
    local from, to = bar.from or 0, bar.to or 1
    if p.concurrent and i > 1 and bar.phase ~= p.bars[i - 1].phase then
      parts[#parts + 1] = line(16, y - 3, WIDTH - 16, y - 3, colours[2])
    end
    parts[#parts + 1] = label(left - 8, y + 14, ("%d  %s"):format(i, bar.name),
      "end")
    parts[#parts + 1] = ('<rect x="%.1f" y="%d" width="%.1f" height="18" '
      .. 'fill="%s" stroke="%s"/>')
      :format(left + from * room, y, math.max(1, (to - from) * room),
        bar.time and colours[1] or "none", colours[1])
    parts[#parts + 1] = label(left + to * room + 6, y + 14,
      bar.time and units.time(bar.time) or "")
  end
  return document(WIDTH, bottom + 14, parts)
end

function svg.heat(p) return require "lua.plot.heat".svg(p, label, document) end

----------------------------------------------------------------------- lines

-- The point of series i: filled or hollow, round or square, or a triangle.
local function point(i, x, y, big)
  local colour = colours[(i - 1) % #colours + 1]
  local r = big and 7 or 4
  local fill = (i % 2 == 1) and colour or "white"
  local shape = (i - 1) // 2 % 3
  local paint = (' fill="%s" stroke="%s" stroke-width="1.5"/>'):format(fill,
    colour)
  if shape == 0 then
    return ('<circle cx="%.1f" cy="%.1f" r="%d"'):format(x, y, r) .. paint
  end
  if shape == 1 then
    return ('<path d="M%.1f %.1f l%d %d h%d z"'):format(x, y - r, r, 2 * r,
      -2 * r) .. paint
  end
  return ('<rect x="%.1f" y="%.1f" width="%d" height="%d"'):format(x - r, y - r,
    2 * r, 2 * r) .. paint
end

-- The axis of the series that stand on the right.
local function right_axis(parts, p, ys2, box)
  for _, tick in ipairs(ys2.ticks) do
    local y = box.bottom - ys2:place(tick) * (box.bottom - box.top)
    parts[#parts + 1] = line(box.right, y, box.right + 5, y, "#333")
    parts[#parts + 1] = label(box.right + 8, y + 4, tick[2])
  end
  parts[#parts + 1] = line(box.right, box.top, box.right, box.bottom, "#333")
  parts[#parts + 1] = label(WIDTH - 4, box.bottom + 40, scale.title(p.y2),
    "end")
end

local function axes(parts, p, xs, ys, box)
  for _, tick in ipairs(ys.ticks) do
    local y = box.bottom - ys:place(tick) * (box.bottom - box.top)
    parts[#parts + 1] = line(box.left, y, box.right, y, "#e5e5e5")
    parts[#parts + 1] = label(box.left - 6, y + 4, tick[2], "end")
  end
  for _, tick in ipairs(xs.ticks) do
    local x = box.left + xs:place(tick) * (box.right - box.left)
    parts[#parts + 1] = line(x, box.bottom, x, box.bottom + 5, "#333")
    parts[#parts + 1] = label(x, box.bottom + 19, tick[2], "middle")
  end
  parts[#parts + 1] = line(box.left, box.bottom, box.right, box.bottom, "#333")
  parts[#parts + 1] = line(box.left, box.top, box.left, box.bottom, "#333")
  parts[#parts + 1] = label((box.left + box.right) / 2, box.bottom + 40,
    scale.title(p.x) .. (xs.log and ", log scale" or ""), "middle")
  parts[#parts + 1] = label(16, box.top - 8, scale.title(p.y) ..
    (ys.log and ", log scale" or ""))
end

local function curve(parts, i, series, xs, ys, box)
  local path, points = {}, {}
  local joined = false
  for _, at in ipairs(series) do
    local x, y = xs:at(at[1]), ys:at(at[2])
    if x and y then
      x, y = box.left + x * (box.right - box.left),
        box.bottom - y * (box.bottom - box.top)
      path[#path + 1] = ("%s%.1f %.1f"):format(joined and "L" or "M", x, y)
      points[#points + 1] = point(i, x, y, at.mark)
    end
    joined = x ~= nil and y ~= nil
  end
  if series.line then points = {} end
  if not series.scatter then
    parts[#parts + 1] = ('<path d="%s" fill="none" stroke="%s" '
      .. 'stroke-width="1.5"/>')
      :format(table.concat(path, " "), colours[(i - 1) % #colours + 1])
  end
  table.move(points, 1, #points, #parts + 1, parts)
end

local function sign(p, i, x, y)
  if not p.series[i].line then return point(i, x, y) end
  return line(x - 8, y, x + 8, y, colours[(i - 1) % #colours + 1])
end

-- Names with their points: in a row above.
local function add_legend(parts, p, box)
  local x = box.right
  for i = #p.series, 1, -1 do
    local series = p.series[i]
    if series.name then
      local name = series.name .. (series.second and " (right)" or "")
      parts[#parts + 1] = label(x, box.top - 8, name, "end")
      x = x - 8 * units.width(name) - 10
      parts[#parts + 1] = sign(p, i, x, box.top - 12)
      x = x - 18
    end
  end
end

-- Long names: in a column beside the plot.
local function add_legend_beside(parts, p, box)
  for i, series in ipairs(p.series) do
    local y = box.top + 18 * i
    parts[#parts + 1] = sign(p, i, box.right + 20, y - 4)
    parts[#parts + 1] = label(box.right + 36, y, series.name)
  end
end

-- What stays free at the right: for the second axis, or for the names.
local function right_margin(p)
  local longest = 0
  for _, series in ipairs(p.series) do
    longest = math.max(longest, units.width(series.name or ""))
  end
  return p.below and math.min(300, 7.5 * longest + 46) or p.y2 and 70 or 20
end

function svg.lines(p)
  local xs = scale.new(p.x, text.values(p, 1), 9)
  local ys = scale.new(p.y, text.values(p, 2, false), 6)
  local ys2 = p.y2 and scale.new(p.y2, text.values(p, 2, true), 6)
  local box = { left = 70, right = WIDTH - right_margin(p), top = p.title and
    64 or 40, bottom = HEIGHT - 60 }
  local parts = {}
  if p.title then parts[1] = heading(p.title) end
  axes(parts, p, xs, ys, box)
  if ys2 then right_axis(parts, p, ys2, box) end
  local missing = text.left_out(p, xs, ys, ys2)
  if missing then
    parts[#parts + 1] = label(box.right, HEIGHT - 8, missing, "end")
  end
  for i = #p.series, 1, -1 do
    curve(parts, i, p.series[i], xs, p.series[i].second and ys2 or ys, box)
  end
  local add_names = p.below and add_legend_beside or add_legend
  add_names(parts, p, box)
  return document(WIDTH, HEIGHT, parts)
end

return svg

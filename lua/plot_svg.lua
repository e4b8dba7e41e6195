-- plot_svg.lua - the same plots as an SVG file, for slides and web pages.
--
-- Plain SVG with no style sheet and no font of its own. Series differ by
-- colour and by the shape of their points, so that a black-and-white print
-- can be read too.
local scale = require "lua.scale"
local text = require "lua.plot_text"
local units = require "lua.units"

local svg = {}

local colours = { "#0b61a4", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#be123c", "#0e7490", "#4d4d4d" }
local WIDTH, HEIGHT = 720, 420

local function escape(s)
  return (tostring(s):gsub('[&<>"]', { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

local function document(width, height, parts)
  return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
    .. 'font-family="sans-serif" font-size="13">\n<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n')
    :format(width, height, width, height, table.concat(parts, "\n"))
end

local function label(x, y, content, anchor, more)
  return ('<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>')
    :format(x, y, anchor or "start", more and " " .. more or "", escape(content))
end

local function line(x1, y1, x2, y2, colour)
  return ('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>'):format(x1, y1, x2, y2, colour)
end

------------------------------------------------------------------------ bars

function svg.bars(p)
  local parts, length = {}, text.lengths(p)
  local top, left, step = p.title and 40 or 14, 190, 28
  if p.title then parts[1] = label(16, 24, p.title .. (p.log and " (log scale)" or ""), "start", 'font-weight="bold"') end
  for i, row in ipairs(p.rows) do
    local y = top + (i - 1) * step
    local w = math.max(1, length(row[2]) * (WIDTH - left - 190))
    parts[#parts + 1] = label(left - 8, y + 15, row[1], "end")
    parts[#parts + 1] = ('<rect x="%d" y="%d" width="%.1f" height="20" fill="%s"/>')
      :format(left, y, w, row.best and colours[2] or colours[1])
    parts[#parts + 1] = label(left + w + 6, y + 15, row[3])
  end
  return document(WIDTH, top + #p.rows * step + 10, parts)
end

----------------------------------------------------------------------- lines

-- The point of series i: filled or hollow, round or square, or a triangle.
local function point(i, x, y, big)
  local colour = colours[(i - 1) % #colours + 1]
  local r = big and 7 or 4
  local fill = (i % 2 == 1) and colour or "white"
  local shape = (i - 1) // 2 % 3
  local paint = (' fill="%s" stroke="%s" stroke-width="1.5"/>'):format(fill, colour)
  if shape == 0 then return ('<circle cx="%.1f" cy="%.1f" r="%d"'):format(x, y, r) .. paint end
  if shape == 1 then
    return ('<path d="M%.1f %.1f l%d %d h%d z"'):format(x, y - r, r, 2 * r, -2 * r) .. paint
  end
  return ('<rect x="%.1f" y="%.1f" width="%d" height="%d"'):format(x - r, y - r, 2 * r, 2 * r) .. paint
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
  parts[#parts + 1] = label(16, box.top - 8, scale.title(p.y) .. (ys.log and ", log scale" or ""))
end

local function curve(parts, i, series, xs, ys, box)
  local path, points = {}, {}
  local joined = false
  for _, at in ipairs(series) do
    local x, y = xs:at(at[1]), ys:at(at[2])
    if x and y then
      x, y = box.left + x * (box.right - box.left), box.bottom - y * (box.bottom - box.top)
      path[#path + 1] = ("%s%.1f %.1f"):format(joined and "L" or "M", x, y)
      points[#points + 1] = point(i, x, y, at.mark)
    end
    joined = x ~= nil and y ~= nil
  end
  if not series.scatter then
    parts[#parts + 1] = ('<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>')
      :format(table.concat(path, " "), colours[(i - 1) % #colours + 1])
  end
  table.move(points, 1, #points, #parts + 1, parts)
end

function svg.lines(p)
  local xs = scale.new(p.x, text.values(p, 1), 9)
  local ys = scale.new(p.y, text.values(p, 2), 6)
  local box = { left = 70, right = WIDTH - 20, top = p.title and 64 or 40, bottom = HEIGHT - 60 }
  local parts = {}
  if p.title then parts[1] = label(16, 24, p.title, "start", 'font-weight="bold"') end
  axes(parts, p, xs, ys, box)
  local missing = text.left_out(p, xs, ys)
  if missing then parts[#parts + 1] = label(box.right, HEIGHT - 8, missing, "end") end
  local x = box.right
  for i = #p.series, 1, -1 do
    local series = p.series[i]
    curve(parts, i, series, xs, ys, box)
    if series.name and (#p.series > 1 or series.name) then
      parts[#parts + 1] = label(x, box.top - 8, series.name, "end")
      x = x - 8 * units.width(series.name) - 14
      parts[#parts + 1] = point(i, x + 4, box.top - 12)
      x = x - 14
    end
  end
  return document(WIDTH, HEIGHT, parts)
end

return svg

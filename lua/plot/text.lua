-- text.lua - plots as lines of text.
--
-- A line plot is a grid of cells, one character each: points are marks, a mark
-- of its own for each series, so that no colour is needed; what lies between
-- two points is dotted. Bars end in an eighth of a block. With colours each
-- series has one, too; the terminal's own, so that they suit its background.
local scale = require "lua.plot.scale"
local units = require "lua.text.units"

local text = {}

text.marks = { "●", "○", "▲", "△", "■", "□", "◆", "◇", "★", "☆" }
local eighths = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

-- The mark of series i; lines have none, and the others count without them.
local function mark_of(p, i)
  local n = 0
  for k = 1, i do n = n + (p.series[k].line and 0 or 1) end
  return p.series[i].line and "·" or text.marks[(n - 1) % #text.marks + 1]
end

local hues = { "36", "33", "32", "35", "31", "34" }

-- The text in the colour of series i; as it is without colours.
local function paint(colours, i, content)
  if not colours or content == "" then return content end
  return "\27[" .. hues[(i - 1) % #hues + 1] .. "m" .. content .. "\27[0m"
end

function text.heat(p, width, colours)
  return require "lua.plot.heat".text(p, width, colours)
end

------------------------------------------------------------------------ bars

-- A bar of so many columns, in eighths.
function text.bar(columns)
  local whole = math.floor(columns + 1e-9)
  local part = math.floor((columns - whole) * 8 + 0.5)
  if part == 8 then whole, part = whole + 1, 0 end
  if whole == 0 and part == 0 and columns > 0 then part = 1 end
  return ("█"):rep(whole) .. (eighths[part] or "")
end

-- Where a bar ends, 0 to 1, or below 0 to the left. With log scale the shortest
-- bar is a tenth.
local function lengths(p)
  local high, low = 0, math.huge
  for _, row in ipairs(p.rows) do
    local v = row[2] and math.abs(row[2])
    if v and v > 0 and v < math.huge then
      high, low = math.max(high, v), math.min(low, v)
    end
  end
  return function(v)
    if not v or v ~= v or v == 0 then return 0 end
    local sign, size = v < 0 and -1 or 1, math.abs(v)
    if size == math.huge or high == 0 then return sign end
    if p.log and low < high then
      return sign * (0.1 + 0.9 * (math.log(size) - math.log(low)) /
        (math.log(high) - math.log(low)))
    end
    return sign * size / high
  end
end
text.lengths = lengths

-- The longest bars to the left and to the right of zero.
function text.reach(p)
  local length, left, right = lengths(p), 0, 0
  for _, row in ipairs(p.rows) do
    local l = length(row[2])
    left, right = math.max(left, -l), math.max(right, l)
  end
  return length, left, right
end

function text.bars(p, width, colours)
  local label_width, note_width = 0, 0
  for _, row in ipairs(p.rows) do
    label_width = math.max(label_width, units.width(row[1]))
    note_width = math.max(note_width, units.width(row[3]))
  end
  label_width = math.min(label_width, 30)
  local room = math.max(8, width - label_width - note_width - 5)
  local length, left, right = text.reach(p)
  -- without negative ones, zero is at the left and the bars have all the room
  local unit = left > 0 and room / (left + right) or room
  local before = math.floor(left * unit + 0.5)
  local lines = {}
  if p.title then lines[1] = p.title .. (p.log and " (log scale)" or "") end
  for _, row in ipairs(p.rows) do
    local l = length(row[2])
    local bar = paint(colours, row.best and 2 or 1,
      text.bar(math.abs(l) * unit))
    local space = (" "):rep(before)
    if l < 0 then
      local whole = math.max(1, math.floor(-l * unit + 0.5))
      space, bar = (" "):rep(before - whole),
        paint(colours, 5, ("█"):rep(math.min(whole, before)))
    end
    lines[#lines + 1] = ("  %s  %s%s %s")
      :format(units.pad(units.cut(row[1], label_width), label_width), space,
      bar, row[3])
  end
  return table.concat(lines, "\n")
end

----------------------------------------------------------------------- lines

-- Values of all series; of those on the right axis (true) or the left (false)
-- if 'second' is given.
local function all(p, index, second)
  local values = {}
  for _, series in ipairs(p.series) do
    if second == nil or second == (series.second or false) then
      for _, point in ipairs(series) do values[#values + 1] = point[index] end
    end
  end
  return values
end
text.values = all

local function new_grid(columns, rows)
  local grid = {}
  for r = 1, rows do
    grid[r] = {}
    for c = 1, columns do grid[r][c] = " " end
  end
  return grid
end

-- The cell of a point; nil if it is outside or no number.
local function cell(grid, x, y)
  if not x or not y or x ~= x or y ~= y then return nil end
  if x < -1e-9 or x > 1 + 1e-9 or y < -1e-9 or y > 1 + 1e-9 then return nil end
  local rows, columns = #grid, #grid[1]
  return math.floor(x * (columns - 1) + 1.5),
    math.floor((1 - y) * (rows - 1) + 1.5)
end

local function dotted(grid, c1, r1, c2, r2)
  local steps = math.max(math.abs(c2 - c1), math.abs(r2 - r1))
  for i = 1, steps - 1 do
    local c = math.floor(c1 + (c2 - c1) * i / steps + 0.5)
    local r = math.floor(r1 + (r2 - r1) * i / steps + 0.5)
    if grid[r][c] == " " then grid[r][c] = "·" end
  end
end

local function draw_series(grid, series, mark, xs, ys)
  local places, last_c, last_r = {}, nil, nil
  for _, point in ipairs(series) do
    local c, r = cell(grid, xs:at(point[1]), ys:at(point[2]))
    if c then
      if last_c and not series.scatter then
        dotted(grid, last_c, last_r, c, r)
      end
      places[#places + 1] = { c, r, point.mark or mark }
    end
    last_c, last_r = c, r
  end
  return places
end

-- What has no place on the axes is said, not dropped in silence.
local function left_out(p, xs, ys, ys2)
  local out, total = 0, 0
  for _, series in ipairs(p.series) do
    for _, point in ipairs(series) do
      total = total + 1
      if not (xs:at(point[1]) and
        (series.second and ys2 or ys):at(point[2])) then
        out = out + 1
      end
    end
  end
  if out > 0 then
    return ("%s of %s points %s not shown: inf or nan"):format(units.count(out),
      units.count(total), out == 1 and "is" or "are")
  end
end
text.left_out = left_out

local function legend(p, colours)
  if #p.series < 2 and not p.series[1].name then return nil end
  local names = {}
  for i, series in ipairs(p.series) do
    local mark = series.line and "···" or mark_of(p, i)
    names[i] = paint(colours, i, mark) .. " " .. (series.name or i) ..
      (series.second and " (right)" or "")
  end
  return table.concat(names, p.below and "\n  " or "   ")
end
text.legend = legend

-- Numbers beside the axis: text by row.
local function y_labels(ys, rows)
  local labels, widest = {}, 0
  for _, tick in ipairs(ys.ticks) do
    local at = ys:place(tick)
    if at and at > -1e-9 and at < 1 + 1e-9 then
      labels[math.floor((1 - at) * (rows - 1) + 1.5)] = tick[2]
      widest = math.max(widest, units.width(tick[2]))
    end
  end
  return labels, widest
end

-- The line of ticks below, and the line of their texts, those that have room.
local function x_lines(xs, columns)
  local marks, texts, free = {}, {}, 1
  for c = 1, columns do marks[c] = "─" end
  for _, tick in ipairs(xs.ticks) do
    local at = xs:place(tick)
    if at and at > -1e-9 and at < 1 + 1e-9 then
      local c = math.floor(at * (columns - 1) + 1.5)
      local n = units.width(tick[2])
      local from = math.max(1, math.min(c - n // 2, columns - n + 1))
      if from >= free then
        marks[c] = "┬"
        texts[#texts + 1] = (" "):rep(from - free) .. tick[2]
        free = from + n
        if free <= columns then texts[#texts + 1], free = " ", free + 1 end
      end
    end
  end
  return table.concat(marks), table.concat(texts)
end

-- The grid with all series in it; marks lie over what is dotted.
local function draw_all(p, columns, rows, xs, ys, ys2, colours)
  local grid, places = new_grid(columns, rows), {}
  for i, series in ipairs(p.series) do
    for _, place in ipairs(draw_series(grid, series, mark_of(p, i), xs,
        series.second and ys2 or ys)) do
      places[#places + 1] = { place[1], place[2], paint(colours, i, place[3]) }
    end
  end
  for _, place in ipairs(places) do grid[place[2]][place[1]] = place[3] end
  return grid
end

-- Titles of the axes and the legend, above the grid.
local function head_of(p, ys, ys2, colours)
  local names = legend(p, colours)
  local above = scale.title(p.y) .. (ys.log and ", log scale" or "")
  local right = ys2 and scale.title(p.y2) or ""
  if right ~= "" then
    above = above .. (above == "" and "" or "     ") .. "right: " .. right
  end
  if names and p.below then
    return (above == "" and "" or above .. "\n  ") .. names
  end
  return above .. (names and "     " .. names or "")
end

function text.lines(p, width, colours)
  local rows = p.rows_high or 14
  local ys = scale.new(p.y, all(p, 2, false), 5)
  local ys2 = p.y2 and scale.new(p.y2, all(p, 2, true), 5)
  local labels, margin = y_labels(ys, rows)
  local right, margin2 = {}, -2
  if ys2 then right, margin2 = y_labels(ys2, rows) end
  local columns = math.max(20, width - margin - 4 - (margin2 + 2))
  local xs = scale.new(p.x, all(p, 1), columns // 8)
  local grid = draw_all(p, columns, rows, xs, ys, ys2, colours)
  local lines = {}
  if p.title then lines[#lines + 1] = p.title end
  local above = head_of(p, ys, ys2, colours)
  if above ~= "" then lines[#lines + 1] = "  " .. above end
  for r = 1, rows do
    local line = units.right(labels[r] or "", margin + 1) ..
      (labels[r] and " ┤" or " │")
      .. table.concat(grid[r])
    if ys2 then line = line .. (right[r] and "├ " .. right[r] or "│") end
    lines[#lines + 1] = line:gsub("%s+$", "")
  end
  local missing = left_out(p, xs, ys, ys2)
  if missing then table.insert(lines, p.title and 2 or 1, "  " .. missing) end
  local axis, texts = x_lines(xs, columns)
  lines[#lines + 1] = (" "):rep(margin + 2) .. "└" .. axis ..
    (ys2 and "┘" or "")
  lines[#lines + 1] = ((" "):rep(margin + 3) .. texts):gsub("%s+$", "")
  local title = scale.title(p.x) .. (xs.log and ", log scale" or "")
  lines[#lines + 1] = (" "):rep(margin + 3) ..
    (" "):rep((columns - units.width(title)) // 2) .. title
  for i = 1, #lines do lines[i] = lines[i]:gsub("%s+$", "") end
  return table.concat(lines, "\n")
end

return text

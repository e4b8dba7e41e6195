-- svg.lua - a drawing as an SVG file, for slides and web pages.
--
-- Each cell is a rectangle with a class and a title that browsers show under
-- the pointer. Lines of 128 bytes, and rows of banks, have a dark edge. White
-- ground, no style sheet of its own: it prints as it looks.
local paint = require "lua.draw.paint"
local text = require "lua.draw.text"
local units = require "lua.text.units"

local svg = {}
local escape = require("lua.text.page").escape

local CELL, GAP, LEFT, EDGE = 14, 26, 58, 16
local ROWS = 96       -- of one panel; the rest is named
local LABELS = 64     -- columns up to which cells have their symbol
local EMPTY, INK, FAINT = "#f1f1ee", "#222222", "#8a8a85"

local function label(x, y, content, more)
  return ('<text x="%.1f" y="%.1f"%s>%s</text>'):format(x, y, more and " "
    .. more or "", escape(content))
end

local kinds = { simdgroup = "SIMD-group", threadgroup = "threadgroup",
  thread = "lane" }

local function name_of(d, who)
  if who == "several" then return "several " .. kinds[d.by] .. "s" end
  if d.by == "simdgroup" then
    local per = (d.group[1] * d.group[2] * d.group[3] + 31) // 32
    return ("SIMD-group %d of threadgroup %d"):format(who % per, who // per)
  end
  return ("%s %d"):format(kinds[d.by], who)
end

-- A cell with its symbol. 'who' nil: no thread.
local function cell(out, d, x, y, size, who, class, title, symbol)
  local colour = who == nil and EMPTY or paint.hex(d.by, who)
  out[#out + 1] = ('<rect class="%s" x="%.1f" y="%.1f" width="%.1f" '
    .. 'height="%.1f" fill="%s" stroke="%s" stroke-width="0.5">'
    .. '<title>%s</title></rect>')
    :format(class, x, y, size, size, colour, who == "several" and "#666" or
    "#ffffff", escape(title))
  if symbol and who ~= nil and size >= 12 then
    local ink = paint.is_light(paint.colour(d.by, who)) and "#000" or "#fff"
    out[#out + 1] = label(x + size / 2, y + size - 3.8, paint.symbol(who),
      ('text-anchor="middle" font-size="9" fill="%s" '
        .. 'pointer-events="none"'):format(ink))
  end
end

local function outline(out, x, y, width, height)
  out[#out + 1] = ('<rect class="line" x="%.1f" y="%.1f" width="%.1f" '
    .. 'height="%.1f" fill="none" stroke="%s" stroke-width="1.2"/>')
    :format(x, y, width, height, INK)
end

-- Lines of 128 bytes that a row touches, or its banks: an edge around each run.
local function outlines(out, p, row, x, y, size)
  local from = row * p.columns - p.first
  local function key(i)
    if i < 0 or i >= p.count then return nil end
    return p.line and (i * p.element + p.object.address) // 128 or 0
  end
  local start = 0
  for column = 1, p.columns do
    if column == p.columns or key(from + column) ~= key(from + start) then
      if key(from + start) then
        outline(out, x + start * size, y, (column - start) * size, size)
      end
      start = column
    end
  end
end

local parts = { { "reader", "reads", "read by" },
  { "writer", "writes", "written by" } }

local function place_of(p, i)
  local o = p.object
  if o.extent then
    return ("%s(%d, %d)"):format(p.name, i % o.extent[1], i // o.extent[1])
  end
  if p.space == "threadgroup" then
    return text.place(p, i * p.cell) .. (", bank %d"):format((i + p.first) % 32)
  end
  return ("%s[%d]"):format(p.name, i)
end

local function title_of(d, p, i, part)
  local c = p.cells[i]
  local n = c and c[part[2]] or 0
  if n == 0 then return place_of(p, i) .. ": not " .. part[3]:match "^%a+" end
  return ("%s: %s %s by %s")
    :format(place_of(p, i), part[3]:match "^%a+", n == 1 and "once" or
    units.count(n) .. " times",
    name_of(d, c[part[1]]))
end

local function part_rows(out, d, p, part, rows, x, y, size)
  local gap = 0
  for n, row in ipairs(rows) do
    if n > 1 and row > rows[n - 1] + 1 then gap = gap + 6 end
    local top = y + (n - 1) * size + gap
    out[#out + 1] = label(x - 6, top + size - 3.5, text.label(p, row),
      ('text-anchor="end" font-size="10" fill="%s"'):format(FAINT))
    for column = 0, p.columns - 1 do
      local i = row * p.columns + column - p.first
      if i >= 0 and i < p.count then
        local c = p.cells[i]
        cell(out, d, x + column * size, top, size, c and c[part[1]], part[2],
          title_of(d, p, i, part), p.columns <= LABELS)
      end
    end
    outlines(out, p, row, x, top, size)
  end
  return #rows * size + gap
end

-- A panel at y; returns its height and width.
local function panel(out, d, p, y)
  local rows = text.touched_rows(p)
  local all, size = #rows, math.max(4, math.min(CELL, 1200 // p.columns))
  while #rows > ROWS do rows[#rows] = nil end
  local cost = text.cost(p.space, p.units, p.ideal, p.steps)
  out[#out + 1] = label(EDGE, y + 14, p.name,
    'font-weight="bold" font-size="14"')
  out[#out + 1] = label(LEFT + 10, y + 14,
    ("%s, %s%s"):format(text.type(p), text.counts(p), cost and "; " .. cost or
      ""),
    ('font-size="12" fill="%s"'):format(INK))
  local x, height, width = LEFT, 0, 0
  for _, part in ipairs(parts) do
    if p[part[2]] > 0 or (part[2] == "writes" and p.atomics > 0) then
      local title = p.reads + p.writes == 0 and "updated by" or part[3]
      out[#out + 1] = label(x, y + 32, title .. (p.space == "threadgroup"
        and ", columns are the banks 0 to 31" or ""),
        ('font-size="11" fill="%s"'):format(FAINT))
      height = math.max(height,
        part_rows(out, d, p, part, rows, x, y + 38, size))
      width = x + p.columns * size
      x = width + LEFT
    end
  end
  if all > #rows then
    out[#out + 1] = label(LEFT, y + 38 + height + 14,
      ("… %s more rows were touched"):format(units.count(all - #rows)),
      ('font-size="11" fill="%s"'):format(FAINT))
    height = height + 18
  end
  return 38 + height, width
end

local function legend(out, d, y)
  local numbers, seen = {}, {}
  for _, p in ipairs(d.buffers) do
    for _, c in pairs(p.cells) do
      for _, part in ipairs(parts) do
        local who = c[part[1]]
        if who ~= nil and who ~= "several" and not seen[who] then
          seen[who], numbers[#numbers + 1] = true, who
        end
      end
    end
  end
  table.sort(numbers)
  local x = EDGE
  for n = 1, math.min(#numbers, d.by == "thread" and 32 or 8) do
    local who = numbers[n]
    cell(out, d, x, y, CELL, who, "legend", name_of(d, who), true)
    x = x + CELL + (d.by == "thread" and 2 or 6)
  end
  local again = #numbers > 8 and d.by ~= "thread"
    and ", the colours come again" or ""
  local words = ("by %s%s; * is several"):format(kinds[d.by], again)
  out[#out + 1] = label(x + 6, y + 11, words,
    ('font-size="11" fill="%s"'):format(FAINT))
end

-- How a grid of threads is laid out: rows of a line of threads, which wraps, or
-- those of a plane.
local function layout(d)
  local columns, rows = d.groups[1] * d.group[1], d.groups[2] * d.group[2]
  local is_line = rows == 1
  local wrap = is_line and math.min(columns,
    math.max(32, d.group[1] <= 128 and d.group[1] or 32)) or columns
  local lines = is_line and (columns + wrap - 1) // wrap or rows
  return { columns = columns, is_line = is_line, wrap = wrap,
    rows = math.min(lines, ROWS),
    size = math.max(4, math.min(CELL, 1200 // wrap)) }
end

-- The cell of a thread; one that is not there is empty.
local function thread_cell(out, d, l, x, y, tx, ty)
  local there = tx < d.grid[1] and ty < d.grid[2]
  local who, title
  if there then
    local group, index = d:thread_at(tx, ty, 0)
    who = d:who(tx, ty, 0)
    title = ("thread (%d, %d): threadgroup %d, SIMD-group %d, lane %d"):format(
      tx, ty, group, index // 32, index % 32)
  else
    title = ("thread (%d, %d) is outside the grid"):format(tx, ty)
  end
  cell(out, d, x, y, l.size, who, there and "thread" or "none", title,
    l.wrap <= LABELS)
end

-- Row r of the layout, with its number before it.
local function grid_row(out, d, l, r, y)
  out[#out + 1] = label(LEFT - 6, y + l.size - 3.5,
    l.is_line and r * l.wrap or r,
    ('text-anchor="end" font-size="10" fill="%s"'):format(FAINT))
  for column = 0, l.wrap - 1 do
    local tx, ty = column, r
    if l.is_line then tx, ty = r * l.wrap + column, 0 end
    if tx < l.columns then
      thread_cell(out, d, l, LEFT + column * l.size, y, tx, ty)
    end
  end
end

-- A frame around each row of a line, or around each group of a plane.
local function outlines(out, d, l, y)
  local size, group = l.size, d.group
  if l.is_line then
    for r = 0, l.rows - 1 do
      outline(out, LEFT, y + r * size,
        math.min(l.wrap, l.columns - r * l.wrap) * size, size)
    end
    return
  end
  for gy = 0, d.groups[2] - 1 do
    local height = math.min(group[2], l.rows - gy * group[2])
    for gx = 0, height > 0 and d.groups[1] - 1 or -1 do
      outline(out, LEFT + gx * group[1] * size, y + gy * group[2] * size,
        group[1] * size, height * size)
    end
  end
end

-- The grid of threads, a cell each: groups outlined, threads that are not there
-- empty. Returns its height, and where it ends on the right.
local function grid(out, d, y)
  local l = layout(d)
  out[#out + 1] = label(EDGE, y + 14, "grid",
    'font-weight="bold" font-size="14"')
  out[#out + 1] = label(LEFT + 10, y + 14, text.grid_words(d),
    ('font-size="12" fill="%s"'):format(INK))
  for r = 0, l.rows - 1 do grid_row(out, d, l, r, y + 24 + r * l.size) end
  outlines(out, d, l, y + 24)
  return 24 + l.rows * l.size, LEFT + l.wrap * l.size
end

function svg.document(d)
  local out, y, width = {}, EDGE + 44, 700
  local where = d.line and (", line %d"):format(d.line) or ""
  out[#out + 1] = label(EDGE, EDGE + 14, d.kernel .. where,
    'font-weight="bold" font-size="17"')
  out[#out + 1] = label(EDGE, EDGE + 33,
    ("grid %s, threadgroups of %s; %s accesses"):format(text.sizes(d.grid),
      text.sizes(d.group),
    units.count(d.count)), ('font-size="12" fill="%s"'):format(INK))
  legend(out, d, y)
  y = y + CELL + GAP
  local height, across = grid(out, d, y)
  y, width = y + height + GAP, math.max(width, across)
  for _, p in ipairs(d.what == "grid" and {} or (text.panels(d))) do
    height, across = panel(out, d, p, y)
    y, width = y + height + GAP, math.max(width, across)
  end
  width = width + EDGE
  return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
    .. 'viewBox="0 0 %d %d" font-family="system-ui, sans-serif">\n'
    .. '<title>%s</title>\n<rect width="100%%" height="100%%" '
      .. 'fill="#ffffff"/>\n%s\n</svg>\n')
    :format(width, y, width, y, escape("Accesses of " .. d.kernel),
      table.concat(out, "\n"))
end

return svg

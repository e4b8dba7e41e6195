-- heat.lua - heat maps: a matrix as a field of colours, with a bar that
-- says which colour is which number.
--
--   heat.new(matrix, options)   a buffer of rows × columns, or a list of rows
--   heat.text(p, width, colours) / heat.svg(p)   as the other plots are drawn
--
-- The pixels are a picture (mettle.picture), which knows how to shrink and how
-- to be drawn by characters; here are the axes around it.
local picture = require "mettle.picture"
local units = require "lua.text.units"

local heat = {}

local MOST = 96       -- cells of an SVG a side: more are shrunk
local ROWS = 20       -- lines of text, at most
local BAR = 24        -- columns of the bar of colours

-- Is it a list of at least two rows, equally long, of at least 'least' numbers?
function heat.is_matrix(t, least)
  if type(t) ~= "table" or type(t[1]) ~= "table" or #t < 2 then return false end
  local n = #t[1]
  if n < least then return false end
  for _, row in ipairs(t) do
    if type(row) ~= "table" or #row ~= n then return false end
    for c = 1, n do
      if type(row[c]) ~= "number" then return false end
    end
  end
  return true
end

function heat.is_buffer(v)
  return type(v) == "userdata" and getmetatable(v) and
    getmetatable(v).__name == "buffer" and #v.shape == 2
end

-- p.picture has a pixel for each number; p.low and p.high are what its first
-- and its last colour stand for.
function heat.new(matrix, options)
  local b = matrix
  if type(matrix) == "table" then b = gpu.buffer(matrix) end
  local range = options.range or {}
  local p = { kind = "heat", title = options.title, x_label = options.x,
    y_label = options.y, map = options.map or "viridis" }
  p.picture, p.low, p.high = picture.of(b, p.map, range[1], range[2])
  p.numbers = b -- read again where there are no colours
  p.columns, p.rows = p.picture.width, p.picture.height
  return p
end

local function ends(p) return units.short(p.low), units.short(p.high) end

------------------------------------------------------------------------- text

-- The bar of colours, from low to high; of shades where there are no colours.
local function bar(p, way)
  local ramp = gpu.buffer("uchar", 2, BAR)
  for i = 0, 2 * BAR - 1 do ramp[i] = i % BAR * 255 // (BAR - 1) end
  local strip = picture.of(ramp, way == "ascii" and "grey" or p.map, 0, 255)
  return strip:draw { way = way, columns = 200, rows = 10, cell_width = 1,
    cell_height = 2 }:match "[^\n]*"
end

-- Lines of the picture, drawn by characters.
local function drawn(p, width, way)
  local margin = #tostring(p.rows - 1) + 2
  local shown = p.picture
  if way == "ascii" then
    shown = picture.of(p.numbers, "grey", p.low, p.high)
  end
  local text = shown:show { way = way, columns = width - margin,
    rows = ROWS + 2, cell_width = 1, cell_height = 2 }
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines, margin
end

-- Columns that a drawn line takes: characters without their colours.
local function wide(lines)
  local most = 0
  for _, line in ipairs(lines) do
    most = math.max(most, units.width(line))
  end
  return most
end

function heat.text(p, width, colours)
  local way = colours and (colours == "256" and "256" or "blocks") or "ascii"
  local lines, margin = drawn(p, width, way)
  local out = {}
  if p.title then out[1] = p.title end
  if p.y_label then out[#out + 1] = "  " .. p.y_label end
  for i, line in ipairs(lines) do
    local number = i == 1 and "0" or i == #lines and tostring(p.rows - 1) or ""
    out[#out + 1] = units.right(number, margin - 1) .. " " .. line
  end
  local last = tostring(p.columns - 1)
  out[#out + 1] = (" "):rep(margin) .. "0" ..
    (" "):rep(wide(lines) - 1 - #last) .. (p.columns > 1 and last or "")
  if p.x_label then out[#out + 1] = (" "):rep(margin) .. p.x_label end
  local low, high = ends(p)
  out[#out + 1] = (" "):rep(margin) .. low .. " " .. bar(p, way) .. " " .. high
  return table.concat(out, "\n")
end

-------------------------------------------------------------------------- SVG

local function hex(c) return ("#%02x%02x%02x"):format(c[1], c[2], c[3]) end

-- One rectangle for neighbours of one colour in a row.
local function add_cells(parts, p, box)
  local shown, w, h = p.picture, math.min(p.columns, MOST),
    math.min(p.rows, MOST)
  if w < p.columns or h < p.rows then shown = shown:resize(w, h) end
  local rows = shown:buffer():table()
  local dx, dy = (box.right - box.left) / w, (box.bottom - box.top) / h
  for r, row in ipairs(rows) do
    local from = 1
    for c = 1, w do
      local function colour(i)
        return type(row[i]) == "table" and hex(row[i]) or
          hex { row[i], row[i], row[i] }
      end
      if c == w or colour(c + 1) ~= colour(from) then
        parts[#parts + 1] = ('<rect x="%.2f" y="%.2f" width="%.2f" '
          .. 'height="%.2f" fill="%s"/>')
          :format(box.left + (from - 1) * dx, box.top + (r - 1) * dy,
            (c - from + 1) * dx, dy, colour(from))
        from = c + 1
      end
    end
  end
end

local function add_bar(parts, p, x, top, bottom)
  local colours, n = picture.colours(p.map), 64
  local dy = (bottom - top) / n
  for i = 0, n - 1 do
    parts[#parts + 1] = ('<rect x="%d" y="%.2f" width="16" '
      .. 'height="%.2f" fill="%s"/>')
      :format(x, bottom - (i + 1) * dy, dy,
        hex(colours[i * 255 // (n - 1) + 1]))
  end
end

-- 'label' and 'document' are svg.lua's.
function heat.svg(p, label, document)
  local width, top, left = 720, p.title and 56 or 32, 60
  local side = math.min(560 / p.columns, 480 / p.rows)
  local box = { left = left, top = top,
    right = left + math.max(40, side * p.columns),
    bottom = top + math.max(40, side * p.rows) }
  local parts = {}
  if p.title then
    parts[1] = label(16, 24, p.title, "start", 'font-weight="bold"')
  end
  if p.y_label then parts[#parts + 1] = label(16, top - 8, p.y_label) end
  parts[#parts + 1] = '<g class="cells" shape-rendering="crispEdges">'
  add_cells(parts, p, box)
  add_bar(parts, p, width - 80, top, box.bottom)
  parts[#parts + 1] = "</g>"
  local low, high = ends(p)
  parts[#parts + 1] = label(width - 58, top + 10, high)
  parts[#parts + 1] = label(width - 58, box.bottom, low)
  parts[#parts + 1] = label(left - 6, top + 10, "0", "end")
  parts[#parts + 1] = label(left - 6, box.bottom, p.rows - 1, "end")
  parts[#parts + 1] = label(left, box.bottom + 18, "0")
  parts[#parts + 1] = label(box.right, box.bottom + 18, p.columns - 1, "end")
  if p.x_label then
    parts[#parts + 1] = label((box.left + box.right) / 2, box.bottom + 36,
      p.x_label, "middle")
  end
  return document(width, math.ceil(box.bottom + 50), parts)
end

return heat

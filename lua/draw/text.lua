-- text.lua - a drawing in the terminal: a character for each element.
--
-- The character says who touched it, the colour says it again. The picture fits
-- the window, 80 × 24 where there is none; what does not fit is named.
local draw = require "lua.draw.draw"
local paint = require "lua.draw.paint"
local system = require "mettle.system"
local units = require "lua.text.units"

local text = {}

local LABEL = 7 -- columns before a row: the number of its first element

local function sizes(list)
  local n = list[3] > 1 and 3 or list[2] > 1 and 2 or 1
  return table.concat(list, " × ", 1, n)
end

local times = units.many

------------------------------------------------------------------------- words

local kinds = { simdgroup = "SIMD-group", threadgroup = "threadgroup",
  thread = "lane" }

local function heads(d, lines, width)
  local where = d.line and (" on line %d"):format(d.line) or ""
  lines[#lines + 1] = units.cut(("%s: grid %s, threadgroups of %s; %s%s")
    :format(d.kernel, sizes(d.grid), sizes(d.group),
    times(d.count, "access") :gsub("accesss", "accesses"), where), width)
  local most = d.by == "thread" and "0 to v" or "0-9 a-z A-Z"
  lines[#lines + 1] = units.cut(d.what == "grid"
    and ("A thread is drawn as its %s: %s."):format(kinds[d.by], most)
    or ("An element is drawn as the %s that touched it: "
      .. "%s, * several."):format(kinds[d.by], most), width)
end

-- "4,096 reads, 32 writes"
local function counts(p)
  local list = {}
  for _, kind in ipairs { "read", "write", "atomic" } do
    local n = p[kind .. "s"]
    if n > 0 then list[#list + 1] = times(n, kind) end
  end
  return #list > 0 and table.concat(list, ", ") or "not touched"
end

local function mean(n, by)
  return units.short(math.floor(n / math.max(by, 1) * 100 + 0.5) / 100)
end

-- What an access of a SIMD-group costs, on average.
function text.cost(space, moved, ideal, steps)
  if steps == 0 then return nil end
  if space == "device" then
    return ("lines of 128 bytes per access: %s, ideal %s"):format(mean(moved,
      steps), mean(ideal, steps))
  elseif space == "threadgroup" then
    if moved == ideal then return "no bank conflicts" end
    return ("passes over the banks per access: %s, ideal %s"):format(mean(moved,
      steps), mean(ideal, steps))
  end
end

-- "float[4096]", "float[64][64]" for a buffer of that shape, "rgba8unorm 4 × 4"
function text.type(p)
  local o = p.object
  if o.extent then return ("%s %s"):format(p.type, sizes(o.extent)) end
  if not p.type then return ("%s bytes"):format(units.count(p.bytes)) end
  if o.row > 0 then
    return ("%s[%d][%d]"):format(p.type, p.length // o.row, o.row)
  end
  return ("%s[%d]"):format(p.type, p.length)
end

local function panel_heads(d, p, lines, width)
  local cost = text.cost(p.space, p.units, p.ideal, p.steps)
  local where = p.space == "threadgroup" and ("threadgroup %d's ")
    :format(p.of_group or 0)
    or p.space == "constant" and "constant " or ""
  lines[#lines + 1] = units.wrap(("%s: %s%s, %s%s%s")
    :format(p.name, where, text.type(p), counts(p), cost and "; " .. cost or "",
    p.outside and (", %s outside it"):format(units.count(p.outside)) or ""),
    width, "", "  ")
end

-- The numbers of each line of the source, where they differ; at most so many
-- lines.
local function by_line(d, p, lines, most)
  local list = {}
  for _, row in ipairs(p.space == "threadgroup" and d:banks() or
    p.space == "device" and d:lines() or {}) do
    if row.buffer == p.name then list[#list + 1] = row end
  end
  local differ = false
  for _, row in ipairs(list) do
    row.each = (row.moved or row.passes) / row.simdgroups
    differ = differ or row.each ~= list[1].each
  end
  if not differ then return end
  table.sort(list, function(a, b) -- the worst first
    if a.each ~= b.each then return a.each > b.each end
    return a.line < b.line
  end)
  local more = most > 1 and #list > most and #list - most + 1 or 0
  for i = 1, math.min(most, #list - more) do
    local row = list[i]
    lines[#lines + 1] = ("  line %d, %s: %s"):format(row.line, row.kind,
      text.cost(p.space, row.moved or row.passes, row.ideal, row.simdgroups))
  end
  if more > 0 then
    lines[#lines + 1] = ("  … and on %d other lines"):format(more)
  end
end

------------------------------------------------------------------------- cells

-- The rows of a panel that something touched, as numbers from 0 on.
local function touched_rows(p)
  local rows, seen = {}, {}
  for i in pairs(p.cells) do
    local row = (i + p.first) // p.columns
    if not seen[row] then seen[row], rows[#rows + 1] = true, row end
  end
  table.sort(rows)
  return rows
end

-- One row of cells. 'role': "reader" or "writer".
local function row_text(d, p, row, role, look)
  local out = {}
  for column = look.from, look.from + look.shown - 1 do
    local i = row * p.columns + column - p.first
    local cell = p.cells[i]
    local who = cell and cell[role]
    local after = look.wide and " " or ""
    if i < 0 or i >= p.count then out[#out + 1] = " " .. after
    elseif who == nil then out[#out + 1] = "·" .. after
    else
      out[#out + 1] =
        paint.cell(look.depth, d.by, who, paint.symbol(who) .. after)
    end
    -- a line of 128 bytes ends here
    if p.line and column < look.from + look.shown - 1 and i + 1 < p.count
      and (i + 1 + p.object.address // p.element) % p.line == 0 then
      out[#out + 1] = "│"
    end
  end
  if look.from + look.shown < p.columns then out[#out + 1] = "…" end
  return table.concat(out)
end

-- The first column that something touched.
local function first_column(p)
  local first = p.columns
  for i in pairs(p.cells) do
    first = math.min(first, (i + p.first) % p.columns)
  end
  return first
end

-- How many columns of cells fit, which, and how wide each is.
local function fit(p, parts, width, depth, labels)
  local room = (width - labels - 2 * (parts - 1)) // parts
  local per_line = p.line and math.max(p.line, 1) or math.huge
  local function need(n, wide)
    return n * (wide and 2 or 1) + (n - 1) // per_line
  end
  local look = { depth = depth, shown = p.columns,
    wide = need(p.columns, true) <= room }
  while not look.wide and look.shown > 1 and
    need(look.shown, false) + 1 > room do
    look.shown = look.shown - 1
  end
  look.width = need(look.shown, look.wide)
  look.from = math.min(first_column(p), p.columns - look.shown)
  return look
end

-- The number of a row's first element; of a matrix or an image, the row's.
function text.label(p, row)
  if p.object.extent or p.shaped then return tostring(row) end
  local first = math.max(row * p.columns - p.first, 0)
  return tostring(p.space == "threadgroup" and first * p.cell // p.element or
    first)
end

local function column_heads(p, parts, look, lines, labels)
  local names = {}
  for i, role in ipairs(parts) do
    local title = #parts == 1 and p.reads + p.writes == 0 and "updated by" or
      role == "reader" and "read by" or "written by"
    if p.space == "threadgroup" then title = title .. ", banks 0 to 31" end
    if look.shown < p.columns then
      title = title .. (", columns %d to %d of %d")
        :format(look.from, look.from + look.shown - 1, p.columns)
    end
    names[i] = units.pad(units.cut(title, look.width), look.width)
  end
  lines[#lines + 1] = (" "):rep(labels) ..
    (table.concat(names, "  "):gsub(" +$", ""))
end

-- The rows that fit into 'room' lines, their heading among them, with a note
-- about the others.
local function rows(d, p, lines, room, width, depth)
  local parts = {}
  if p.reads > 0 then parts[#parts + 1] = "reader" end
  if p.writes + p.atomics > 0 then parts[#parts + 1] = "writer" end
  if #parts == 0 or p.touched == 0 then return end
  local list = touched_rows(p)
  local labels = math.max(LABEL, #text.label(p, list[#list]) + 2)
  local look = fit(p, #parts, width, depth, labels)
  column_heads(p, parts, look, lines, labels)
  local gaps = 0
  for n = 2, #list do gaps = gaps + (list[n] > list[n - 1] + 1 and 1 or 0) end
  local all = #list + gaps <= room - 1
  local show = (all or #list <= room - 1) and #list or math.max(room - 2, 1)
  local last
  for n = 1, show do
    local row, out = list[n], {}
    if all and last and row > last + 1 then
      lines[#lines + 1] = ("    ⋮  %s not touched"):format(times(row - last - 1,
        "row"))
    end
    for i, role in ipairs(parts) do out[i] = row_text(d, p, row, role, look) end
    lines[#lines + 1] = (units.right(text.label(p, row), labels - 2) .. "  " ..
      table.concat(out, "  "):gsub(" +$", ""))
    last = row
  end
  if #list > show then
    local more = #list - show
    lines[#lines + 1] = ("    …  %s more row%s touched, of %s in all"):format(
      units.count(more), more == 1 and " was" or "s were",
      units.count((p.count + p.first + p.columns - 1) // p.columns))
  end
end

-------------------------------------------------------------------------- grid

-- Rows of threads: in one dimension a SIMD-group each, else as the grid is.
local function grid_rows(d)
  local list, grid, group = {}, d.grid, d.group
  if grid[2] * grid[3] == 1 then
    for g = 0, d.groups[1] - 1 do
      for first = 0, group[1] - 1, 32 do
        list[#list + 1] = { x = g * group[1] + first, y = 0,
          n = math.min(32, group[1] - first), above = first == 0 and g > 0 }
      end
    end
    return list, 32
  end
  for y = 0, d.groups[2] * group[2] - 1 do
    list[#list + 1] = { x = 0, y = y, n = d.groups[1] * group[1],
      above = y > 0 and y % group[2] == 0 }
  end
  return list, d.groups[1] * group[1]
end

local function grid_row(d, row, shown, depth)
  local out = {}
  for i = 0, math.min(row.n, shown) - 1 do
    local x = row.x + i
    if i > 0 and x % d.group[1] == 0 then out[#out + 1] = "│" end
    if x >= d.grid[1] or row.y >= d.grid[2] then out[#out + 1] = "·"
    else
      local who = d:who(x, row.y, 0)
      out[#out + 1] = paint.cell(depth, d.by, who, paint.symbol(who))
    end
  end
  return table.concat(out) .. (shown < row.n and "…" or "")
end

local function grid_words(d)
  local n = d.groups[1] * d.groups[2] * d.groups[3]
  local per = d.group[1] * d.group[2] * d.group[3]
  local words = ("%s of %s, a SIMD-group is 32 of them in a row"):format(
    times(n, "threadgroup"), times(per, "thread"))
  local cut = n * per - d.threads
  if cut > 0 then
    words = words .. ("; the edge is ragged: the last groups lack %s"):format(
      times(cut, "thread"))
  end
  if per % 32 ~= 0 then
    words = words .. ("; the last SIMD-group of each has %d"):format(per % 32)
  end
  return words .. "."
end

local function grid_lines(d, lines, room, width, depth)
  lines[#lines + 1] = units.wrap(grid_words(d), width, "", "  ")
  local list, across = grid_rows(d)
  local bars = (across - 1) // d.group[1]
  local shown = across
  while shown > 1 and shown + bars + LABEL + 1 > width do shown = shown - 1 end
  local used = 1
  for i, row in ipairs(list) do
    local need = row.above and 2 or 1
    if used + need > room - 1 and i < #list then
      lines[#lines + 1] = ("    …  %s more of threads"):format(
        times(#list - i + 1, "row"))
      break
    end
    if row.above then
      lines[#lines + 1] = (" "):rep(LABEL) ..
        ("─"):rep(shown + (shown - 1) // d.group[1])
    end
    lines[#lines + 1] = ("%5d  ")
      :format(d.grid[2] * d.grid[3] > 1 and row.y or row.x) ..
      grid_row(d, row, shown, depth)
    used = used + need
  end
  if d.grid[3] > 1 then
    lines[#lines + 1] = ("  (the first of %d slices)"):format(d.grid[3])
  end
end

------------------------------------------------------------------------- notes

function text.notes(d)
  local r = d.record
  local list = require "lua.record.recording".differences(r)
  local on = require "mettle.check".device -- kernels are recorded there, too
  for _, sentence in ipairs(r.unrecorded) do
    list[#list + 1] = "Not recorded: " .. sentence .. "."
  end
  if d.device ~= on then
    list[#list + 1] = ("Recorded on the %s device; on %s the accesses are the "
      .. "same, their order is not."):format(on, d.device)
  end
  return list
end

local function notes(d, lines, width)
  for _, words in ipairs(text.notes(d)) do
    lines[#lines + 1] = units.wrap(words, width, "", "")
  end
end

local function flat(lines)
  local out = {}
  for _, l in ipairs(lines) do
    for part in (l .. "\n"):gmatch "([^\n]*)\n" do out[#out + 1] = part end
  end
  return out
end

-- Panels with something in them; the others are named.
local function panels_of(d)
  local list, empty = {}, {}
  for _, p in ipairs(d.buffers) do
    if p.touched > 0 or d.options.buffer then
      list[#list + 1] = p
    else
      empty[#empty + 1] = p.name
    end
  end
  return list, empty
end
text.panels = panels_of

-- A panel in 'room' lines.
local function panel_lines(d, p, room, width, depth)
  local own = {}
  panel_heads(d, p, own, width)
  by_line(d, p, own, math.max(0, math.min(room // 3, room - #flat(own) - 3)))
  rows(d, p, own, room - #flat(own), width, depth)
  return flat(own)
end

-- The lines for each panel: what it needs, or its share of what the others
-- leave.
local function share_out(d, list, shown, left, width)
  local need, rooms, open = {}, {}, {}
  for i = 1, shown do
    need[i], open[i] = #panel_lines(d, list[i], math.huge, width), i
  end
  table.sort(open, function(a, b) return need[a] < need[b] or
    need[a] == need[b] and a < b end)
  for n, i in ipairs(open) do
    rooms[i] = math.min(need[i], left // (shown - n + 1))
    left = left - rooms[i]
  end
  return rooms
end

local function memory_lines(d, lines, height, width, depth)
  local list, empty = panels_of(d)
  local after = {}
  if #empty > 0 then
    after[1] = "Not touched: " .. table.concat(empty, ", ") .. "."
  end
  notes(d, after, width)
  local left = height - #lines - #flat(after)
  local shown = math.max(1, math.min(#list, left // 4))
  if shown < #list then left = left - 1 end
  local rooms = share_out(d, list, shown, left, width)
  for i = 1, shown do
    for _, l in ipairs(panel_lines(d, list[i], rooms[i], width, depth)) do
      lines[#lines + 1] = l
    end
  end
  if shown < #list then
    local names = {}
    for i = shown + 1, #list do names[#names + 1] = list[i].name end
    lines[#lines + 1] = units.cut(("… and %s: buffer = \"%s\" draws it alone")
      :format(table.concat(names, ", "), names[1]), width)
  end
  for _, l in ipairs(flat(after)) do lines[#lines + 1] = l end
end

-- 'coloured': for the console. d.width and d.height fix the size, for tests.
function text.text(d, coloured)
  local width = d.width or math.max(40, math.min(system.width(), 132))
  local height = (d.height or
    math.max(16, system.terminal(1) and system.height() or 24)) - 2
  local depth = d.depth or (coloured and paint.depth() or nil)
  local lines = {}
  heads(d, lines, width)
  if d.what == "grid" then
    grid_lines(d, lines, height - #lines, width, depth)
    notes(d, lines, width)
  else
    memory_lines(d, lines, height, width, depth)
  end
  return table.concat(flat(lines), "\n")
end

text.place, text.sizes, text.counts, text.grid_words, text.touched_rows =
  draw.place, sizes, counts, grid_words, touched_rows

return text

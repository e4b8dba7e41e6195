-- view.lua - a stepper (lua/step/stepper.lua) as rows of text for a window
-- of a size: source, variables, calls, lanes, memory.
--
--   view.rows(s, columns, rows, colour)   exactly 'rows' strings, of at most
--                                         'columns' cells each
--   view.keys(columns, rows)              the page of keys
--
-- Without colours everything has a mark: > the line, * a variable that it
-- changed, [ ] the lane and cells that were written, < > cells that were read.
local matrix = require "lua.record.simd_matrix"
local event_text = require "lua.record.event_text"
local system = require "mettle.system"
local units = require "lua.text.units"

local view = {}

local LEAST_COLUMNS, LEAST_ROWS = 40, 10
local LANES_ACROSS = 8

local HINTS = " ←→ line  b barrier  g line  r run  f finding  ↑↓ lane"
  .. "  t thread  ? keys  q quit"

local codes = { title = "7", here = "1;33", other = "1;35", changed = "1;33",
  dim = "2", lane = "7", written = "30;43", read = "30;46", said = "1;36" }

-- Text cut or padded to a width, in a style.
local function cell(text, width, style, colour)
  local plain = units.pad(units.cut(text, width), width)
  if not (style and colour) then return plain end
  return ("\27[%sm%s\27[0m"):format(codes[style], plain)
end

--------------------------------------------------------------------- parts

local function title(s, columns, colour)
  local number, all = s.visit.number, s.visit.count
  local left = (" %s  thread %s: threadgroup %d, "
    .. "SIMD-group %d, lane %d"):format(
    s.r.kernel, s:name(), s.group_number, s.index // 32, s.index % 32)
  local right = ("line %s of %s "):format(units.count(number),
    units.count(all))
  local room = columns - units.width(right)
  return cell(cell(left, room) .. right, columns, "title", colour)
end

local function mark(s, line)
  for _, b in ipairs(s.breaks) do
    if b.line == line then return b.condition and "?" or "o" end
  end
  return " "
end

-- The source around the line that the looked-at frame is on.
local function source(s, width, height, colour)
  local _, here = s:frame()
  local there = s.other and s.other.visit
  local rows = {}
  if s.visit.file ~= s.r.file and s.level == 0 and s.visit.text then
    rows[1] = cell(s.visit.file or "", width, "dim", colour)
    rows[2] = cell((">%4d %s"):format(here,
      event_text.text(s.r, here, s.visit.file, s.visit.text)), width, "here",
        colour)
    while #rows < height do rows[#rows + 1] = cell("", width) end
    return rows
  end
  local lines = event_text.lines(s.r)
  local first = math.max(1, math.min(here - height // 2, #lines - height + 1))
  if there and there.file == s.r.file and math.abs(there.line - here) < height
  then -- both lines in view
    local low = math.min(there.line, here)
    first = math.max(1, math.min(first, low), math.max(there.line, here)
      - height + 1)
  end
  for i = first, first + height - 1 do
    local style, sign = nil, " "
    if there and there.line == i and there.file == s.r.file then
      style, sign = "other", "+"
    end
    if i == here then style, sign = "here", ">" end
    rows[#rows + 1] = lines[i] and cell(("%s%s%4d %s"):format(sign, mark(s, i),
      i, lines[i]), width, style, colour) or cell("", width)
  end
  return rows
end

local function calls(s)
  local names = {}
  for i, f in ipairs(s:stack()) do
    names[i] = (i - 1 == s.level and #s:stack() > 1 and "[%s:%d]" or "%s:%d")
      :format(f.name, f.line)
  end
  return names
end

-- "{from = {1, 2}, hits = 0}" as its fields; nil: no struct.
local function fields(text)
  local inner = text:match "^{(.*)}$"
  if not inner or not inner:find "^[%a_][%w_]* = " then return nil end
  local list, depth, from = {}, 0, 1
  for i = 1, #inner do
    local c = inner:sub(i, i)
    if c == "{" then depth = depth + 1 end
    if c == "}" then depth = depth - 1 end
    if c == "," and depth == 0 then
      list[#list + 1] = inner:sub(from, i - 1)
      from = i + 2
    end
  end
  list[#list + 1] = inner:sub(from)
  return list
end

-- One row, or one for each field of a struct that is too wide for one.
local function variable_rows(v, width, room)
  local sign = v.changed and "*" or " "
  local text = ("%s%s %s %s"):format(sign, v.name, v.points and "→" or "=",
    v.text)
  local parts = units.width(text) > width and fields(v.text)
  if parts and #parts <= room then
    for i, part in ipairs(parts) do
      parts[i] = ("%s%s.%s"):format(sign, v.name, part)
    end
    return parts
  end
  if v.was and v.was ~= v.text then
    local whole = ("%s  (was %s)"):format(text, v.was)
    if units.width(whole) <= width then text = whole end
  end
  local left = width - units.width(text)
  if v.type and left > units.width(v.type) + 2 then
    text = text .. (" "):rep(left - units.width(v.type)) .. v.type
  end
  return { text }
end

local function variables(s, width, height, colour)
  local rows, names = {}, calls(s)
  if #names > 1 then
    rows[1] = cell(table.concat(names, " < "), width, "dim", colour)
  end
  local list = s:variables()
  local room = height - #rows
  if #list > room then -- those that the line changed must be seen
    local kept, first = {}, #list - room + 2
    for i, v in ipairs(list) do
      if v.changed and i < first then kept[#kept + 1] = v end
    end
    for i = first + #kept, #list do kept[#kept + 1] = list[i] end
    rows[#rows + 1] = cell(("… %d more"):format(#list - #kept), width, "dim",
      colour)
    list = kept
  end
  local spare = height - #rows - #list
  for _, v in ipairs(list) do
    local texts = variable_rows(v, width, spare + 1)
    spare = spare - (#texts - 1)
    for _, text in ipairs(texts) do
      rows[#rows + 1] = cell(text, width, v.changed and "changed", colour)
    end
  end
  if #list == 0 and #rows < height then
    rows[#rows + 1] = cell(" no variable has a value here", width, "dim",
      colour)
  end
  while #rows < height do rows[#rows + 1] = cell("", width) end
  return rows
end

-- What the line did; of the first one also what the thread was given.
local function does(s, columns, colour)
  local list = {}
  for _, v in ipairs(s.visit.given or {}) do
    local name, of = v:match "^([%w_]+) = &([%w_]+)%[0%]$"
    if not name or name ~= of then list[#list + 1] = v end
  end
  for _, v in ipairs(s.visit.does) do list[#list + 1] = v end
  return cell((" %d: %s"):format(s.visit.line,
    #list > 0 and table.concat(list, "; ") or "nothing is read or written"),
    columns, "here", colour)
end

local function other_does(s, columns, colour)
  local o = s.other
  return cell((" thread %s, %d: %s  (Tab)"):format(o.name, o.visit.line,
    table.concat(o.visit.does, "; ")), columns, "other", colour)
end

------------------------------------------------------------------------ lanes

-- The 8 × 8 elements of a matrix of the SIMD-group, as far as rows are left.
local function matrix_rows(s, m, rows, columns, height, colour)
  local width = columns // 8
  for row = 0, math.min(7, height - 2) do
    local cells = {}
    for column = 0, 7 do
      local own = matrix.lane(row, column) == s.index % 32
      local text = units.cut(m[row][column], width - 3)
      cells[column + 1] = cell((own and "[%s]" or " %s "):format(text), width,
        own and "lane", colour)
    end
    rows[#rows + 1] = table.concat(cells) .. cell("", columns - width * 8)
  end
  return rows
end

local function lane_rows(s, columns, height, colour)
  local here, count, all = s:mask()
  local v = s:lane_variable()
  local values = v and s:lane_values(v, here) or {}
  local m, number, of = s:lane_matrix(v, values)
  local mask, last = {}, 0
  for lane = 0, 31 do
    local there = s.r.events:slice(s.group_number, s.index // 32 * 32 + lane)
    mask[#mask + 1] = here[lane] and "#" or there and "." or " "
    if there then last = lane end
  end
  local head = ("lanes %s  %d of %d come here%s"):format(
    table.concat(mask):gsub(" +$", ""), count, all,
    not v and "" or of and of > 1 and ("; %s, %d of %d:"):format(v.name,
      number, of) or ("; %s after it:"):format(v.name))
  local rows = { cell(" " .. head, columns, "dim", colour) }
  if m then return matrix_rows(s, m, rows, columns, height, colour) end
  local width = columns // LANES_ACROSS
  for first = 0, last, LANES_ACROSS do
    if #rows == height then break end
    local cells = {}
    for lane = first, first + LANES_ACROSS - 1 do
      local own = lane == s.index % 32
      local text = values[lane] or here[lane] and "-" or "·"
      text = lane > last and "" or ("%2d%s%s%s"):format(lane,
        own and "[" or " ", units.cut(text, width - 5), own and "]" or "")
      cells[#cells + 1] = cell(text, width, own and "lane", colour)
    end
    rows[#rows + 1] = cell("", columns - width * LANES_ACROSS)
      .. table.concat(cells)
  end
  return rows
end

----------------------------------------------------------------------- memory

local signs = { read = { "<", ">", "read" }, write = { "[", "]", "written" },
  atomic = { "[", "]", "written" } }

local function memory_head(s, o)
  local of = o.type or ""
  local size = o.extent and ("%d × %d"):format(o.extent[1], o.extent[2])
    or tostring(o.size // o.element)
  local group = o.space == "threadgroup"
    and (", threadgroup %d"):format(s.group_number) or ""
  return (" %s: %s %s%s, at this moment; [ ] this line wrote, < > it read")
    :format(o.name, size, of, group)
end

-- Which rows: those that the line touched, then the ones around the element.
local function chosen_rows(touched, element, across, shown, count)
  local wanted, list = {}, {}
  local function want(row)
    if row >= 0 and row < count and not wanted[row] and #list < shown then
      wanted[row] = true
      list[#list + 1] = row
    end
  end
  want(element // across)
  local rows = {}
  for i in pairs(touched) do rows[#rows + 1] = i // across end
  table.sort(rows)
  for _, row in ipairs(rows) do want(row) end
  for far = 1, shown do
    want(element // across + far)
    want(element // across - far)
  end
  table.sort(list)
  return list
end

local function memory_rows(s, columns, height, colour)
  local o = s.object and s.r.objects[s.object]
  if not o then
    return { cell(" no memory was touched so far", columns, "dim", colour) }
  end
  local rows = { cell(memory_head(s, o), columns, "dim", colour) }
  local all = o.size // o.element
  local label = #tostring(math.max(all - 1, 0)) + 1
  local element = math.max(0, math.min(s.element or 0, all - 1))
  -- as many across as fit, a power of two or the rows of a matrix
  local probe = s:cells(math.max(0, element - 32), 64)
  local wide = 1
  for _, text in ipairs(probe) do wide = math.max(wide, units.width(text)) end
  wide = math.min(wide, 14)
  local across, room = 1, (columns - label - 2) // (wide + 2)
  local inner = o.row > 0 and o.row or o.extent and o.row_bytes // o.element
  if inner and inner <= room then
    across = inner
  else
    while across * 2 <= room and across < 32 do across = across * 2 end
  end
  local touched = s:touched()
  for _, row in ipairs(chosen_rows(touched, element, across, height - 1,
    (all + across - 1) // across)) do
    local from, cells = row * across, {}
    for i, text in ipairs(s:cells(from, math.min(across, all - from))) do
      local sign = signs[touched[from + i - 1]]
      text = units.right(units.cut(text, wide), wide)
      text = (sign and sign[1] or " ") .. text .. (sign and sign[2] or " ")
      cells[i] = cell(text, wide + 2, sign and sign[3], colour)
    end
    local used = label + 1 + (wide + 2) * #cells
    rows[#rows + 1] = units.right(tostring(from), label) .. " "
      .. table.concat(cells) .. cell("", columns - used)
  end
  return rows
end

------------------------------------------------------------------------ all

-- The order of threads, in a word or two.
local function schedule(r)
  return type(r.schedule) == "number" and ("shuffled by %d"):format(r.schedule)
    or r.schedule
end

-- Two rows: what is said or asked, and the keys.
local function bottom(s, columns, colour)
  local keys = cell(HINTS, columns, "dim", colour)
  if s.asks then
    return cell((" %s: %s_"):format(s.asks, s.typed or ""), columns, "said",
      colour), keys
  end
  if s.said then
    local first, second = units.wrap(s.said, columns - 1, " ", " "):match
      "^([^\n]*)\n([^\n]*)"
    if second then keys = cell(second, columns, "said", colour) end
    return cell(first or " " .. s.said, columns, "said", colour), keys
  end
  return cell((" moment %s of %s; schedule: %s; unoptimised, fast math off")
    :format(units.count(s.moment), units.count(s.r.events:count()),
    schedule(s.r)),
    columns, "dim", colour), keys
end

-- How many rows lanes and memory get.
local function shares(s, rows)
  local lanes, memory = 0, 0
  if rows >= 20 then memory = 1 + math.min(8, rows // 8) end
  if rows >= 15 then
    local _, _, all = s:mask()
    lanes = 1 + math.min(4, (math.max(all, 1) - 1) // LANES_ACROSS + 1)
    local v = rows >= 24 and s:lane_variable()
    if v and matrix.is(v.text) then lanes = 9 end
  end
  return lanes, memory
end

local function add(list, more)
  for _, row in ipairs(more) do list[#list + 1] = row end
end

function view.rows(s, columns, rows, colour)
  local out = {}
  if columns < LEAST_COLUMNS or rows < LEAST_ROWS then
    out[1] = units.cut(("the window is too small: %d × %d are needed"):format(
      LEAST_COLUMNS, LEAST_ROWS), columns)
    for i = 2, rows do out[i] = "" end
    return out
  end
  local lanes, memory = shares(s, rows)
  local around = 4 + (s.other and 1 or 0)
  local height = rows - around - lanes - memory
  local left = math.max(columns * 57 // 100, math.min(columns - 30, 44))
  out[1] = title(s, columns, colour)
  local a = source(s, left, height, colour)
  local b = variables(s, columns - left - 2, height, colour)
  for i = 1, height do out[#out + 1] = a[i] .. "│ " .. b[i] end
  out[#out + 1] = does(s, columns, colour)
  if s.other then out[#out + 1] = other_does(s, columns, colour) end
  local function part(list, count)
    while #list < count do list[#list + 1] = cell("", columns) end
    add(out, list)
  end
  if lanes > 0 then part(lane_rows(s, columns, lanes, colour), lanes) end
  if memory > 0 then part(memory_rows(s, columns, memory, colour), memory) end
  local said, keys = bottom(s, columns, colour)
  out[#out + 1], out[#out + 2] = said, keys
  return out
end

local KEYS = [[
→ n space  the thread's next line           ← p  its previous line
o O        over calls, forwards, back       u    out of the function
b B        next, previous barrier           End Home  last, first line
g          to a line: type its number       G    back to a line
x          stop at this line, or no longer
c          stop where a condition is true:  x > 3 and thread == 7
           with a line in front:            12 x > 3
r R        run to the next stop, to the previous one, in any thread
f F        next, previous finding of check  Tab  a race's other thread
↑ ↓        the lane before, after           s S  next, previous SIMD-group
] [        next, previous threadgroup       t    a thread by its number
< >        the function that calls, and in again
v          another variable over the lanes
m M        the next, previous buffer or variable as memory
+ -        its later, earlier elements
?          these keys                       q    leave; Ctrl-C too

The line that is marked has just been gone through: variables, lanes
and memory are as they are after it. In a condition stand variables of
the source, thread, lane, simdgroup, group and line.]]

function view.keys(columns, rows)
  local out = { "" }
  for line in (KEYS .. "\n"):gmatch "([^\n]*)\n" do
    out[#out + 1] = units.cut("  " .. line, columns)
  end
  while #out < rows do out[#out + 1] = "" end
  while #out > rows do table.remove(out) end
  out[rows] = units.cut("  any key goes back", columns)
  return out
end

function view.colour()
  return (os.getenv "NO_COLOR" or "") == "" and system.terminal(1)
end

return view

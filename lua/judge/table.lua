-- table.lua - the first wrong elements of an answer, as a small table.
--
--   index      x      got  expected
--   [64]   0.250      nan     0.500  <- never written
--
-- Inputs that have the shape of the output stand beside it: often the mistake
-- can be read from them.
local workload = require "lua.workload.workload"
local units = require "lua.text.units"

local differences = {}

local ROWS = 5    -- wrong elements shown
local COLUMNS = 2 -- inputs shown beside them

local function number(v)
  if type(v) == "table" then
    local parts = {}
    for i, one in ipairs(v) do parts[i] = number(one) end
    return "(" .. table.concat(parts, ", ") .. ")"
  end
  if type(v) ~= "number" then return tostring(v) end
  if v ~= v then return "nan" end
  if math.type(v) == "integer" then return ("%d"):format(v) end
  return ("%.6g"):format(v)
end

-- One element of a flat buffer or of a table, by its index from 0.
local function element(list, i)
  if type(list) == "table" then return list[i + 1] end
  return list[i]
end

local function off(got, expected, tolerance)
  if type(got) == "table" then
    for i = 1, #got do
      if off(got[i], type(expected) == "table" and expected[i] or expected,
        tolerance) then
        return true
      end
    end
    return false
  end
  if type(got) ~= "number" or type(expected) ~= "number" then
    return got ~= expected
  end
  if got == expected or (got ~= got and expected ~= expected) then
    return false
  end
  local apart = math.abs(got - expected) / math.max(1, math.abs(expected))
  return not (apart <= tolerance)
end

-- The first wrong indices, and how many are wrong.
local function wrong(got, expected, tolerance)
  local first, count = {}, 0
  for i = 0, #got - 1 do
    if off(element(got, i), element(expected, i), tolerance) then
      count = count + 1
      if #first < ROWS then first[#first + 1] = i end
    end
  end
  return first, count
end

local function place(i, shape)
  if shape and #shape == 2 then
    return ("[%d, %d]"):format(i // shape[2], i % shape[2])
  end
  return ("[%d]"):format(i)
end

-- Outputs hold nan before the run, integers 85 (lua/workload/arguments.lua).
local function remark(v)
  if type(v) == "table" then v = v[1] end
  if type(v) == "number" and v ~= v then
    return "<- never written, or not a number"
  end
  return math.type(v) == "integer" and v == 85
    and "<- never written? 85 was there before" or ""
end

local function beside(p, output, length)
  local names = {}
  for name, v in pairs(p.arguments or {}) do
    if workload.is_buffer(v) and #v == length and name ~= output.name then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return table.move(names, 1, math.min(#names, COLUMNS), 1, {})
end

local function rows_of(p, output, got, expected, first)
  local names = beside(p, output, #got)
  local shape = workload.is_buffer(output.value) and output.value.shape
  local rows = { { "index", table.unpack(names) } }
  table.move({ "got", "expected", "" }, 1, 3, #rows[1] + 1, rows[1])
  for _, i in ipairs(first) do
    local row = { place(i, shape) }
    for _, name in ipairs(names) do
      local v = p.arguments[name]
      row[#row + 1] = number(element(v:reshape(#v), i))
    end
    row[#row + 1] = number(element(got, i))
    row[#row + 1] = number(element(expected, i))
    row[#row + 1] = remark(element(got, i))
    rows[#rows + 1] = row
  end
  return rows
end

local function lines_of(rows)
  local widest, lines = {}, {}
  for _, row in ipairs(rows) do
    for c, cell in ipairs(row) do
      widest[c] = math.max(widest[c] or 0, units.width(cell))
    end
  end
  for r, row in ipairs(rows) do
    local cells = { units.pad(row[1], widest[1]) }
    for c = 2, #row - 1 do cells[c] = units.right(row[c], widest[c]) end
    cells[#row] = row[#row]
    lines[r] = ("    " .. table.concat(cells, "  ")):gsub("%s+$", "")
  end
  return lines
end

-- A list of lines for one output of the workload 'p'
-- (lua/workload/workload.lua) that was found wrong; 'expected' is a buffer or a
-- table.
function differences.lines(p, output, expected)
  local got = workload.is_buffer(output.value) and output.value
    or output.value:read()
  got = got:reshape(#got)
  if workload.is_buffer(expected) then
    expected = expected:reshape(#expected)
  end
  local first, count = wrong(got, expected, p.tolerance)
  local lines = lines_of(rows_of(p, output, got, expected, first))
  local more = count - #first
  table.insert(lines, 1, ("  %s: %s of %s element%s %s wrong"):format(
    output.name, units.count(count),
    units.count(#got), #got == 1 and "" or "s", count == 1 and "is" or "are"))
  if more > 0 then
    lines[#lines + 1] = ("    … and %s more"):format(units.count(more))
  end
  return lines
end

return differences

-- multiset_compare.lua - are two lists the same, in whatever order? For what
-- threads append in turn: a compaction, a list of hits.
--
--   multiset_compare.equals(got, wanted, tolerance)
--        true or false, and a report like that of b:equals, with 'extra'
--        and 'absent': elements that only one has
--
-- The idea: both are sorted and compared with each other. If any pairing of the
-- numbers is within the tolerance, the sorted one is.
local units = require "lua.text.units"

local multiset_compare = {}

local WALKED = 1000000 -- most elements that are told apart in Lua
local SHOWN = 5

-- Numbers rise, nan comes last; vectors go by their first component that
-- differs.
local function before(a, b)
  if type(a) == "table" then
    for i = 1, #a do
      if before(a[i], b[i]) then return true end
      if before(b[i], a[i]) then return false end
    end
    return false
  end
  if a ~= a then return false end
  return b ~= b or a < b
end

local function near(a, b, tolerance)
  if type(a) == "table" then
    for i = 1, #a do
      if not near(a[i], b[i], tolerance) then return false end
    end
    return true
  end
  if a == b or (a ~= a and b ~= b) then return true end
  return math.abs(a - b) / math.max(1, math.abs(b)) <= tolerance
end

local function is_buffer(v) return type(v) == "userdata" end
local quick = { float = true, int = true, uint = true } -- what cpu.sort takes

-- A sorted copy: of a buffer a buffer, of a table a table.
local function sorted(list)
  if is_buffer(list) and quick[list.type] then return cpu.sort(list) end
  local copy = {}
  if is_buffer(list) then
    for i = 0, #list - 1 do copy[i + 1] = list[i] end
  else
    table.move(list, 1, #list, 1, copy)
  end
  table.sort(copy, before)
  return is_buffer(list)
    and list:copy():fill(function(i) return copy[i + 1] end) or copy
end

-- What only one of two sorted lists has.
local function apart(got, wanted, tolerance)
  local extra, absent, i, j = {}, {}, 0, 0
  local from = is_buffer(wanted) and 0 or 1
  while i < #got or j < #wanted do
    local a, b = i < #got and got[i], j < #wanted and wanted[j + from]
    if a and b and near(a, b, tolerance) then i, j = i + 1, j + 1
    elseif not b or a and before(a, b) then
      extra[#extra + 1] = a
      i = i + 1
    else
      absent[#absent + 1] = b
      j = j + 1
    end
  end
  return extra, absent
end

local function text_of(v)
  if type(v) == "table" then
    local parts = {}
    for i, one in ipairs(v) do parts[i] = text_of(one) end
    return "(" .. table.concat(parts, ", ") .. ")"
  end
  return v ~= v and "nan" or ("%.7g"):format(v)
end

local function some(list)
  local parts = {}
  for i = 1, math.min(#list, SHOWN) do parts[i] = text_of(list[i]) end
  return table.concat(parts, ", ") .. (#list > SHOWN and ", …" or "")
end

local meta = { __tostring = function(r) return r.text end }

function multiset_compare.equals(got, wanted, tolerance)
  if #got ~= #wanted then
    error(("there are %s elements and the reference has %s"):format(
      units.count(#got), units.count(#wanted)), 0)
  end
  local mine, theirs = sorted(got), sorted(wanted)
  local ok, report = mine:equals(theirs, tolerance)
  if ok or #got > WALKED then return ok, report end
  local extra, absent = apart(mine, theirs, tolerance)
  local r = { wrong = #extra, count = #got, tolerance = tolerance,
    worst_error = report.worst_error,
    mean_error = report.mean_error, index = report.index, extra = extra,
      absent = absent }
  r.text =
    ("%s of %s elements are not among those expected, in any order: "
      .. "too many of %s; absent: %s"):format(
    units.count(#extra), units.count(#got), some(extra), some(absent))
  return false, setmetatable(r, meta)
end

return multiset_compare

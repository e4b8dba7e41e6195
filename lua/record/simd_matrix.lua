-- simd_matrix.lua - the 8 × 8 matrices of a SIMD-group, put together from what
-- its lanes hold: two neighbours of a row each (msl/include/metal/__builtins).
--
--   matrix.is(text)       is it, or has it, a lane's part of a matrix?
--   matrix.of(lanes)      of {[lane] = "{1, 2} of this lane"}: a list, one for
--                         each matrix of an array, of [row][column] from 0 on;
--                         "·" is what no lane holds
--   matrix.lane(row, column)      the lane that holds an element
--   matrix.changed(before, now)   the number of the first that differs
local matrix = {}

local PAIR = "{([^{},]+), ([^{},]+)} of this lane"

function matrix.is(text) return text:find(PAIR) ~= nil end

function matrix.lane(row, column)
  return (row & 4) << 2 | (column & 4) << 1 | (row & 3) << 1 | column >> 1 & 1
end

-- What a lane holds of each matrix: { { "1", "2" }, … }.
local function pairs_of(text)
  local list = {}
  for a, b in text:gmatch(PAIR) do list[#list + 1] = { a, b } end
  return list
end

function matrix.of(lanes)
  local held, count, out = {}, 0, {}
  for lane, text in pairs(lanes) do
    if math.type(lane) == "integer" then
      held[lane] = pairs_of(text)
      count = math.max(count, #held[lane])
    end
  end
  for n = 1, count do
    out[n] = {}
    for row = 0, 7 do
      out[n][row] = {}
      for column = 0, 7 do
        local pair = (held[matrix.lane(row, column)] or {})[n]
        out[n][row][column] = pair and pair[column % 2 + 1] or "·"
      end
    end
  end
  return out
end

function matrix.changed(before, now)
  local a, b = pairs_of(before), pairs_of(now)
  for i, pair in ipairs(b) do
    if not a[i] or a[i][1] ~= pair[1] or a[i][2] ~= pair[2] then return i end
  end
  return 1
end

return matrix

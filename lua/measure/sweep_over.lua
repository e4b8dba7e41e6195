-- sweep_over.lua - the points of a sweep over any parameters: over = {n = {…}}.
--
--   sweep_over.keys(over)                its parameters, that with more values
--                                        first
--   sweep_over.maker(t)                  a function of values that makes a
--                                        workload
--   sweep_over.points(over, keys, make)  { name, x, series, make } for each,
--                                        and whether the x axis has numbers
--   sweep_over.log_scale(values)         how to draw them: 2, true or nil
local compare = require "lua.measure.compare"
local kernels = require "lua.workload.kernels"
local units = require "lua.text.units"

local sweep_over = {}

-- A size or any other value as it is shown: {8, 8} is 8×8.
local function value_name(v)
  if type(v) == "number" then return units.short(v) end
  if type(v) ~= "table" then return tostring(v) end
  local parts = {}
  for i, part in ipairs(v) do parts[i] = tostring(part) end
  return #parts > 0 and table.concat(parts, "×") or "{…}"
end

-- The parameters of over = {…}: that with more values first.
function sweep_over.keys(over)
  local keys = {}
  for key, values in pairs(over) do
    if type(key) ~= "string" or type(values) ~= "table" or #values == 0 then
      error(
        "over is a table of parameters and the values to try: "
          .. "over = {n = {1000, 2000}}", 0)
    end
    keys[#keys + 1] = key
  end
  if #keys == 0 then error("over is empty: over = {n = {1000, 2000}}", 0) end
  if #keys > 2 then
    error("a sweep goes over one or two parameters, not " .. #keys, 0)
  end
  table.sort(keys, function(a, b)
    if #over[a] ~= #over[b] then return #over[a] > #over[b] end
    return a < b
  end)
  return keys
end

local function numeric(values)
  for _, v in ipairs(values) do if type(v) ~= "number" then return false end end
  return true
end

-- Evenly spread on a log scale? Then that is the scale to draw.
function sweep_over.log_scale(values)
  local low, high = math.huge, -math.huge
  for _, v in ipairs(values) do
    low, high = math.min(low, v), math.max(high, v)
  end
  if low <= 0 or high / low < 8 then return nil end
  for _, v in ipairs(values) do
    local power = math.log(v, 2)
    if math.abs(power - math.floor(power + 0.5)) > 1e-9 then return true end
  end
  return 2
end

-- make(values by name) gives the workload. 'numbers': is the x axis numeric?
function sweep_over.points(over, keys, make)
  local points, first = {}, over[keys[1]]
  local number = numeric(first)
  for _, second in ipairs(keys[2] and over[keys[2]] or { false }) do
    for i, v in ipairs(first) do
      local values = { [keys[1]] = v }
      if keys[2] then values[keys[2]] = second end
      points[#points + 1] = { name = value_name(v), x = number and v or i,
        values = values, series = keys[2]
          and ("%s = %s"):format(keys[2], value_name(second)) or nil,
        make = function() return make(values) end }
    end
  end
  return points, number
end

-- How to make a workload for given values, from what the person gave.
function sweep_over.maker(t)
  local what = t[1]
  if type(what) == "function" then
    return function(values)
      local launch = what(values)
      if type(launch) ~= "table" then
        error(
          "the function must return a launch, as in {k, a, b, grid = n, "
            .. "cpu = cpu.add}", 0)
      end
      return (compare.workload(launch, nil, "sweep"))
    end
  elseif type(what) == "string" then
    return function(values)
      local all = {}
      for key, v in pairs(t) do all[key] = v end
      for key, v in pairs(values) do all[key] = v end
      return (kernels.take(all, { over = true, budget = true,
        devices = true }))
    end
  end
  error(
    "over needs a name of the library or a function that makes the launch: "
      .. "sweep{function(p) return {k, a, grid = p.n} end, "
      .. "over = {n = {…}}}", 0)
end

return sweep_over

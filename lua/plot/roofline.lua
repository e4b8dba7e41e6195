-- roofline.lua - the roofline: what a kernel reaches, below what the
-- machine can.
--
--   roofline.new(results, options)   of what compare and profile gave
--
-- Across is how many operations a kernel does for each byte that it moves, up
-- is operations a second, both logarithmic. Memory allows bandwidth ×
-- intensity, the arithmetic units allow their peak: the two make a roof. A
-- point of compare is what was measured; one of profile, which has no times, is
-- the roof above it: the most that it could reach.
local units = require "lua.text.units"

local roofline = {}

-- Is it something with a place below the roof?
function roofline.takes(v)
  local name = type(v) == "table" and getmetatable(v) and getmetatable(v).__name
  return name == "comparison" or name == "profile"
end

local function of_comparison(r, what)
  if r.ok == false and not r.base then
    error(what .. ": the kernel gave a wrong answer: it has no speed", 0)
  end
  if (r.operations or 0) <= 0 or (r.bytes or 0) <= 0 then
    error(what .. ": how many operations the kernel does is not known: "
      .. "give operations = … (and bytes = …) to compare", 0)
  end
  local points = {}
  for _, row in ipairs(r.rows) do
    if row.median then
      points[#points + 1] = { name = row.name, x = r.operations / r.bytes,
        y = r.operations / row.median }
    end
  end
  return points, r.peaks
end

local function of_profile(p, what)
  local place = p.roofline
  if not place or p.operations == 0 then
    error(what .. ": the kernel computes nothing in floating point, "
      .. "or its bytes are not counted: it has no place below the roof", 0)
  end
  return { { name = (p.name or "the kernel") .. ", at most", x = p.intensity,
      y = place.attainable } }, p:peaks()
end

local function roof(points, peaks)
  local ridge, edge = peaks.operations / peaks.memory,
    peaks.operations / peaks.cache
  local low, high = math.min(ridge, edge), ridge
  for _, point in ipairs(points) do
    low, high = math.min(low, point.x), math.max(high, point.x)
  end
  low, high = low / 4, high * 4
  local series = {
    { name = "memory " .. units.rate(peaks.memory, "B/s"),
      { low, low * peaks.memory }, { ridge, peaks.operations } },
    { name = "arithmetic " .. units.rate(peaks.operations, "FLOP/s"),
      { ridge, peaks.operations }, { high, peaks.operations } },
  }
  if peaks.cache > 1.2 * peaks.memory then
    table.insert(series, 2, { name = "caches " ..
        units.rate(peaks.cache, "B/s"),
      { low, low * peaks.cache }, { edge, peaks.operations } })
  end
  return series
end

function roofline.new(results, options)
  local all, peaks = {}, nil
  for _, r in ipairs(results) do
    local points, of = (getmetatable(r).__name == "comparison" and
      of_comparison or of_profile)(r, "plot")
    peaks = peaks or of
    table.move(points, 1, #points, #all + 1, all)
  end
  local series = roof(all, peaks)
  for _, line in ipairs(series) do line.line = true end
  for _, point in ipairs(all) do
    series[#series + 1] = { name = ("%s %s")
      :format(point.name, units.rate(point.y, "FLOP/s")), scatter = true,
      { point.x, point.y } }
  end
  return { title = options.title or ("roofline of %s (%s)")
    :format(peaks.device, peaks.title), series = series,
    x = { label = options.x or "operations per byte", log = 2 },
    y = { label = options.y or "FLOP/s", log = true }, below = true }
end

return roofline

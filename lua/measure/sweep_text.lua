-- sweep_text.lua - a sweep as text and as a plot.
--
--   sweep_text.methods      of a sweep: advice(), chart(), save(path)
--   sweep_text.of(r)        what the console prints
--   sweep_text.failures(r, field, word)  lines: points that failed the same way
--                           are named together
local contest = require "lua.workload.contest"
local plot = require "lua.plot.plot"
local style = require "lua.text.style"
local units = require "lua.text.units"

local sweep_text = {}
local methods = {}
sweep_text.methods = methods

function sweep_text.failures(r, field, word)
  local order, names = {}, {}
  for _, p in ipairs(r.points) do
    if p[field] then
      if not names[p[field]] then
        names[p[field]] = {}
        order[#order + 1] = p[field]
      end
      table.insert(names[p[field]],
        p.name .. (p.series and " (" .. p.series .. ")" or ""))
    end
  end
  local lines = {}
  for _, why in ipairs(order) do
    local list = names[why]
    local some = table.concat(list, ", ", 1, math.min(#list, 8))
      .. (#list > 8 and ", …" or "")
    lines[#lines + 1] = ("  %s%s: %s"):format(some, word, why)
  end
  return lines
end

-- One sentence about threadgroup sizes on one device.
local function group_advice(r, job)
  local width, best = job.width, job.best
  local legal = {}
  for _, p in ipairs(job.points) do
    if p.median then legal[#legal + 1] = p end
  end
  if #legal < 2 then return nil end
  local words = width
    and ("SIMD-groups have %d lanes: use a multiple of %d"):format(width, width)
    or "SIMD-groups have k.simd_width lanes: use a multiple of it"
  if not job.certain and not job.alike then return words end
  if not r.numeric then
    local worst = legal[1]
    for _, p in ipairs(legal) do
      if p.median > worst.median then worst = p end
    end
    local beside = contest.of(best, worst)
    if beside.kind ~= "faster" or not job.certain then return words end
    return ("best is %s, %s than %s; %s"):format(best.name,
      contest.words(beside), worst.name, words)
  end
  local from -- all sizes from here on are about as good as the best
  for i = #legal, 1, -1 do
    if legal[i].median > best.median * 1.1 then break end
    from = legal[i]
  end
  if from and from ~= legal[#legal] then
    return ("flat from %s up; %s"):format(from.name, words)
  end
  return job.certain and ("best is %s; %s"):format(best.name, words) or words
end

-- Is it arithmetic, rather than bytes, that its work is counted by?
local function by_operations(p)
  return p.operations and (not p.bytes or p.operations > 4 * p.bytes)
end

local function parameter_advice(r)
  local list = {} -- what one unit of the work takes
  for _, p in ipairs(r.points) do
    local counted = p.median and (by_operations(p) and p.operations or p.bytes)
    if counted and counted > 0 then
      p.rate = counted / p.median
      list[#list + 1] = { point = p, median = p.median / counted,
        low = p.low / counted, high = p.high / counted, count = p.count,
        name = p.name .. (p.series and " (" .. p.series .. ")" or "") }
    end
  end
  local one, rivals, alike = contest.best(list)
  if not one then return nil end
  local best = one.point
  local unit = by_operations(best) and "FLOP/s" or "B/s"
  table.insert(rivals, 1, one)
  if #rivals == 1 or alike then
    return ("most work in a second at %s = %s: %s"):format(r.keys[1],
      contest.names(rivals), units.rate(best.rate, unit))
  end
  return ("cannot tell at which %s most is done in a second: "
    .. "the intervals of %s overlap; %s"):format(
    r.keys[1], contest.names(rivals), contest.advice(r.budget))
end

function methods:advice()
  if not self.best then return "nothing could be launched" end
  if self.kind ~= "group" then return parameter_advice(self) end
  local list = {}
  for _, job in ipairs(self.jobs) do
    local advice = job.best and group_advice(self, job)
    if advice then
      list[#list + 1] = (#self.jobs > 1 and job.device .. ": " or "") .. advice
    end
  end
  return #list > 0 and table.concat(list, "; ") or nil
end

-- Points by curve, in order.
local function curves(r)
  local list, by_name = {}, {}
  for _, p in ipairs(r.points) do
    if p.median then
      local key = p.series or ""
      if not by_name[key] then
        by_name[key] = { name = p.series }
        list[#list + 1] = by_name[key]
      end
      local curve = by_name[key]
      curve[#curve + 1] = { p.x, p.median * r.scale,
        mark = p.best and "★" or nil }
    end
  end
  return list
end

-- One curve over values that are no numbers: a bar for each.
local function bars(r)
  local rows = {}
  for _, p in ipairs(r.points) do
    if p.median then
      rows[#rows + 1] = { p.name, p.median,
        units.time(p.median) .. (p.best and "  ★" or ""), best = p.best }
    end
  end
  return plot.bars { title = r.x_label .. ": time, shorter is better",
    rows = rows }
end

-- The names of the x axis where its values are no numbers, else nil.
local function names_of(r)
  if r.numeric then return nil end
  local names = {}
  for _, p in ipairs(r.points) do
    if math.type(p.x) == "integer" then names[p.x] = p.name end
  end
  return names
end

function methods:chart()
  if not self.best then return nil end
  local best, worst = self.best.median, 0
  self.scale = best < 1e-3 and 1e6 or best < 1 and 1e3 or 1
  local series = curves(self)
  if not self.numeric and #series == 1 then return bars(self) end
  for _, p in ipairs(self.points) do
    if p.median then worst = math.max(worst, p.median) end
  end
  local is_log = worst / best > 8
  return plot.lines {
    x = { label = self.x_label, log = self.x_log, names = names_of(self) },
    y = { label = "time", unit = ({ [1e6] = "µs", [1e3] = "ms" })[self.scale]
      or "s", log = is_log, from = not is_log and 0 or nil },
    series = series }
end

function methods:save(path)
  local chart = self:chart()
  if not chart then
    error("there is nothing to save: nothing could be launched", 2)
  end
  local places = {}
  for i, job in ipairs(self.jobs) do
    places[i] = ("%s (%s)"):format(job.device, job.device_title or "not tried")
  end
  chart.title = self.name .. ", on " .. table.concat(places, ", ")
  chart:save(path)
  return self
end

-- The best size on one device, or that there is none, or that it cannot be
-- told.
local function best_line(r, job)
  local where = #r.jobs > 1 and " on " .. job.device or ""
  local time = ("%s (± %s)"):format(units.time(job.best.median),
    units.percent(job.best.spread))
  if job.certain then
    return ("★ best%s: %s, %s"):format(where, job.best.name, time)
  end
  local all = {}
  for _, p in ipairs(job.points) do
    local among = p == job.best
    for _, other in ipairs(job.rivals) do among = among or other == p end
    if among then all[#all + 1] = p end
  end
  if job.alike then
    return ("as fast as each other%s: %s, %s"):format(where,
      contest.names(all), time)
  end
  return ("cannot tell which is best%s: "
    .. "the intervals of %s overlap; %s"):format(
    where, contest.names(all), contest.advice(r.budget))
end

-- Where it ran, a line for each device.
local function places(r)
  local lines = {}
  for i, job in ipairs(r.jobs) do
    lines[i] = ("%s on %s (%s)%s"):format(i == 1 and (r.name or "sweep")
      or "  and", job.device, job.device_title or "not tried",
      job.is_gpu == false and ", which is this machine's CPU, not a GPU" or "")
  end
  return lines
end

-- What could not be launched, and what gave a wrong answer.
local function add_failures(r, lines)
  for _, job in ipairs(r.jobs) do
    if job.failed then
      lines[#lines + 1] = ("  %s cannot run it: %s"):format(job.device,
        job.failed)
    end
  end
  for _, line in ipairs(sweep_text.failures(r, "illegal",
    " cannot be launched")) do
    lines[#lines + 1] = line
  end
  local wrong = sweep_text.failures(r, "wrong", "")
  table.move(wrong, 1, #wrong, #lines + 1, lines)
  if #wrong > 0 and not r.verified then
    lines[#lines + 1] = "  the answer depends on the size of the group: "
      .. "give cpu = … or verify = … to say which is right"
  end
end

-- What is to be known of the way in which it was measured.
local function add_conditions(r, lines)
  if not r.verified then
    lines[#lines + 1] = ("  not verified against a reference (give cpu = …, "
      .. "or verify = …): compared with the answer in groups of %s"):format(
      r.given)
  end
  if r.threads then
    lines[#lines + 1] = ("  the number of groups follows the size, so that "
      .. "there are always %s threads, rounded up to whole groups"):format(
      units.count(r.threads))
  end
end

local function add_notes(r, lines)
  if r.best and contest.noisy(r.best) then
    lines[#lines + 1] = "  ! " .. contest.noise(r.best.name, r.best, r.budget)
  end
  for _, note in ipairs(r.missing) do lines[#lines + 1] = "  ! " .. note end
  if r.cut then
    lines[#lines + 1] = "  ! interrupted: this is what there is so far"
  end
end

-- Sentences are broken between words; charts stand as they are.
local function fold(lines)
  for n, line in ipairs(lines) do
    if n == 1 or line:find "^  [^ ]" and not line:find "\n" then
      lines[n] = style.fold(line)
    end
  end
  return table.concat(lines, "\n")
end

function sweep_text.of(r)
  local lines = places(r)
  local chart = r:chart()
  if chart then lines[#lines + 1] = tostring(chart) end
  add_failures(r, lines)
  for _, job in ipairs(r.jobs) do
    if job.best and r.kind == "group" then
      lines[#lines + 1] = "  " .. best_line(r, job)
    end
  end
  add_conditions(r, lines)
  local advice = r:advice()
  if advice then lines[#lines + 1] = "  " .. advice end
  add_notes(r, lines)
  return fold(lines)
end

return sweep_text

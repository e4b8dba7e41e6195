-- sweep.lua - sweep{…}: the same work with other threadgroup sizes, or with
-- other values of any parameter, side by side.
--
--   sweep{k, a, b, c, grid = n, cpu = cpu.add}       threadgroup sizes
--   sweep "transpose_naive"                          of a kernel of the library
--   sweep{"add", over = {n = {1e3, 1e4, 1e5, 1e6}}}  its sizes, or macros
--   sweep{function(p) return {k, a, grid = p.n} end, over = {n = {…}}}
--   sweep{"add", devices = {"host", "cuda"}}         a curve for each device
--
-- Every point is verified before it is measured; what cannot be launched is
-- shown with the limit that forbids it. At most two parameters: the one with
-- more values goes along the x axis, the other makes the curves.
local on_devices = require "lua.workload.on_devices"
local compare = require "lua.measure.compare"
local contest = require "lua.workload.contest"
local plot = require "lua.plot.plot"
local workload = require "lua.workload.workload"
local progress = require "lua.session.progress"
local style = require "lua.text.style"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"
local uses = require "lua.workload.uses"

local sweep = {}
local methods = {}
sweep.methods = methods -- for completion
local meta = { __index = methods, __name = "sweep" }

----------------------------------------------------------- threadgroup sizes

local line = { 1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024 }
local flat = { { 1, 1 }, { 4, 4 }, { 8, 8 }, { 16, 4 }, { 16, 16 }, { 32, 1 },
  { 32, 4 }, { 32, 8 }, { 32, 32 },
  { 64, 4 }, { 128, 2 }, { 256, 1 }, { 1024, 1 }, { 1, 32 }, { 4, 64 },
    { 1, 256 } }
local solid = { { 1, 1, 1 }, { 4, 4, 4 }, { 8, 8, 4 }, { 8, 8, 8 },
  { 32, 2, 2 }, { 32, 4, 4 }, { 64, 2, 2 }, { 256, 1, 1 } }

-- How many sides of the launch are longer than 1.
local function dimensions(launch)
  local size = launch.grid or launch.groups
  if type(size) ~= "table" then return 1 end
  if (size[3] or 1) > 1 then return 3 end
  return (size[2] or 1) > 1 and 2 or 1
end

-- A size or any other value as it is shown: {8, 8} is 8×8.
local function value_name(v)
  if type(v) == "number" then return units.short(v) end
  if type(v) ~= "table" then return tostring(v) end
  local parts = {}
  for i, part in ipairs(v) do parts[i] = tostring(part) end
  return #parts > 0 and table.concat(parts, "×") or "{…}"
end

local function group_name(g)
  return type(g) == "table" and table.concat(g, "×") or tostring(g)
end

-- The same of a result's three sides: 256×1×1 is 256.
local function own_name(size)
  return group_name(
    { table.unpack(size, 1, size[3] > 1 and 3 or size[2] > 1 and 2 or 1) })
end

-- The three sides of a size.
local function sides(size)
  local t = type(size) == "table" and size or { size }
  return { t[1] or 1, t[2] or 1, t[3] or 1 }
end

-- So many groups of size g that there are as many threads as in the launch
-- given, or a few more.
local function groups_for(threads, g)
  local size, groups = sides(g), {}
  for d = 1, 3 do groups[d] = (threads[d] + size[d] - 1) // size[d] end
  return groups
end

-- The launches that get other sizes. Of a function those by grid that have as
-- many sides as the first: what a launch by groups covers depends on its size.
local function steps_to_sweep(p)
  if not p.sequence then return p.steps end
  local list = {}
  for _, s in ipairs(p.steps) do
    if s.launch.grid and (#list == 0
      or dimensions(s.launch) == dimensions(list[1].launch)) then
      list[#list + 1] = s
    end
  end
  if #list == 0 then
    error("every launch of the function is by groups = …, and what it covers depends on the size of a group: sweep one launch by itself, or give over = {…}", 0)
  end
  return list
end

-- The points of a sweep over groups: {name, x, make}. 'threads', if known when
-- a point is made: the number of groups follows the size.
local function group_points(p, given, state)
  local step = p.steps[1]
  local swept = steps_to_sweep(p)
  local n = dimensions(swept[1].launch)
  local list = given or n == 1 and line or n == 2 and flat or solid
  local points = {}
  for i, g in ipairs(list) do
    points[i] = { name = group_name(g), x = type(g) == "number" and g or i,
      group = g,
      make = function()
        for _, s in ipairs(swept) do s.launch.group = g end
        if state.threads then
          step.launch.groups = groups_for(state.threads, g)
        end
        return p
      end }
  end
  return points, n == 1 and type(list[1]) == "number"
end

-- A launch by 'groups' covers more or less with other sizes, unless a group's
-- work is the same whatever its size (one row of a matrix, say). Which of them
-- it is, half of the size tells, or a quarter where the device takes no half:
-- with as many groups the answer is right, or it is not.
local function groups_follow(p, state, size, threads)
  local launch, half = p.steps[1].launch, sides(size)
  local own, ran, check = launch.group, false, nil
  while not ran and half[1] * half[2] * half[3] > 1 do
    local d = half[3] > 1 and 3 or half[2] > 1 and 2 or 1
    half[d] = half[d] // 2
    launch.group = half
    ran, check = pcall(p.verify, p, state.wanted)
  end
  launch.group = own
  if not (ran and check.ok) then state.threads = threads end
end

-- A group that is larger than the device takes: how much it was to cover is
-- known all the same, and a reference tells whether other sizes must cover as
-- much.
local function groups_meant(p, state)
  local launch = p.steps[1].launch
  if not launch.group or not state.verified then return end
  local size, groups = sides(launch.group), sides(launch.groups)
  groups_follow(p, state, size,
    { size[1] * groups[1], size[2] * groups[2], size[3] * groups[3] })
end

-- Run the launch as it was given: its answer is what the others are held
-- against where there is no reference. If it cannot be launched, the first that
-- can be is.
local function begin_groups(p, state)
  local by_groups = #p.steps == 1 and p.steps[1].launch.groups ~= nil
  state.verified = p.reference ~= nil or p.accept ~= nil
  if state.verified and not by_groups then return end
  -- another device has answered
  if state.wanted and not by_groups then return end
  local ran, check = pcall(p.verify, p, state.wanted)
  if not ran then
    if by_groups then groups_meant(p, state) end
    return
  end
  state.wanted = state.wanted or check.wanted or not state.verified
    and p:answers() or nil
  state.given = state.given or own_name(p.last.group)
  if by_groups then
    groups_follow(p, state, p.last.group, sides(p.last.grid))
  end
end

------------------------------------------------------------- other parameters

local function check_over(over)
  local keys = {}
  for key, values in pairs(over) do
    if type(key) ~= "string" or type(values) ~= "table" or #values == 0 then
      error(
        "over is a table of parameters and the values to try: over = {n = {1000, 2000}}", 0)
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
local function log_like(values)
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
local function parameter_points(over, keys, make)
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
local function maker(t)
  local what = t[1]
  if type(what) == "function" then
    return function(values)
      local launch = what(values)
      if type(launch) ~= "table" then
        error(
          "the function must return a launch, as in {k, a, b, grid = n, cpu = cpu.add}", 0)
      end
      return (compare.workload(launch, nil, "sweep"))
    end
  elseif type(what) == "string" then
    return function(values)
      local all = {}
      for key, v in pairs(t) do all[key] = v end
      for key, v in pairs(values) do all[key] = v end
      return (require("lua.workload.kernels").take(all, { over = true, budget = true,
        devices = true }))
    end
  end
  error(
    "over needs a name of the library or a function that makes the launch: sweep{function(p) return {k, a, grid = p.n} end, over = {n = {…}}}", 0)
end

--------------------------------------------------------------------- measuring

-- Why a point has no time. Without a reference it is not known which answer is
-- right.
local function in_words(check, state)
  if not state.same or state.verified then return check.text end
  return ("another answer than in groups of %s%s"):format(state.given,
    state.where or "")
end

-- Verify and measure one point; true if Ctrl-C came.
local function measure(point, state, options)
  local p
  local ok, why = system.attempt(function()
    p = point.make()
    local check = p:verify(state.wanted)
    if state.same and not state.wanted
      and not (p.accept and not p.reference) then
      state.wanted, state.given = check.wanted or p:answers(), point.name
    end
    if check.ok == false then point.wrong = in_words(check, state) end
  end)
  if not ok then
    if why == "interrupted" then return true end
    point.illegal = workload.plain(why)
    return false
  end
  if point.wrong then return false end
  state.name = state.name or p.name
  local t = timing.measure(function(n) return p:run(n) end,
    { budget = options.budget, warm = 0.01, progress = options.progress })
  point.median, point.low, point.high, point.spread = t.median, t.low, t.high,
    t.spread
  point.count = t.count
  point.bytes, point.operations = p:work()
  point.threads = p.last and p.last.threads
  return t.cut
end

-- Points that failed the same way are named together.
local function failures(r, field, word)
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

-- The point with the shortest time, what cannot be told from it ('rivals'), and
-- whether these are all as fast.
local function find_best(into, points)
  into.best, into.rivals, into.alike = contest.best(points)
  into.certain = into.best ~= nil and #into.rivals == 0
end

-- The values of the x axis that have a point.
local function values_that_ran(r)
  local list = {}
  for _, p in ipairs(r.points) do if p.median then list[#list + 1] = p.x end end
  return list
end

-- The points on the device in use, one after the other; true if Ctrl-C came.
-- What is left to do then is forgotten.
local function run_points(job, state, options, bar)
  if state.same then begin_groups(state.workload, state) end
  for i, point in ipairs(job.points) do
    bar:step(point.name)
    local ok, cut = system.attempt(measure, point, state, options)
    if not ok and cut ~= "interrupted" then error(cut, 0) end
    if cut then
      for j = #job.points, i + (point.median and 1 or 0), -1 do
        job.points[j] = nil
      end
      return true
    end
  end
end

-- Everything on the device in use. 'first' is the state of the device before:
-- its answers are those that this one is held against.
local function run_job(r, job, t, first, options, bar)
  local device = gpu.device
  job.device_title, job.is_gpu, job.width = device.title, device.is_gpu,
    device.simd_width
  local state = job.prepare(r, job, t)
  if first and state.same then
    state.wanted, state.given, state.where = first.wanted, first.given,
      first.where
  end
  bar.steps = #job.points * #r.jobs
  for _, point in ipairs(job.points) do
    point.device = job.device
    if #r.jobs > 1 then
      point.series = (point.series and point.series .. ", " or "") .. job.device
    end
  end
  job.cut = run_points(job, state, options, bar)
  if #r.jobs > 1 and state.given and not state.where then
    state.where = " on " .. job.device
  end
  local p = state.workload
  -- the next device begins from the same
  if #r.jobs > 1 and p and p.restore then p.restore() end
  return state
end

-- All devices, that of 'last' at the end; the state of the first that ran.
local function run_jobs(r, t, last, options, bar)
  local order, first = {}, nil
  for _, job in ipairs(r.jobs) do
    if job.device ~= last then order[#order + 1] = job end
  end
  for _, job in ipairs(r.jobs) do
    if job.device == last then order[#order + 1] = job end
  end
  for _, job in ipairs(order) do
    local ok, state = system.attempt(on_devices.run, job.device, run_job, r, job, t,
      first, options, bar)
    if ok then first = first or state
    elseif state == "interrupted" then job.cut = true
    elseif #r.jobs == 1 then error(state, 0)
    else job.points, job.failed = {}, workload.plain(state) end
    if job.cut then
      r.cut = true
      break
    end
  end
  return first
end

local function run(r, t, last, options)
  local bar = progress.new("sweep " .. (r.title or ""), 1)
  options.progress = function(spent, budget) bar:part(spent / budget) end
  local state = run_jobs(r, t, last, options, bar) or {}
  bar:done()
  r.points = {}
  for _, job in ipairs(r.jobs) do
    table.move(job.points or {}, 1, #(job.points or {}), #r.points + 1,
      r.points)
    find_best(job, job.points or {})
    if job.certain and r.kind == "group" then job.best.best = true end
  end
  if r.cut and #r.points == 0 then timing.fail "interrupted" end
  if #r.points == 0 then error(r.jobs[1].failed, 0) end -- on no device
  r.name = state.name or r.title
  r.verified = not state.same or state.verified
  r.given = state.given and state.given .. (state.where or "")
  if state.threads then
    r.threads = state.threads[1] * state.threads[2] * state.threads[3]
  end
  find_best(r, r.points)
  r.budget = options.budget
  if r.numeric and r.kind == "parameter" then
    r.x_log = log_like(values_that_ran(r))
  end
  -- none ran: it is not about the sizes
  if not r.best and not r.cut and #failures(r, "wrong", "") == 0 then
    error(r.points[1].illegal, 0)
  end
  return r
end

-------------------------------------------------------------------- in words

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
  return ("cannot tell at which %s most is done in a second: the intervals of %s overlap; %s"):format(
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

function methods:chart()
  if not self.best then return nil end
  self.scale = self.best.median < 1e-3 and 1e6 or self.best.median < 1 and 1e3
    or 1
  if not self.numeric and #curves(self) == 1 then
    local rows = {}
    for _, p in ipairs(self.points) do
      if p.median then
        rows[#rows + 1] = { p.name, p.median,
          units.time(p.median) .. (p.best and "  ★" or ""), best = p.best }
      end
    end
    return plot.bars { title = self.x_label .. ": time, shorter is better",
      rows = rows }
  end
  local series = curves(self)
  local worst = 0
  for _, p in ipairs(self.points) do
    if p.median then worst = math.max(worst, p.median) end
  end
  local names
  if not self.numeric then
    names = {}
    for _, p in ipairs(self.points) do
      if math.type(p.x) == "integer" then names[p.x] = p.name end
    end
  end
  return plot.lines { x = { label = self.x_label, log = self.x_log,
    names = names }, series = series,
    y = { label = "time", unit = self.scale == 1e6 and "µs" or self.scale == 1e3
      and "ms" or "s",
      log = worst / self.best.median > 8, from = worst / self.best.median <= 8
        and 0 or nil } }
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
  return ("cannot tell which is best%s: the intervals of %s overlap; %s"):format(
    where, contest.names(all), contest.advice(r.budget))
end

function meta:__tostring()
  local lines = {}
  for i, job in ipairs(self.jobs) do
    lines[i] = ("%s on %s (%s)%s"):format(i == 1 and (self.name or "sweep")
      or "  and", job.device, job.device_title or "not tried",
      job.is_gpu == false and ", which is this machine's CPU, not a GPU" or "")
  end
  local chart = self:chart()
  if chart then lines[#lines + 1] = tostring(chart) end
  for _, job in ipairs(self.jobs) do
    if job.failed then
      lines[#lines + 1] = ("  %s cannot run it: %s"):format(job.device,
        job.failed)
    end
  end
  for _, line in ipairs(failures(self, "illegal", " cannot be launched")) do
    lines[#lines + 1] = line
  end
  local wrong = failures(self, "wrong", "")
  for _, line in ipairs(wrong) do lines[#lines + 1] = line end
  if #wrong > 0 and not self.verified then
    lines[#lines + 1] =
      "  the answer depends on the size of the group: give cpu = … or verify = … to say which is right"
  end
  for _, job in ipairs(self.jobs) do
    if job.best and self.kind == "group" then
      lines[#lines + 1] = "  " .. best_line(self, job)
    end
  end
  if not self.verified then
    lines[#lines + 1] =
      ("  not verified against a reference (give cpu = …, or verify = …): compared with the answer in groups of %s")
      :format(self.given)
  end
  if self.threads then
    lines[#lines + 1] =
      ("  the number of groups follows the size, so that there are always %s threads, rounded up to whole groups")
      :format(units.count(self.threads))
  end
  local advice = self:advice()
  if advice then lines[#lines + 1] = "  " .. advice end
  if self.best and contest.noisy(self.best) then
    lines[#lines + 1] = "  ! " .. contest.noise(self.best.name, self.best,
      self.budget)
  end
  for _, note in ipairs(self.missing) do lines[#lines + 1] = "  ! " .. note end
  if self.cut then
    lines[#lines + 1] = "  ! interrupted: this is what there is so far"
  end
  for n, line in ipairs(lines) do
    if n == 1 or line:find "^  [^ ]" and not line:find "\n" then
      lines[n] = style.fold(line)
    end
  end
  return table.concat(lines, "\n")
end

-------------------------------------------------------------------- the global

-- The line to type for a kernel of the library whose group cannot be chosen:
-- over the tile that it is compiled with, or over the first of its sizes.
local function line_for(t)
  local data = require("lua.workload.kernels").data(t[1])
  local of = next(data.macros or {}) and data.macros or data.sizes
  local names, rest = {}, {}
  for name in pairs(of) do names[#names + 1] = name end
  table.sort(names)
  local name = of.n and "n" or names[1]
  local v = t[name] or of[name]
  local values = of == data.macros and { v // 2, v, 2 * v }
    or { math.max(v // 4, 1), math.max(v // 2, 1), v }
  for key, given in pairs(t) do
    if type(key) == "string" and key ~= name and key ~= "group"
      and key ~= "devices" then
      rest[#rest + 1] = (", %s = %s"):format(key, tostring(given))
    end
  end
  table.sort(rest)
  return ('sweep{"%s"%s, over = {%s = {%s}}}'):format(t[1], table.concat(rest),
    name, table.concat(values, ", "))
end

-- The points of a sweep over parameters, and what they share.
local function prepare_over(r, job, t)
  r.keys = check_over(t.over)
  r.kind, r.x_label = "parameter", r.keys[1]
  r.title = type(t[1]) == "string" and t[1] or ""
  job.points, r.numeric = parameter_points(t.over, r.keys, maker(t))
  return {}
end

-- The same over threadgroup sizes.
local function prepare_groups(r, job, t)
  local p = compare.workload(t, nil, "sweep")
  if type(t[1]) == "string" and t.group ~= nil then
    error("group is what is swept here: group_sizes = {32, 64} names the sizes, over = {n = {…}} sweeps another", 0)
  end
  if p.fixed_group then
    error(
      ("%s is written for threadgroups of %s: its source has the size built in; sweep over something else of it: %s")
      :format(p.name, group_name(p.steps[1].launch.group), line_for(t)), 0)
  end
  r.kind, r.x_label, r.title = "group", "threads per threadgroup", p.name
  local state = { same = true, workload = p }
  job.points, r.numeric = group_points(p, uses.word(t, "group_sizes"),
    state)
  r.x_log = r.numeric and 2 or nil
  return state
end

-- Without 'over' a function has launches in it, whose sizes are swept.
local function sequence_of(t)
  if type(t[1]) ~= "function" then return t end
  local ok, taken = pcall(require("lua.workload.sequence").take, t)
  if ok then return taken end
  error(workload.plain(taken)
    .. ' (a function that makes a launch needs over = {n = {…}}, the values to call it with)', 0)
end

-- The sweep before anything ran, and what was given.
local function prepare(t)
  if type(t) == "string" then t = { t } end
  if type(t) ~= "table" then
    error(
      'sweep takes a kernel and its arguments, sweep{k, a, b, c, grid = 1000}, or a name of the library, sweep "add"', 0)
  end
  local over = uses.word(t, "over")
  if over ~= nil and type(over) ~= "table" then
    error("over is a table: over = {n = {1000, 2000}}", 0)
  end
  if over ~= nil then maker(t) -- refuses what has no sizes
  else t = sequence_of(t) end
  local names, missing = { compare.device(t) }, {}
  local devices = uses.word(t, "devices")
  if devices ~= nil then names, missing = on_devices.devices(devices) end
  local r = setmetatable({ jobs = {}, missing = missing,
    devices = devices ~= nil and names or nil }, meta)
  for i, name in ipairs(names) do
    r.jobs[i] = { device = name,
      prepare = over and prepare_over or prepare_groups }
  end
  return r, t
end

function sweep.sweep(t)
  local ok, r, options = pcall(prepare, t)
  if not ok then error(workload.plain(r), 2) end
  local budget = options.budget
  if budget ~= nil and not (type(budget) == "number" and budget > 0) then
    error("budget is a time in seconds for each point, more than 0", 2)
  end
  ok, r = pcall(run, r, options, on_devices.home(options),
    { budget = budget or 0.15 })
  if not ok then error(workload.plain(r), 2) end
  r.device, r.device_title, r.is_gpu = r.jobs[1].device, r.jobs[1].device_title,
    r.jobs[1].is_gpu
  return require "lua.session.verdict".given(r)
end

return sweep

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
local workload = require "lua.workload.workload"
local progress = require "lua.session.progress"
local sweep_groups = require "lua.measure.sweep_groups"
local sweep_over = require "lua.measure.sweep_over"
local sweep_text = require "lua.measure.sweep_text"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local uses = require "lua.workload.uses"

local sweep = {}
sweep.methods = sweep_text.methods -- for completion
local meta = { __index = sweep_text.methods, __name = "sweep",
  __tostring = sweep_text.of }

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
  if state.same then sweep_groups.begin(state.workload, state) end
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
-- its answers are those that this one is compared with.
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
    local ok, state = system.attempt(on_devices.run, job.device, run_job, r,
      job, t,
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
    r.x_log = sweep_over.log_scale(values_that_ran(r))
  end
  -- none ran: it is not about the sizes
  if not r.best and not r.cut and #sweep_text.failures(r, "wrong", "") == 0 then
    error(r.points[1].illegal, 0)
  end
  return r
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
  r.keys = sweep_over.keys(t.over)
  r.kind, r.x_label = "parameter", r.keys[1]
  r.title = type(t[1]) == "string" and t[1] or ""
  job.points, r.numeric = sweep_over.points(t.over, r.keys, sweep_over.maker(t))
  return {}
end

-- The same over threadgroup sizes.
local function prepare_groups(r, job, t)
  local p = compare.workload(t, nil, "sweep")
  if type(t[1]) == "string" and t.group ~= nil then
    error("group is what is swept here: group_sizes = {32, "
      .. "64} names the sizes, over = {n = {…}} sweeps another", 0)
  end
  if p.fixed_group then
    error(
      ("%s is written for threadgroups of %s: its source has the size built "
        .. "in; sweep over something else of it: %s")
      :format(p.name, sweep_groups.name(p.steps[1].launch.group), line_for(t)),
        0)
  end
  r.kind, r.x_label, r.title = "group", "threads per threadgroup", p.name
  local state = { same = true, workload = p }
  job.points, r.numeric = sweep_groups.points(p, uses.word(t, "group_sizes"),
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
    .. ' (a function that makes a launch needs over = {n = {…}}, '
      .. 'the values to call it with)', 0)
end

-- The sweep before anything ran, and what was given.
local function prepare(t)
  if type(t) == "string" then t = { t } end
  if type(t) ~= "table" then
    error(
      'sweep takes a kernel and its arguments, sweep{k, a, b, c, grid = 1000}, '
        .. 'or a name of the library, sweep "add"', 0)
  end
  local over = uses.word(t, "over")
  if over ~= nil and type(over) ~= "table" then
    error("over is a table: over = {n = {1000, 2000}}", 0)
  end
  if over ~= nil then sweep_over.maker(t) -- refuses what has no sizes
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

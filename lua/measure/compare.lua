-- compare.lua - compare{…}: is it right, and how fast is it beside the CPU?
--
--   compare{k, a, b, c, grid = n, group = 256, cpu = cpu.add}
--   compare "matmul_tiled"          a kernel of the library
--   compare{"matmul_tiled", n = 512, m = 512, k = 512}
--   compare{"matmul_tiled", devices = {"host", "cuda"}}   or "all"
--
-- In this order: verify (a wrong kernel gets no times), measure the device,
-- then each way the CPU reference can go. What comes back prints as a table
-- with bars, and has the same as data.
local on_devices = require "lua.workload.on_devices"
local contest = require "lua.workload.contest"
local plot = require "lua.plot.plot"
local own_launch = require "lua.workload.own_launch"
local objects = require "lua.workload.objects"
local workload = require "lua.workload.workload"
local progress = require "lua.session.progress"
local style = require "lua.text.style"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local compare = {}
local methods = {}
compare.methods = methods -- for completion
local meta = { __index = methods, __name = "comparison" }

----------------------------------------------------------------- what is asked

local sequence
local settings = { budget = true, devices = true, group = true,
  group_sizes = true, over = true }

local function set_group(p, group)
  if group == nil then return end
  if p.fixed_group then
    error(
      p.name
        .. " has its threadgroup size built into the source: it cannot be chosen", 0)
  end
  for _, step in ipairs(p.steps) do step.launch.group = group end
end

-- Loaded late: it needs much that a kernel by itself does not.
function sequence() return require "lua.workload.sequence" end

-- A string that is a source or a file of one, not a name of the library.
local function is_source(text)
  return text:find "[\n{;]" ~= nil or text:find "%.metal$" ~= nil
end

-- The launch with its kernel compiled for the device in use.
local function here(launch)
  local t = {}
  for key, v in pairs(launch) do t[key] = v end
  if type(t[1]) == "string" then t[1] = gpu.kernel(t[1])
  elseif workload.is_kernel(t[1]) then t[1] = on_devices.kernel(t[1]) end
  return t
end

-- The workload behind what was given, on the device in use: a name with sizes,
-- or a launch.
function compare.workload(what, more, who)
  if type(what) == "string" then what = { what } end
  what = sequence().take(what)
  if type(what) ~= "table" then
    error(
      ("%s takes a kernel and its arguments, %s{k, a, b, c, grid = 1000, cpu = cpu.add}, or the name of one of the library, %s \"add\"")
      :format(who, who, who), 0)
  end
  if type(what[1]) == "string" and not is_source(what[1]) then
    local all = {}
    for key, v in pairs(what) do all[key] = v end
    for key, v in pairs(type(more) == "table" and more or {}) do
      all[math.type(key) == "integer" and key + 1 or key] = v
    end
    local p, given = require("lua.workload.kernels").take(all, settings)
    set_group(p, given.group)
    return p, what
  end
  if sequence().is(what[1]) then return sequence().workload(what, who), what end
  return own_launch.workload(here(what), who), what
end

-- The device to use if none is named: a kernel runs on its own.
function compare.device(what)
  if type(what) == "table" and sequence().is(what[1]) then
    return what[1].steps[1].kernel.device
  end
  return type(what) == "table" and workload.is_kernel(what[1]) and what[1].device
    or gpu.device.name
end

------------------------------------------------------------------------- rates

-- The rates of one row: bytes and operations a second.
local function rate(row, bytes, operations)
  row.bandwidth = bytes and bytes > 0 and bytes / row.median or nil
  row.rate = operations and operations > 0 and operations / row.median or nil
end

-- Which limit binds, and how much of it was reached. Memory or cache: the size
-- of the data decides, not the time that was measured, so that the same work is
-- always held against the same limit. A sentence if the figures cannot be, else
-- nil.
function compare.bound(row, peaks, working_set)
  -- nothing is known of its work
  if not row.bandwidth and not row.rate then return nil end
  local from = working_set and working_set <= peaks.cache_bytes and "cache"
    or "memory"
  local memory = row.bandwidth and row.bandwidth / peaks[from] or 0
  local floats = row.rate and row.rate / peaks.operations or 0
  row.bound = floats > memory and "floats" or from
  row.share = math.max(memory, floats)
  return timing.impossible(row.bandwidth, peaks.cache, "fastest cache", "B/s")
    or timing.impossible(row.rate, peaks.operations, "arithmetic", "FLOP/s")
end

local again_for = {} -- devices whose peaks were measured anew in this session

-- The rates on the device. What seems impossible may be an outdated peak: then
-- the peaks are measured anew, once.
local function rate_device(r, row)
  rate(row, r.bytes, r.operations)
  local flagged = compare.bound(row, r.peaks, r.working_set)
  if (row.share or 0) > 1.05 and not again_for[r.device] then
    again_for[r.device] = true
    r.peaks = require("lua.measure.peaks").improve()
    flagged = compare.bound(row, r.peaks, r.working_set)
  end
  if flagged then row.share = nil end
  return flagged
end

local function row_of(name, t, way)
  return { name = name, way = way, median = t.median, low = t.low,
    high = t.high, spread = t.spread, count = t.count,
    runs = t.runs, wall = t.wall, cut = t.cut }
end

local function cpu_name(way)
  if way == "one core" then return "CPU, one core" end
  if way == "all cores" then
    return "CPU, " .. units.many(system.cores, "core")
  end
  if way == "vendor" then return "CPU, " .. cpu.vendor():match "^%S+" end
  return "your function"
end

--------------------------------------------------------------------- measuring

local function measure_device(p, r, options, bar)
  bar:step(r.device)
  p.each = nil -- those of verifying
  local t = timing.measure(function(n) return p:run(n) end,
    { budget = options.budget,
      progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(r.device .. (r.is_gpu and ", GPU time" or ""), t)
  row.device = r.device
  r.launches, r.commands = p:launch_times(), p.commands
  r.rows[#r.rows + 1] = row
  local flagged = rate_device(r, row)
  if flagged then r.notes[#r.notes + 1] = flagged
  elseif row.bound == "cache" then
    r.notes[#r.notes + 1] =
      ("the data, %s, stays in a cache: with more of it memory will be the limit, %s here"):format(
      units.bytes(r.working_set), units.rate(r.peaks.memory, "B/s"))
  elseif row.bound == "memory" and row.share > 1.05 then
    r.notes[#r.notes + 1] =
      "faster than memory alone: a part of the data stays in a cache"
  end
  if r.is_gpu then
    local wall = row_of(r.device .. ", launched", t)
    wall.median, wall.low, wall.high, wall.spread = t.wall, t.launched.low,
      t.launched.high, t.launched.spread
    rate(wall, r.bytes, r.operations)
    r.rows[#r.rows + 1] = wall
  end
  -- several steps are one command buffer, which is as good as a batch
  local short = timing.too_short(t, r.overhead, #p.steps,
    p.before and #p.steps == 1)
  if short then r.notes[#r.notes + 1] = short end
  return t.cut
end

-- How the kernel compares with this row, and whether that can be told.
local function compare_with(base, row)
  if not base then return end
  row.speedup = row.median / base.median
  row.known = contest.is_known(base, row)
end

local function measure_cpu(p, r, way, options, bar)
  bar:step(cpu_name(way))
  local t = timing.measure(function(n) return p:cpu_run(way, n) end,
    { budget = options.budget,
      progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(cpu_name(way), t, way)
  rate(row, r.bytes, r.operations)
  compare_with(r.base, row)
  r.rows[#r.rows + 1] = row
  return t.cut
end

--------------------------------------------------- what a GPU would pay

local COUNTED = 0.05 -- seconds: who gives a row less wants no more than a look
local earlier = {}   -- what was compared in this session, by what it computes

-- What it computes: another kernel for the same has the same key.
local function key_of(p, r)
  local reference = p.cpu and p.cpu.name or p.reference_key
  if not reference then return nil end
  local sizes = {}
  for _, output in ipairs(p.outputs) do
    sizes[#sizes + 1] = ("%s %d"):format(output.name,
      objects.contents(output).bytes)
  end
  return table.concat({ r.device, tostring(reference), tostring(r.bytes),
    table.concat(sizes, ", ") }, "; ")
end

-- On the host: what the profiler knows of a GPU, where the time here hides it.
local function add_counted(p, r, options)
  local budget = math.min(options.budget or timing.standard.budget,
    timing.quick or math.huge)
  if r.is_gpu or r.cut or budget < COUNTED then return end
  local gpu_cost = require "lua.measure.gpu_cost"
  local ok, c = system.attempt(gpu_cost.of, p, math.min(budget, 0.3))
  if not ok then
    if c == "interrupted" then r.cut = true end
    return -- what cannot be counted has no note
  end
  r.counted = c
  r.notes[#r.notes + 1] = gpu_cost.remark(c)
  local key, mine = key_of(p, r),
    { name = r.name, median = r.rows[1].median, counted = c,
      time = r.rows[1] }
  if not key then return end
  earlier[key] = earlier[key] or {}
  local note, most
  for name, other in pairs(earlier[key]) do
    local sentence, times = gpu_cost.order(mine, other)
    if sentence and name ~= r.name and times > (most or 0) then
      note, most = sentence, times
    end
  end
  r.notes[#r.notes + 1] = note
  earlier[key][r.name] = mine
end

-- A median that is known badly is said to be so, once.
local function note_spread(r)
  local worst
  for _, row in ipairs(r.rows) do
    if contest.noisy(row) and (not worst or row.spread > worst.spread) then
      worst = row
    end
  end
  if worst then
    r.notes[#r.notes + 1] = contest.noise(worst.name, worst, r.budget)
  end
end

-- What to do where the table says that it cannot tell.
local function note_unknown(r)
  local names = {}
  for _, row in ipairs(r.rows) do
    if row.known == false then names[#names + 1] = row end
  end
  if #names > 0 then
    r.notes[#r.notes + 1] =
      ("cannot tell whether the kernel is faster than %s: their intervals overlap; %s"):format(
        contest.names(names), contest.advice(r.budget))
  end
end

-- Will a single run take more than a moment?
local function long_work(p)
  local ok, bytes, operations = pcall(p.work, p)
  return ok and ((bytes or 0) > 4e8 or (operations or 0) > 2e9)
end

local function measure_cpus(p, r, options, bar)
  for _, way in ipairs(p:ways()) do
    if r.cut then return end
    local ok, cut = system.attempt(measure_cpu, p, r, way, options, bar)
    if not ok and cut ~= "interrupted" then error(cut, 0) end
    r.cut = cut -- nothing of this row, perhaps, but the others are there
  end
end

-- The last notes of a report.
local function finish(p, r)
  if p.check_only then
    r.notes[#r.notes + 1] =
      "the reference is written in Lua, to check with: its time would say nothing about the CPU"
  end
  note_spread(r)
  note_unknown(r)
  if r.cut then
    r.notes[#r.notes + 1] = "interrupted: this is what there is so far"
  end
end

-- What is known of the device in use before anything is measured on it.
local function part_of(device)
  return { device = device.name, device_title = device.title,
    is_gpu = device.is_gpu, rows = {}, notes = {} }
end

-- How much work it is, and what this device can do.
local function size_up(p, part)
  part.bytes, part.operations = p:work()
  part.working_set = p:working_set()
  part.peaks, part.overhead = require("lua.measure.peaks").peaks(), timing.overhead()
  if part.peaks.busy then
    part.notes[#part.notes + 1] =
      "this machine's peaks were measured while it was busy: the shares of peak are too high"
  end
end

-- Everything about one workload. Ctrl-C while it measures gives what there is.
function compare.run(p, options)
  local bar = progress.new("compare " .. p.name, 3 + #p:ways())
  bar:step("verifying", long_work(p))
  local r = setmetatable(part_of(gpu.device), meta)
  r.name, r.heading, r.sizes = p.name, p.title, p.sizes
  r.budget = options.budget
  r.check = p:verify()
  r.ok, r.workload = r.check.ok, p
  if r.ok == false then
    bar:done()
    return r
  end
  bar:step "this machine"
  size_up(p, r)
  r.cut = measure_device(p, r, options, bar)
  r.base = r.rows[1]
  measure_cpus(p, r, options, bar)
  add_counted(p, r, options)
  -- leaves the answer of one run
  if p.reset and r.check.wanted then p:verify() end
  bar:done()
  finish(p, r)
  return r
end

--------------------------------------------------------------- several devices

-- Why a device has no times: it cannot run the kernel. True if Ctrl-C came.
local function fails(part, why)
  if why == "interrupted" then return true end
  part.failed = workload.plain(why)
end

-- "host and cuda: every element is the same", or by how much they differ.
local function agreement(part, first, reports, close)
  local worst
  for _, report in ipairs(reports) do
    if not worst or report.worst_error > worst.worst_error then
      worst = report
    end
  end
  local text = "every element is the same"
  if worst and not close then
    for _, report in ipairs(reports) do
      if not report.ok then worst = report end
    end
    text = ("they differ: %s: %s"):format(worst.name, tostring(worst))
  elseif worst and worst.worst_error > 0 then
    text = ("they differ by %.2g at most%s"):format(worst.worst_error,
      worst.unordered and "" or (" (%s[%d])"):format(worst.name, worst.index))
  end
  return { device = part.device, with = first, close = close,
    worst = worst and worst.worst_error or 0,
    text = ("%s and %s: %s"):format(first, part.device, text) }
end

-- Run it once on the device in use: against the reference, which is asked once
-- for all of them, and against the device that came first.
local function verify_part(part, state, make)
  local p = make()
  part.workload, p.work_out = p, state.work_out
  part.check = p:verify(state.wanted)
  part.ok = part.check.ok
  state.wanted, state.work_out = state.wanted or part.check.wanted, p.work_out
  if not state.answers then
    state.answers, state.first = p:answers(), part.device
  else
    part.agrees = agreement(part, state.first, p:differences(state.answers))
  end
  if p.restore then p.restore() end -- the next device begins from the same
end

-- Ctrl-C gives true, as for timing.measure.
local function measure_part(part, options, bar)
  local p = part.workload
  if part.ok == false then return end -- a wrong answer has no speed
  if p.reset then p.reset() end
  bar:step(part.device)
  size_up(p, part)
  local cut = measure_device(p, part, options, bar)
  if p.restore then p.restore() end
  return cut
end

-- Call f(part, …) for each that has not failed, with its device in use; the one
-- of 'last' at the end, so that the person's own buffers come back to where
-- they were. True if Ctrl-C came.
local function each_part(r, last, f, ...)
  local order = {}
  for _, part in ipairs(r.parts) do
    if part.device ~= last then order[#order + 1] = part end
  end
  for _, part in ipairs(r.parts) do
    if part.device == last then order[#order + 1] = part end
  end
  for _, part in ipairs(order) do
    if not part.failed then
      local ok, cut = system.attempt(on_devices.run, part.device, f, part, ...)
      if not ok then cut = fails(part, cut) end
      if cut then
        r.cut = true
        return true
      end
    end
  end
end

-- Right on all of them? nil: not known. Without a reference they must agree.
local function all_right(r)
  local known, ok = false, true
  r.agreement = {}
  for _, part in ipairs(r.parts) do
    if part.ok ~= nil then known, ok = true, ok and part.ok end
    r.agreement[#r.agreement + 1] = part.agrees
  end
  if known then return ok end
  for _, a in ipairs(r.agreement) do if not a.close then return false end end
  return nil
end

-- The rows of all devices, in the order asked for, each with how the first
-- compares.
local function join_rows(r)
  for _, part in ipairs(r.parts) do
    for _, note in ipairs(part.notes) do
      r.notes[#r.notes + 1] = part.device .. ": " .. note
    end
    if #part.rows == 0 and (part.failed or part.ok == false) then
      part.rows[1] = { name = part.device, device = part.device,
        failed = part.failed, wrong = not part.failed }
    end
    for _, row in ipairs(part.rows) do
      r.rows[#r.rows + 1] = row
      if row.median and not r.base then r.base, r.bytes, r.operations = row,
        part.bytes, part.operations
      elseif row.median and row.device then
        compare_with(r.base, row)
      end
    end
  end
end

local function first_that(r, test)
  for _, part in ipairs(r.parts) do if test(part) then return part end end
end

-- Verified everywhere before anything is measured; the CPU's ways once.
local function run_parts(r, make, home, options)
  local state = {}
  local bar = progress.new("compare", 2 * #r.parts + 4)
  bar:step("verifying", true)
  local cut = each_part(r, home, verify_part, state, make)
  local ran = first_that(r, function(part) return part.check
    and not part.failed end)
  if not ran then
    bar:done()
    if cut then timing.fail "interrupted" end
    error(r.parts[1].failed, 0) -- on no device: it is not about the devices
  end
  local p = ran.workload
  r.name, r.heading, r.sizes, r.workload, r.check, r.ok = p.name, p.title,
    p.sizes, p, ran.check, all_right(r)
  local right = first_that(r, function(part) return part.ok end)
  -- wrong on all, or it is not known which is right
  local split = r.ok == false and not right
  if not cut and not split then
    each_part(r, home, measure_part, options, bar)
  end
  join_rows(r)
  if r.base then
    local host = first_that(r,
      function(part) return not part.is_gpu and #part.rows > 0
        and part.rows[1].median end)
    local of = host or right or ran
    on_devices.run(of.device, measure_cpus, of.workload, r, options, bar)
  end
  bar:done()
  finish(p, r)
end

-- Leaves the answer of one run in the person's buffers, if their own device is
-- among these, as with one device; else what they held.
local function leave(r, home)
  local own = first_that(r, function(part) return part.device == home end)
  local any = own and own.workload and own
    or first_that(r, function(part) return part.workload end)
  if not any or not any.workload.restore then return end
  on_devices.run(any.device, function()
    if any == own and not any.failed and any.check and any.check.wanted
      and not r.cut then any.workload:verify(any.check.wanted)
    else any.workload.restore() end
  end)
end

-- compare{…, devices = …}: make() gives the workload on the device in use.
function compare.on_devices(make, names, missing, home, options)
  local r = setmetatable({ devices = names, parts = {}, rows = {}, notes = {},
    budget = options.budget }, meta)
  for i, name in ipairs(names) do
    r.parts[i] = on_devices.run(name, function() return part_of(gpu.device) end)
  end
  r.device, r.device_title, r.is_gpu = names[1], r.parts[1].device_title,
    r.parts[1].is_gpu
  table.move(missing, 1, #missing, 1, r.notes)
  local ok, why = system.attempt(run_parts, r, make, home, options)
  leave(r, home)
  if not ok then timing.fail(why) end
  if r.cut and not r.base then timing.fail "interrupted" end
  return r
end

-- compare{…}, compare(name [, sizes])
function compare.compare(what, more)
  local k = type(what) == "table" and what[1]
  local open = workload.is_kernel(k) and require("lua.workload.uses").open(k, what) or {}
  local function option(name)
    local v
    if type(what) == "table" and not open[name] then v = what[name] end
    if v == nil and type(more) == "table" then v = more[name] end
    return v
  end
  local budget, devices = option "budget", option "devices"
  if budget ~= nil and not (type(budget) == "number" and budget > 0) then
    error("budget is a time in seconds for each row, more than 0", 2)
  end
  local options = { budget = budget }
  local taken
  taken, what = pcall(sequence().take, what)
  if not taken then error(workload.plain(what), 2) end
  local function make() return (compare.workload(what, more, "compare")) end
  local done, r = pcall(function()
    if devices == nil then
      return on_devices.run(compare.device(what),
        function() return compare.run(make(), options) end)
    end
    local names, missing = on_devices.devices(devices)
    return compare.on_devices(make, names, missing,
      type(what) == "table" and on_devices.home(what) or nil, options)
  end)
  if not done then error(workload.plain(r), 2) end
  return require "lua.session.verdict".given(r)
end

-------------------------------------------------------------------- in words

local function number(v) return v ~= v and "nan" or ("%.7g"):format(v) end

local function flat(v) return workload.is_buffer(v) and v:reshape(#v) or v end

-- A few wrong elements: index, got, expected.
local function wrong_elements(r)
  local lines = {}
  for _, report in ipairs(r.check.reports) do
    local output = flat(objects.contents(r.workload.outputs[report.output]))
    local wanted = flat(r.check.wanted[report.output])
    if not report.ok and not report.unordered
      and type(output[0]) == "number" then
      local offset = workload.is_buffer(wanted) and 0 or 1
      lines[#lines + 1] = ("  %12s  %14s  %14s"):format(report.name, "got",
        "expected")
      for at = 0, math.min(#output, 200000) - 1 do
        local got, expected = output[at], wanted[at + offset]
        local apart = math.abs(got - expected) / math.max(r.workload.scale or 1,
          math.abs(expected))
        if not (apart <= report.tolerance) and got ~= expected
          and (got == got or expected == expected) then
          lines[#lines + 1] = ("  %12s  %14s  %14s"):format("[" .. at .. "]",
            number(got), number(expected))
          if #lines > 5 then break end
        end
      end
    end
  end
  return lines
end

local function cells(r, row)
  if not row.median then
    return { row.name, row.wrong and "wrong" or "cannot run" }
  end
  local function of(v)
    return v and (v < 1e8 and "%.2f" or "%s"):format(
      v < 1e8 and v / 1e9 or units.three(v / 1e9)) or "-"
  end
  return { row.name, units.time(row.median),
    row.runs == 1 and "1 run" or "±" .. units.percent(row.spread),
    of(row.bandwidth), of(row.rate), row.share
      and ("%s %.0f %%"):format(row.bound, row.share * 100) or "-",
    row.speedup and contest.text(r.base, row) or "" }
end

function methods:table()
  local rows = {}
  for i, row in ipairs(self.rows) do rows[i] = cells(self, row) end
  return units.table({ "", "median", "", "GB/s", "GFLOP/s", "of peak",
    self.devices and #self.devices > 1 and self.base
      and ("the kernel on %s is"):format(self.base.device) or "the kernel is" },
        rows)
end

local LISTED = 16 -- launches

-- The launches of a function, with their share of the time.
local function launch_lines(r, lines, several)
  local rows = {}
  for i, one in ipairs(r.launches) do
    if i > LISTED then break end
    rows[i] = { ("%d  %s"):format(i, one.kernel), units.time(one.time),
      units.percent(one.share) }
  end
  lines[#lines + 1] = ""
  local title = several and "launch on " .. r.device or "launch"
  local time = r.launches.alone and "median, by itself" or "median"
  for _, line in ipairs(units.table({ title, time, "of all" }, rows)) do
    lines[#lines + 1] = line
  end
  if #r.launches > LISTED then
    lines[#lines + 1] = ("  … and %d more"):format(#r.launches - LISTED)
  end
end

-- The last run's launches over time; a sentence where there is one launch.
function methods:timeline()
  if not self.commands then
    error("a timeline is of several launches: compare{function() … end}", 2)
  end
  return self.commands:timeline()
end

function methods:chart()
  local rows = {}
  for _, row in ipairs(self.rows) do
    if row.median then
      rows[#rows + 1] = { row.name, row.median, units.time(row.median),
        best = row.device ~= nil }
    end
  end
  return plot.bars { title = "time, shorter is better", rows = rows }
end

-- Save the bars as SVG.
function methods:save(path)
  local chart = self:chart()
  if #chart.rows == 0 then
    error("there is nothing to save: the kernel gave a wrong answer", 2)
  end
  local places = {}
  for i, part in ipairs(self.parts or { self }) do
    places[i] = ("%s (%s)"):format(part.device, part.device_title)
  end
  chart.title = self.heading .. ", on " .. table.concat(places, ", ")
  chart:save(path)
  return self
end

local function place_of(part)
  return style.fold(("  on %s (%s)%s"):format(part.device, part.device_title,
    part.is_gpu and "" or ", which is this machine's CPU, not a GPU"))
end

-- The head of a report on several devices: where it ran, whether it was right
-- there, and whether the answers are the same.
local function head_of_parts(r, lines)
  for _, part in ipairs(r.parts) do lines[#lines + 1] = place_of(part) end
  for _, part in ipairs(r.parts) do
    local text = part.failed and "cannot run it: " .. part.failed or part.check
      and part.check.text
    if text then
      lines[#lines + 1] = style.fold(("  %s: %s"):format(part.device, text))
    end
  end
  for _, a in ipairs(r.agreement or {}) do
    lines[#lines + 1] = style.fold("  " .. a.text)
  end
end

function meta:__tostring()
  local lines = { self.heading }
  if self.parts then head_of_parts(self, lines)
  else
    lines[2] = place_of(self)
    lines[3] = style.fold("  " .. self.check.text)
  end
  if self.ok == false and not self.base then
    if not self.parts then
      table.move(wrong_elements(self), 1, 6, #lines + 1, lines)
    end
    lines[#lines + 1] = self.check.ok == false
      and "  A wrong answer has no speed: nothing was measured."
      or style.fold "  The devices disagree, and which is right is not known: give cpu = … or verify = …; nothing was measured."
    return table.concat(lines, "\n")
  end
  lines[#lines + 1] = ""
  for _, line in ipairs(self:table()) do lines[#lines + 1] = line end
  lines[#lines + 1] = ""
  if self.base then lines[#lines + 1] = tostring(self:chart()) end
  for _, part in ipairs(self.parts or { self }) do
    if part.launches then launch_lines(part, lines, self.parts) end
  end
  for _, part in ipairs(self.parts or { self }) do
    if part.overhead then
      lines[#lines + 1] = style.fold(
        "  " .. (self.parts and part.device .. ": " or "")
          .. timing.overhead_text(part.overhead))
    end
  end
  for _, note in ipairs(self.notes) do
    lines[#lines + 1] = style.fold("  ! " .. note)
  end
  return table.concat(lines, "\n")
end

return compare

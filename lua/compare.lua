-- compare.lua - compare{…}: is it right, and how fast is it beside the CPU?
--
--   compare{k, a, b, c, grid = n, group = 256, cpu = cpu.add}
--   compare "matmul_tiled"          a kernel of the library
--   compare{"matmul_tiled", n = 512, m = 512, k = 512}
--
-- In this order: verify (a wrong kernel gets no times), measure the device, then
-- each way the CPU reference can go. What comes back prints as a table with
-- bars, and has the same as data.
local plot = require "lua.plot"
local problem = require "lua.problem"
local progress = require "lua.progress"
local style = require "lua.style"
local system = require "mettle.system"
local timing = require "lua.timing"
local units = require "lua.units"

local compare = {}
local methods = {}
local meta = { __index = methods, __name = "comparison" }

----------------------------------------------------------------- what is asked

local settings = { budget = true, group = true, group_sizes = true, over = true }

local function set_group(p, group)
  if group == nil then return end
  if p.fixed_group then
    error(p.name .. " has its threadgroup size built into the source: it cannot be chosen", 0)
  end
  for _, step in ipairs(p.steps) do step.launch.group = group end
end

-- The problem behind what was given: a name with sizes, or a launch.
function compare.problem(what, more, who)
  if type(what) == "string" then what = { what } end
  if type(what) ~= "table" then
    error(("%s takes a kernel and its arguments, %s{k, a, b, c, grid = 1000, cpu = cpu.add}, or the name of one of the library, %s \"add\"")
      :format(who, who, who), 0)
  end
  if type(what[1]) == "string" then
    local sizes = {}
    for _, t in ipairs { what, type(more) == "table" and more or {} } do
      for key, v in pairs(t) do
        if type(key) == "string" and not settings[key] then sizes[key] = v end
      end
    end
    local p = require("lua.kernels").problem(what[1], sizes)
    set_group(p, what.group or type(more) == "table" and more.group or nil)
    return p, what
  end
  return problem.of_launch(what, who), what
end

------------------------------------------------------------------------- rates

-- The rates of one row: bytes and operations a second.
local function rate(row, bytes, operations)
  row.bandwidth = bytes and bytes > 0 and bytes / row.median or nil
  row.rate = operations and operations > 0 and operations / row.median or nil
end

-- Which limit binds, and how much of it was reached. Memory or cache: the size of
-- the data decides, not the time that was measured, so that the same work is always
-- held against the same limit. A sentence if the figures cannot be, else nil.
function compare.bound(row, peaks, working_set)
  if not row.bandwidth and not row.rate then return nil end -- nothing is known of its work
  local from = working_set and working_set <= peaks.cache_bytes and "cache" or "memory"
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
    r.peaks = require("lua.peaks").improve()
    flagged = compare.bound(row, r.peaks, r.working_set)
  end
  if flagged then row.share = nil end
  return flagged
end

local function row_of(name, t, way)
  return { name = name, way = way, median = t.median, low = t.low, high = t.high, spread = t.spread,
    runs = t.runs, wall = t.wall, cut = t.cut }
end

local function cpu_name(way)
  if way == "one core" then return "CPU, one core" end
  if way == "all cores" then return ("CPU, %d cores"):format(system.cores) end
  if way == "vendor" then return "CPU, " .. cpu.vendor():match "^%S+" end
  return "your function"
end

--------------------------------------------------------------------- measuring

local function measure_device(p, r, options, bar)
  bar:step(r.device)
  local t = timing.measure(function(n) return p:run(n) end,
    { budget = options.budget, progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(r.device .. (r.is_gpu and ", GPU time" or ""), t)
  r.rows[1] = row
  local flagged = rate_device(r, row)
  if flagged then r.notes[#r.notes + 1] = flagged
  elseif row.bound == "cache" then
    r.notes[#r.notes + 1] = ("the data, %s, stays in a cache: with more of it memory will be the limit, %s here"):format(
      units.bytes(r.working_set), units.rate(r.peaks.memory, "B/s"))
  elseif row.bound == "memory" and row.share > 1.05 then
    r.notes[#r.notes + 1] = "faster than memory alone: a part of the data stays in a cache"
  end
  if r.is_gpu then
    local wall = row_of(r.device .. ", launched", t)
    wall.median, wall.low, wall.high, wall.spread = t.wall, t.launched.low, t.launched.high, t.launched.spread
    rate(wall, r.bytes, r.operations)
    r.rows[2] = wall
  end
  local short = timing.too_short(t, r.overhead, #p.steps, p.before or #p.steps > 1)
  if short then r.notes[#r.notes + 1] = short end
  return t.cut
end

local function measure_cpu(p, r, way, options, bar)
  bar:step(cpu_name(way))
  local t = timing.measure(function(n) return p:cpu_run(way, n) end,
    { budget = options.budget, progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(cpu_name(way), t, way)
  rate(row, r.bytes, r.operations)
  row.speedup = row.median / r.rows[1].median
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
  for _, output in ipairs(p.outputs) do sizes[#sizes + 1] = ("%s %d"):format(output.name, problem.contents(output).bytes) end
  return table.concat({ r.device, tostring(reference), tostring(r.bytes), table.concat(sizes, ", ") }, "; ")
end

-- On the host: what the profiler knows of a GPU, where the time here hides it.
local function add_counted(p, r, options)
  local budget = math.min(options.budget or timing.standard.budget, timing.quick or math.huge)
  if r.is_gpu or r.cut or budget < COUNTED then return end
  local counted = require "lua.counted"
  local ok, c = system.attempt(counted.of, p, math.min(budget, 0.3))
  if not ok then
    if c == "interrupted" then r.cut = true end
    return -- what cannot be counted has no note
  end
  r.counted = c
  r.notes[#r.notes + 1] = counted.remark(c)
  local key, mine = key_of(p, r), { name = r.name, median = r.rows[1].median, counted = c }
  if not key then return end
  earlier[key] = earlier[key] or {}
  local note, most
  for name, other in pairs(earlier[key]) do
    local sentence, times = counted.order(mine, other)
    if sentence and name ~= r.name and times > (most or 0) then note, most = sentence, times end
  end
  r.notes[#r.notes + 1] = note
  earlier[key][r.name] = mine
end

-- A median that is known badly is said to be so, once.
local function note_spread(r)
  local worst
  for _, row in ipairs(r.rows) do
    if row.spread > 0.25 and (not worst or row.spread > worst.spread) then worst = row end
  end
  if worst then
    r.notes[#r.notes + 1] = ("the times of %s differ by ±%s: this machine does other things too; close them, or measure again")
      :format(worst.name, units.percent(worst.spread))
  end
end

-- Will a single run take more than a moment?
local function long_work(p)
  local ok, bytes, operations = pcall(p.work, p)
  return ok and ((bytes or 0) > 4e8 or (operations or 0) > 2e9)
end

-- Everything about one problem. Ctrl-C while it measures gives what there is.
function compare.run(p, options)
  local device, ways = gpu.device, p:ways()
  local bar = progress.new("compare " .. p.name, 3 + #ways)
  bar:step("verifying", long_work(p))
  local r = setmetatable({ name = p.name, heading = p.title, device = device.name, device_title = device.title,
    is_gpu = device.is_gpu, rows = {}, notes = {}, sizes = p.sizes }, meta)
  r.check = p:verify()
  r.ok, r.problem = r.check.ok, p
  if r.ok == false then
    bar:done()
    return r
  end
  r.bytes, r.operations = p:work()
  r.working_set = p:working_set()
  bar:step "this machine"
  r.peaks, r.overhead = require("lua.peaks").peaks(), timing.overhead()
  r.cut = measure_device(p, r, options, bar)
  for _, way in ipairs(ways) do
    if r.cut then break end
    local ok, cut = system.attempt(measure_cpu, p, r, way, options, bar)
    if not ok and cut ~= "interrupted" then error(cut, 0) end
    r.cut = cut -- nothing of this row, perhaps, but the others are there
  end
  add_counted(p, r, options)
  if p.reset and r.check.wanted then p:verify() end -- leaves the answer of one run
  bar:done()
  if p.check_only then
    r.notes[#r.notes + 1] = "the reference is written in Lua, to check with: its time would say nothing about the CPU"
  end
  note_spread(r)
  if r.cut then r.notes[#r.notes + 1] = "interrupted: this is what there is so far" end
  return r
end

-- compare{…}, compare(name [, sizes])
function compare.compare(what, more)
  local ok, p, options = pcall(compare.problem, what, more, "compare")
  if not ok then error(problem.plain(p), 2) end
  local budget = options.budget or type(more) == "table" and more.budget or nil
  if budget ~= nil and not (type(budget) == "number" and budget > 0) then
    error("budget is a time in seconds for each row, more than 0", 2)
  end
  local done, r = pcall(compare.run, p, { budget = budget })
  if not done then error(problem.plain(r), 2) end
  return r
end

-------------------------------------------------------------------- in words

-- "3.2× faster", "1.5× slower", "as fast"
function compare.times(speedup)
  if speedup > 0.95 and speedup < 1.05 then return "as fast" end
  local by = speedup >= 1 and speedup or 1 / speedup
  local text = by < 9.95 and ("%.1f"):format(by) or units.count(by)
  return text .. (speedup >= 1 and "× faster" or "× slower")
end

local function number(v) return v ~= v and "nan" or ("%.7g"):format(v) end

local function flat(v) return problem.is_buffer(v) and v:reshape(#v) or v end

-- A few wrong elements: index, got, expected.
local function wrong_elements(r)
  local lines = {}
  for i, report in ipairs(r.check.reports) do
    local output, wanted = flat(problem.contents(r.problem.outputs[i])), flat(r.check.wanted[i])
    if not report.ok and not report.unordered and type(output[0]) == "number" then
      local offset = problem.is_buffer(wanted) and 0 or 1
      lines[#lines + 1] = ("  %12s  %14s  %14s"):format(report.name, "got", "expected")
      for at = 0, math.min(#output, 200000) - 1 do
        local got, expected = output[at], wanted[at + offset]
        local apart = math.abs(got - expected) / math.max(r.problem.scale or 1, math.abs(expected))
        if not (apart <= report.tolerance) and got ~= expected and (got == got or expected == expected) then
          lines[#lines + 1] = ("  %12s  %14s  %14s"):format("[" .. at .. "]", number(got), number(expected))
          if #lines > 5 then break end
        end
      end
    end
  end
  return lines
end

local function cells(r, row)
  local function of(v) return v and (v < 1e8 and "%.2f" or "%s"):format(v < 1e8 and v / 1e9 or units.three(v / 1e9)) or "-" end
  return { row.name, units.time(row.median), row.runs == 1 and "1 run" or "±" .. units.percent(row.spread),
    of(row.bandwidth), of(row.rate), row.share and ("%s %.0f %%"):format(row.bound, row.share * 100) or "-",
    row.speedup and compare.times(row.speedup) or "" }
end

function methods:table()
  local rows = {}
  for i, row in ipairs(self.rows) do rows[i] = cells(self, row) end
  return units.table({ "", "median", "", "GB/s", "GFLOP/s", "of peak", "the kernel is" }, rows)
end

function methods:chart()
  local rows = {}
  for i, row in ipairs(self.rows) do rows[i] = { row.name, row.median, units.time(row.median), best = i == 1 } end
  return plot.bars { title = "time, shorter is better", rows = rows }
end

-- Save the bars as SVG.
function methods:save(path)
  if #self.rows == 0 then error("there is nothing to save: the kernel gave a wrong answer", 2) end
  local chart = self:chart()
  chart.title = self.heading .. ", on " .. self.device .. " (" .. self.device_title .. ")"
  chart:save(path)
  return self
end

function meta:__tostring()
  local lines = { self.heading, style.fold(("  on %s (%s)%s"):format(self.device, self.device_title,
    self.is_gpu and "" or ", which is this machine's CPU, not a GPU")), style.fold("  " .. self.check.text) }
  if self.ok == false then
    table.move(wrong_elements(self), 1, 6, #lines + 1, lines)
    lines[#lines + 1] = "  A wrong answer has no speed: nothing was measured."
    return table.concat(lines, "\n")
  end
  lines[#lines + 1] = ""
  for _, line in ipairs(self:table()) do lines[#lines + 1] = line end
  lines[#lines + 1] = ""
  lines[#lines + 1] = tostring(self:chart())
  lines[#lines + 1] = style.fold("  " .. timing.overhead_text(self.overhead))
  for _, note in ipairs(self.notes) do lines[#lines + 1] = style.fold("  ! " .. note) end
  return table.concat(lines, "\n")
end

return compare

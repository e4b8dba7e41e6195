-- target.lua - what a lesson asks for beyond right answers.
--
--   { faster_than = "start.metal", by = 1.5, size = { n = 1000003 } }
--   { profile = "device_reads", per = "thread", at_most = 2, say = "…" }
--   { profile = "device_reads", per = "busiest thread", at_most = 2, say = "…"
--   }
--   { profile = "issued", per = "busiest thread", of_solution = 4, say = "…" }
--   { profile = "occupancy", gpu = "M1", at_least = 3072, say = "…" }  threads
--
-- A mean hides one thread that does the work of all, and a share hides work
-- that is not needed; so what counts is judged as it is: lines moved,
-- instructions, the busiest thread. A limit that no task names is a multiple of
-- our solution's figure, counted on the same data, and so the same with every
-- compiler.
--
-- Times are taken side by side: both kernels in turn, many short rounds, and
-- the median of the rounds' ratios, so that what disturbs the machine disturbs
-- both. An answer a little short of the aim gets more rounds before it fails.
--
-- target.judge(lesson, target, kernel, compile) -> true or false, a line; or
-- nil, nil, and why it could not be judged.
local contest = require "lua.workload.contest"
local kernels = require "lua.workload.kernels"
local models = require "lua.reference.gpu_models"
local system = require "mettle.system"
local task = require "lua.judge.task"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local target = {}

local ROUNDS, MORE = 9, 15  -- and so many more if the first are near the aim
local ROUND = 0.01          -- seconds of one kernel in one round, about
local SECONDS = 3           -- for all rounds

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- How often a kernel runs in one round.
local function count_for(p)
  local time = p:run(1)
  time = math.min(time, (p:run(1)))
  return math.max(1, math.min(1000, math.floor(ROUND / math.max(time, 1e-7))))
end

-- How many times faster 'mine' is than 'other': a summary of the rounds.
local function ratio(mine, other, aim)
  local n, m, ratios = count_for(mine), count_for(other), {}
  local start = system.now()
  for round = 1, ROUNDS + MORE do
    local t = mine:run(n)
    ratios[round] = other:run(m) / t
    if system.now() - start > SECONDS and round >= 3 then break end
    if round == ROUNDS then
      local now = median(table.move(ratios, 1, #ratios, 1, {}))
      if now > aim * 1.1 or now < aim * 0.7 then break end
    end
  end
  return timing.summary(ratios)
end

local function judge_time(lesson, t, kernel, compile)
  local data = lesson.data
  local other, failure = compile(lesson,
    task.read(lesson.folder .. "/" .. t.faster_than), t.faster_than)
  if not other then error(table.concat(failure.lines, "\n"), 0) end
  local s = t.size or data.cases[#data.cases]
  local mine = kernels.of_data(data.kernel, data, s, kernel)
  local its = kernels.of_data(data.kernel, data, s, other)
  mine.reset()
  its.reset()
  local aim = t.by or 1
  return target.judge_ratio(ratio(mine, its, aim), aim, t,
    kernels.sizes_text(s))
end

-- The verdict on a summary of ratios: whether it is fast enough, and a line.
-- What cannot be told is not passed, and is not called slow either.
function target.judge_ratio(got, aim, t, sizes)
  local line = ("%s× as fast as %s for %s (asked: %s×)"):format(
    units.three(got.median), t.faster_than, sizes, units.three(aim))
  local reached = contest.reaches(got, aim)
  if reached then return true, line .. "." end
  if reached == nil then
    return false, ("Correct, but whether it is fast enough cannot be told: "
      .. "between %s× and %s× as fast as %s for %s (asked: %s×). This machine "
      .. "does other things too: close other programs and check again."):format(
      units.three(got.low), units.three(got.high), t.faster_than, sizes,
      units.three(aim))
  end
  return false, "Correct, but still too slow: " .. line .. "."
    .. (t.say and " " .. t.say or "")
end

--------------------------------------------------------------------- counters

local function sum(t)
  local total = 0
  for _, v in pairs(t) do total = total + v end
  return total
end

local function ratio(a, b) return b > 0 and a / b or 1 end

-- Figures that are made of several counters, or by a model of a GPU. A share
-- stays what it is, however many threads there are; of several launches the
-- worst counts.
local shares = {
  occupancy = function(_, counts, t)
    return models.occupancy(models.find(t.gpu), counts).threads
  end,
  active = function(c) return ratio(sum(c.lanes), 32 * sum(c.issued)) end,
  lines_over_ideal = function(c) return ratio(c.lines, c.lines_ideal) end,
  banks_over_ideal = function(c) return ratio(c.banks, c.banks_ideal) end,
  divergent = function(c) return c.branches > 0 and c.divergent / c.branches
    or 0 end,
  threadgroup_bytes = function(_, counts) return counts.threadgroup_bytes end,
}
local sums = {
  issued = function(c) return sum(c.issued) end,
  barriers = function(c, per) return per == "thread" and c.lanes.barrier
    or c.issued.barrier end,
}

-- Of the thread that does most: a counter of 'busiest'.
local of_thread = { issued = "instructions", device_reads = "device_reads",
  device_writes = "device_writes" }

local function per_what(per, counts)
  local by = ({ thread = counts.threads, group = counts.groups,
    threadgroup = counts.groups,
    simdgroup = counts.simdgroups })[per]
  return by and by > 0 and by or 1
end

-- A sentence if 't' asks for something that is not counted, else nil.
function target.mistake(t)
  local at = t.at_most or t.at_least or t.of_solution
  if t.faster_than then
    return type(t.faster_than) ~= "string" and "faster_than must name a file"
      or nil
  end
  if type(t.profile) ~= "string" then
    return "a target has 'profile' or 'faster_than'"
  end
  if type(at) ~= "number" then
    return ("%s needs at_most, at_least or of_solution, a number"):format(
      t.profile)
  end
  if type(t.say) ~= "string" then
    return ("%s needs say: a sentence that tells why"):format(t.profile)
  end
  if t.profile == "occupancy" then
    local known, why = pcall(models.find, t.gpu)
    if not known then return why end
  end
  local per = t.per
  if per == "busiest thread" and not of_thread[t.profile] then
    return ("no '%s' is counted for each thread"):format(t.profile)
  end
  if per and not ({ thread = true, group = true, threadgroup = true,
    simdgroup = true, ["busiest thread"] = true })[per] then
    return ("nothing is counted per '%s'"):format(tostring(per))
  end
end

-- The figure that target 't' asks for, from the counters of one launch.
local function figure(t, counts)
  local total = counts.total
  if t.per == "busiest thread" and of_thread[t.profile] then
    return counts.busiest[of_thread[t.profile]]
  end
  if shares[t.profile] then return shares[t.profile](total, counts, t) end
  local value
  if sums[t.profile] then
    value = sums[t.profile](total, t.per)
  else
    value = total[t.profile]
  end
  if type(value) ~= "number" then
    error(("profile counts no '%s'"):format(t.profile), 0)
  end
  return value / per_what(t.per, counts)
end

-- Over all launches: their counters are a list.
local function measure(t, counts)
  local all
  for _, c in ipairs(counts) do
    local one = figure(t, c)
    if not all then all = one
    elseif not shares[t.profile] then all = all + one
    elseif t.at_least then all = math.min(all, one)
    else all = math.max(all, one) end
  end
  return all
end

-- by kernel, by sizes: several targets ask for the same
local counted = setmetatable({}, { __mode = "k" })

-- The counters of each launch of the lesson's workload at these sizes.
local function counters(lesson, size, kernel, profile)
  local data, key = lesson.data, kernels.sizes_text(size)
  counted[kernel] = counted[kernel] or {}
  if counted[kernel][key] then return counted[kernel][key] end
  local p, list = kernels.of_data(data.kernel, data, size, kernel), {}
  p.reset()
  for i, step in ipairs(p.steps) do
    list[i] = profile.counts(step.kernel, step.launch)
    -- the next one needs its answer
    if #p.steps > 1 then step.kernel(step.launch) end
  end
  counted[kernel][key] = list
  return list
end

local function count(lesson, t, kernel, profile)
  return measure(t, counters(lesson,
    t.size or lesson.data.cases[#lesson.data.cases], kernel, profile))
end

-- by target: what our solution needs
local ours = setmetatable({}, { __mode = "k" })

local function count_ours(lesson, t, compile, profile)
  if not ours[t] then
    local kernel, failure = compile(lesson, lesson.solution, "solution.metal")
    if not kernel then error(table.concat(failure.lines, "\n"), 0) end
    ours[t] = count(lesson, t, kernel, profile)
  end
  return ours[t]
end

-- The largest figure that is allowed, and in words.
local function most(lesson, t, compile, profile)
  if not t.of_solution then
    return t.at_most, t.at_most and "at most " .. units.short(t.at_most)
  end
  local figure = count_ours(lesson, t, compile, profile)
  return t.of_solution * figure,
    ("at most %s times our %s"):format(units.short(t.of_solution),
      units.short(figure))
end

local names = { issued = "instructions", lines = "lines of memory",
  banks = "bank passes", group_reads = "reads of threadgroup memory",
  threadgroup_bytes = "bytes of threadgroup memory",
  occupancy = "threads that a core holds at once" }

-- "device reads per thread", "device reads of the busiest thread"
local function name_of(t)
  if t.counts then return t.counts end
  local name = names[t.profile] or t.profile:gsub("_", " ")
  if t.per == "busiest thread" then return name .. " of the busiest thread" end
  return name .. (t.per and " per " .. t.per or "")
end

local function judge_profile(lesson, t, kernel, compile)
  local there, profile = pcall(require, "lua.profile.profile")
  if not there or not profile.counts then
    return nil, nil, "profile{…} is not in this build"
  end
  local got = count(lesson, t, kernel, profile)
  local limit, aim = most(lesson, t, compile, profile)
  if t.at_least then aim = "at least " .. units.short(t.at_least) end
  local line = ("%s: %s (asked: %s)"):format(name_of(t), units.short(got), aim)
  if (not limit or got <= limit) and (not t.at_least or got >= t.at_least) then
    return true, line .. "."
  end
  return false, "Correct, but still too expensive: " .. line .. ".", t.say
end

-- What a score counts, in words: "instructions of the busiest thread".
function target.name(t) return name_of(t) end

-- A challenge's score: the kernel's figure and our solution's; fewer is better.
-- Without a kernel only ours. nil, nil, why: it cannot be counted here.
function target.score(lesson, t, kernel, compile)
  local there, profile = pcall(require, "lua.profile.profile")
  if not there or not profile.counts then
    return nil, nil, "profile{…} is not in this build"
  end
  return kernel and count(lesson, t, kernel, profile),
    count_ours(lesson, t, compile, profile)
end

function target.judge(lesson, t, kernel, compile)
  if t.faster_than then return judge_time(lesson, t, kernel, compile) end
  if t.profile then return judge_profile(lesson, t, kernel, compile) end
  error("a target of the lesson has neither 'profile' nor 'faster_than'", 0)
end

return target

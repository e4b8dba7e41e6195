-- lesson_target.lua - what a lesson asks for beyond right answers.
--
--   { faster_than = "start.metal", by = 1.5, size = { n = 1000003 } }
--   { profile = "device_reads", per = "thread", at_most = 2, say = "…" }
--
-- Times are taken side by side: both kernels in turn, many short rounds, and the
-- median of the rounds' ratios, so that what disturbs the machine disturbs both.
-- An answer a little short of the aim gets more rounds before it fails.
--
-- target.judge(lesson, target, kernel, compile) -> true or false, a line; or nil,
-- nil, and why it could not be judged.
local kernels = require "lua.kernels"
local system = require "mettle.system"
local units = require "lua.units"

local target = {}

local ROUNDS, MORE = 9, 15  -- and so many more if the first are near the aim
local ROUND = 0.01          -- seconds of one kernel in one round, about
local SECONDS = 3           -- for all rounds

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

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

-- How many times faster 'mine' is than 'other'.
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
  return median(ratios)
end

local function judge_time(lesson, t, kernel, compile)
  local data = lesson.data
  local other, failure = compile(lesson, read(lesson.folder .. "/" .. t.faster_than), t.faster_than)
  if not other then error(table.concat(failure.lines, "\n"), 0) end
  local s = t.size or data.cases[#data.cases]
  local mine = kernels.of_data(data.kernel, data, s, kernel)
  local its = kernels.of_data(data.kernel, data, s, other)
  mine.reset()
  its.reset()
  local got, aim = ratio(mine, its, t.by or 1), t.by or 1
  local line = ("%s× as fast as %s for %s (asked: %s×)"):format(units.three(got), t.faster_than,
    kernels.sizes_text(s), units.three(aim))
  if got >= aim then return true, line .. "." end
  return false, "Right, but not fast enough yet: " .. line .. "." .. (t.say and " " .. t.say or "")
end

--------------------------------------------------------------------- counters

local function per_what(t, counts)
  local by = ({ thread = counts.threads, group = counts.groups, threadgroup = counts.groups,
    simdgroup = counts.simdgroups })[t.per]
  return by and by > 0 and by or 1
end

local function judge_profile(lesson, t, kernel)
  local there, profile = pcall(require, "lua.profile")
  if not there or not profile.counts then return nil, nil, "profile{…} is not in this build" end
  local data = lesson.data
  local s = t.size or data.cases[#data.cases]
  local p = kernels.of_data(data.kernel, data, s, kernel)
  p.reset()
  local total = 0
  for _, step in ipairs(p.steps) do
    local counts = profile.counts(step.kernel, step.launch)
    local value = counts[t.profile] or counts.total and counts.total[t.profile]
    if not value then error(("profile counts no '%s'"):format(t.profile), 0) end
    total = total + value / per_what(t, counts)
    if #p.steps > 1 then step.kernel(step.launch) end
  end
  local ok = (not t.at_most or total <= t.at_most) and (not t.at_least or total >= t.at_least)
  local name = t.profile:gsub("_", " ") .. (t.per and " per " .. t.per or "")
  local aim = (t.at_most and "at most " .. units.short(t.at_most) or "")
    .. (t.at_least and "at least " .. units.short(t.at_least) or "")
  local line = ("%s: %s (asked: %s)"):format(name, units.short(total), aim)
  if ok then return true, line .. "." end
  return false, "Right, but it costs too much yet: " .. line .. "." .. (t.say and "\n" .. t.say or "")
end

function target.judge(lesson, t, kernel, compile)
  if t.faster_than then return judge_time(lesson, t, kernel, compile) end
  if t.profile then return judge_profile(lesson, t, kernel) end
  error("a target of the lesson has neither 'profile' nor 'faster_than'", 0)
end

return target

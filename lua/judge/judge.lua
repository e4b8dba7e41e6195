-- judge.lua - is an answer right? And if not, what exactly is wrong?
--
--   local v = judge.judge(task, source [, options])
--   v.ok        true if it passes
--   v.kinds     a set of the ways it fails: "compile", "error", "wrong",
--               "rule", "target", "score", or a finding of the checker such
--               as "out-of-bounds" or "race"
--   v.lines     what to print
--   v.more      the checker's findings after the first, as texts
--   v.skipped   sentences: what could not be judged here
--   v.score     of a right answer to a challenge: what it costs
--   v.kernel    the kernel that failed on a case, for a picture of it
--
-- A kernel is compiled, run on the cases in their order (smallest first, so the
-- first that fails is the smallest), watched by the checker on those that are
-- small enough, compared with the task's rules, and only then measured against
-- its targets. Every case is tried with several seeds; outputs hold nonsense
-- before, and canaries lie after them. A failure stops the judge and is shown
-- with its case, what was got and what was expected, and the checker's findings
-- for that case.
--
-- Options: name (of the file, for messages), path (where that file is, so that
-- warnings name it too), kernel (compiled already, in place of source),
-- progress (lua/session/progress.lua), base (globals that an exercise at the
-- prompt sees beneath its own), unwatched (the checker does not look), watches
-- (how many cases it looks at), own (the learner's answers to earlier tasks, as
-- lua/judge/task.lua takes them).
local differences = require "lua.judge.table"
local glossary = require "lua.reference.glossary"
local kernels = require "lua.workload.kernels"
local workload = require "lua.workload.workload"
local rule = require "lua.judge.rule"
local system = require "mettle.system"
local task = require "lua.judge.task"
local target = require "lua.judge.target"
local units = require "lua.text.units"
local ways = require "lua.judge.ways"

local judge = {}

local SEEDS = 3        -- tries of each case with other random numbers
local SECONDS = 2      -- after this the cases still to come get one seed each
local WATCHED = 4096   -- most threads of a launch that the checker watches
local WATCHES = 5      -- cases that it watches: the first, and the last of them

judge.limit = 5 -- seconds for one launch: it will not end

-------------------------------------------------------------------- verdicts

local function passed(lines, skipped)
  return { ok = true, kinds = {}, lines = lines, more = {},
    skipped = skipped }
end

local function failed(kind, lines, more)
  local v = { ok = false, kinds = { [kind] = true }, lines = lines,
    more = {}, skipped = {} }
  for _, other in ipairs(more or {}) do v.kinds[other] = true end
  return v
end

local function add(lines, text)
  for line in (tostring(text) .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
end

-------------------------------------------------------------------- compiling

-- The kernel, or nil and the failure.
local function compiled(lesson, source, name, path, own)
  -- never the name of a file
  if not source:find "[\n{;]" then source = source .. "\n" end
  local ok, k = pcall(task.compile, lesson.data, path or source)
  if ok then
    return lesson.data.uses and task.with_earlier(lesson, k, own) or k
  end
  local lines = { "It does not compile:" }
  add(lines,
    (workload.plain(k):gsub("program_source", function() return name end)))
  local word = glossary.about(k)
  if word then add(lines, ('see glossary "%s"'):format(word)) end
  return nil, failed("compile", lines)
end

--------------------------------------------------------------------- checker

-- Threads of the largest launch of a workload.
local function threads_of(p)
  local most = 0
  for _, step in ipairs(p.steps) do
    local l, n = step.launch, 1
    local group = type(l.group) == "table" and l.group or { l.group or 1 }
    local grid = l.grid or l.groups
    for i, size in ipairs(type(grid) == "table" and grid or { grid }) do
      n = n * size * (l.groups and group[i] or 1)
    end
    most = math.max(most, n)
  end
  return most
end

-- The lesson's workload for one case. Its subject: what is wrong with the
-- start, so how to fix that is for the learner to find, and for hint().
local function problem_of(lesson, kernel, s, options)
  local data = lesson.data
  local p = kernels.of_data(data.kernel, data, s, kernel, options)
  p.subject = {}
  for _, way in ipairs(ways.list(data.start_fails)) do p.subject[way] = true end
  return p
end

-- Findings of the checker on this workload, as a list of { kind, text }; or nil
-- and why there is none.
local function findings(p)
  local there, checker = pcall(require, "lua.check.check")
  if not there or not checker.findings then
    return nil, "the checker (check{…}) is not in this build"
  end
  p.reset()
  local list = {}
  for _, step in ipairs(p.steps) do
    for _, f in ipairs(checker.findings(step.kernel, step.launch, p)) do
      if p.subject[f.kind] then f.advice = nil end
      list[#list + 1] = f
    end
    if #list > 0 then break end
    -- the next step needs its answer
    if #p.steps > 1 then step.kernel(step.launch) end
  end
  return list
end

-- All of them count; the first is shown, since the others often go with it.
local function add_findings(v, list)
  for i, f in ipairs(list) do
    v.kinds[f.kind] = true
    if i == 1 then add(v.lines, f.text) else v.more[#v.more + 1] = f.text end
  end
  if #v.more > 0 then
    v.lines[#v.lines + 1] = ('%s: check "more" shows %s'):format(
      units.many(#v.more, "more finding"), units.plural(#v.more, "it", "them"))
  end
end

----------------------------------------------------------------------- cases

-- Several launches have one limit together.
local function with_limit(p)
  local only = #p.steps == 1 and p.steps[1].launch
  if only then only.limit = only.limit or judge.limit
  else p.limit = judge.limit end
  return p
end

-- The names of what a workload is launched with, and of the kernel's
-- parameters, if they do not fit together; else nil.
local function misfit(p)
  local step = p and #p.steps == 1 and p.steps[1]
  if not step or step.launch[1] ~= nil then return nil end
  local given, wanted, fits = {}, {}, true
  for name in pairs(p.arguments) do given[#given + 1] = name end
  for _, param in ipairs(step.kernel.params) do
    if param.kind ~= "builtin" and param.kind ~= "threadgroup" then
      wanted[#wanted + 1] = param.name
      fits = fits and p.arguments[param.name] ~= nil
    end
  end
  if fits and #given == #wanted then return nil end
  table.sort(given)
  return table.concat(given, ", "), #wanted > 0 and table.concat(wanted, ", ")
    or "none"
end

-- A case that raised: a stray access, a launch that does not fit the kernel, or
-- one that does not end.
local function raised(case, why, p)
  why = workload.plain(tostring(why))
  local given, wanted = misfit(p)
  if given then
    return failed("error",
      { "The kernel does not have the parameters that it is launched with:",
      "  given by name:   " .. given, "  your kernel has: " .. wanted,
      "Names matter: check() launches your kernel with its arguments by name, "
        .. "so keep the parameters' names." })
  end
  local v = failed("error", { ("It fails for %s:"):format(case) })
  add(v.lines, "  " .. why)
  if p and threads_of(p) <= WATCHED then -- why, and where
    local ok, list = pcall(findings, p)
    add_findings(v, ok and list or {})
  end
  return v
end

local function wrong(case, before, p, report)
  local v =
    failed("wrong", { ("Not right yet for %s%s:"):format(case, before) })
  for _, r in ipairs(report.reports) do
    if not r.ok then
      for _, line in ipairs(differences.lines(p, p.outputs[r.output],
        report.wanted[r.output])) do
        v.lines[#v.lines + 1] = line
      end
    end
  end
  return v
end

-- One case with one seed: nil if it is right.
local function try(lesson, kernel, s, options, before, unwatched)
  local case = kernels.sizes_text(s)
  local p
  local ok, why = pcall(function()
    p = with_limit(problem_of(lesson, kernel, s, options))
    return p:verify()
  end)
  if not ok then
    if tostring(why):find "interrupted" then error(why, 0) end
    return raised(case, why, p)
  end
  if why.ok then return nil end
  local v
  local canary = p.check()
  local right = true
  for _, r in ipairs(why.reports) do right = right and r.ok end
  if right then
    v = failed("out-of-bounds",
      { ("The answer for %s is right, but %s."):format(case, canary) })
  else
    v = wrong(case, before, p, why)
    if canary then
      v.kinds["out-of-bounds"] = true
      v.lines[#v.lines + 1] = "  Also, " .. canary .. "."
    end
  end
  if threads_of(p) <= WATCHED and not unwatched then
    add_findings(v, findings(p) or {})
  end
  return v
end

local function before_text(cases, i)
  if i == 1 then return "" end
  local names = {}
  for k = math.max(1, i - 3), i - 1 do
    names[#names + 1] = kernels.sizes_text(cases[k])
  end
  return (" (%s%s %s right)"):format(i > 4 and "… " or "",
    table.concat(names, "; "), i == 2 and "is" or "are")
end

local function try_cases(lesson, kernel, progress, unwatched)
  local cases, start = lesson.data.cases, system.now()
  for i, s in ipairs(cases) do
    progress:step(kernels.sizes_text(s))
    local tries = system.now() - start < SECONDS and SEEDS or 1
    for seed = 1, tries do
      local v = try(lesson, kernel, s,
        { seed = seed, special = lesson.data.special and seed == 2 },
        before_text(cases, i), unwatched)
      if v then return v end
    end
  end
end

-- The small cases, as problems. Each costs a tenth of a second when checked, so
-- of many only some: the smallest, for the shortest finding, and the largest.
local function watched_cases(lesson, kernel, most)
  local list = {}
  for _, s in ipairs(lesson.data.cases) do
    local p = problem_of(lesson, kernel, s, { seed = 1 })
    if threads_of(p) <= WATCHED then list[#list + 1] = p end
  end
  if #list > most then table.move(list, #list - most + 2, #list, 2) end
  return table.move(list, 1, math.min(#list, most), 1, {})
end

-- nil if the checker finds nothing in them.
local function watch(lesson, kernel, o, skipped)
  if lesson.data.checker == false then return end
  o.progress:step "the checker watches"
  for _, p in ipairs(watched_cases(lesson, kernel, o.watches or WATCHES)) do
    local list, why = findings(p)
    if not list then
      skipped[#skipped + 1] = why
      return
    end
    if #list > 0 then
      local v = failed(list[1].kind,
        { ("The answers are right, but the checker found something, for %s:")
        :format(kernels.sizes_text(p.sizes)) })
      add_findings(v, list)
      return v
    end
  end
end

-- What the task forbids or asks for, of an answer that is right; nil if all is
-- well.
local function broken_rule(lesson, kernel)
  local data = lesson.data
  if data.uses then -- of the answer itself
    local own = {}
    for _, name in ipairs(data.kernels or { data.kernel }) do
      own[name] = kernel[name]
    end
    kernel = own
  end
  for _, r in ipairs(lesson.data.rules or {}) do
    local why = rule.judge(r, kernel)
    if why then
      return failed("rule",
        { "The answers are right, but this is not what was asked: " .. why
          .. ".", r.say })
    end
  end
end

-- A right answer to a challenge has a score, and passes with one as good as
-- ours, or nearly.
local function with_score(lesson, mine, ours, lines, skipped)
  local score = lesson.data.score
  lines[#lines + 1] = ("Your score: %s %s; ours: %s."):format(
    units.short(mine), target.name(score), units.short(ours))
  local v = passed(lines, skipped)
  if mine > ours * (score.within or 1.02) then
    lines[1] = "Correct, but not as good as ours."
    lines[#lines + 1] = score.say
    v = failed("score", lines)
  end
  v.score = mine
  return v
end

local function judge_score(lesson, kernel, lines, skipped)
  local mine, ours, why = target.score(lesson, lesson.data.score, kernel,
    compiled)
  if mine then return with_score(lesson, mine, ours, lines, skipped) end
  skipped[#skipped + 1] = why
  return passed(lines, skipped)
end

local function judge_kernel(lesson, source, o)
  local data, progress = lesson.data, o.progress
  local kernel, v = o.kernel, nil
  if not kernel then
    kernel, v = compiled(lesson, source, o.name, o.path, o.own)
    if not kernel then return v end
  elseif data.uses then kernel = task.with_earlier(lesson, kernel, o.own) end
  local skipped = {}
  v = try_cases(lesson, kernel, progress, o.unwatched)
    or not o.unwatched and watch(lesson, kernel, o, skipped)
    or broken_rule(lesson, kernel)
  if v then
    v.kernel = kernel
    return v
  end
  local lines = { ("Right for all %d cases%s."):format(#data.cases,
    data.checker ~= false and #skipped == 0
      and ", with no races and no out-of-bounds accesses" or "") }
  for _, wanted in ipairs(data.targets or {}) do
    progress:step "measuring"
    local ok, line, why = target.judge(lesson, wanted, kernel, compiled)
    if ok == nil then
      skipped[#skipped + 1] = why
    else
      lines[#lines + 1] = line
    end
    if ok == false then
      lines[#lines + 1] = why -- what the task says of it
      return failed("target", lines)
    end
  end
  if data.score then return judge_score(lesson, kernel, lines, skipped) end
  return passed(lines, skipped)
end

-------------------------------------------------------- exercises at the prompt

-- Runs an answer in Lua, and what judges it: nil and the failure, or a sentence
-- and, of a challenge, the score.
local function run_exercise(lesson, source, o)
  local env = setmetatable({ answer = function(name)
    return (task.answer(lesson.lesson, name, o.own))
  end }, { __index = o.base or lesson.env or _G })
  local f, why = load(source or "", "@" .. o.name, "t", env)
  if not f then
    return nil, failed("compile",
      { "It is not Lua that can be run:", "  " .. why })
  end
  local ok
  ok, why = pcall(f)
  if not ok then
    if tostring(why):find "interrupted" then error(why, 0) end
    return nil, failed("error",
      { "It stops with an error:", "  " .. tostring(why) })
  end
  local right, score
  ok, right, why, score = pcall(lesson.data.exercise, env)
  if not ok and tostring(right):find "interrupted" then error(right, 0) end
  if ok and right then
    return type(why) == "string" and why or "Right.", score
  end
  local v = failed("wrong", { "Not right yet: " .. (not ok
    and workload.plain(tostring(right)) or why or "it is not as wanted") })
  v.raised = not ok
  return nil, v
end

-- by challenge: what our solution scores
local pars = setmetatable({}, { __mode = "k" })

local function par_of_exercise(lesson)
  if not pars[lesson] then
    local sentence, score = run_exercise(lesson, lesson.solution,
      { name = "solution.lua" })
    if not sentence then error(table.concat(score.lines, "\n"), 0) end
    pars[lesson] = score
  end
  return pars[lesson]
end

local function judge_exercise(lesson, source, o)
  local sentence, score = run_exercise(lesson, source, o)
  if not sentence then return score end
  if not lesson.data.score then return passed({ sentence }, {}) end
  return with_score(lesson, score, par_of_exercise(lesson), { sentence }, {})
end

-- What our solution of a challenge scores; nil if it cannot be counted here.
function judge.par(lesson)
  if lesson.data.exercise then return par_of_exercise(lesson) end
  local _, ours = target.score(lesson, lesson.data.score, nil, compiled)
  return ours
end

local quiet = { step = function() end, part = function() end,
  done = function() end }

function judge.judge(lesson, source, options)
  local o = {}
  for key, v in pairs(options or {}) do o[key] = v end
  o.progress = o.progress or quiet
  o.name = o.name or "program_source"
  if lesson.data.exercise then return judge_exercise(lesson, source, o) end
  return judge_kernel(lesson, source, o)
end

return judge

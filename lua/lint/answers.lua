-- answers.lua - the linter tries the answers of a task: ours and
-- the other right ones pass, the start and the wrong ones fail as named.
--
--   answers.check(task, env, add, note)   'env': the globals that the lesson's
--                                         own code left
--   answers.check_challenge(task, add, note)
--   answers.device_alone()   METTLE_LINT=device: only what another device could
--                            change
local blocks = require "lua.lint.blocks"
local course = require "lua.lesson.course"
local data = require "lua.lint.data"
local judge = require "lua.judge.judge"
local ways = require "lua.judge.ways"

local answers = {}

local WATCHES = 2    -- cases of another right answer that the checker watches

local function kinds_text(set)
  local list = {}
  for kind in pairs(set) do list[#list + 1] = kind end
  table.sort(list)
  return #list > 0 and table.concat(list, ", ") or "nothing"
end

-- What the first lines of a verdict say.
local function said(v)
  return table.concat(v.lines, " ", 1, math.min(4, #v.lines)):gsub("%s+", " ")
end

local function has_checker() return pcall(require, "lua.check.check") end
local function has_profile() return pcall(require, "lua.profile.profile") end

-- May this failure be missing because this build cannot see it?
local function unseen(l, expected)
  for _, kind in ipairs(ways.list(expected)) do
    if ways.of_checker[kind] and not has_checker() then return true end
    if kind == "target" and not has_profile() then
      for _, t in ipairs(l.data.targets or {}) do
        if t.profile then return true end
      end
    end
  end
  return false
end

function answers.device_alone() return os.getenv "METTLE_LINT" == "device" end

-- Does every device find out for itself that an answer fails so?
local function device_finds(expected)
  for _, kind in ipairs(ways.list(expected)) do
    if not ({ compile = 1, error = 1, wrong = 1 })[kind] then return false end
  end
  return true
end

-- Can only the checker find out that an answer fails so?
local function checker_finds(expected)
  for _, kind in ipairs(ways.list(expected)) do
    if ways.of_checker[kind] then return true end
  end
  return false
end

-- 'o': base, unwatched and watches, as the judge takes them.
local function judged(l, source, name, o)
  local ok, v = blocks.quietly(judge.judge, l, source,
    { name = name, base = o.base, watches = o.watches,
      unwatched = o.unwatched or answers.device_alone() })
  if ok then return v end
  if tostring(v):find "interrupted" then error(v, 0) end
  return { ok = false, kinds = { raised = true },
    lines = { "the judge fails: " .. blocks.first_line(v) }, more = {},
    skipped = {} }
end

local function must_fail(l, source, name, expected, add, note, base)
  if answers.device_alone() and not device_finds(expected) then return end
  local v = judged(l, source, name,
    { base = base, unwatched = not checker_finds(expected) })
  if v.raised then
    add(("%s: 'exercise' itself fails: %s"):format(name, said(v)))
    return
  end
  for _, kind in ipairs(ways.list(expected)) do
    if v.kinds[kind] then return end
  end
  if unseen(l, expected) then
    note(
      ("%s: '%s' was not tried: this build lacks check{} or profile{}"):format(
        name, table.concat(ways.list(expected), "' or '")))
    return
  end
  add(v.ok and ("%s passes, but should fail (%s)"):format(name,
    table.concat(ways.list(expected), " or "))
    or ("%s should fail by %s, but fails by %s: %s"):format(name,
      table.concat(ways.list(expected), " or "), kinds_text(v.kinds), said(v)))
end

local function must_pass(l, source, name, devices, add, note, watches)
  for _, device in ipairs(devices) do
    local there = pcall(gpu.use, device.name)
    if there then
      local v = judged(l, source, name, { watches = watches })
      if not v.ok then
        add(("%s does not pass on %s: %s"):format(name, device.name, said(v)))
      end
      for _, why in ipairs(v.skipped) do note(why) end
    end
  end
end

function answers.check(l, env, add, note)
  local devices = answers.device_alone() and { gpu.device } or gpu.devices()
  must_pass(l, l.solution, "solution." .. l.extension, devices, add, note)
  for _, name in ipairs(data.answers(l, "right")) do
    local file = ("right/%s.%s"):format(name, l.extension)
    must_pass(l, course.read(l.folder .. "/" .. file), file, { gpu.device },
      add, note, WATCHES)
  end
  must_fail(l, l.start, "start." .. l.extension, l.data.start_fails, add, note)
  if l.data.exercise then -- what a reader typed on the way must not pass either
    must_fail(l, l.start, "start." .. l.extension
      .. " after the lesson's own code", l.data.start_fails, add, note, env)
  end
  for _, name in ipairs(data.answers(l, "wrong")) do
    local expected = l.data.wrong[name]
    local file = ("wrong/%s.%s"):format(name, l.extension)
    if expected then
      must_fail(l, course.read(l.folder .. "/" .. file), file, expected, add,
        note)
    end
  end
end

-- Each is solved by us, and its start, which is often our solution of the
-- lesson, leaves something to do.
function answers.check_challenge(t, add, note)
  if not data.check_challenge(t, add) then return end
  local name = ("challenges/%s.%s"):format(t.name, t.extension)
  must_pass(t, t.solution, name, { gpu.device }, add, note, WATCHES)
  must_fail(t, t.start, "the start of " .. name, t.data.start_fails or "score",
    add, note)
  if t.wrong and t.data.wrong then
    must_fail(t, t.wrong, name:gsub("%.%a+$", ".wrong%0"), t.data.wrong, add,
      note)
  end
end

return answers

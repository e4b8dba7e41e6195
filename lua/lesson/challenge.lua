-- challenge.lua - challenges: further tasks of a lesson, with a score.
--
--   challenge.list(lesson, all)   those of a lesson, with the best scores
--   challenge.show(task)          what one asks for
--   challenge.keep_best(task, v)  the verdict's score, if it is the best so far
--
-- A score is a count of what an answer costs (lua/judge/target.lua), so it is
-- the same on every machine; fewer is better. A challenge is passed with a
-- score as good as our solution's.
local kernels = require "lua.workload.kernels"
local list = require "lua.lesson.list"
local progress = require "lua.lesson.progress"
local style = require "lua.text.style"
local target = require "lua.judge.target"
local text = require "lua.text.markdown"
local units = require "lua.text.units"

local challenge = {}

local say = list.say

local function best_of(t) return tonumber(progress.get("best", t.key)) end

-- Where it is counted: ", for n = 4,096"
local function where(t)
  if t.data.exercise then return "" end
  local sizes = t.data.score.size or t.data.cases[#t.data.cases]
  return ", for " .. kernels.sizes_text(sizes)
end

-- "yours 1.2 k, ours 512"
local function scores(t)
  local ours = require "lua.judge.judge".par(t)
  local best = best_of(t)
  return ("%s, ours %s"):format(best and "yours " .. units.short(best)
    or "no score yet", ours and units.short(ours) or "cannot be counted here")
end

function challenge.list(l, all)
  if #all == 0 then
    return list.paragraph(("%s %d has no challenges."):format(
      l.set.word:gsub("^%l", string.upper), l.number or 0))
  end
  say(style.bold(("Challenges of %s, %s"):format(list.called(l), l.title)))
  for i, t in ipairs(all) do
    local line = (" %s %d  %s"):format(list.has_passed(t) and "✓" or " ", i,
      units.pad(t.title, 32))
    local score = ("%s: %s"):format(target.name(t.data.score), scores(t))
    if units.width(line .. score) > list.width() then
      line = line:gsub(" +$", "") .. "\n      "
    end
    say(line, style.dim(score))
  end
  say("")
  list.paragraph("challenge(n) opens one; fewer is better, "
    .. "and nothing is timed.")
end

function challenge.show(t)
  say(text.inline(units.wrap(t.data.task, list.width(), "", "")))
  say("")
  say(units.wrap(("Score: %s%s; fewer is better. %s."):format(
    target.name(t.data.score), where(t),
    scores(t):gsub("^%l", string.upper)), list.width(), "", ""))
end

function challenge.keep_best(t, v)
  local best = best_of(t)
  if best and best <= v.score then
    v.lines[#v.lines + 1] = ("Your best so far: %s."):format(units.short(best))
    return
  end
  progress.set("best", t.key, ("%.2f"):format(v.score):gsub("%.?0+$", ""))
  if best then
    v.lines[#v.lines + 1] = ("That is your best so far; it was %s."):format(
      units.short(best))
  end
end

return challenge

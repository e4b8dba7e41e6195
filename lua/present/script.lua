-- script.lua - a demonstration, read into steps.
--
-- It is a plain Lua script, which `mettle demo.lua` runs as any other. At the
-- beginning of a line
--
--   --# Title (4 min)   begins a step; the minutes are a plan, if there are any
--   --: a note          for the speaker alone
--   --? expression      what must be true once the step has run
--
-- What stands before the first step runs when the demonstration begins, unseen.
--
--   script.read(text, name) -> { setup =, steps = { … }, name = }
--   a step: title, minutes, line, notes, claims, chunks, code (lines to show)
--   a chunk: text, line; a claim: text, line
local lesson_text = require "lua.text.markdown"
local system = require "mettle.system"

local script = {}

local function fail(...) error(string.format(...), 0) end

-- The chunk without "local" before a name: in a script a local lives to its
-- end, and here each chunk is compiled alone.
local function shared(text)
  local names = text:match "^local%s+([%w_%s,]+)="
  if names or text:match "^local%s+function%s" then
    return (text:gsub("^local%s+", "", 1))
  end
  return text
end

local function new_step(title, line)
  local minutes = title and title:match "%s*%((%d+) min%)$"
  return { title = title and title:gsub("%s*%(%d+ min%)$", ""), line = line,
    minutes = math.tointeger(tonumber(minutes)), notes = {}, claims = {},
    source = {}, numbers = {} }
end

local function add_line(step, line, number)
  local mark, rest = line:match "^%-%-([:?])%s?(.*)$"
  if mark == ":" then
    step.notes[#step.notes + 1] = rest
  elseif mark == "?" then
    step.claims[#step.claims + 1] = { text = rest, line = number }
  else
    step.source[#step.source + 1] = line
    step.numbers[#step.numbers + 1] = number
  end
end

local function trimmed(lines)
  local first, last = 1, #lines
  while first <= last and not lines[first]:find "%S" do first = first + 1 end
  while last >= first and not lines[last]:find "%S" do last = last - 1 end
  return table.move(lines, first, last, 1, {})
end

-- The step's code as chunks that are compiled one by one, each with the line of
-- the script at which it begins.
local function finish(step, name)
  local at = 1
  step.chunks, step.code = {}, trimmed(step.source)
  for _, text in ipairs(lesson_text.chunks(table.concat(step.source, "\n"))) do
    while not step.source[at]:find "%S" do at = at + 1 end
    local line = step.numbers[at]
    local _, more = text:gsub("\n", "")
    at = at + more + 1
    local code = shared(text)
    if not load("return " .. code, "=", "t") then
      local ok, why = load(code, "=", "t")
      if not ok then
        fail("%s:%d: the step '%s' has a statement that is not whole: %s", name,
          line, step.title or "setup", (why:gsub("^:%d+: ", "")))
      end
    end
    step.chunks[#step.chunks + 1] = { text = code, line = line }
  end
  for _, claim in ipairs(step.claims) do
    if not load("return " .. claim.text, "=", "t") then
      fail("%s:%d: after --? stands an expression: %s", name, claim.line,
        claim.text)
    end
  end
  step.source, step.numbers = nil, nil
  return step
end

function script.read(text, name)
  local s = { setup = new_step(nil, 1), steps = {}, name = name }
  local step, number = s.setup, 0
  text = system.visible((text:gsub("^#[^\n]*", ""):gsub("\r\n", "\n")))
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local title = line:match "^%-%-#%s*(.-)%s*$"
    if title then
      step = new_step(title, number)
      s.steps[#s.steps + 1] = step
    else
      add_line(step, line, number)
    end
  end
  local whole, why = load(text, "@" .. name, "t")
  if not whole then error(why, 0) end
  finish(s.setup, name)
  for _, one in ipairs(s.steps) do finish(one, name) end
  if #s.steps == 0 then
    fail("%s has no step: a line '--# Title' begins one", name)
  end
  return s
end

-- The minutes that all steps before number n are planned to take; nil without a
-- plan.
function script.planned(s, n)
  local sum, any = 0, false
  for i = 1, math.min(n, #s.steps) do
    any = any or s.steps[i].minutes ~= nil
    sum = sum + (s.steps[i].minutes or 0)
  end
  return any and sum or nil
end

return script

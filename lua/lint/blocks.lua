-- blocks.lua - the linter runs the code in a lesson's text: every
-- block does what is said of it, and shows what the text says
-- (lua/lint/expect.lua).
--
--   blocks.check(lesson, add, note)   on the device in use; the globals that
--                                     are left
--   blocks.check_elsewhere(lesson, used, add, note)   on the others
--   blocks.quietly(f, …)              as pcall; what it prints is thrown away
--   blocks.first_line(why)            of a message, without our own places
local expect = require "lua.lint.expect"
local capture = require "lua.session.capture_output"
local workload = require "lua.workload.workload"
local show = require "lua.session.show"
local system = require "mettle.system"
local text = require "lua.text.markdown"

local blocks = {}

local SECONDS = 4    -- for one block of Lua; two on a quiet machine

function blocks.first_line(why)
  return (workload.plain(tostring(why)):match "[^\n]*")
end
local first_line = blocks.first_line

function blocks.quietly(f, ...) return select(2, capture.run(f, ...)) end
local quietly = blocks.quietly

local function run_block(block, env)
  for _, chunk in ipairs(text.chunks(block.text)) do
    local values = text.run(chunk, env)
    env._ = values[1]
    if values.n > 0 then
      show.print(function(note) return note end,
        table.unpack(values, 1, values.n))
    end
  end
end

-- A part of Mettle that this build does not have yet.
local function lacks(why)
  local name =
    tostring(why):match "attempt to call a nil value %(global '(%a+)'%)"
  return name and ({ check = 1, profile = 1, glossary = 1, cuda = 1 })[name]
    and name
end

-- Does the screen say what the text says? What prints must state what it shows.
local function check_shown(block, env, screen, add)
  if not block.expect and screen:find "%S" then
    add(("lesson.md:%d: this code shows something, and no expect says what")
      :format(block.line))
  end
  for _, f in ipairs(expect.failures(block, env, screen)) do
    add(("lesson.md:%d: %s"):format(f.line, f.text))
  end
end

local function check_lua(block, env, add, note)
  local start, worked = system.now(), os.clock()
  local screen, ok, why = capture.run(run_block, block, env)
  -- a busy machine is not the lesson's fault: both clocks must say it
  local seconds = math.min(system.now() - start, os.clock() - worked)
  if not ok and tostring(why):find "interrupted" then error(why, 0) end
  if not ok and not block.fails and lacks(why) then
    return note(
      ("lesson.md:%d: this code was not tried to its end: "
        .. "%s{} is not in this build"):format(block.line, lacks(why)))
  end
  if not ok and not block.fails then
    add(("lesson.md:%d: this code fails: %s"):format(block.line,
      first_line(why)))
  end
  if ok and block.fails then
    add(("lesson.md:%d: this code should fail, but does not"):format(
      block.line))
  end
  if not ok then screen = screen .. workload.plain(tostring(why)) end
  if ok or block.fails then check_shown(block, env, screen, add) end
  if seconds > SECONDS then
    add((
      "lesson.md:%d: this code takes %.1f s; two seconds are the most"):format(
        block.line, seconds))
  end
end

local function check_metal(block, add)
  local whole = block.text:find "%f[%w]kernel%s+[%w_]+%s+[%w_]+%s*%("
    and not block.text:find "…"
  if not whole then return end
  local ok, why = quietly(gpu.library, block.text .. "\n")
  if not ok and not block.fails then
    add(("lesson.md:%d: this MSL does not compile: %s"):format(block.line,
      first_line(why)))
  elseif ok and block.fails then
    add(("lesson.md:%d: this MSL should not compile, but does"):format(
      block.line))
  end
end

-- All of a lesson's blocks in order, on the device in use; the globals they
-- leave.
function blocks.check(l, add, note)
  local env = setmetatable({}, { __index = l.env })
  for _, step in ipairs(l.steps) do
    for _, block in ipairs(step.blocks) do
      if block.kind == "code" and block.language == "lua" then
        check_lua(block, env, add, note)
      elseif block.kind == "code" and block.language == "metal" then
        check_metal(block, add) end
    end
  end
  return env
end

-- The same blocks where there is another device that works: what the text says
-- must be true there too. 'used' is the one that they have been run on.
function blocks.check_elsewhere(l, used, add, note)
  for _, device in ipairs(gpu.devices()) do
    if device.name ~= used and pcall(gpu.use, device.name) then
      blocks.check(l, function(line)
        add(("%s (on %s)"):format(line, device.name))
      end, note)
    end
  end
  gpu.use(used)
end

return blocks

-- run.lua - runs a step of a demonstration in this session.
--
--   run.step(script, step, out) -> { text =, ok =, cut =, seconds = }
--
-- Values of calls are shown as at the prompt. A failure ends the step and
-- stands in its text. Ctrl-C cuts the step short; the results that compare,
-- sweep and others have by then are shown. Without a terminal (run.alone) play
-- runs three frames without showing them, and step only opens its recording.
local capture = require "lua.session.capture_output"
local workload = require "lua.workload.workload"
local show = require "lua.session.show"
local style = require "lua.text.style"
local system = require "mettle.system"

local run = {}

local function compiled(chunk, name)
  local lines = ("\n"):rep(chunk.line - 1)
  local f, why = load(lines .. "return " .. chunk.text, "@" .. name, "t")
  if f then return f end
  f, why = load(lines .. chunk.text, "@" .. name, "t")
  return f or error(why, 0)
end

local function run_chunk(chunk, name)
  local values = table.pack(compiled(chunk, name)())
  if values.n == 0 then return end
  _G._ = values[1]
  show.print(style.dim, table.unpack(values, 1, values.n))
end

local function judge(claim, name)
  local ok, v = pcall(compiled(claim, name))
  if ok and v then return true end
  local why = ok and "" or ": " .. workload.plain(v)
  print(style.bad(("%s:%d: this is not so: %s%s"):format(name, claim.line,
    claim.text, why)))
  return false
end

local function all_of(script, step)
  for _, chunk in ipairs(step.chunks) do run_chunk(chunk, script.name) end
  local good = true
  for _, claim in ipairs(step.claims) do
    good = judge(claim, script.name) and good
  end
  return good
end

function run.step(script, step, out)
  local began = system.now()
  local text, ok, good = capture.along(out, all_of, script, step)
  local r = { ok = ok and good, seconds = system.now() - began }
  r.cut = not ok and good == "interrupted" or nil
  if not ok then
    local said = r.cut and style.dim "cut short by Ctrl-C"
      or style.bad(workload.plain(tostring(good)))
    said = (text:find "[^\n]$" and "\n" or "") .. said .. "\n"
    if out then out(said) end
    text = text .. said
  end
  r.text = text
  return r
end

-- For a run of all of it without a terminal.
function run.alone()
  local play, step = require "lua.play.play", require "lua.step.step"
  _G.play = function(what, more)
    more = more or {}
    more.frames = more.frames or 3
    return play.play(what, more)
  end
  _G.step = function(v)
    step.make(v)
    print "step: opens at a terminal"
  end
end

return run

-- watch.lua - watch(): the learner's file is checked whenever it is
-- saved, and keys do what the console's functions do.
--
--   require "lua.lesson.watch"{ lesson =, task =, judge =, go_on = }
--
-- 'lesson' is the module with hint, next and the others; task() gives the task
-- at hand, judge() checks and prints, go_on() shows the step after the task if
-- the last check passed.
local file = require "lua.session.user_file"
local list = require "lua.lesson.list"
local screen = require "mettle.screen"
local style = require "lua.text.style"
local system = require "mettle.system"

local say = list.say

local function clear()
  if system.terminal(1) then io.stdout:write "\27[2J\27[3J\27[H" end
end

local WATCH_KEYS =
  "h hint · s solution · t task · r run · n next · b back · q stop"

-- What the keys do; false ends it.
local watch_keys = {
  h = function(lesson) lesson.hint() end,
  s = function(lesson) lesson.solution() end,
  t = function(lesson) clear() lesson.task() end,
  n = function(lesson) clear() lesson.next() end,
  b = function(lesson) clear() lesson.back() end,
  r = function(lesson) lesson.run() end,
  q = function() return false end,
}

local function obey(keys, lesson)
  for key in (keys or ""):gmatch "%a" do
    local f = watch_keys[key:lower()]
    local ok, more = true, nil
    if f then ok, more = pcall(f, lesson) end
    if not ok then
      if tostring(more):find "interrupted" then error(more, 0) end
      say(tostring(more))
    elseif more == false then return false end
    if f then say("\n" .. style.dim(WATCH_KEYS)) end
    io.stdout:flush()
  end
end

-- The file was saved: the verdict on a clean screen; once it passes, the step
-- after the task.
local function checked_again(o, has_keys)
  if has_keys then clear() end
  say(style.dim(("%s  %s"):format(os.date "%H:%M:%S", file.name(o.task()))))
  o.judge()
  if has_keys then
    o.go_on()
    say("\n" .. style.dim(WATCH_KEYS))
  end
  io.stdout:flush()
end

return function(o)
  file.make(o.task())
  local has_keys = screen.keys()
  if has_keys then clear() end
  list.paragraph(
    ("Watching %s: it is checked whenever you save it. "
      .. "Ctrl-C ends this."):format(file.name(o.task())))
  local ok, why = system.attempt(file.watch,
    function() return file.name(o.task()) end,
    function() checked_again(o, has_keys) end,
    function(seconds)
      if not has_keys then return system.sleep(seconds) end
      return obey(screen.wait(seconds), o.lesson)
    end)
  screen.leave()
  if not ok and why ~= "interrupted" then error(why, 0) end
  say("\nNo longer watching.")
end

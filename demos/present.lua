-- present.lua - a demonstration, step by step, in a terminal.
--
--   mettle demos/five-minutes.lua          Enter goes on
--   mettle demos/five-minutes.lua fast     without waiting, with small data
--
-- A demonstration is a Lua script. say prints what the speaker says, types
-- shows lines as if typed at the prompt and runs them when Enter is pressed,
-- and sure is for the tests: what the audience is told must be so, or the
-- script fails.
local lesson_text = require "lua.lesson_text"
local show = require "lua.show"
local timing = require "lua.timing"

local demo = { fast = arg[1] == "fast" }
local env = setmetatable({}, { __index = _G })
if demo.fast then timing.quick = 0.02 end

-- The first number, or in fast mode the second.
function demo.pick(usual, fast) return demo.fast and fast or usual end

local function wait()
  io.stdout:flush()
  if demo.fast then return io.write "\n" end
  if not io.read() then io.write "\n" end
end

function demo.title(text)
  io.write("\n", text, "\n", ("="):rep(utf8.len(text)), "\n")
end

-- A paragraph of the speaker's, indented as it stands.
function demo.say(text)
  io.write "\n"
  for line in text:gsub("^\n", ""):gsub("%s+$", ""):gmatch "[^\n]*" do
    io.write("  ", line, "\n")
  end
end

local function shown(chunk)
  return "mettle> " .. chunk:gsub("\n", "\n   ...> ")
end

local function filled(code, numbers)
  return (code:gsub("%$(%l+)",
    function(name) return assert(tostring(numbers[name]), name) end))
end

local function each(code, numbers, run)
  io.write "\n"
  for _, chunk in ipairs(lesson_text.chunks(
    filled(code:gsub("^\n", ""), numbers or {}))) do
    io.write(shown(chunk), " ")
    wait()
    run(chunk)
  end
end

-- Lines as typed at the prompt; $name is taken from 'numbers'.
function demo.types(code, numbers)
  each(code, numbers, function(chunk)
    local values = lesson_text.run(chunk, env)
    env._ = values[1]
    show.print(function(text) return text end,
      table.unpack(values, 1, values.n))
  end)
end

-- The same, where an error is what is to be seen.
function demo.fails(code, numbers)
  each(code, numbers, function(chunk)
    local ok, why = pcall(lesson_text.run, chunk, env)
    if ok then error("this should have failed: " .. chunk, 0) end
    io.write(tostring(why), "\n")
  end)
end

-- An expression that must be true by now.
function demo.sure(expression)
  local values = lesson_text.run(expression, env)
  if not values[1] then error("what was said is not so: " .. expression, 0) end
end

return demo

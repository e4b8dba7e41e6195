-- restore.lua - what the steps before one defined, for those who return.
--
--   require "lua.lesson.restore"(lesson, step)   true if code was run again
local capture = require "lua.session.capture_output"
local text = require "lua.text.markdown"

-- What a chunk of Lua at the prompt sets: a set of global names, or nil.
local function defines(chunk)
  local names = {}
  local list = chunk:match "^%s*([%a_][%w_,%s]*)=[^=]"
  for item in (list or ""):gmatch "[^,]+" do
    local name = item:match "^%s*([%a_][%w_]*)%s*$"
    if not name then return nil end -- 'for i =', 'local x ='
    names[name] = true
  end
  local named = chunk:match "^%s*function%s+([%a_][%w_]*)%s*%("
  if named then names[named] = true end
  return next(names) and names
end

-- Is it only there to be looked at? Then it need not be run again.
local function only_shows(chunk)
  local word = chunk:match "^%s*([%a_][%w_]*)%s*[%({\"%[]?"
  return ({ print = 1, show = 1, plot = 1, sweep = 1, compare = 1, profile = 1,
    check = 1, draw = 1, bench = 1, cards = 1, help = 1, glossary = 1, cuda = 1,
    numpy = 1, step = 1 })[word] and not defines(chunk)
end

-- The chunks of the steps before this one, of blocks that are to succeed.
local function chunks_before(l, step)
  local list = {}
  for i = 1, step - 1 do
    for _, block in ipairs(text.code(l.steps[i], "lua")) do
      local chunks = not block.fails and text.chunks(block.text) or {}
      table.move(chunks, 1, #chunks, #list + 1, list)
    end
  end
  return list
end

local function is_missing(chunks, env)
  for _, chunk in ipairs(chunks) do
    for name in pairs(defines(chunk) or {}) do
      if rawget(env, name) == nil then return true end
    end
  end
  return false
end

-- Runs f with what it prints thrown away.
local function silently(f, ...)
  local _, ok, why = capture.run(f, ...)
  if not ok and tostring(why):find "interrupted" then error(why, 0) end
end

-- A learner who returns, or goes to a step directly, has none of the variables
-- of the steps before: their code is run again, unseen, with short
-- measurements.
-- True if it was.
return function(l, step)
  local chunks, env = chunks_before(l, step), l.env or _G
  if not is_missing(chunks, env) then return false end
  local timing = require "lua.workload.timing"
  local quick = timing.quick
  timing.quick = 0.03
  local ok, why = pcall(function()
    for _, chunk in ipairs(chunks) do
      if not only_shows(chunk) then silently(text.run, chunk, env) end
    end
  end)
  timing.quick = quick
  if not ok then error(why, 0) end
  return true
end

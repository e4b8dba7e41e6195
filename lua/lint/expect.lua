-- expect.lua - what a demonstration of a lesson must show.
--
-- Below a block of Lua in lesson.md stands, hidden from the learner, what the
-- text says that it shows:
--
--   ```expect
--   shows "28 times"                  words of the screen, in this order
--   a.instructions > 1.8 * b.instructions
--   ```
--
-- Each line is a Lua expression that must be true once the block has run. It
-- sees the block's globals, `screen` (all that was printed, values of
-- expressions included), `is_gpu`, and
--
--   shows(a, b, …)     these words are on the screen, one after the other;
--                      any run of spaces and line ends is one space
--   never(a, …)        none of these is
--   picture(text)      these lines, one below the other, as they are
--   rises{…}, falls{…} each larger (smaller) than the one before
--   near(a, b [, by])  equal but for a share 'by', 1 % if not given
--
-- expect.failures(block, env, screen) -> a list of { line, sentence }
local text = require "lua.text.markdown"

local expect = {}

local function squeezed(s) return (s:gsub("%s+", " ")) end

-- The words in their order; the first that is missing, or nil.
local function missing(screen, words)
  local at = 1
  screen = squeezed(screen)
  for _, word in ipairs(words) do
    local _, last = screen:find(squeezed(word), at, true)
    if not last then return word end
    at = last + 1
  end
end

local function trimmed_lines(s)
  local lines = {}
  for line in (s .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line:match "^%s*(.-)%s*$"
  end
  while lines[1] == "" do table.remove(lines, 1) end
  while lines[#lines] == "" do lines[#lines] = nil end
  return table.concat(lines, "\n")
end

local function ordered(list, is_before)
  for i = 2, #list do
    if not is_before(list[i - 1], list[i]) then return false end
  end
  return #list > 1
end

local function vocabulary(screen, why)
  return {
    screen = screen,
    is_gpu = gpu.device.is_gpu,
    shows = function(...)
      local word = missing(screen, { ... })
      why.text = word and ("'%s' is not on the screen"):format(word)
      return not word
    end,
    never = function(...)
      for _, word in ipairs { ... } do
        if not missing(screen, { word }) then
          why.text = ("'%s' is on the screen"):format(word)
          return false
        end
      end
      return true
    end,
    picture = function(lines)
      return ("\n" .. trimmed_lines(screen) .. "\n"):find(
        "\n" .. trimmed_lines(lines) .. "\n", 1, true) ~= nil
    end,
    rises = function(list)
      return ordered(list, function(a, b) return a < b end)
    end,
    falls = function(list)
      return ordered(list, function(a, b) return a > b end)
    end,
    near = function(a, b, by)
      return math.abs(a - b) <= (by or 0.01) * math.abs(b)
    end,
  }
end

local function value_of(expression, env)
  local f = load("return " .. expression, "=expect", "t", env)
  if not f then return nil end
  local ok, v = pcall(f)
  return ok and type(v) == "number" and v or nil
end

-- Of "a < b" both sides, as far as they are numbers.
local function sides(expression, env)
  local left, right = expression:match "^(.-)%s*[<>=~]=?%s*(.+)$"
  local a, b = left and value_of(left, env), left and value_of(right, env)
  if not (a or b) then return "" end
  return ("; it is %s against %s"):format(tostring(a), tostring(b))
end

local function one_line(s)
  s = squeezed(s)
  return #s > 200 and s:sub(1, 200) .. " …" or s
end

local function judge(expression, env, screen)
  local why = {}
  local words = setmetatable(vocabulary(screen, why),
    { __index = env })
  local f, wrong = load("return " .. expression, "=expect", "t", words)
  if not f then return "it is no expression: " .. wrong end
  local ok, v = pcall(f)
  if not ok then return tostring(v):gsub("^expect:%d+: ", "") end
  if v then return nil end
  return (why.text or "not so" .. sides(expression, words))
    .. (why.text and "; the screen: " .. one_line(screen) or "")
end

function expect.failures(block, env, screen)
  local list = {}
  for _, e in ipairs(block.expect or {}) do
    for _, expression in ipairs(text.chunks(e.text)) do
      local why = judge(expression, env, screen)
      if why then
        list[#list + 1] = { line = e.line,
          text = ("expected %s: %s"):format(one_line(expression), why) }
      end
    end
  end
  return list
end

return expect

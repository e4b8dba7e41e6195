-- breakpoints.lua - breakpoints of the stepper (lua/step/stepper.lua): a line,
-- a condition in Lua, or both.
--
--   s:stop(12, "x > 3")   a breakpoint; without a condition, or a line
--   s:toggle(12)          one on that line, or none any more
--   s:run(1), s:run(-1)   to the next one, of any thread
--
-- A condition sees the values that the screen shows, as values of Lua.
local event_text = require "lua.record.event_text"

local methods = {}

-- A value as Lua has it: numbers, booleans, tables of them, else the text.
local letters = { x = 1, y = 2, z = 3, w = 4, r = 1, g = 2, b = 3, a = 4 }
local vector_meta = { __index = function(t, key)
  return rawget(t, letters[key])
end }

local function with_letters(v)
  if type(v) ~= "table" then return v end
  for _, part in pairs(v) do with_letters(part) end
  return setmetatable(v, vector_meta)
end

local function lua_value(text)
  local number = tonumber(text)
  if number then return number end
  if text == "nan" or text == "-nan" then return 0 / 0 end
  if text == "inf" then return math.huge end
  if text == "-inf" then return -math.huge end
  local f = not text:find "[^%w%s{}=,.+_-]"
    and load("return " .. text, "=", "t", {})
  local ok, v = pcall(f or error)
  if not ok or v == nil then return text end
  return with_letters(v)
end

local function is_variable(r, name)
  for _, v in ipairs(r.variables) do
    if v.name == name then return true end
  end
  return false
end

-- Where the thread is; these names come before variables.
local places = {
  thread = function(self)
    local at = event_text.position(self.r, self.group_number, self.index)
    local one = self.r.grid[2] == 1 and self.r.grid[3] == 1
    return one and at[1] or setmetatable(at, vector_meta)
  end,
  lane = function(self) return self.index % 32 end,
  simdgroup = function(self) return self.index // 32 end,
  group = function(self) return self.group_number end,
  index = function(self) return self.index end,
  line = function(self) return self.visit.line end,
  math = function() return math end,
}

-- What a condition sees, wherever the stepper stands: where the thread is, and
-- variables.
local function surroundings(self)
  return setmetatable({}, { __index = function(_, name)
    if places[name] then return places[name](self) end
    local v = self:variables(name)[1]
    if not v and not is_variable(self.r, name) then
      error(("no variable is called %s"):format(name), 0)
    end
    return v and lua_value(v.text)
  end })
end

-- Is the condition true? Not where a variable has no value yet: b.wrong is then
-- Lua's sentence, until the condition could be asked once.
local function holds(self, b)
  if not b.f then return true end
  b.sees = b.sees or surroundings(self)
  local ok, v = pcall(b.f, b.sees)
  if ok then
    b.wrong, b.asked = nil, true
  elseif not b.asked then
    b.wrong = tostring(v):gsub("^condition:1: ", ""):gsub("global ", "")
  end
  return ok and v and true or false
end

-- Why no breakpoint stopped the run.
local function nothing_met(self, step)
  for _, b in ipairs(self.breaks) do
    if b.wrong then
      return ("the condition %s is never known: %s"):format(b.condition,
        b.wrong)
    end
  end
  return step > 0 and "no breakpoint is met any more"
    or "no breakpoint was met before"
end

-- nil: it is wrong, and self.said has the sentence.
function methods:stop(line, condition)
  local b = { line = line, condition = condition }
  if condition then
    local f, why = load("local _ENV <const> = ...; return " .. condition,
      "=condition", "t")
    if not f then
      self.said = (why:gsub("^condition:1: ", "the condition: "))
      return nil
    end
    b.f = f
  end
  if line then
    local has = false
    for _, site in ipairs(self.r.sites) do
      has = has or site.kind == "line" and site.line == line
    end
    if not has then
      self.said = ("line %d has no code of the kernel"):format(line)
      return nil
    end
  end
  self.breaks[#self.breaks + 1] = b
  self.said = ("stops %s%s"):format(line and ("at line %d"):format(line)
    or "anywhere", condition and " if " .. condition or "")
  return b
end

-- A breakpoint without a condition on this line, or none any more.
function methods:toggle(line)
  for i, b in ipairs(self.breaks) do
    if b.line == line then
      table.remove(self.breaks, i)
      self.said = ("no longer stops at line %d"):format(line)
      return
    end
  end
  self:stop(line)
end

-- In the order in which it happened, whichever thread it is.
function methods:run(step)
  local sites, events = {}, self.r.events
  if #self.breaks == 0 then
    return self:stays("there is no breakpoint: x makes one on this line")
  end
  for i, site in ipairs(self.r.sites) do
    for _, b in ipairs(self.breaks) do
      if site.kind == "line" and (not b.line or b.line == site.line) then
        sites[i] = true
      end
    end
  end
  local slice, p = self.slice, self.p
  local n, last = events:at(self.p), nil
  while true do
    n = events:find(n, step, sites)
    if not n then
      self:stand(slice, p)
      return self:stays(nothing_met(self, step))
    end
    self:pass(n)
    -- a visit may have several line events
    local here = self.p
    local fresh = here ~= p and here ~= last
    last = here
    for _, b in ipairs(fresh and self.breaks or {}) do
      if (not b.line or b.line == self.visit.line) and holds(self, b) then
        return self:stand(self.slice, self.p)
      end
    end
  end
end

return { methods = methods }

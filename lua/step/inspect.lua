-- inspect.lua - what there is to see where the stepper stands
-- (lua/step/stepper.lua): the calls, the variables of the thread with what
-- changed, a variable over the lanes, memory.
local matrix = require "lua.record.simd_matrix"
local event_text = require "lua.record.event_text"

local methods = {}

function methods:name()
  return event_text.thread_name(self.r, self.group_number, self.index)
end

-- The calls, from the running function outwards: { name =, line = }.
function methods:stack()
  local list, frame, line = {}, self.visit.frame, self.visit.line
  while true do
    local f = self.r.frames[frame]
    list[#list + 1] = { name = frame == 0 and self.r.kernel or f.name,
      line = line, frame = frame }
    if frame == 0 then return list end
    frame, line = f.parent, f.line
  end
end

-- One function further out, or in again.
function methods:caller(step)
  local stack = self:stack()
  local level = self.level + step
  if level < 0 or level >= #stack then
    return self:stays(step > 0 and "this is the kernel itself"
      or "this is the function that runs")
  end
  self.level = level
  return true
end

-- The frame that is looked at, and its line.
function methods:frame()
  local f = self:stack()[self.level + 1]
  return f.frame, f.line
end

-- Is a variable of the frame in scope on that line?
local function in_scope(v, frame, line)
  return v.frame == frame and line >= v.line and (not v.last or line <= v.last)
end

-- Kernel parameters that point to a buffer's start say nothing.
local function is_plain_argument(v, text)
  return v.frame == 0 and v.pointer and text == ("&%s[0]"):format(v.name)
end

-- Of a reference or pointer to a private variable, "&ray": what that holds
-- now, and the position of its last change. It belongs to the same function or
-- to one that calls it.
local function followed(self, text, frame, own, deep)
  local name = text:match "^&([%a_][%w_]*)$"
  while name and deep < 8 do
    for number, v in ipairs(self.r.variables) do
      if v.frame == frame and v.name == name and number ~= own then
        local held, p = self.r.events:variable(self.slice, number,
          self.visit.last)
        if held then
          local further, q = followed(self, held, frame, number, deep + 1)
          return further or held, q or p
        end
      end
    end
    if frame == 0 then return nil end
    frame = self.r.frames[frame].parent
  end
end

-- What a variable held before the line, if the thread had a line before.
local function held_before(self, number)
  local _, _, first = self.r.events:range(self.slice)
  if self.visit.first <= math.max(first, 1) then return nil end
  return (self.r.events:variable(self.slice, number, self.visit.first - 1))
end

-- A variable of the frame as it is after the line; nil if it has no value yet.
local function item_of(self, number, v, frame)
  local text, p = self.r.events:variable(self.slice, number, self.visit.last)
  if not text or is_plain_argument(v, text) then return nil end
  local held, q = followed(self, text, frame, number, 0)
  if held then text, p = held, math.max(p, q) end
  local changed = p >= self.visit.first
  return { name = v.name, type = v.type, text = text, number = number,
    changed = changed, line = v.line, since = p, points = held ~= nil,
    was = changed and not held and held_before(self, number) or nil }
end

-- The variables of the frame that have a value: { name =, type =, text =,
-- changed =, was = }, those that the line changed with what they were. With a
-- name only what has it.
function methods:variables(name)
  local frame, line = self:frame()
  local list, at = {}, {}
  for number, v in ipairs(self.r.variables) do
    local item = (not name or v.name == name) and in_scope(v, frame, line)
      and item_of(self, number, v, frame)
    local hidden = at[v.name] -- one of an inner block hides the other
    if item and hidden then
      if list[hidden].line <= v.line then list[hidden] = item end
    elseif item then
      list[#list + 1] = item
      at[v.name] = #list
    end
  end
  return list
end

-- The lanes that come to this line in the same iterations: {[lane] = event},
-- how many they are, and how many lanes there are.
function methods:mask()
  local here = self.r.events:lanes(self.r.events:at(self.p))
  local count, all = 0, 0
  for lane = 0, 31 do
    if here[lane] then count = count + 1 end
    if self.r.events:slice(self.group_number,
      self.index // 32 * 32 + lane) then
      all = all + 1
    end
  end
  return here, count, all
end

-- The variable whose lanes are shown: the chosen one, else the one that
-- changed last.
function methods:lane_variable()
  local list, last = self:variables(), nil
  local short -- a struct does not fit into a lane's cell
  for _, v in ipairs(list) do
    if v.name == self.lanes_of then return v end
    if not last or v.since >= last.since then last = v end
    if (not v.text:find "^[{&]" or matrix.is(v.text)) and not v.points
      and (not short or v.since >= short.since) then
      short = v
    end
  end
  return short or last
end

-- Its value in each lane after the line: {[lane] = text}.
function methods:lane_values(variable, here)
  local out, base = {}, self.index // 32 * 32
  for lane = 0, 31 do
    local n = here[lane]
    local slice = n and self.r.events:slice(self.group_number, base + lane)
    if slice then
      local visit = event_text.visit(self.r, slice, self.r.events:before(slice,
        n))
      out[lane] = (self.r.events:variable(slice, variable.number, visit.last))
    end
  end
  return out
end

-- Of a matrix of the SIMD-group, or an array of them: the one that the line
-- changed, or the first; its number, and how many there are. nil: it is none.
function methods:lane_matrix(variable, values)
  if not variable or not matrix.is(variable.text) then return nil end
  local all = matrix.of(values)
  local n = variable.was and matrix.changed(variable.was, variable.text) or 1
  return all[n], n, #all
end

-- The next variable for the lanes, or none in particular again.
function methods:choose_lanes()
  local list, now = self:variables(), self:lane_variable()
  for i, v in ipairs(list) do
    if v == now or v.name == (now and now.name) then
      self.lanes_of = list[i % #list + 1].name
      return true
    end
  end
  return self:stays("no variable has a value here")
end

-- The next object for the memory.
function methods:choose_object(step)
  local n = #self.r.objects
  if n == 0 then return self:stays("the kernel touches no memory") end
  self.object = ((self.object or 0) - 1 + step) % n + 1
  self.pinned, self.element = true, 0
  return true
end

-- What the line did to the elements of the shown object: {[index] = "read"}.
function methods:touched()
  local out = {}
  for p = self.visit.first, self.visit.last do
    local s, _, _, _, object, offset = self.r.events:event(self.r.events:at(p))
    local site = self.r.sites[s]
    if object == self.object and site.kind ~= "value" and site.kind ~= "line"
      and site.kind ~= "lanes" and object then
      local o = self.r.objects[object]
      local to = (offset + math.max(site.size, 1) - 1) // o.element
      for i = offset // o.element, to do
        if out[i] ~= "write" and out[i] ~= "atomic" then out[i] = site.kind end
      end
    end
  end
  return out
end

-- Elements of the shown object at this moment, from 'first' on, as texts.
function methods:cells(first, count)
  return self.r.events:memory(self.object, self.moment, first, count)
end

return { methods = methods }

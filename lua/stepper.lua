-- stepper.lua - a cursor over a recording: where the stepper stands, and what
-- there is to see. Nothing of terminals: lua/stepper_view.lua makes rows of
-- text of it, lua/step.lua reads keys.
--
--   s = stepper.new(r)        at the first line of the first thread
--   s:line(1), s:line(-1)     the thread's next line, its previous one
--   s:over(1)                 the same without what is called; s:out(1)
--   s:barrier(1)              its next barrier
--   s:to_line(12, 1)          to that line
--   s:run(1)                  to the next breakpoint, of any thread
--   s:finding(1)              to the next finding of check
--   s:ends(1)                 to the thread's last line
--   s:lane(1), s:simdgroup(1), s:group(1), s:thread(5)   another thread
--   s:stop(12, "x > 3")       a breakpoint; without a condition, or a line
--
-- Each says in s.said why it did not move. s.visit is the line that the thread
-- has just gone through (lua/story.lua): variables, lanes and memory are as
-- they are after it.
local story = require "lua.story"

local stepper = {}
local methods = {}
local meta = { __index = methods }

function stepper.new(r)
  local s = setmetatable({ r = r, breaks = {}, level = 0 }, meta)
  for slice = 1, r.events:slices() do
    if r.events:visit_at(slice, 1) then
      s:stand(slice, (r.events:visit_at(slice, 1)))
      return s
    end
  end
  error("the recording has no lines", 0)
end

-------------------------------------------------------------------- standing

-- At the visit of a thread that has position p.
function methods:stand(slice, p)
  self.group_number, self.index = self.r.events:range(slice)
  self.visit = story.visit(self.r, slice, p)
  self.slice, self.p, self.level = slice, self.visit.first, 0
  self.moment = self.visit.moment
  self.said = nil
  self:look()
  return true
end

local LOOKS = 2000 -- events back

-- The memory to show: what the thread touched last, or of the pinned object
-- the element that it touched last.
function methods:look()
  local events = self.r.events
  local _, _, first = events:range(self.slice)
  first = math.max(first, self.visit.last - LOOKS)
  for p = self.visit.last, first, -1 do
    local number, _, _, _, object, offset = events:event(events:at(p))
    local kind = self.r.sites[number].kind
    if object and kind ~= "value" and kind ~= "lanes"
      and (not self.pinned or object == self.object) then
      self.object = object
      self.element = offset // self.r.objects[object].element
      return
    end
  end
end

-- Nothing further: a sentence.
local function stays(self, why)
  self.said = why
  return false
end

-- At the visit that has event n.
function methods:at(n)
  local _, group, index = self.r.events:event(n)
  local slice = self.r.events:slice(group, index)
  return self:stand(slice, self.r.events:before(slice, n))
end

function methods:line(step)
  local p = self.r.events:visit_at(self.slice, self.visit.number + step)
  if not p then
    return stays(self, step > 0 and "the thread ends here"
      or "the thread begins here")
  end
  return self:stand(self.slice, p)
end

-- Is 'frame' called by 'outer', or by what it calls?
local function is_inside(r, frame, outer)
  while frame ~= outer and frame > 0 do frame = r.frames[frame].parent end
  return frame == outer
end

-- The next line for which 'wanted' is true.
local function seek(self, step, why, wanted)
  local events, number, p = self.r.events, self.visit.number, nil
  repeat
    number = number + step
    p = events:visit_at(self.slice, number)
    if not p then return stays(self, why) end
  until wanted(self.r.sites[(events:event(events:at(p)))])
  return self:stand(self.slice, p)
end

function methods:over(step)
  local frame = self.visit.frame
  return seek(self, step, "the thread ends here", function(site)
    return site.frame == frame or not is_inside(self.r, site.frame, frame)
  end)
end

function methods:out(step)
  local frame = self.visit.frame
  if frame == 0 then return stays(self, "this is the kernel itself") end
  return seek(self, step, "the thread ends here", function(site)
    return not is_inside(self.r, site.frame, frame)
  end)
end

function methods:barrier(step)
  local events, from = self.r.events, step > 0 and self.visit.last or self.p
  local a = events:next(self.slice, from, step, "barrier")
  local b = events:next(self.slice, from, step, "simdgroup_barrier")
  local p = a and b and (step > 0 and math.min(a, b) or math.max(a, b))
    or a or b
  if not p then
    return stays(self, step > 0 and "no barrier follows in this thread"
      or "no barrier came before in this thread")
  end
  return self:stand(self.slice, p)
end

function methods:to_line(line, step)
  local p = self.r.events:next(self.slice,
    step > 0 and self.visit.last or self.p, step, "line", line)
  if not p then
    return stays(self, ("this thread does not come to line %d %s"):format(line,
      step > 0 and "any more" or "before"))
  end
  return self:stand(self.slice, p)
end

function methods:ends(step)
  return self:stand(self.slice, (self.r.events:visit_at(self.slice,
    step > 0 and self.visit.count or 1)))
end

------------------------------------------------------------- another thread

-- The same line of the same iterations, if that thread comes there; else where
-- it was at this moment.
local function switch(self, slice)
  local events = self.r.events
  local p = events:same(slice, events:at(self.p))
  local same = p ~= nil
  if not p then
    local _, _, first = events:range(slice)
    p = events:before(slice, self.moment) or first
  end
  self:stand(slice, p)
  if not same then
    self.said = "this thread does not come to that line: "
      .. "where it was at that moment"
  end
  return true
end

local function thread_there(self, group, index)
  local slice = self.r.events:slice(group, index)
  if slice then return switch(self, slice) end
  return false
end

function methods:lane(step)
  local base, lane = self.index // 32 * 32, self.index % 32
  for _ = 1, 31 do
    lane = (lane + step) % 32
    if self.r.events:slice(self.group_number, base + lane) then
      return thread_there(self, self.group_number, base + lane)
    end
  end
  return stays(self, "no other lane of this SIMD-group was recorded")
end

-- From slice to slice until 'of' gives another number.
local function leap(self, step, of, why)
  local events, slice = self.r.events, self.slice
  local mine = of(self.group_number, self.index)
  while true do
    slice = slice + step
    if slice < 1 or slice > events:slices() then return stays(self, why) end
    local group, index = events:range(slice)
    if of(group, index) ~= mine then
      local wanted = group == self.group_number
        and index // 32 * 32 + self.index % 32 or self.index
      if of(group, wanted) == of(group, index)
        and thread_there(self, group, wanted) then
        return true
      end
      return switch(self, slice)
    end
  end
end

function methods:simdgroup(step)
  return leap(self, step, function(group, index)
    return group << 16 | index // 32
  end, step > 0 and "this is the last SIMD-group that was recorded"
    or "this is the first SIMD-group that was recorded")
end

function methods:group(step)
  return leap(self, step, function(group) return group end,
    step > 0 and "this is the last threadgroup that was recorded"
    or "this is the first threadgroup that was recorded")
end

-- By its number or position in the grid.
function methods:thread(v)
  local ok, group, index = pcall(require("lua.record").find_thread, self.r, v)
  if not ok then return stays(self, group) end
  if not thread_there(self, group, index) then
    return stays(self, "that thread was not recorded")
  end
  return true
end

----------------------------------------------------------------- breakpoints

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
  if text == "nan" or text == "-nan" then return 0 / 0 end
  if text == "inf" then return math.huge end
  if text == "-inf" then return -math.huge end
  local f = not text:find "[^%w%s{}=,.+_-]"
    and load("return " .. text, "=", "t", {})
  local ok, v = pcall(f or error)
  if not ok or v == nil then return text end
  return with_letters(v)
end

-- What a condition sees at a visit: variables, then where the thread is.
local function surroundings(self)
  local at = story.position(self.r, self.group_number, self.index)
  local one = self.r.grid[2] == 1 and self.r.grid[3] == 1
  local known = { thread = one and at[1] or setmetatable(at, vector_meta),
    lane = self.index % 32, simdgroup = self.index // 32,
    group = self.group_number, index = self.index, line = self.visit.line,
    math = math }
  return setmetatable(known, { __index = function(_, name)
    for _, v in ipairs(self:variables()) do
      if v.name == name then return lua_value(v.text) end
    end
  end })
end

local function holds(self, b)
  if not b.f then return true end
  local ok, v = pcall(b.f, surroundings(self))
  return ok and v and true or false
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
    return stays(self, "there is no breakpoint: x makes one on this line")
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
      return stays(self, step > 0 and "no breakpoint is met any more"
        or "no breakpoint was met before")
    end
    self:at(n)
    -- a visit may have several line events
    local here = self.p
    local fresh = here ~= p and here ~= last
    last = here
    for _, b in ipairs(fresh and self.breaks or {}) do
      if (not b.line or b.line == self.visit.line) and holds(self, b) then
        return true
      end
    end
  end
end

-------------------------------------------------------------------- findings

-- The event of a thread that a finding is about.
local function event_of(self, at, line, name, index)
  local ok, group, number = pcall(require("lua.record").find_thread, self.r, at)
  local slice = ok and self.r.events:slice(group, number)
  if not slice then return nil end
  local events, best = self.r.events, nil
  local _, _, first, last = events:range(slice)
  for p = first, last do
    local n = events:at(p)
    local s, _, _, _, object, offset = events:event(n)
    local site = self.r.sites[s]
    if site.line == line then
      best = best or n
      local o = object and site.kind ~= "value" and self.r.objects[object]
      if o and o.name == name and (not index or offset // o.element == index)
        and site.kind ~= "line" then
        return n
      end
    end
  end
  return best
end

-- The thread does not come to the line, as to a barrier that only others reach:
-- one that does, and the last event of this one.
local function elsewhere(self, at, line)
  local sites, events = {}, self.r.events
  for i, site in ipairs(self.r.sites) do
    if site.kind == "line" and site.line == line then sites[i] = true end
  end
  local n = events:find(0, 1, sites)
  local ok, group, number = pcall(require("lua.record").find_thread, self.r, at)
  local slice = ok and events:slice(group, number)
  if not n or not slice then return n end
  local _, _, _, last = events:range(slice)
  return n, events:at(last)
end

-- Where a finding is in the recording: the event, and the other thread's.
function stepper.place(self, f)
  local a, b = f.threads[1], f.threads[2]
  if not a then return nil end
  local other = f.other_line or f.line
  local n = event_of(self, a.grid, f.line, f.buffer, f.index)
  local m = b and event_of(self, b.grid, other, f.buffer, f.index)
  if b and not (n and m) then
    local k = event_of(self, b.grid, f.line, f.buffer, f.index)
    local l = event_of(self, a.grid, other, f.buffer, f.index)
    if k and l then n, m = k, l end
  end
  if not n then return elsewhere(self, a.grid, f.line) end
  return n, m
end

function methods:set_findings(list)
  self.findings, self.found = {}, 0
  for _, f in ipairs(list) do
    local n, m = stepper.place(self, f)
    if n then self.findings[#self.findings + 1] = { f = f, n = n, m = m } end
  end
end

-- Without a list yet, self.look_for() gives one.
function methods:finding(step)
  if not self.findings then
    self:set_findings(self.look_for and self.look_for() or {})
  end
  if #self.findings == 0 then return stays(self, "check finds nothing here") end
  if self.found == 0 and step < 0 then self.found = 1 end
  self.found = (self.found - 1 + step) % #self.findings + 1
  local x = self.findings[self.found]
  self.pinned = nil
  self:at(x.n)
  self.other = nil
  if x.m then
    local _, group, index = self.r.events:event(x.m)
    local slice = self.r.events:slice(group, index)
    self.other = { slice = slice, p = self.r.events:before(slice, x.m) }
    self.other.visit = story.visit(self.r, slice, self.other.p)
    self.other.name = story.thread_name(self.r, group, index)
  end
  self.said = ("finding %d of %d: %s"):format(self.found, #self.findings,
    x.f.message or x.f.kind)
  return true
end

-- The other thread of a race becomes the one that is looked at.
function methods:swap()
  local o = self.other
  if not o then return stays(self, "there is no second thread in view") end
  local mine = { slice = self.slice, p = self.p, visit = self.visit,
    name = self:name() }
  self:stand(o.slice, o.p)
  self.other = mine
  return true
end

-------------------------------------------------------- what there is to see

function methods:name()
  return story.thread_name(self.r, self.group_number, self.index)
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
    return stays(self, step > 0 and "this is the kernel itself"
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

-- The variables of the frame that have a value: { name =, type =, text =,
-- changed =, was = }, those that the line changed with what they were.
function methods:variables()
  local frame, line = self:frame()
  local list, at, events = {}, {}, self.r.events
  for number, v in ipairs(self.r.variables) do
    if in_scope(v, frame, line) then
      local text, p = events:variable(self.slice, number, self.visit.last)
      if text and not is_plain_argument(v, text) then
        local held, q = followed(self, text, frame, number, 0)
        if held then text, p = held, math.max(p, q) end
        local item = { name = v.name, type = v.type, text = text,
          number = number, changed = p >= self.visit.first, line = v.line,
          since = p, points = held ~= nil }
        if item.changed and self.visit.first > 1 and not held then
          local _, _, first = events:range(self.slice)
          if self.visit.first > first then
            item.was = (events:variable(self.slice, number,
              self.visit.first - 1))
          end
        end
        local hidden = at[v.name] -- one of an inner block hides the other
        if hidden and list[hidden].line <= v.line then list[hidden] = item
        elseif not hidden then
          list[#list + 1] = item
          at[v.name] = #list
        end
      end
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
    if not v.text:find "^[{&]" and not v.points
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
      local visit = story.visit(self.r, slice, self.r.events:before(slice, n))
      out[lane] = (self.r.events:variable(slice, variable.number, visit.last))
    end
  end
  return out
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
  return stays(self, "no variable has a value here")
end

-- The next object for the memory.
function methods:choose_object(step)
  local n = #self.r.objects
  if n == 0 then return stays(self, "the kernel touches no memory") end
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

return stepper

-- stepper.lua - a cursor over a recording: where the stepper stands, and what
-- there is to see. Nothing of terminals: lua/step/view.lua makes rows of
-- text of it, lua/step/step.lua reads keys. Moving is here;
-- lua/step/breakpoints.lua has breakpoints, lua/record/findings.lua what check
-- found, lua/step/inspect.lua what there is to see.
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
-- has just gone through (lua/record/event_text.lua): variables, lanes and
-- memory are as they are after it.
local breakpoints = require "lua.step.breakpoints"
local event_text = require "lua.record.event_text"
local findings = require "lua.record.findings"
local inspect = require "lua.step.inspect"

local stepper = {}
local methods = {}
local meta = { __index = methods }
for _, part in ipairs { breakpoints, findings, inspect } do
  for name, f in pairs(part.methods) do methods[name] = f end
end

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

local function move(self, slice, visit)
  self.group_number, self.index = self.r.events:range(slice)
  self.visit, self.slice, self.p, self.level = visit, slice, visit.first, 0
  self.moment = visit.moment
end

-- At the visit of a thread that has position p.
function methods:stand(slice, p)
  move(self, slice, event_text.visit(self.r, slice, p))
  self.said = nil
  self:look()
  return true
end

-- On the way, at the visit that has event n: variables can be asked for, but
-- nothing is put into words, which would take most of the time.
function methods:pass(n)
  local _, group, index = self.r.events:event(n)
  local slice = self.r.events:slice(group, index)
  move(self, slice, event_text.place(self.r, slice,
    self.r.events:before(slice, n)))
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
function methods:stays(why)
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
    return self:stays(step > 0 and "the thread ends here"
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
    if not p then return self:stays(why) end
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
  if frame == 0 then return self:stays("this is the kernel itself") end
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
    return self:stays(step > 0 and "no barrier follows in this thread"
      or "no barrier came before in this thread")
  end
  return self:stand(self.slice, p)
end

function methods:to_line(line, step)
  local p = self.r.events:next(self.slice,
    step > 0 and self.visit.last or self.p, step, "line", line)
  if not p then
    return self:stays(("this thread does not come to line %d %s"):format(line,
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
  return self:stays("no other lane of this SIMD-group was recorded")
end

-- From slice to slice until 'of' gives another number.
local function leap(self, step, of, why)
  local events, slice = self.r.events, self.slice
  local mine = of(self.group_number, self.index)
  while true do
    slice = slice + step
    if slice < 1 or slice > events:slices() then return self:stays(why) end
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
  local ok, group, index = pcall(require("lua.record.record").find_thread,
    self.r, v)
  if not ok then return self:stays(group) end
  if not thread_there(self, group, index) then
    return self:stays("that thread was not recorded")
  end
  return true
end

return stepper

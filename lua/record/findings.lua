-- findings.lua - what check found, in a recording of the same launch.
--
--   findings.of(r)            check's findings in the launch that was recorded
--   findings.place(r, f)      the event that a finding is about, and the other
--                             thread's; nil: the recording has none
--   findings.placed(r, list)  those that have a place: {f =, n =, m =}
--   s:finding(1)              the stepper's way (lua/step/stepper.lua) to the
--                             next one
--   s:swap()                  the other thread of a race
local event_text = require "lua.record.event_text"

local findings = {}
local methods = {}
findings.methods = methods

function findings.of(r)
  if not r.again then return {} end
  local run = require("lua.check.check").run
  local ok, report = pcall(run, r.again.kernel, r.again.launch)
  return ok and report or {}
end

-- The slice of events of a thread, by its position in the grid.
local function slice_at(r, at)
  local ok, group, index = pcall(require("lua.record.record").find_thread, r,
    at)
  return ok and r.events:slice(group, index) or nil
end

-- The event of a thread that a finding is about.
local function event_of(r, at, line, name, index)
  local slice = slice_at(r, at)
  if not slice then return nil end
  local events, best = r.events, nil
  local _, _, first, last = events:range(slice)
  for p = first, last do
    local n = events:at(p)
    local s, _, _, _, object, offset = events:event(n)
    local site = r.sites[s]
    if site.line == line then
      best = best or n
      local o = object and site.kind ~= "value" and r.objects[object]
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
local function elsewhere(r, at, line)
  local sites, events = {}, r.events
  for i, site in ipairs(r.sites) do
    if site.kind == "line" and site.line == line then sites[i] = true end
  end
  local n = events:find(0, 1, sites)
  local slice = slice_at(r, at)
  if not n or not slice then return n end
  local _, _, _, last = events:range(slice)
  return n, events:at(last)
end

-- Where a finding is in the recording: the event, and the other thread's.
function findings.place(r, f)
  local a, b = f.threads[1], f.threads[2]
  if not a then return nil end
  local other = f.other_line or f.line
  local n = event_of(r, a.grid, f.line, f.buffer, f.index)
  local m = b and event_of(r, b.grid, other, f.buffer, f.index)
  if b and not (n and m) then
    local k = event_of(r, b.grid, f.line, f.buffer, f.index)
    local l = event_of(r, a.grid, other, f.buffer, f.index)
    if k and l then n, m = k, l end
  end
  if not n then return elsewhere(r, a.grid, f.line) end
  return n, m
end

function findings.placed(r, list)
  local out = {}
  for _, f in ipairs(list) do
    local n, m = findings.place(r, f)
    if n then out[#out + 1] = { f = f, n = n, m = m } end
  end
  return out
end

function methods:set_findings(list)
  self.findings, self.found = findings.placed(self.r, list), 0
end

function methods:finding(step)
  if not self.findings then self:set_findings(findings.of(self.r)) end
  if #self.findings == 0 then return self:stays("check finds nothing here") end
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
    self.other.visit = event_text.visit(self.r, slice, self.other.p)
    self.other.name = event_text.thread_name(self.r, group, index)
  end
  self.said = ("finding %d of %d: %s"):format(self.found, #self.findings,
    x.f.message or x.f.kind)
  return true
end

-- The other thread of a race becomes the one that is looked at.
function methods:swap()
  local o = self.other
  if not o then return self:stays("there is no second thread in view") end
  local mine = { slice = self.slice, p = self.p, visit = self.visit,
    name = self:name() }
  self:stand(o.slice, o.p)
  self.other = mine
  return true
end

return findings

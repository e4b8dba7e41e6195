-- event_text.lua - what the events of a recording say, in words: for
-- record.lua, the stepper and the page.
--
--   event_text.told(r, n)          an event: "tile[3] = 2", "v = 1.5"
--   event_text.visit(r, slice, p)  a thread at a line, at position p: { line =,
--                                  frame =, first =, last =, number =, count =,
--                                  does = {…} }
--   event_text.place(r, slice, p)  the same without the words
--   event_text.thread_name(r, group, index)
--                                  where it is in the grid: "(3, 1)"
--   event_text.lines(r)            the source, line by line
local system = require "mettle.system"

local event_text = {}

function event_text.spell(list, grid)
  local n = grid[3] > 1 and 3 or grid[2] > 1 and 2 or 1
  if n == 1 then return tostring(list[1]) end
  return "(" .. table.concat(list, ", ", 1, n) .. ")"
end

-- Where the thread is in the grid, as a list.
function event_text.position(r, group, index)
  local at, rest, inside = {}, group, index
  local numbers, sizes = {}, {}
  for d = 1, 3 do
    numbers[d] = rest % r.groups[d]
    rest = rest // r.groups[d]
    sizes[d] = math.min(r.group[d], r.grid[d] - numbers[d] * r.group[d])
  end
  for d = 1, 3 do
    at[d] = numbers[d] * r.group[d] + inside % sizes[d]
    inside = inside // sizes[d]
  end
  return at
end

function event_text.thread_name(r, group, index)
  return event_text.spell(event_text.position(r, group, index), r.grid)
end

-- Is it read from threadgroup memory that no thread has written? Of a recording
-- of some threads that cannot be told.
local function is_left_over(r, n, object)
  return r.objects[object].space == "threadgroup" and not r.narrowed
    and r.events:unwritten(n)
end

function event_text.told(r, n)
  local number, _, _, _, object, offset = r.events:event(n)
  local site = r.sites[number]
  local kind, value = site.kind, r.events:value(n)
  if kind == "value" then
    return ("%s = %s"):format(r.events:name(n), value)
  end
  if kind == "read" then
    return ("%s is %s%s"):format(r.events:place(n), value,
      is_left_over(r, n, object) and " (left over: not written yet)" or "")
  elseif kind == "write" then
    return ("%s = %s"):format(r.events:place(n), value)
  elseif kind == "atomic" then
    return ("%s: %s"):format(r.events:place(n), value)
  elseif kind == "lanes" then
    return ("%s gives %s%s"):format(site.name, value,
      offset >= 0 and (" from lane %d"):format(offset) or "")
  end
  return kind == "simdgroup_barrier" and "SIMD-group barrier" or kind
end

-- The visit that has position p. nil: the thread comes to no line.
function event_text.place(r, slice, p)
  local events = r.events
  local start, last, number, count = events:visit(slice, p)
  if not start then return nil end
  local site = r.sites[(events:event(events:at(start)))]
  return { line = site.line, file = site.file, frame = site.frame,
    text = site.text, first = start, last = last, number = number,
    count = count, moment = events:at(last) }
end

-- The event's words at the end of a list. Texels are touched channel by
-- channel: these come together, "t(3, 1) is {1, 0, 0, 1}". 'last' is the texel
-- that the event before this one touched; the one of this event is returned.
local function tell(r, n, list, last)
  local number, _, _, _, object, offset = r.events:event(n)
  local site = r.sites[number]
  local o = object and (site.kind == "read" or site.kind == "write")
    and r.objects[object]
  if not o or not o.extent then
    list[#list + 1] = event_text.told(r, n)
    return nil
  end
  local texel = { kind = site.kind, place = r.events:place(n),
    next = offset + site.size, values = { r.events:value(n) } }
  if last and last.kind == texel.kind and last.place == texel.place
    and last.next == offset then
    last.values[#last.values + 1] = texel.values[1]
    last.next = texel.next
    list[#list] = ("%s %s {%s}"):format(last.place,
      last.kind == "read" and "is" or "=", table.concat(last.values, ", "))
    return last
  end
  list[#list + 1] = event_text.told(r, n)
  return texel
end

-- With what was done. What comes before the thread's first line belongs to that
-- one, as 'given'.
function event_text.visit(r, slice, p)
  local events, visit = r.events, event_text.place(r, slice, p)
  if not visit then return nil end
  visit.does = {}
  local texel
  for at = visit.first + 1, visit.last do
    local n = events:at(at)
    if r.sites[(events:event(n))].kind ~= "line" then
      texel = tell(r, n, visit.does, texel)
    end
  end
  if visit.number == 1 then
    local _, _, first = events:range(slice)
    visit.given = {}
    for at = first, visit.first - 1 do
      visit.given[#visit.given + 1] = event_text.told(r, events:at(at))
    end
  end
  return visit
end

function event_text.lines(r)
  if not r.source_lines then
    r.source_lines = {}
    for line in (r.source .. "\n"):gmatch "([^\n]*)\n" do
      line = line:gsub("\r$", ""):gsub("\t", "  ")
      r.source_lines[#r.source_lines + 1] = system.visible(line)
    end
  end
  return r.source_lines
end

-- The text of a line; of another file where the site has it.
function event_text.text(r, line, file, text)
  if file ~= r.file and text then
    return system.visible((text:gsub("\t", "  ")))
  end
  return event_text.lines(r)[line] or ""
end

return event_text

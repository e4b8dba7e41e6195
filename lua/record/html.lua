-- html.lua - a recording as one HTML page that needs nothing else: the
-- stepper of lua/step/step.lua for a browser, from lua/text/pages/record.html.
--
-- The page gets visits (a thread at a line), each with the variables that it
-- changed and the memory that it wrote, in the order of the recorded run; it
-- never sees single events.
local findings = require "lua.record.findings"
local page = require "lua.text.page"
local record = require "lua.record.record"
local event_text = require "lua.record.event_text"
local units = require "lua.text.units"

local html = {}

local EVENTS = 500000 -- a page of a few ten megabytes
local CELLS = 16384   -- of one object
local list = { __list = true }

local function new() return setmetatable({}, list) end

-- Texts occur often: each once, and its number from 0 on.
local function words()
  local all, numbers = new(), {}
  return all, function(text)
    if not numbers[text] then
      all[#all + 1] = text
      numbers[text] = #all - 1
    end
    return numbers[text]
  end
end

-- A variable after the visit. Event n gives it a value there: all that there is
-- for the parameters of a function that the line calls.
local function value_of(r, slice, visit, variable, n)
  return r.events:variable(slice, variable, visit.last) or r.events:value(n)
end

-- What a visit did to variables and memory.
local function effects(r, slice, visit, word)
  local events = r.events
  local changed, seen, touched = new(), {}, new()
  local from = visit.first
  if visit.number == 1 then
    local _, _, first = events:range(slice)
    from = first
  end
  for p = from, visit.last do
    local n = events:at(p)
    local s, _, _, _, object, offset = events:event(n)
    local site = r.sites[s]
    if site.kind == "value" then
      if not seen[object] then
        seen[object] = true
        changed[#changed + 1] = setmetatable({ object - 1,
          word(value_of(r, slice, visit, object, n)) }, list)
      end
    elseif object and site.kind ~= "lanes" and site.kind ~= "line" then
      local o = r.objects[object]
      local first = offset // o.element
      local last = (offset + math.max(site.size, 1) - 1) // o.element
      local count = math.min(o.size // o.element, CELLS)
      for i = first, math.min(last, count - 1) do
        if i >= 0 then
          local text = site.kind ~= "read"
            and word(events:memory(object, n, i, 1)[1]) or -1
          touched[#touched + 1] = setmetatable({ object - 1, i, text }, list)
        end
      end
    end
  end
  return changed, touched
end

local function does_of(visit)
  local out = {}
  for _, v in ipairs(visit.given or {}) do
    local name, of = v:match "^([%w_]+) = &([%w_]+)%[0%]$"
    if not name or name ~= of then out[#out + 1] = v end
  end
  for _, v in ipairs(visit.does) do out[#out + 1] = v end
  return table.concat(out, "; ")
end

-- Every visit as { thread, line, frame, lanes' key, words, changed, touched,
-- barrier }, in the order in which they ended. Returns the number of the visit
-- that has event n.
local function visits(r, out, word)
  local events, all, keys, count = r.events, {}, {}, 0
  for slice = 1, events:slices() do
    local group, index = events:range(slice)
    out.threads[slice] = setmetatable({ event_text.thread_name(r, group, index),
      group, index }, list)
    local number = 1
    local p = events:visit_at(slice, number)
    while p do
      local visit = event_text.visit(r, slice, p)
      local key = events:key(events:at(p))
      if not keys[key] then keys[key], count = count, count + 1 end
      local changed, touched = effects(r, slice, visit, word)
      local barrier = table.concat(visit.does, "; "):find "barrier" and 1 or 0
      all[#all + 1] = { moment = visit.moment, slice = slice,
        first = visit.first, row = setmetatable({ slice - 1,
        visit.line, visit.frame, keys[key], word(does_of(visit)), changed,
        touched, barrier }, list) }
      number = number + 1
      p = events:visit_at(slice, number)
    end
  end
  table.sort(all, function(a, b) return a.moment < b.moment end)
  local numbers = {}
  for i, v in ipairs(all) do
    out.visits[i] = v.row
    numbers[v.slice << 32 | v.first] = i - 1
  end
  return function(n)
    local _, group, index = events:event(n)
    local slice = events:slice(group, index)
    return numbers[slice << 32 | events:visit(slice, events:before(slice, n))]
  end
end

-- What check found in the same launch: { visit, the other thread's or -1,
-- sentence }.
local function findings_of(r, out, visit_of)
  for _, x in ipairs(findings.placed(r, findings.of(r))) do
    local here, there = visit_of(x.n), x.m and visit_of(x.m)
    if here then
      out.findings[#out.findings + 1] = setmetatable({ here, there or -1,
        x.f.message or x.f.kind }, list)
    end
  end
end

local function objects(r, out, word)
  for i, o in ipairs(r.objects) do
    local cells, all = new(), o.size // o.element
    for k, text in ipairs(r.events:memory(i, 0, 0, math.min(all, CELLS))) do
      cells[k] = word(text)
    end
    out.objects[i] = { name = o.name, type = o.type or "", space = o.space,
      count = all, cells = cells, row = o.row > 0 and o.row
        or o.extent and o.row_bytes // o.element or 0 }
  end
end

local function sizes(list)
  return table.concat(list, " × ", 1, list[3] > 1 and 3 or list[2] > 1 and 2
    or 1)
end

function html.data(r)
  if r.events:count() > EVENTS then
    error(("a page has at most %s events, and the recording %s: record a part "
      .. "of the launch with only = {group = 0} or threads = {0, 31}")
      :format(units.count(EVENTS), units.count(r.events:count())), 0)
  end
  local texts, word = words()
  local out = { kernel = r.kernel, source = new(), threads = new(),
    visits = new(), objects = new(), variables = new(), frames = new(),
    findings = new(),
    notes = setmetatable(record.honest(r), list), words = texts,
    launch = ("grid %s, threadgroups of %s"):format(sizes(r.grid),
      sizes(r.group)) }
  for i, line in ipairs(event_text.lines(r)) do out.source[i] = line end
  while out.source[#out.source] == "" do out.source[#out.source] = nil end
  for i, v in ipairs(r.variables) do
    out.variables[i] = { name = v.name, type = v.type or "", frame = v.frame,
      line = v.line, last = v.last or 0, pointer = v.pointer or false }
  end
  for i = 0, #r.frames do
    local f = r.frames[i]
    out.frames[i + 1] = { name = i == 0 and r.kernel or f.name,
      parent = f.parent or 0, line = f.line or 0 }
  end
  objects(r, out, word)
  findings_of(r, out, visits(r, out, word))
  return out
end

function html.page(r)
  return page.of("record", "Step by step: " .. r.kernel, html.data(r))
end

return html

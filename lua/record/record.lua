-- record.lua - record{…}: a launch with every line, variable and access of its
-- threads.
--
--   record.record(t)      the global record: { k, arguments…, grid = …,
--                         only = …, threads = …, schedule = … }
--   record.is(v)          is it a recording?
--
-- A recording is a value:
--
--   r:thread(5)           what that thread does, line by line, with the values
--   r:at(12)              who came to that line, and what happened there
--   r:who("x", 3)         everyone who touched that element, in order
--   r:lanes("v", 7)       a variable over the lanes of a SIMD-group, after that
--                         line
--   r:memory("tile", m)   a buffer or variable as it was at a moment
--   r:diff(other)         where two recordings part
--   r:save "x.html"       the stepper as a page (lua/record/html.lua)
--
-- A moment is the number of an event: rows of r:thread and r:at have one. The
-- events stay in C (lua/bind/tools/record.c, lua/bind/tools/record/query.c);
-- lua/record/recording.lua runs the launch, lua/record/event_text.lua has the
-- words.
local matrix = require "lua.record.simd_matrix"
local own_launch = require "lua.workload.own_launch"
local workload = require "lua.workload.workload"
local recording = require "lua.record.recording"
local event_text = require "lua.record.event_text"
local system = require "mettle.system"
local units = require "lua.text.units"

local record = {}

local EVENTS = 10000000 -- half a gigabyte, unless events = … says more
local words = recording.words { schedule = recording.schedule }

local methods = {}
record.methods = methods -- for completion
local meta = { __index = methods, __name = "recording" }

local function width_of()
  return math.max(60, math.min(system.width(), 132))
end

-- "64", "8 × 4"
local function grid_words(grid)
  return table.concat(grid, " × ", 1, grid[3] > 1 and 3 or grid[2] > 1 and 2
    or 1)
end

-- The number of a thread, given as a number in the grid or as its position.
local function find_thread(r, v)
  local grid, at = r.grid, v
  if type(v) ~= "table" then
    local n = math.tointeger(v)
    at = n and { n % grid[1], n // grid[1] % grid[2],
      n // grid[1] // grid[2] } or {}
  end
  local group, index = 0, 0
  for d = 3, 1, -1 do
    local x = math.tointeger(at[d] or (d > 1 and 0 or -1))
    if not x or x < 0 or x >= grid[d] then
      error(("there is no thread %s; the grid has %s"):format(
        type(v) == "table" and event_text.spell(v, { 2, 2, #v > 2 and 2 or 1 })
        or tostring(v), grid_words(grid)), 0)
    end
    local number = x // r.group[d]
    local size = math.min(r.group[d], grid[d] - number * r.group[d])
    group, index = group * r.groups[d] + number, index * size + x % r.group[d]
  end
  return group, index, { at[1], at[2] or 0, at[3] or 0 }
end
record.find_thread = find_thread

-- A moment: the number of an event, or what has one.
local function moment_of(r, v, word)
  if type(v) == "table" then v = v.moment end
  local n = math.tointeger(v)
  if not n or n < 0 or n > r.events:count() then
    error(("%s is a moment from 0 to %s, as rows of r:thread(0) and r:at(line) "
      .. "have one: r:thread(0)[1].moment")
      :format(word, units.count(r.events:count())), 0)
  end
  return n
end

----------------------------------------------------------------- thread(number)

local story_meta = { __name = "story" }

function story_meta:__tostring()
  local width = width_of()
  local lines = { self.title }
  local left = (width - 9) * 9 // 20
  for _, row in ipairs(self) do
    local text = units.pad(units.cut(row.text, left), left)
    local before = (" "):rep(left + 9)
    local does = units.wrap(table.concat(row.does, "; "), width, before, before)
    lines[#lines + 1] = (("%5d  %s  %s"):format(row.line, text,
      does:sub(#before + 1)):gsub(" +$", ""))
  end
  return table.concat(lines, "\n")
end

-- Does the row say something? Not the second visit to a loop's head, a brace.
local function says(row, before)
  if #row.does > 0 then return true end
  return not row.text:find "^%s*[{}]*%s*$"
    and not (before and before.line == row.line)
end

local function thread(r, v)
  local group, index, at = find_thread(r, v)
  local slice = r.events:slice(group, index)
  if not slice then
    error(("thread %s was not recorded"):format(event_text.spell(at, r.grid)),
      0)
  end
  local rows = setmetatable({ group = group, index = index }, story_meta)
  local given, number = {}, 1
  local p = r.events:visit_at(slice, number)
  while p do
    local visit = event_text.visit(r, slice, p)
    visit.text = event_text.text(r, visit.line, visit.file, visit.text)
    given = visit.given or given
    local last = rows[#rows]
    if last and last.line == visit.line and #last.does == 0 then
      rows[#rows] = visit
    else
      rows[#rows + 1] = visit
    end
    number = number + 1
    p = r.events:visit_at(slice, number)
  end
  local kept, count = 0, #rows
  for i = 1, count do
    if says(rows[i], rows[kept]) then kept = kept + 1 rows[kept] = rows[i] end
  end
  for i = kept + 1, count do rows[i] = nil end
  rows.title = units.wrap((
    "thread %s: threadgroup %d, SIMD-group %d, lane %d%s"):format(
    event_text.spell(at, r.grid), group, index // 32, index % 32,
    #given > 0 and "; " .. table.concat(given, ", ") or ""), width_of(), "",
    "  ")
  return rows
end

----------------------------------------------------------------------- at(line)

local AT_ROWS = 40

local at_meta = { __name = "visits" }
function at_meta:__tostring()
  local lines = { self.title }
  for i = 1, math.min(#self, AT_ROWS) do
    local v = self[i]
    lines[#lines + 1] = units.wrap(("thread %s, moment %d%s%s"):format(
      v.thread, v.moment, #v.does > 0 and ": " or "",
      table.concat(v.does, "; ")), width_of(), "  ", "      ")
  end
  if #self > AT_ROWS then
    lines[#lines + 1] = (
      "  … %s more; a row is a value: v = r:at(%d); v[%d]"):format(
      units.count(#self - AT_ROWS), self.line, AT_ROWS + 1)
  end
  return table.concat(lines, "\n")
end

-- Sites of lines, and those lines that have some.
local function line_sites(r, line)
  local sites, known, seen = {}, {}, {}
  for i, site in ipairs(r.sites) do
    if site.kind == "line" and site.file == r.file then
      if site.line == line then sites[i] = true end
      if not seen[site.line] then
        seen[site.line] = true
        known[#known + 1] = site.line
      end
    end
  end
  table.sort(known)
  return sites, known
end

local function at(r, line)
  line = math.tointeger(line)
  local sites, known = line_sites(r, line)
  if not line or next(sites) == nil then
    error(("line %s has no code of the kernel; lines that have are %s"):format(
      tostring(line), table.concat(known, ", ")), 0)
  end
  local list = setmetatable({ line = line }, at_meta)
  local threads, seen = 0, {}
  for _, n in ipairs((r.events:select(sites))) do
    local _, group, index = r.events:event(n)
    local slice = r.events:slice(group, index)
    local first = r.events:visit(slice, r.events:before(slice, n))
    if not seen[slice] then threads = threads + 1 end
    if seen[slice] ~= first then -- a line may have several line events
      seen[slice] = first
      local visit = event_text.visit(r, slice, first)
      visit.thread = event_text.thread_name(r, group, index)
      visit.group, visit.index = group, index
      list[#list + 1] = visit
    end
  end
  local text = units.cut(event_text.lines(r)[line]:gsub("^%s+", ""), 60)
  list.title = #list == 0 and ("line %d, %s: no thread reached it"):format(line,
    text)
    or ("line %d, %s: %s, %s"):format(line, text,
      units.many(threads, "thread"), units.many(#list, "time"))
  return list
end

--------------------------------------------------------------- who(name, index)

local list_meta = { __name = "accesses" }
function list_meta:__tostring()
  local lines = {}
  for i, a in ipairs(self) do
    lines[i] = ("thread %s, line %d, after %s: %s"):format(a.thread, a.line,
      units.many(a.epoch, "barrier"), a.text)
  end
  return #lines > 0 and table.concat(lines, "\n") or "no thread touched it"
end

local function object_named(r, name)
  local names = {}
  for i, o in ipairs(r.objects) do
    if o.name == name then return i, o end
    names[#names + 1] = o.name
  end
  error(("%s has no '%s'; it has %s"):format(r.kernel, tostring(name),
    table.concat(names, ", ")), 0)
end

local function who(r, name, index)
  local number, o = object_named(r, name)
  index = math.tointeger(index)
  if not index or index < 0 or (index + 1) * o.element > o.size then
    error(("%s has %s elements, from 0 on: r:who(\"%s\", 0)"):format(name,
      units.count(o.size // o.element), name), 0)
  end
  local list = setmetatable({}, list_meta)
  for _, n in ipairs(r.events:touched(number, index * o.element,
    (index + 1) * o.element)) do
    local s, group, t, epoch = r.events:event(n)
    list[#list + 1] = { thread = event_text.thread_name(r, group, t),
      group = group,
      index = t, line = r.sites[s].line, epoch = epoch,
      kind = r.sites[s].kind, moment = n, value = r.events:value(n),
      text = event_text.told(r, n) }
  end
  return list
end

---------------------------------------------------------- memory(name, moment)

local memory_meta = { __name = "memory" }
function memory_meta:__tostring()
  local width, shown = 1, math.min(self.count, 1024)
  for i = 0, shown - 1 do width = math.max(width, units.width(self[i])) end
  local label = #tostring(shown)
  local across = self.row
  if not across or across * (width + 1) + label + 3 > width_of() then
    across = 1
    while across < 32 and across * 2 * (width + 1) + label + 3 <= width_of() do
      across = across * 2
    end
  end
  local lines = { self.title }
  for first = 0, shown - 1, across do
    local cells = {}
    for i = first, math.min(first + across, shown) - 1 do
      cells[#cells + 1] = units.right(self[i], width)
    end
    lines[#lines + 1] = ("%s  %s"):format(units.right(tostring(first),
      label + 1), table.concat(cells, " "))
  end
  if self.count > shown then
    lines[#lines + 1] = ("  … %s more"):format(units.count(self.count - shown))
  end
  return table.concat(lines, "\n")
end

local function memory(r, name, v)
  local number, o = object_named(r, name)
  local moment = v == nil and r.events:count()
    or moment_of(r, v, "the second argument")
  local count = o.size // o.element
  local out = setmetatable({ count = count, moment = moment,
    row = o.row > 0 and o.row or o.extent and o.row_bytes // o.element or nil },
    memory_meta)
  for i, text in ipairs(r.events:memory(number, moment, 0, count)) do
    out[i - 1] = text
  end
  local where = "before the launch"
  if moment > 0 then
    local s, group, t = r.events:event(moment)
    where = ("at moment %d: thread %s, line %d"):format(moment,
      event_text.thread_name(r, group, t), r.sites[s].line)
    if o.space == "threadgroup" then
      where = where .. (", threadgroup %d"):format(group)
    end
  end
  out.title = ("%s %s"):format(name, where)
  return out
end

------------------------------------------------------------------- diff(other)

local parting_meta = { __name = "parting" }
function parting_meta:__tostring() return self.text end

local function side(r, n)
  if not n then return nil end
  local s, group, t, epoch = r.events:event(n)
  local site = r.sites[s]
  return { moment = n, line = site.line, group = group, index = t,
    thread = event_text.thread_name(r, group, t), epoch = epoch,
    text = site.kind == "line" and ("comes to line %d"):format(site.line)
      or event_text.told(r, n) }
end

local function diff(r, other)
  if not record.is(other) then
    error("diff takes another recording: r:diff(record{…})", 0)
  end
  for d = 1, 3 do
    if r.grid[d] ~= other.grid[d] or r.group[d] ~= other.group[d] then
      error("the two recordings have other grids or threadgroups: "
        .. "record both with the same", 0)
    end
  end
  local found, mine, theirs = r.events:part(other.events,
    r.source == other.source and r.kernel == other.kernel)
  local out = setmetatable({ parts = found, here = side(r, mine),
    there = side(other, theirs) }, parting_meta)
  if not found then
    out.text = "They do not part: every thread does the same in both."
  else
    local at_ = out.here or out.there
    local function says_(x, where)
      if not x then return ("%s the thread has ended"):format(where) end
      return ("%s (line %d, moment %d): %s"):format(where, x.line, x.moment,
        x.text)
    end
    out.text = ("They part in thread %s, after %s:\n  %s\n  %s")
      :format(at_.thread, units.many(at_.epoch, "barrier"),
        says_(out.here, "here"), says_(out.there, "there"))
  end
  return out
end

-------------------------------------------------------------- lanes(name, line)

local lanes_meta = { __name = "lanes" }

-- A matrix of the SIMD-group: 8 × 8 in place of the lanes' pairs.
local function write_matrix(lines, m)
  local width = 0
  for row = 0, 7 do
    for column = 0, 7 do
      width = math.max(width, units.width(m[row][column]))
    end
  end
  for row = 0, 7 do
    local cells = {}
    for column = 0, 7 do
      cells[column + 1] = units.right(m[row][column], width)
    end
    lines[#lines + 1] = "  " .. table.concat(cells, " ")
  end
end

local function matrices_text(self)
  local lines = { self.title }
  for i, m in ipairs(self.matrices) do
    if #self.matrices > 1 then
      lines[#lines + 1] = ("matrix %d of %d:"):format(i, #self.matrices)
    end
    write_matrix(lines, m)
  end
  return table.concat(lines, "\n")
end

function lanes_meta:__tostring()
  if self.matrices then return matrices_text(self) end
  local width = 0
  for lane = 0, self.last do
    width = math.max(width, units.width(self[lane] or ""))
  end
  local across = math.max(1, math.min(8, (system.width() - 2) // (width + 6)))
  local lines, line = { self.title }, {}
  for lane = 0, self.last do
    line[#line + 1] = ("%3d: %s"):format(lane,
      units.right(self[lane] or "·", width))
    if #line == across or lane == self.last then
      lines[#lines + 1], line = table.concat(line, " "), {}
    end
  end
  return table.concat(lines, "\n")
end

-- The sites that give 'name' a value; else what others do.
local function value_sites(r, name, line)
  local sites, known, seen = {}, {}, {}
  for i, site in ipairs(r.sites) do
    local v = site.variable and r.variables[site.variable]
    if v then
      if not seen[v.name] then
        seen[v.name] = true
        known[#known + 1] = v.name
      end
      if v.name == name and (not line or site.line == line) then
        sites[i] = true
      end
    end
  end
  table.sort(known)
  return sites, known
end

-- The last lane of a SIMD-group that was recorded.
local function last_lane(r, group, simdgroup)
  local lane = 31
  while lane > 0 and not r.events:slice(group, simdgroup * 32 + lane) do
    lane = lane - 1
  end
  return lane
end

-- The last value that 'name' got at 'line' in each lane of the first SIMD-group
-- that was recorded; 'which' chooses another: {group = 0, simdgroup = 1}.
local function lanes(r, name, line, which)
  which = which or {}
  local out = setmetatable({}, lanes_meta)
  local group, simdgroup = which.group, which.simdgroup
  local sites, known = value_sites(r, name, line)
  local last = {}
  for _, n in ipairs((r.events:select(sites))) do
    local s, g, t = r.events:event(n)
    group, simdgroup = group or g, simdgroup or t // 32
    if g == group and t // 32 == simdgroup then
      last[t % 32] = { n, r.sites[s].variable }
    end
  end
  for lane, at_ in pairs(last) do
    local slice = r.events:slice(group, simdgroup * 32 + lane)
    out[lane] = (r.events:variable(slice, at_[2],
      r.events:before(slice, at_[1])))
  end
  if next(out) == nil then
    error(("%s gets no value%s; variables that do are %s"):format(
      tostring(name), line and (" on line %s"):format(tostring(line)) or "",
      table.concat(known, ", ")), 0)
  end
  local whole = matrix.of(out)
  if #whole > 0 then out.matrices = whole end
  out.last = last_lane(r, group, simdgroup)
  out.title = ("%s%s in SIMD-group %d of threadgroup %d"):format(name,
    line and (" after line %d"):format(line) or "", simdgroup, group)
  return out
end

--------------------------------------------------------------------- recording

-- Methods raise at the caller's line.
for name, f in pairs { thread = thread, at = at, who = who, lanes = lanes,
  memory = memory, diff = diff } do
  methods[name] = function(r, ...)
    local ok, v = pcall(f, r, ...)
    if not ok then error(workload.plain(v), 2) end
    return v
  end
end

-- As a page with the stepper.
function methods:save(path)
  if type(path) ~= "string" or not path:lower():find "%.html?$" then
    error('a recording is saved as a page: r:save "x.html"', 2)
  end
  local ok, text = pcall(function()
    return require "lua.record.html".page(self)
  end)
  if not ok then error(workload.plain(text), 2) end
  system.write(path, text)
  return self
end

function record.is(v) return getmetatable(v) == meta end

-- How it was run, and whether the plain launch agrees.
function record.honest(r)
  local lines = { ("Unoptimised, fast math off, %s."):format(
    recording.schedule_words(r)) }
  if r.faulted then
    lines[2] = "Recorded until it was stopped: " .. r.stopped
  end
  if r.compared and #r.differences == 0 then
    lines[1] = lines[1] .. " The plain launch gives the same answer."
  end
  for _, sentence in ipairs(recording.differences(r)) do
    lines[#lines + 1] = sentence
  end
  for _, sentence in ipairs(r.unrecorded) do
    lines[#lines + 1] = "Not recorded: " .. sentence .. "."
  end
  return lines
end

-- The first thread that was recorded, as r:thread takes it: "0", "{8, 0}".
local function first_thread(r)
  local at = event_text.position(r, r.events:range(1))
  return (event_text.spell(at, r.grid):gsub("^%((.*)%)$", "{%1}"))
end

function meta:__tostring()
  local lines = { ("%s: grid %s, %s of %s; r:thread(%s) tells what the first "
    .. "one does, step(r) steps through")
    :format(self.kernel, grid_words(self.grid),
      units.many(self.events:count(), "event"),
      units.many(self.events:slices(), "thread"), first_thread(self)) }
  table.move(record.honest(self), 1, #record.honest(self), 2, lines)
  for i, line in ipairs(lines) do
    lines[i] = units.wrap(line, width_of(), "", "  ")
  end
  return table.concat(lines, "\n")
end

-- The recording of { k, arguments…, options }; raises a plain sentence.
function record.make(t)
  local launch, options = recording.split(t[1], t, words)
  local r = recording.run(t[1], launch, options,
    { what = "a recording", events = EVENTS, values = true })
  r.again = { kernel = t[1], launch = launch } -- for check, in the stepper
  return setmetatable(r, meta)
end

-- Of a function: a recording of each of its launches.
local function of_function(t)
  local taken = require("lua.workload.sequence").take(t)
  for key in pairs(taken) do
    if key ~= 1 and key ~= "concurrent" and not words[key] then
      error(("record takes a function alone, with only, threads and schedule, "
        .. "not '%s': arguments and sizes are those of its launches")
        :format(tostring(key)), 0)
    end
  end
  local s = taken[1]
  taken.concurrent = nil
  return require("lua.record.sequence")(s, taken)
end

function record.record(t)
  local ok, r
  local first = type(t) == "table" and t[1] or t
  if type(first) == "function" then
    ok, r = pcall(of_function, t)
  else
    ok, r = pcall(function()
      local _, launch = own_launch.take(t, "record", words, true)
      return record.make(launch)
    end)
  end
  if not ok then error(workload.plain(r), 2) end
  return r
end

return record

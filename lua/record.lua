-- record.lua - record{…}: a launch with every line, variable and access of its threads.
--
--   record.record(t)      the global record: { k, arguments…, grid = …, only = …, threads = … }
--
-- A recording is a value:
--
--   r:thread(5)           what that thread does, line by line, with the values
--   r:who("x", 3)         everyone who touched that element, in order
--   r:lanes("v", 7)       a variable over the lanes of a SIMD-group, after that line
--
-- The events stay in C (lua/record.c); lua/recording.lua runs the launch.
local problem = require "lua.problem"
local recording = require "lua.recording"
local system = require "mettle.system"
local units = require "lua.units"

local record = {}

local EVENTS = 2000000 -- 64 MB, unless events = … says more
local words = recording.words {}

local function spell(list, grid)
  local n = grid[3] > 1 and 3 or grid[2] > 1 and 2 or 1
  if n == 1 then return tostring(list[1]) end
  return "(" .. table.concat(list, ", ", 1, n) .. ")"
end

------------------------------------------------------------------------ events

local methods = {}
local meta = { __index = methods, __name = "recording" }

-- Where an access is: x[3], tile[2][5], or the texel's number.
local function place(o, offset)
  if o.extent then
    local rest = offset % o.slice_bytes
    return ("%s(%d, %d)"):format(o.name, rest % o.row_bytes // o.element, rest // o.row_bytes)
  end
  local i = offset // o.element
  if o.row > 0 then return ("%s[%d][%d]"):format(o.name, i // o.row, i % o.row) end
  return ("%s[%d]"):format(o.name, i)
end

-- What an event did, in words.
local function told(r, n, site, object, offset)
  local kind, value = site.kind, r.events:value(n)
  local o = object and r.objects[object]
  if kind == "read" then return ("%s is %s"):format(place(o, offset), value) end
  if kind == "write" then return ("%s = %s"):format(place(o, offset), value) end
  if kind == "atomic" then return ("%s: %s"):format(place(o, offset), value) end
  if kind == "value" then
    local name = site.name:gsub("%[%]", ("[%d]"):format(offset // math.max(site.size, 1)))
    return ("%s = %s"):format(name, value)
  end
  if kind == "lanes" then
    return ("%s gives %s%s"):format(site.name, value, offset >= 0 and (" from lane %d"):format(offset) or "")
  end
  return kind == "simdgroup_barrier" and "SIMD-group barrier" or kind
end

-- The number of a thread, given as a number in the grid or as its position.
local function find_thread(r, v)
  local grid, at = r.grid, v
  if type(v) ~= "table" then
    local n = math.tointeger(v)
    at = n and { n % grid[1], n // grid[1] % grid[2], n // grid[1] // grid[2] } or {}
  end
  local group, index = 0, 0
  for d = 3, 1, -1 do
    local x = math.tointeger(at[d] or (d > 1 and 0 or -1))
    if not x or x < 0 or x >= grid[d] then
      error(("there is no thread %s; the grid has %s"):format(type(v) == "table" and spell(v, { 2, 2, #v > 2 and 2 or 1 })
        or tostring(v), table.concat(grid, " × ", 1, grid[3] > 1 and 3 or grid[2] > 1 and 2 or 1)), 0)
    end
    local number = x // r.group[d]
    local size = math.min(r.group[d], grid[d] - number * r.group[d])
    group, index = group * r.groups[d] + number, index * size + x % r.group[d]
  end
  return group, index, { at[1], at[2] or 0, at[3] or 0 }
end

----------------------------------------------------------------- thread(number)

local story_meta = { __name = "story" }

local function source_lines(r)
  if not r.source_lines then
    r.source_lines = {}
    for line in (r.source .. "\n"):gmatch "([^\n]*)\r?\n" do
      r.source_lines[#r.source_lines + 1] = system.visible((line:gsub("\t", "  ")))
    end
  end
  return r.source_lines
end

function story_meta:__tostring()
  local width = math.max(60, math.min(system.width(), 132))
  local lines = { self.title }
  local left = (width - 9) * 9 // 20
  for _, row in ipairs(self) do
    local text = units.pad(units.cut(row.text, left), left)
    local does = units.wrap(table.concat(row.does, "; "), width, "", (" "):rep(left + 9))
    lines[#lines + 1] = (("%5d  %s  %s"):format(row.line, text, does):gsub(" +$", ""))
  end
  return table.concat(lines, "\n")
end

-- Without lines that say nothing: the second visit to a loop's head, a brace.
local function tidy(rows)
  local kept, count = 0, #rows
  for i = 1, count do
    local row, before = rows[i], rows[kept]
    local says = #row.does > 0 or not row.text:find "^%s*[{}]*%s*$" and not (kept > 0 and before.line == row.line)
    if says then kept = kept + 1 rows[kept] = row end
  end
  for i = kept + 1, count do rows[i] = nil end
end

local function thread(r, v)
  local group, index, at = find_thread(r, v)
  local rows = setmetatable({ group = group, index = index }, story_meta)
  local first = {}
  for n = 1, r.events:count() do
    local number, g, t, _, object, offset = r.events:event(n)
    if g == group and t == index then
      local site = r.sites[number]
      local last = rows[#rows]
      if site.kind == "line" then
        if not last or last.line ~= site.line or #last.does > 0 then
          rows[#rows + 1] = { line = site.line, text = source_lines(r)[site.line] or "", does = {} }
        end
      elseif not last then
        first[#first + 1] = told(r, n, site, object, offset)
      else
        last.does[#last.does + 1] = told(r, n, site, object, offset)
      end
    end
  end
  tidy(rows)
  rows.title = units.wrap(("thread %s: threadgroup %d, SIMD-group %d, lane %d%s"):format(spell(at, r.grid), group, index // 32, index % 32,
    #first > 0 and "; " .. table.concat(first, ", ") or ""), math.max(60, math.min(system.width(), 132)), "", "  ")
  if #rows == 0 then error(("thread %s was not recorded"):format(spell(at, r.grid)), 0) end
  return rows
end

--------------------------------------------------------------- who(name, index)

local list_meta = { __name = "accesses" }
function list_meta:__tostring()
  local lines = {}
  for i, a in ipairs(self) do
    lines[i] = ("thread %s, line %d, after %d barrier%s: %s"):format(a.thread, a.line, a.epoch, a.epoch == 1 and "" or "s", a.text)
  end
  return #lines > 0 and table.concat(lines, "\n") or "nobody touched it"
end

local function object_named(r, name)
  local names = {}
  for i, o in ipairs(r.objects) do
    if o.name == name then return i, o end
    names[#names + 1] = o.name
  end
  error(("%s has no '%s'; it has %s"):format(r.kernel, tostring(name), table.concat(names, ", ")), 0)
end

local function who(r, name, index)
  local number, o = object_named(r, name)
  index = math.tointeger(index)
  if not index or index < 0 or (index + 1) * o.element > o.size then
    error(("%s has %s elements, from 0 on: r:who(\"%s\", 0)"):format(name, units.count(o.size // o.element), name), 0)
  end
  local list = setmetatable({}, list_meta)
  for n = 1, r.events:count() do
    local s, group, _, epoch, object, offset = r.events:event(n)
    local site = r.sites[s]
    if object == number and offset < (index + 1) * o.element and offset + site.size > index * o.element then
      local x, y, z = r.events:thread(n)
      list[#list + 1] = { thread = spell({ x, y, z }, r.grid), group = group, line = site.line, epoch = epoch, kind = site.kind,
        value = r.events:value(n), text = told(r, n, site, object, offset) }
    end
  end
  return list
end

--------------------------------------------------------------- lanes(name, line)

local lanes_meta = { __name = "lanes" }
function lanes_meta:__tostring()
  local width = 0
  for lane = 0, 31 do width = math.max(width, units.width(self[lane] or "")) end
  local across = math.max(1, math.min(8, (system.width() - 2) // (width + 6)))
  local lines, line = { self.title }, {}
  for lane = 0, 31 do
    line[#line + 1] = ("%3d: %s"):format(lane, units.right(self[lane] or "·", width))
    if #line == across or lane == 31 then lines[#lines + 1], line = table.concat(line, " "), {} end
  end
  return table.concat(lines, "\n")
end

-- The last value that 'name' got at 'line' in each lane of the first SIMD-group that
-- was recorded; 'which' chooses another: {group = 0, simdgroup = 1}.
local function lanes(r, name, line, which)
  which = which or {}
  local out, group, simdgroup, known = setmetatable({}, lanes_meta), which.group, which.simdgroup, {}
  for n = 1, r.events:count() do
    local s, g, t = r.events:event(n)
    local site = r.sites[s]
    local variable = site.kind == "value" and site.name:gsub("%[%]", "")
    if variable then
      known[variable] = true
      if variable == name and (not line or site.line == line) then
        group, simdgroup = group or g, simdgroup or t // 32
        if g == group and t // 32 == simdgroup then out[t % 32] = r.events:value(n) end
      end
    end
  end
  if next(out) == nil then
    local names = {}
    for v in pairs(known) do names[#names + 1] = v end
    table.sort(names)
    error(("%s gets no value%s; variables that do are %s"):format(tostring(name), line and (" on line %s"):format(tostring(line)) or "",
      table.concat(names, ", ")), 0)
  end
  out.title = ("%s%s in SIMD-group %d of threadgroup %d"):format(name, line and (" after line %d"):format(line) or "", simdgroup, group)
  return out
end

---------------------------------------------------------------------- recording

-- Methods raise at the caller's line.
for name, f in pairs { thread = thread, who = who, lanes = lanes } do
  methods[name] = function(r, ...)
    local ok, v = pcall(f, r, ...)
    if not ok then error(problem.plain(v), 2) end
    return v
  end
end

function meta:__tostring()
  local lines = { ("%s: grid %s, %s events of %s threads; r:thread(0) tells what the first one does"):format(self.kernel,
    table.concat(self.grid, " × ", 1, self.grid[3] > 1 and 3 or self.grid[2] > 1 and 2 or 1), units.count(self.events:count()),
    units.count(self.threads)) }
  for _, sentence in ipairs(recording.differences(self)) do lines[#lines + 1] = sentence end
  for _, sentence in ipairs(self.unrecorded) do lines[#lines + 1] = "Not recorded: " .. sentence .. "." end
  return table.concat(lines, "\n")
end

function record.record(t)
  local ok, r
  if type(t) == "table" and problem.is_kernel(t[1]) then
    ok, r = pcall(function()
      local launch, options = recording.split(t[1], t, words)
      return (recording.run(t[1], launch, options, { what = "a recording", events = EVENTS, values = true }))
    end)
  else
    ok, r = false, "record takes a kernel and its arguments: record{k, a, b, grid = 64}"
  end
  if not ok then error(problem.plain(r), 2) end
  return setmetatable(r, meta)
end

return record

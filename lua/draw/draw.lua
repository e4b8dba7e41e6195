-- draw.lua - draw{…}: which thread touched which element, as a picture.
--
--   draw.draw(t)     the global draw: { k, arguments…, grid = …,
--                    line = …, by = … }
--
-- The launch is recorded on the host device (devices/record.h); everything here
-- comes from that run. A drawing is a value:
--
--   d.buffers        a list of panels, also by name: d.buffers.x has name,
--                    space, type, length, reads, writes, and cells, by element
--                    from 0 on: { reads = n, writes = n, reader = …,
--                    writer = … }
--   d:lines()        lines of 128 bytes moved, by line of the source and buffer
--   d:banks()        passes over the 32 banks of threadgroup memory, likewise
--   d:accesses()     every access in the order of the picture's slider, an
--                    iterator
--   d:save "x.svg"   or "x.html", "x.txt"
--
-- text.lua, svg.lua and html.lua draw; paint.lua has the colours.
local recording = require "lua.record.recording"
local check = require "lua.check.check"
local own_launch = require "lua.workload.own_launch"
local workload = require "lua.workload.workload"

local draw = {}

local EVENTS = 200000 -- that a picture has, unless events = … says more
local LINE, WORD, BANKS, LANES = 128, 4, 32, 32

------------------------------------------------------------------ what is asked

local words = recording.words {
  line = recording.whole("line", 1),
  by = recording.one_of("by", { "simdgroup", "threadgroup", "thread" }),
  what = recording.one_of("what", { "memory", "grid" }),
  buffer = function(v)
    if type(v) ~= "string" then
      error('buffer is the name of a parameter or variable, '
        .. 'as in buffer = "x"', 0)
    end
    return v
  end,
}

------------------------------------------------------------------------- panels

-- Elements of a buffer in a row of its picture; whether it has that shape.
local function columns_of(o, value)
  if o.extent then return o.extent[1] end
  if workload.is_buffer(value) and value.shape and #value.shape > 1 then
    return value.shape[#value.shape], true
  end
  return LANES
end

-- An object of the recording as a panel. A cell is an element, a pixel, or in
-- threadgroup memory a word of one bank.
local function new_panel(o, value)
  local p = { name = o.name, space = o.space, type = o.type,
    element = o.element, bytes = o.size, object = o,
    reads = 0, writes = 0, atomics = 0, units = 0, ideal = 0, steps = 0,
    worst = 0, cells = {}, touched = 0 }
  p.length = o.extent and o.extent[1] * o.extent[2] * o.extent[3] or
    o.size // math.max(o.element, 1)
  if o.space == "threadgroup" then
    p.cell, p.columns, p.first = WORD, BANKS, o.address // WORD % BANKS
    p.count = (o.size + WORD - 1) // WORD
  else
    p.cell, p.first, p.count = o.element, 0, p.length
    p.columns, p.shaped = columns_of(o, value)
  end
  if o.space == "device" then p.line = math.max(LINE // o.element, 1) end
  return p
end

-- The first and the last cell of an access of 'size' bytes at 'offset'.
local function cells_of(p, offset, size)
  local o = p.object
  if o.extent then
    local slice, rest = offset // o.slice_bytes, offset % o.slice_bytes
    local y, x = rest // o.row_bytes, rest % o.row_bytes // o.element
    local at = (slice * o.extent[2] + y) * o.extent[1] + x
    return at, at
  end
  return offset // p.cell, (offset + size - 1) // p.cell
end

draw.cells = cells_of

-- Where an access is, in words: x[3], tile[2][5], image(4, 7).
function draw.place(p, offset)
  local o = p.object
  if o.extent then
    local at = cells_of(p, offset, 1)
    local w, h = o.extent[1], o.extent[2]
    local slice = at // (w * h)
    return ("%s(%d, %d%s)"):format(p.name, at % w, at // w % h,
      o.extent[3] > 1 and (", %d"):format(slice) or "")
  end
  local i = offset // o.element
  if o.row > 0 then
    return ("%s[%d][%d]"):format(p.name, i // o.row, i % o.row)
  end
  return ("%s[%d]"):format(p.name, i)
end

-- Each threadgroup has its own threadgroup memory: that of the first is drawn.
local function is_drawn(p, a)
  if p.space ~= "threadgroup" then return true end
  p.of_group = p.of_group or a.group
  return p.of_group == a.group
end

-- Cells past the end, or before the start, are not drawn; they are counted.
local function touch(p, kind, who, offset, size)
  local first, last = cells_of(p, offset, size)
  for i = first, math.min(last, first + 4096) do
    if i < 0 or i >= p.count then
      p.outside = (p.outside or 0) + 1
    else
      local c = p.cells[i]
      if not c then
        c = { reads = 0, writes = 0 }
        p.cells[i], p.touched = c, p.touched + 1
      end
      if kind ~= "write" then
        c.reads = c.reads + 1
        c.reader = c.reader == nil and who or c.reader == who and who or
          "several"
      end
      if kind ~= "read" then
        c.writes = c.writes + 1
        c.writer = c.writer == nil and who or c.writer == who and who or
          "several"
      end
    end
  end
end

-------------------------------------------------------------------- the drawing

local methods = {}
draw.methods = methods -- for completion
local meta = { __index = methods, __name = "drawing" }

function meta:__tostring() return require "lua.draw.text".text(self) end
function meta:__show() return require "lua.draw.text".text(self, true) end

local writers = {
  svg = function(d) return require "lua.draw.svg".document(d) end,
  html = function(d) return require "lua.draw.html".page(d) end,
  txt = function(d) return tostring(d) .. "\n" end,
}

function methods:save(path)
  if type(path) ~= "string" or path == "" then
    error('a drawing is saved to a file: d:save "x.html"', 2)
  end
  local writer = writers[path:lower():match "%.(%w+)$" or ""]
  if not writer then
    error(("a drawing is saved as .svg, .html or .txt, not as '%s'"):format(
      path), 2)
  end
  local ok, text = pcall(writer, self)
  if not ok then error(workload.plain(text), 2) end
  require "mettle.system".write(path, text)
  return self
end

-- SIMD-groups of a full threadgroup.
local function simdgroups(d)
  return (d.group[1] * d.group[2] * d.group[3] + LANES - 1) // LANES
end

-- The number that a picture is coloured by. Threads are told apart by their
-- lane.
local function who_of(d, group, thread)
  if d.by == "threadgroup" then return group end
  if d.by == "thread" then return thread % LANES end
  return group * simdgroups(d) + thread // LANES
end

-- The thread at x, y, z of the grid: its threadgroup's number, its index there.
function methods:thread_at(x, y, z)
  local at, group, index = { x, y, z }, 0, 0
  for i = 3, 1, -1 do
    local number = at[i] // self.group[i]
    local size = math.min(self.group[i], self.grid[i] - number * self.group[i])
    group, index = group * self.groups[i] + number,
      index * size + at[i] % self.group[i]
  end
  return group, index
end

-- The number that the thread is coloured by.
function methods:who(x, y, z)
  local group, thread = self:thread_at(x, y, z)
  return who_of(self, group, thread)
end

-- The steps of SIMD-groups in their order: for n, step in d:steps().
function methods:steps()
  local ev, n = self.record.events, 0
  local count = ev:steps()
  return function()
    while n < count do
      n = n + 1
      local site, group, simdgroup, epoch, first, lanes, cost, ideal, queue =
        ev:step(n)
      local s = self.record.sites[site]
      if not self.line or s.line == self.line then
        return n, { site = s, kind = s.kind, line = s.line, group = group,
          simdgroup = simdgroup, epoch = epoch,
          first = first, lanes = lanes, units = cost, ideal = ideal,
          queue = queue }
      end
    end
  end
end

-- The accesses of one step: for a in d:lanes(step).
function methods:lanes(step)
  local ev, k = self.record.events, step.first - 1
  return function()
    k = k + 1
    if k >= step.first + step.lanes then return nil end
    local n = ev:ordered(k)
    local _, group, thread, epoch, object, offset = ev:event(n)
    return { number = n, group = group, thread = thread, epoch = epoch,
      panel = self.panel_of[object], offset = offset,
      kind = step.kind, line = step.line, size = step.site.size }
  end
end

-- Every access, step by step: for a in d:accesses() do print(a.x, a.line,
-- a.place, a.value) end
function methods:accesses()
  local steps, step, lanes = self:steps(), nil, nil
  return function()
    while true do
      local a = lanes and lanes()
      if a then
        if a.panel then
          a.buffer, a.place = a.panel.name, draw.place(a.panel, a.offset)
          a.value = self.record.events:value(a.number)
          a.x, a.y, a.z = self.record.events:thread(a.number)
          return a
        end
      else
        local n
        n, step = steps()
        if not n then return nil end
        lanes = self:lanes(step)
      end
    end
  end
end

-- Costs of the steps on memory of one space, by line, buffer and kind.
local function costs(d, space)
  local list, known = {}, {}
  for _, step in d:steps() do
    local a = d:lanes(step)()
    local p = a and a.panel
    if p and p.space == space then
      local key = ("%d %s %s"):format(step.line, p.name, step.kind)
      local row = known[key]
      if not row then
        row = { line = step.line, buffer = p.name, kind = step.kind, steps = 0,
          lanes = 0, units = 0, ideal = 0, worst = 0,
          conflicts = 0 }
        known[key], list[#list + 1] = row, row
      end
      row.steps, row.lanes = row.steps + 1, row.lanes + step.lanes
      row.units, row.ideal = row.units + step.units, row.ideal + step.ideal
      row.worst = math.max(row.worst, step.units)
      if step.units > step.ideal then row.conflicts = row.conflicts + 1 end
    end
  end
  local order = { read = 1, write = 2, atomic = 3 }
  table.sort(list, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    if a.buffer ~= b.buffer then return a.buffer < b.buffer end
    return order[a.kind] < order[b.kind]
  end)
  return list
end

-- { line, buffer, kind, simdgroups, moved, ideal, worst, each }: lines of 128
-- bytes.
function methods:lines()
  local list = costs(self, "device")
  for _, row in ipairs(list) do
    row.simdgroups, row.moved, row.units, row.conflicts = row.steps, row.units,
      nil, nil
    row.each, row.steps = row.moved / row.simdgroups, nil
  end
  return list
end

-- { line, buffer, kind, simdgroups, passes, ideal, worst, conflicts }: 'worst'
-- is the most passes of one SIMD-group (2: a two-way conflict), 'conflicts' how
-- many had more than they needed.
function methods:banks()
  local list = costs(self, "threadgroup")
  for _, row in ipairs(list) do
    row.simdgroups, row.passes, row.units, row.steps = row.steps, row.units,
      nil, nil
  end
  return list
end

------------------------------------------------------------------------ drawing

-- A single value, such as constant uint &n: not worth a picture.
local function is_single(o)
  return o.space == "constant" and o.size <= o.element
end

local function add_panels(d, values, options)
  local r = d.record
  d.buffers, d.panel_of = {}, {}
  for i, o in ipairs(r.objects) do
    local name = r.kernel_params[o.param or 0]
    local wanted = not options.buffer or options.buffer == o.name
    if wanted and (options.buffer or not is_single(o)) then
      local p = new_panel(o, name and o.name == name and values[name])
      d.panel_of[i], d.buffers[#d.buffers + 1] = p, p
      d.buffers[o.name] = d.buffers[o.name] or p
    end
  end
  if options.buffer and #d.buffers == 0 then
    local names = {}
    for _, o in ipairs(r.objects) do names[#names + 1] = o.name end
    error(("buffer: %s has no '%s'; it has %s"):format(r.kernel, options.buffer,
      table.concat(names, ", ")), 0)
  end
end

-- What the code reads from a variable whose type is not known.
local value_types = { f32 = "float", f16 = "half", bf16 = "bfloat",
  s8 = "8 bits", s16 = "16 bits", s32 = "32 bits",
  s64 = "64 bits" }

local function count_accesses(d)
  local lines = {}
  for _, step in d:steps() do
    local last
    for a in d:lanes(step) do
      local p = a.panel
      if p then
        lines[step.line] = true
        if is_drawn(p, a) then
          touch(p, step.kind, who_of(d, a.group, a.thread), a.offset, a.size)
        end
        p.type = p.type or value_types[step.site.type]
        local field = step.kind == "read" and "reads" or
          step.kind == "write" and "writes" or "atomics"
        p[field] = p[field] + 1
        d.count, last = d.count + 1, p
      end
    end
    if last then
      last.steps, last.units, last.ideal = last.steps + 1,
        last.units + step.units, last.ideal + step.ideal
      last.worst = math.max(last.worst, step.units)
    end
    if step.kind == "barrier" then
      d.barriers = math.max(d.barriers, step.epoch + 1)
    end
  end
  return lines
end

local function lines_with_accesses(r)
  local list, seen = {}, {}
  for _, s in ipairs(r.sites) do
    if not seen[s.line] and s.kind ~= "barrier" then
      seen[s.line], list[#list + 1] = true, s.line
    end
  end
  table.sort(list)
  return list
end

local function picture(k, t)
  local launch, options = recording.split(k, t, words)
  local r, host = recording.run(k, launch, options,
    { what = "a drawing", events = EVENTS })
  local d = setmetatable({ record = r, kernel = r.kernel, grid = r.grid,
    group = r.group, groups = r.groups,
    threads = r.threads, line = options.line, by = options.by or "simdgroup",
    what = options.what or "memory",
    count = 0, barriers = 0, options = options, device = k.device,
    source = r.source, file = r.file or host.options.file }, meta)
  add_panels(d, check.arguments(k, launch), options)
  local lines = count_accesses(d)
  if options.line and not next(lines) then
    error(("line %d makes no access that is drawn; "
      .. "those that do are %s"):format(options.line,
      table.concat(lines_with_accesses(r), ", ")), 0)
  end
  return d
end

function draw.draw(t)
  local ok, d = pcall(function()
    return picture(own_launch.take(t, "draw", words, true))
  end)
  if not ok then error(workload.plain(d), 2) end
  return d
end

return draw

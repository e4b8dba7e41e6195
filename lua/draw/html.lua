-- html.lua - a drawing as one HTML page that needs nothing else: the
-- recording as JSON, and the script that draws it, from
-- lua/text/pages/draw.html.
--
-- Events are columns of numbers in the order of the steps, so that the page's
-- slider goes along them.
local page = require "lua.text.page"
local paint = require "lua.draw.paint"
local system = require "mettle.system"
local text = require "lua.draw.text"
local units = require "lua.text.units"
local draw = require "lua.draw.draw"

local html = {}

local ROWS = 512 -- of one panel
local list = { __list = true }

local function source_lines(d)
  local lines = setmetatable({}, list)
  for line in (d.source .. "\n"):gmatch "([^\n]*)\r?\n" do
    lines[#lines + 1] = system.visible((line:gsub("\t", "  ")))
  end
  while lines[#lines] == "" do lines[#lines] = nil end
  return lines
end

local function panel_of(d, p, number)
  local rows, labels = text.touched_rows(p), setmetatable({}, list)
  local more = #rows - ROWS
  for i = #rows, ROWS + 1, -1 do rows[i] = nil end
  for i, row in ipairs(rows) do labels[i] = text.label(p, row) end
  local o = p.object
  return { name = p.name, space = p.space,
    title = ("%s%s, %s"):format(p.space == "threadgroup" and "threadgroup " or
      "", text.type(p), text.counts(p)),
    number = number, columns = p.columns, first = p.first, count = p.count,
    element = p.element, address = o.address,
    line = p.line, row = o.row > 0 and o.row or nil, extent = o.extent,
    rows = setmetatable(rows, list), labels = labels,
    both = p.atomics > 0 or (p.reads > 0 and p.writes > 0), more = more > 0 and
    more or nil }
end

-- Steps and events of all lines: the page has its own choice of a line.
local function events(d, out)
  local ev, r = d.record.events, d.record
  local panels, touched = {}, {}
  for i, p in ipairs((text.panels(d))) do panels[p], touched[i] = i, p end
  out.steps, out.thread, out.object, out.cell, out.value =
    setmetatable({}, list), setmetatable({}, list), setmetatable({}, list),
  setmetatable({}, list), setmetatable({}, list)
  -- what is not drawn, such as the reads of a single constant, is no step here
  local function is_shown(first)
    local _, _, _, _, object = ev:event(ev:ordered(first))
    return object == nil or d.panel_of[object] and panels[d.panel_of[object]]
  end
  for n = 1, ev:steps() do
    local site, group, simdgroup, epoch, first, count, cost, ideal, queue =
      ev:step(n)
    if is_shown(first) then
      out.steps[#out.steps + 1] =
        { site, group, simdgroup, epoch, #out.thread, count, cost, ideal,
        queue }
      out.sites[site + 1].used = true
    else
      count = 0
    end
    for k = first, first + count - 1 do
      local e = ev:ordered(k)
      local _, _, thread, _, object, offset = ev:event(e)
      local p, at = object and d.panel_of[object], #out.thread + 1
      out.thread[at] = thread
      out.object[at] = p and panels[p] or 0
      out.cell[at] = p and draw.cells(p, offset, r.sites[site].size) or 0
      out.value[at] = ev:value(e) or ""
    end
  end
  return touched
end

local function sites(r)
  local all = setmetatable({ false }, list) -- the page counts from 0
  for i, s in ipairs(r.sites) do
    all[i + 1] = { kind = s.kind, line = s.line, name = s.name, size = s.size }
  end
  all[1] = { kind = "none", line = 0 }
  return all
end

-- Cells that an access of each site covers.
local function spans(d, r)
  local out = setmetatable({ 1 }, list)
  for i = 1, #r.sites do out[i + 1] = 1 end
  for n = 1, r.events:steps() do
    local site, _, _, _, first = r.events:step(n)
    local _, _, _, _, object, offset = r.events:event(r.events:ordered(first))
    local p = object and d.panel_of[object]
    if p then
      local a, b = draw.cells(p, offset, r.sites[site].size)
      out[site + 1] = math.max(out[site + 1], b - a + 1)
    end
  end
  return out
end

local function costs(rows, field)
  local out = setmetatable({}, list)
  for i, row in ipairs(rows) do
    out[i] = { buffer = row.buffer, kind = row.kind, line = row.line,
      each = row[field] / row.simdgroups, ideal = row.ideal / row.simdgroups }
  end
  return out
end

function html.data(d)
  local r = d.record
  local groups = r.groups[1] * r.groups[2] * r.groups[3]
  local out = { kernel = d.kernel, grid = r.grid, group = r.group,
    groups = r.groups, by = d.by, line = d.line,
    launch = ("grid %s, threadgroups of %s; recorded on the host device, "
      .. "thread by thread"):format(text.sizes(d.grid),
      text.sizes(d.group)),
    gridWords = text.grid_words(d), source = source_lines(d), sites = sites(r),
    span = spans(d, r),
    colours = { simdgroup = paint.list "simdgroup",
      threadgroup = paint.list "threadgroup", thread = paint.list "thread" },
    numbers = { simdgroup = groups *
      ((r.group[1] * r.group[2] * r.group[3] + 31) // 32), threadgroup = groups,
      thread = 32 },
    lines = costs(d:lines(), "moved"), banks = costs(d:banks(), "passes"),
    notes = setmetatable(text.notes(d), list),
    panels = setmetatable({}, list) }
  for i, p in ipairs(events(d, out)) do out.panels[i] = panel_of(d, p, i) end
  return out
end

function html.page(d)
  return page.of("draw", "Accesses of " .. d.kernel, html.data(d))
end

return html

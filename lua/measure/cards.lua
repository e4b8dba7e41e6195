-- cards.lua - cards of the standard suite: reading, writing, and several of
-- them side by side.
--
--   cards("a.json", "b.json", …)     ratios to the first, bars, and what could
--                                    explain them
--
-- A card is a JSON file that bench writes: machine, device, versions, and every
-- figure with its spread. It has no names of people or computers in it.
local contest = require "lua.workload.contest"
local json = require "mettle.json"
local plot = require "lua.plot.plot"
local style = require "lua.text.style"
local system = require "mettle.system"
local units = require "lua.text.units"

local cards = { FORMAT = 1 }
local methods = {}
local meta = { __index = methods, __name = "card" }

function cards.new(card) return setmetatable(card, meta) end

---------------------------------------------------------------------- reading

-- What a card holds: each field a kind, or a table of fields, or {list = …} of
-- either. "time" is a number above 0; a field with a ? may be missing.
local TIME = { median = "time", low = "time", high = "time",
  ["spread?"] = "number", ["runs?"] = "number",
  ["count?"] = "number" }
local FIGURE = { id = "string", title = "string", ["kernel?"] = "string",
  ["skipped?"] = "string",
  ["sizes?"] = "table", ["time?"] = TIME, ["bytes?"] = "number",
    ["operations?"] = "number",
  ["cpu?"] = { list = { way = "string", median = "time" } } }
local CARD = {
  ["version?"] = "string", ["when?"] = "string", ["vendor?"] = "string",
  machine = { ["os?"] = "string", ["release?"] = "string",
    ["architecture?"] = "string", ["cores?"] = "number" },
  device = { name = "string", title = "string", ["is_gpu?"] = "boolean" },
  peaks = { memory = "time", operations = "time" },
  ["overhead?"] = { launch = "time", each = "time" },
  figures = { list = FIGURE },
}

local check_fields

-- What is wrong with the value at 'where', or nil.
local function check_value(v, form, where)
  if form == "time" then
    if type(v) ~= "number" then return where .. " is not a number" end
    return not (v > 0 and v < math.huge) and where .. " is not above 0" or nil
  elseif type(form) == "string" then
    return type(v) ~= form and ("%s is not a %s"):format(where, form) or nil
  elseif type(v) ~= "table" then
    return where .. " is not a table"
  elseif not form.list then
    return check_fields(v, form, where .. ", ")
  end
  if #v == 0 and next(v) ~= nil then return where .. " is not a list" end
  for i, item in ipairs(v) do
    local name = type(item) == "table" and type(item.id) == "string" and item.id
      or ("%s %d"):format(where, i)
    local why = check_value(item, form.list, name)
    if why then return why end
  end
end

function check_fields(v, form, prefix)
  local keys = {}
  for key in pairs(form) do keys[#keys + 1] = key end
  table.sort(keys) -- the same card, the same complaint
  for _, key in ipairs(keys) do
    local kind, name, optional = form[key], key:gsub("%?$", "")
    if v[name] == nil and optional == 0 then
      return prefix .. name .. " is missing"
    end
    local why = v[name] ~= nil and check_value(v[name], kind, prefix .. name)
    if why then return why end
  end
end

-- Texts from elsewhere may not move the cursor.
local function plain(v)
  if type(v) == "string" then return (system.visible(v):gsub("%c", " ")) end
  if type(v) ~= "table" then return v end
  for key, part in pairs(v) do v[key] = plain(part) end
  return v
end

local function check(file, card)
  if type(card) ~= "table" or card.mettle_card == nil then
    error(
      file .. " is JSON, but not a card: mettle bench -o CARD.json writes one",
        0)
  end
  if card.mettle_card ~= cards.FORMAT then
    error(
      ("%s is a card of another version of Mettle (format %s, "
        .. "this one reads %d): make it again, or use the same version"):
      format(file, plain(tostring(card.mettle_card)), cards.FORMAT), 0)
  end
  local why = check_fields(card, CARD, "")
  for _, f in ipairs(why == nil and card.figures or {}) do
    if not f.skipped and not f.time then why = f.id .. ", time is missing" end
  end
  if why then error(("%s is damaged: %s"):format(file, why), 0) end
  return cards.new(plain(card))
end

-- Read a card; every mistake is one sentence that names the file.
function cards.read(file)
  local named = plain(file)
  local handle, why = io.open(file)
  if not handle then error("no card: " .. plain(why), 0) end
  local text = handle:read "a"
  handle:close()
  if not text then error(named .. " cannot be read: is it a folder?", 0) end
  local ok, card = pcall(json.decode, text)
  if not ok then
    error(("%s is not a card: %s"):format(named, plain(card)), 0)
  end
  card = check(named, card)
  card.file = file
  return card
end

function methods:save(file)
  local copy = {}
  for key, v in pairs(self) do
    if key ~= "file" and key ~= "notes" then copy[key] = v end
  end
  system.write(file, json.encode(copy, true) .. "\n")
  self.file = file
  return self
end

------------------------------------------------------------------- in words

local function kind(card)
  return card.device.is_gpu and "GPU" or "CPU"
end

function methods:heading()
  return ("%s (%s), a %s\n   %s %s, %s, Mettle %s, %s"):format(
    self.device.name, self.device.title, kind(self),
    self.machine.os or "?", self.machine.architecture or "?",
    units.many(self.machine.cores or 0, "core"), self.version or "?",
    self.when or "?")
end

local function rate_text(f)
  local r = f.operations and f.bytes and f.operations > 4 * f.bytes
    and { f.operations, "FLOP/s" } or { f.bytes, "B/s" }
  if not r[1] or r[1] == 0 then return "-" end
  return units.rate(r[1] / f.time.median, r[2])
end

local function best_cpu(f)
  local best
  for _, c in ipairs(f.cpu or {}) do
    if c.way ~= "Lua" and (not best or c.median < best.median) then best = c end
  end
  return best
end

-- How many times as fast as the best CPU each kernel is; nil: none has one.
function methods:chart()
  local rows = {}
  for _, f in ipairs(self.figures) do
    local best = not f.skipped and best_cpu(f)
    if best and contest.is_known(f.time, best) then
      local times = best.median / f.time.median
      rows[#rows + 1] = { f.title, times, units.times(times) }
    end
  end
  return #rows > 0 and require("lua.plot.plot").bars {
    title = ("%s (%s): how many times as fast as the best CPU"):format(
      self.device.name, self.device.title), rows = rows } or nil
end

function meta:__tostring()
  local lines, rows, unknown = { self:heading() }, {}, false
  for _, f in ipairs(self.figures) do
    if f.skipped then
      rows[#rows + 1] = { f.title, "-", "", "", "", "" }
    else
      local best = best_cpu(f)
      rows[#rows + 1] = { f.title, units.time(f.time.median),
        f.time.runs == 1 and "1 run" or "±"
          .. units.percent(f.time.spread or 0), rate_text(f),
        best and units.time(best.median) or "-", best
          and contest.text(f.time, best) or "" }
      unknown = unknown or best and not contest.is_known(f.time, best)
    end
  end
  for _, line in ipairs(units.table(
    { "", kind(self) == "GPU" and "GPU time" or "time", "", "", "best CPU",
      "kernel is" }, rows)) do
    lines[#lines + 1] = line
  end
  lines[#lines + 1] =
    ("  peaks: memory %s, arithmetic %s; a launch costs %s"):format(
      units.rate(self.peaks.memory, "B/s"),
    units.rate(self.peaks.operations, "FLOP/s"), self.overhead
      and units.time(self.overhead.launch) or "?")
  for _, f in ipairs(self.figures) do
    if f.skipped then
      lines[#lines + 1] = ("  left out: %s: %s"):format(f.title, f.skipped)
    end
  end
  for _, note in ipairs(self.notes or {}) do
    lines[#lines + 1] = "  " .. note
  end
  if unknown then
    lines[#lines + 1] = style.fold("  cannot tell: the intervals overlap; "
      .. contest.advice(self.budget))
  end
  if self.cut then
    lines[#lines + 1] =
      "  ! interrupted: this is what there is so far; it was not saved"
  end
  return table.concat(lines, "\n")
end

-------------------------------------------------------------- side by side

local side = {}
local side_meta = { __index = side, __name = "cards" }

local function same_sizes(a, b)
  for key, v in pairs(a.sizes or {}) do
    if (b.sizes or {})[key] ~= v then return false end
  end
  return true
end

local function by_id(card)
  local map = {}
  for _, f in ipairs(card.figures) do map[f.id] = f end
  return map
end

-- How many times as fast as the first card: the geometric mean of those figures
-- that 'accept' takes, with its interval, and how many they are.
local function mean_ratio(r, i, accept)
  local list = {}
  for _, row in ipairs(r.rows) do
    if row.verdicts[i] and (not accept or accept(row)) then
      list[#list + 1] = row.verdicts[i]
    end
  end
  return contest.mean(list), #list
end

-- Are they cards of one machine and one version of Mettle? Then what differs is
-- what else the machine did.
local function is_same_machine(a, b)
  for _, key in ipairs { "os", "architecture", "cores" } do
    if a.machine[key] ~= b.machine[key] then return false end
  end
  return a.device.name == b.device.name and a.device.title == b.device.title
    and a.version == b.version
end

local function lay(list)
  local r = setmetatable({ cards = list, rows = {} }, side_meta)
  local maps = {}
  for i, card in ipairs(list) do maps[i] = by_id(card) end
  for _, f in ipairs(list[1].figures) do
    local row = { id = f.id, title = f.title, times = {}, ratios = {},
      verdicts = {}, figure = f }
    for i = 1, #list do
      local g = maps[i][f.id]
      if g and not g.skipped and same_sizes(f, g) then
        row.times[i] = g.time.median
        if i > 1 and not f.skipped then
          local v = contest.of(g.time, f.time)
          row.verdicts[i] = v
          row.ratios[i] = v.kind ~= "unknown" and v.ratio or nil
        end
      end
    end
    if next(row.times) then r.rows[#r.rows + 1] = row end
  end
  r.ratio, r.whole = {}, {}
  for i = 2, #list do
    local v = mean_ratio(r, i)
    local told = v and v.kind ~= "unknown"
      and not is_same_machine(list[1], list[i])
    r.whole[i], r.ratio[i] = v, told and v.ratio or nil
  end
  return r
end

-- Operations per byte decide which peak limits a figure on the first machine.
local function limited_by(card, row)
  local f = row.figure
  if not f.bytes or not f.operations then return nil end
  local balance = card.peaks.operations / card.peaks.memory
  local intensity = f.operations / f.bytes
  if intensity < balance / 4 then return "memory" end
  if intensity > balance * 4 then return "arithmetic" end
end

local function as_much(ratio)
  if ratio > 0.97 and ratio < 1.03 then return "as fast" end
  return ("%s as fast"):format(units.times(ratio))
end

-- Of a mean with its interval.
local function as_much_of(v)
  if v.kind == "unknown" then return "as fast or not: the intervals overlap" end
  return as_much(v.ratio)
end

-- Sentences about what could explain the ratios of card i.
function side:explain(i)
  local a, b = self.cards[1], self.cards[i]
  local lines = {}
  local function add(text, ...) lines[#lines + 1] = text:format(...) end
  local memory = b.peaks.memory / a.peaks.memory
  local floats = b.peaks.operations / a.peaks.operations
  local from_memory, n = mean_ratio(self, i,
    function(row) return limited_by(a, row) == "memory" end)
  if from_memory then
    add("what memory limits (%s) is %s; its memory is %s", units.many(n,
      "figure"),
      as_much_of(from_memory), as_much(memory))
  end
  local from_floats, m = mean_ratio(self, i,
    function(row) return limited_by(a, row) == "arithmetic" end)
  if from_floats then
    add("what arithmetic limits (%s) is %s; its arithmetic is %s",
      units.many(m, "figure"), as_much_of(from_floats), as_much(floats))
  end
  if kind(a) ~= kind(b) then
    add("the first is a %s, this one a %s", kind(a), kind(b))
  end
  if (a.machine.cores or 0) ~= (b.machine.cores or 0) and kind(a) == "CPU"
    and kind(b) == "CPU" then
    add("%s instead of %d", units.many(b.machine.cores or 0, "core"),
      a.machine.cores or 0)
  end
  if a.overhead and b.overhead
    and b.overhead.launch / a.overhead.launch > 2 then
    add("a launch costs %s instead of %s, which weighs on short kernels",
      units.time(b.overhead.launch), units.time(a.overhead.launch))
  end
  if a.version ~= b.version then
    add("they were made by different versions of Mettle (%s and %s)",
      tostring(a.version), tostring(b.version))
  end
  return lines
end

function side:chart(i)
  i = i or 2
  local rows = {}
  for _, row in ipairs(self.rows) do
    if row.ratios[i] then
      rows[#rows + 1] = { row.title, row.ratios[i], units.times(row.ratios[i]) }
    end
  end
  return plot.bars { title = ("how many times as fast as %s: %s"):format(
    self:name(1), self:name(i)), rows = rows }
end

function side:save(path)
  self:chart():save(path)
  return self
end

-- "1: host", the number in case two have the same name
function side:name(i) return i .. ": " .. self.cards[i].device.name end

local function whole_line(r, i)
  if not r.whole[i] then return "no figure is on both cards" end
  if is_same_machine(r.cards[1], r.cards[i]) then
    return "the same hardware and one version of Mettle: what differs is what "
      .. "else the machines did meanwhile"
  end
  if not r.ratio[i] then
    return "all in all: cannot tell which is faster, the intervals overlap; "
      .. "measure both again, with other programs closed: bench{budget = 5}"
  end
  return ("all in all %s as %s"):format(as_much(r.ratio[i]), r:name(1))
end

function side_meta:__tostring()
  local lines, header, rows = {}, { "" }, {}
  for i, card in ipairs(self.cards) do
    lines[#lines + 1] = ("%d: %s%s"):format(i, card:heading(),
      card.file and "\n   " .. plain(card.file) or "")
    header[#header + 1] = self:name(i)
    if i > 1 then header[#header + 1] = "" end
  end
  for _, row in ipairs(self.rows) do
    local cells = { row.title }
    for i = 1, #self.cards do
      cells[#cells + 1] = row.times[i] and units.time(row.times[i]) or "-"
      if i > 1 then
        cells[#cells + 1] = row.ratios[i] and units.times(row.ratios[i])
          or row.verdicts[i] and "cannot tell" or ""
      end
    end
    rows[#rows + 1] = cells
  end
  lines[#lines + 1] = ""
  for _, line in ipairs(units.table(header, rows)) do
    lines[#lines + 1] = line
  end
  for i = 2, #self.cards do
    lines[#lines + 1] = ""
    local chart = self:chart(i)
    if #chart.rows > 0 then lines[#lines + 1] = tostring(chart) end
    lines[#lines + 1] = style.fold("  " .. whole_line(self, i))
    if not is_same_machine(self.cards[1], self.cards[i]) then
      for _, line in ipairs(self:explain(i)) do
        lines[#lines + 1] = "  " .. line
      end
    end
  end
  for _, note in ipairs(self.notes or {}) do
    lines[#lines + 1] = "  " .. note
  end
  return table.concat(lines, "\n")
end

-- cards(a, b, …): files, or what bench returned.
function cards.cards(...)
  local list = { ... }
  if #list == 0 then error('which cards? cards("a.json", "b.json")', 2) end
  for i, c in ipairs(list) do
    if type(c) == "string" then
      local ok, card = pcall(cards.read, c)
      if not ok then error(card, 2) end
      list[i] = card
    elseif getmetatable(c) ~= meta then
      error("a card is the name of a file, or what bench returned, not a "
        .. type(c), 2)
    end
  end
  if #list == 1 then return list[1] end
  return lay(list)
end

-- What the shell's `mettle cards` does.
function cards.main(arguments)
  if #arguments == 0 then
    require "lua.session.usage" "which cards? mettle cards a.json b.json"
  end
  print(cards.cards(table.unpack(arguments)))
end

return cards

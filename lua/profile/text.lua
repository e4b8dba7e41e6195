-- text.lua - a profile as a person reads it: the source with a bar of
-- heat for each line, the totals, one paragraph of advice.
local advice = require "lua.profile.advice"
local visible = require "mettle.system".visible
local units = require "lua.text.units"

local text = {}
local BAR = 8
local columns = require("lua.text.style").columns
local plain = setmetatable({},
  { __index = function() return function(s) return s end end })

local function wrap(words, indent, lines)
  lines[#lines + 1] = units.wrap(words, columns(), indent, indent)
end

---------------------------------------------------------------------- listing

local eighths = { "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" }

local function bar(share, most)
  local n = most > 0 and math.floor(share / most * BAR * 8 + 0.5) or 0
  if share > 0 then n = math.max(n, 1) end
  return ("█"):rep(n // 8) .. (n % 8 > 0 and eighths[n % 8] or "")
end

local function source_lines(p)
  local lines = {}
  for line in (p.source .. "\n"):gmatch "([^\n]*)\r?\n" do
    lines[#lines + 1] = visible((line:gsub("\t", "  ")))
  end
  return lines
end

-- Lines that cost something, with the three around them, a gap where many do
-- not.
local function listing(p, lines, style)
  local source, first, last, most = source_lines(p), math.huge, 0, 0
  for n, c in pairs(p.lines) do
    first, last, most = math.min(first, n), math.max(last, n),
      math.max(most, c.share)
  end
  if last == 0 then return end
  local near = function(n)
    for d = -2, 2 do if p.lines[n + d] then return true end end
  end
  local gap = false
  for n = math.max(1, first - 1), math.min(last, #source) do
    local c = p.lines[n]
    if near(n) then
      gap = false
      local head = ("%5d %s %s  "):format(n,
        style.bad(units.pad(c and bar(c.share, most) or "", BAR)),
        units.right(c and units.percent(c.share) or "", 6))
      lines[#lines + 1] = head .. units.cut(source[n], columns() - 23)
    elseif not gap then
      lines[#lines + 1], gap = "      …", true
    end
  end
end

----------------------------------------------------------------------- totals

local order = { "float", "special", "integer", "convert", "compare", "branch",
  "memory", "texture", "atomic", "simd",
  "barrier", "other" }

local function mix(t)
  local parts = {}
  for _, kind in ipairs(order) do
    local share = t.instructions > 0 and t.issued[kind] / t.instructions or 0
    if share >= 0.005 then
      parts[#parts + 1] = kind .. " " .. units.percent(share)
    end
  end
  return table.concat(parts, ", ")
end

local function row(lines, title, words)
  lines[#lines + 1] = units.wrap(words, columns(), "  " .. units.pad(title, 16),
    (" "):rep(18))
end

local function reads(p)
  local t = p.total
  return ("%s reads and %s writes per thread; %s accessed in all, at %s of "
    .. "distinct addresses"):format(
    units.three(p.reads_per_thread), units.three(p.writes_per_thread),
      units.bytes(p.bytes), units.bytes(p.unique_bytes)),
    ("%s lines of 128 bytes moved, %s needed: coalescing %s%s"):format(
      units.count(t.lines), units.count(t.lines_ideal),
      units.percent(p.coalescing), p.reuse
        and ("; %s distinct lines, each used %s times"):format(
          units.count(p.unique_lines), units.three(p.reuse)) or "")
end

local function roofline_words(p)
  if p.operations == 0 then return nil end
  if not p.intensity then
    return units.count(p.operations)
      .. " floating-point operations; how many for each byte is not known, "
        .. "since the bytes of textures are not counted"
  end
  local ok, r = pcall(function() return p.roofline end)
  local words =
    ("%s floating-point operations, %s per byte if each "
      .. "byte is moved once"):format(units.count(p.operations),
    units.three(p.intensity))
  if not ok then return words end
  return words .. ("; on %s %s is the limit below %s: at most %s here"):format(
    r.device,
    "memory", units.three(r.ridge), units.rate(r.attainable, "FLOP/s")), r
end

local function totals(p, lines)
  local t = p.total
  row(lines, "instructions",
    ("%s issued to %s SIMD-groups, %s of the lanes active"):format(
      units.count(t.instructions),
    units.count(p.simdgroups), units.percent(p.active)))
  row(lines, "", mix(t))
  local busiest = p.busiest.instructions * p.threads / math.max(
    advice.sum(t.lanes), 1)
  if busiest >= 2 then
    row(lines, "busiest thread",
      ("%s instructions, %s the mean"):format(
        units.count(p.busiest.instructions), units.times(busiest)))
  end
  local how_much, moved = reads(p)
  row(lines, "device memory", how_much)
  row(lines, "", moved)
  if t.group_reads + t.group_writes > 0 then
    row(lines, "threadgroup", ("%s reads and %s writes per thread, %s"):format(
      units.three(t.group_reads / p.threads),
      units.three(t.group_writes / p.threads),
      t.banks > t.banks_ideal
        and ("%s passes over the banks, %s needed"):format(units.count(t.banks),
          units.count(t.banks_ideal))
        or "no bank conflicts"))
  end
  if t.private_reads + t.private_writes > 0 then
    row(lines, "own arrays",
      ("%s reads and %s writes per thread outside registers"):format(
      units.three(t.private_reads / p.threads),
        units.three(t.private_writes / p.threads)))
  end
  if p.registers then
    row(lines, "registers", ("about %d of 32 bits for a thread, "
      .. "by the values that are live at once%s"):format(
      p.registers, p.real_registers
        and ("; %d in the code that runs on this GPU"):format(p.real_registers)
        or ""))
  end
  if (p.local_bytes or 0) > 0 then
    row(lines, "local memory", ("%d bytes of a thread in the code that runs "
      .. "on this GPU: arrays and spills"):format(p.local_bytes))
  end
  if p.occupancy then
    local models = require "lua.reference.gpu_models"
    row(lines, "occupancy", ("about %s; an estimate from %s"):format(
      models.words(p.occupancy, p.model), p.real_registers
        and "the registers of its code" or "that number of registers"))
  end
  if p.barriers > 0 then
    row(lines, "barriers", ("%s per thread"):format(units.three(p.barriers)))
  end
  if t.atomics > 0 then
    row(lines, "atomics", ("%s, of which %s wait for one address"):format(
      units.count(t.atomics), units.count(t.atomics_worst)))
  end
  if t.branches > 0 then
    row(lines, "branches", ("%s, %s split a SIMD-group"):format(
      units.count(t.branches), units.count(t.divergent)))
  end
end

----------------------------------------------------------------------- advice

local function bound(p, r)
  if p.textures then
    return "How much memory its textures move is not counted, "
      .. "so nothing is said about memory or arithmetic as its limit."
  end
  if not r then
    return p.operations == 0
      and "It computes nothing in floating point: memory and latency "
        .. "are the limit." or ""
  end
  if r.bound == "memory" then
    return (
      "As a whole it is memory-bound on %s: fewer bytes make it faster, "
        .. "not fewer operations."):format(r.device)
  end
  return (
    "As a whole it is compute-bound on %s: enough operations per byte, "
      .. "so arithmetic and the lanes that do it decide."):format(r.device)
end

local function paragraph(p, r)
  local list, words, look = advice.sentences(p), {}, {}
  for i = 1, math.min(#list, 3) do
    words[#words + 1] = list[i][2]
    look[#look + 1] = ('"%s"'):format(list[i][3])
  end
  if #list == 0 then words[1] = advice.nothing(p) end
  words[#words + 1] = bound(p, r)
  look[#look + 1] = r and ('"%s-bound"'):format(r.bound) or nil
  return table.concat(words, " "), look
end

function text.text(p, style)
  style = style or plain
  local lines =
    { ("%s: %s in %s"):format(
      style.bold("profile of " .. p.kernel),
      units.many(p.threads, "thread"),
      units.many(p.threadgroups, "threadgroup")),
    "  counted by a model of a GPU: what it costs, not how long it takes" }
  -- nothing was counted: no advice either
  if p.stopped and p.instructions == 0 then
    wrap("Stopped before it ran: " .. p.stopped, "  ", lines)
    return table.concat(lines, "\n")
  end
  if p.file then lines[3] = "  lines of " .. visible(p.file) end
  lines[#lines + 1] = ""
  listing(p, lines, style)
  lines[#lines + 1] = ""
  totals(p, lines)
  local words, r = roofline_words(p)
  if words then row(lines, "arithmetic", words) end
  lines[#lines + 1] = ""
  local sentence, look = paragraph(p, r)
  wrap(sentence, "  ", lines)
  if #look > 0 then
    lines[#lines + 1] = style.dim("  see glossary " .. table.concat(look, ", "))
  end
  for _, unknown in ipairs(p.unknown) do
    wrap("Not counted: " .. unknown, "  ", lines)
  end
  if p.stopped then
    wrap("Stopped before the end: " .. p.stopped, "  ", lines)
  end
  return table.concat(lines, "\n")
end

return text

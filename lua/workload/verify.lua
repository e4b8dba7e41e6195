-- verify.lua - is the answer of a workload right, and was all of it written?
--
--   p:verify([known])          runs it once and compares: { ok =, text =, … }
--   p:answers()                what the outputs hold now
--   p:differences(answers)     how they differ from another device's
--   verify.clones(p)           buffers like the outputs, for the reference
local objects = require "lua.workload.objects"
local units = require "lua.text.units"

local verify = {}
local methods = {}
verify.methods = methods

local flat, is_buffer, is_float = objects.flat, objects.is_buffer,
  objects.is_float

-- Buffers like the outputs, for the reference to fill.
local function clones(p)
  local out = {}
  for _, output in ipairs(p.outputs) do
    out[output.name] = objects.copy(output)
  end
  return out
end

-- What the reference says: a list of buffers or tables, one for each output.
local function expected(p)
  local out = clones(p)
  local results = table.pack(p.reference(out, p.cpu and "all cores"))
  local list = {}
  for i, output in ipairs(p.outputs) do
    local r = results[i]
    if type(r) == "table" or is_buffer(r) then list[i] = r
    elseif type(r) == "number" and i == 1 and #out[output.name] == 1
      and not p.cpu and results.n == 1 then list[i] = { r }
    else list[i] = out[output.name] end
  end
  return list, out
end

-- Compare one output; a report as from b:equals, with 'ok' and the name.
local function judge(p, output, wanted)
  local ok, report
  if output.unordered then
    ok, report = require("lua.workload.multiset_compare").equals(flat(
      objects.contents(output)),
      flat(wanted), p.tolerance)
    report.unordered = true
  else
    ok, report = flat(objects.contents(output)):equals(flat(wanted),
      p.tolerance, p.scale)
  end
  report.name = output.name
  report.ok = ok
    or (p.strays ~= nil and report.wrong <= math.ceil(p.strays * report.count))
  report.strays = report.ok and not ok
  return report
end

-- "1e-05", "6.8e-05 for sums of 5,000 terms": what rounding may make of them.
local function allowed(p)
  local text = ("%.2g"):format(p.tolerance or 0)
  return p.terms
    and ("%s for sums of %s terms"):format(text, units.count(p.terms)) or text
end

local function in_words(p, reports, canary)
  for _, r in ipairs(reports) do
    if not r.ok then return ("wrong: %s: %s"):format(r.name, tostring(r)) end
  end
  if canary then return "wrong: " .. canary end
  local worst = reports[1]
  if not worst then return "correct: verify says so" end
  for _, r in ipairs(reports) do
    if r.worst_error > worst.worst_error then worst = r end
  end
  if worst.worst_error == 0 then
    return "correct: every element is as expected"
      .. (worst.unordered and ", in any order" or "")
  end
  if worst.strays then
    return (
      "correct but for %s of %s elements, as rounding allows here"):format(
        units.count(worst.wrong), units.count(worst.count))
  end
  return ("correct%s: largest error %.2g%s, mean %.2g; allowed %s"):format(
    worst.unordered and ", in any order" or "", worst.worst_error,
    worst.unordered and "" or (" (at [%d])"):format(worst.index),
      worst.mean_error, allowed(p))
end

-- What the outputs hold now.
function methods:answers()
  local list = {}
  for i, output in ipairs(self.outputs) do list[i] = objects.copy(output) end
  return list
end

-- How the outputs differ from the answers of another device: a report for each,
-- as from b:equals, with the name; and whether every one is within the
-- tolerance.
function methods:differences(answers)
  local reports, close = {}, true
  for i, output in ipairs(self.outputs) do
    reports[i] = judge(self, output, answers[i])
    close = close and reports[i].ok
  end
  return reports, close
end

------------------------------------------------------ what was not written

-- Outputs of a person's own kernel may hold the answer of an earlier run, and
-- then a kernel that leaves elements out would pass. So it runs first on
-- outputs that hold marks; what keeps two different marks was not written.
-- Whole numbers get 0 instead: a kernel may use them as indices, and 0 is a
-- safe one.
local MARKS = { 12345.5, -777.25 }

local function mark_of(output, i)
  return is_float(output.value) and MARKS[i] or 0
end

-- How many elements of each output keep mark i when it runs. What reads its own
-- output may go astray on marks, or on for ever: then nothing is known.
local function unwritten(p, i)
  local counts, total = {}, 0
  if p.held then p.restore() end
  for _, output in ipairs(p.marked) do output.value:fill(mark_of(output, i)) end
  if not pcall(p.run, p, 1, 1 + 10 * p.last.wall) then return 0 end
  for n, output in ipairs(p.marked) do
    local _, report = flat(output.value):equals(
      flat(output.value:copy():fill(mark_of(output, i))), 0)
    counts[n] = report.count - report.wrong
    total = total + counts[n]
  end
  return total, counts
end

-- Elements that keep both marks, of the output that has most of them.
local function count_unwritten(p)
  local total, first = unwritten(p, 1)
  if total == 0 then return 0 end
  local left, second = unwritten(p, 2)
  if left == 0 then return 0 end
  local most, at = 0, 1
  for n in ipairs(p.marked) do
    local both = math.min(first[n], second[n])
    if both > most then most, at = both, n end
  end
  return most, p.marked[at]
end

-- Does the reference give the same whatever the outputs held before? Then what
-- the kernel leaves out is missing. (One that adds to its output does not.)
local function overwrites(p, wanted)
  if p.reads_outputs then return false end
  for _, output in ipairs(p.marked) do output.value:fill(mark_of(output, 1)) end
  local again = expected(p)
  for i, output in ipairs(p.outputs) do
    if is_buffer(again[i]) and is_buffer(wanted[i])
      and not flat(again[i]):equals(flat(wanted[i]), 0) then
      return false
    end
  end
  return true
end

-- A sentence if elements are left out that an answer needs. A zero that was
-- there before may stay: counters start from it.
local function left_out(p, count, output, wanted)
  if count == 0 or not overwrites(p, wanted) then return nil end
  local at
  for i, other in ipairs(p.outputs) do if other == output then at = i end end
  local answer, before = wanted[at], output.initial
  if not is_buffer(answer) or type(answer[0]) ~= "number" then return nil end
  unwritten(p, 1)
  local mark, value = output.value:copy():fill(mark_of(output, 1))[0],
    flat(output.value)
  local flat_answer, flat_before = flat(answer), flat(before)
  if output.unordered then -- one that has the mark's value may stand anywhere
    local more = 0
    for i = 0, math.min(#value, 1000000) - 1 do
      more = more + (value[i] == mark and 1 or 0) - (
        flat_answer[i] == mark and 1 or 0)
    end
    return more > 0
      and ("%s: %s of %s elements were not written: is the grid large enough?")
      :format(output.name, units.count(more), units.count(#value)) or nil
  end
  for i = 0, math.min(#value, 1000000) - 1 do
    if value[i] == mark and flat_answer[i] ~= mark
      and not (flat_answer[i] == 0 and flat_before[i] == 0) then
      return (
        "%s: %s of %s elements were not written, the first at [%d]: "
          .. "is the grid large enough?")
        :format(output.name, units.count(count), units.count(#value), i)
    end
  end
end

-- A sentence if elements are left out: by the reference, or, where there is
-- none, because it was another number in the launch that it is compared with.
local function missing(p, wanted)
  local count, where = count_unwritten(p)
  local first = p.first_count or count
  p.first_count = first
  if p.reference then return left_out(p, count, where, wanted) end
  return count ~= first
    and ("%s: %s not written, there %s"):format(
    where and where.name or "the output",
    units.many(count, "element was", "elements were"),
      units.count(first)) or nil
end

-- Call f(p, …), which changes the outputs, and give them back what they hold
-- now. Only a person's own launch has outputs that may be marked; several
-- launches write more than their outputs, p.held.
local function keeping(p, f, ...)
  if not p.marked or #p.marked == 0 then return nil end
  local held, last, list = {}, p.last, p.held or p.marked
  for i, output in ipairs(list) do held[i] = objects.copy(output) end
  local result = f(p, ...)
  for i, output in ipairs(list) do objects.put(output, held[i]) end
  p.last = last
  return result
end

-- A kernel that adds to its output is right only if that starts from 0: a hint
-- if that is what made it wrong.
local function adds_up(p, wanted)
  for _, output in ipairs(p.marked) do output.value:fill(0) end
  if not pcall(p.run, p, 1, 1 + 10 * p.last.wall) then return nil end
  for i, output in ipairs(p.outputs) do
    if not judge(p, output, wanted[i]).ok then return nil end
  end
  local name = p.marked[1].name
  return (
    "; with %s cleared it is right: give before = function() "
      .. "%s:fill(0) end"):format(name, name)
end

-- What the person's own verify says of the answer: nil if it is right, else why
-- not.
local function refused(p)
  local said = table.pack(p.accept())
  if said.n == 0 then
    error(
      "verify must return whether the answer is right: true, "
        .. "or false and a sentence; it returned nothing", 0)
  end
  return not said[1]
    and tostring(said[2] or "verify says that the answer is not right") or nil
end

-- The right answer is not known: what it leaves is kept, for others to be held
-- against.
local function unverified(p)
  p:run(1)
  p.first_count = keeping(p, count_unwritten)
  return { text =
    "not verified: give a reference, as in cpu = cpu.add, "
      .. "or verify = function(…) … end", reports = {} }
end

-- What the kernel writes and the reference does not give.
local function apart(p)
  local names = {}
  for _, output in ipairs(p.outputs) do
    if output.apart then names[#names + 1] = output.name end
  end
  return #names == 0 and ""
    or ("; not compared: %s, of which cpu.%s says nothing"):format(
    table.concat(names, ", "), p.cpu.name)
end

-- Run once and compare with the reference, or with 'known' answers, and ask the
-- person's own verify: { ok, text, reports }. Without any of them ok is nil.
function methods:verify(known)
  if self.reset then self.reset() end
  if not self.reference and not known and not self.accept then
    return unverified(self)
  end
  local wanted, out = known, nil
  if not known and self.reference then wanted, out = expected(self) end
  self:run(1, self.limit)
  local reports, ok = {}, true
  for i, output in ipairs(wanted and self.outputs or {}) do
    if not output.apart or known then
      local report = judge(self, output, wanted[i])
      report.output = i
      reports[#reports + 1], ok = report, ok and report.ok
    end
  end
  local canary = self.check and self.check() or ok and self.accept
    and refused(self)
  local hint
  if not wanted then
    return { ok = not canary, reports = {}, text = in_words(self, {}, canary) }
  end
  if ok then canary = canary or keeping(self, missing, wanted)
  elseif self.reference then hint = keeping(self, adds_up, wanted) end
  self.work_out = out or self.work_out
  return { ok = ok and not canary, reports = reports,
    text = in_words(self, reports, canary) .. (hint or "") .. apart(self),
    worst = reports[1] and reports[1].worst_error, wanted = wanted,
    tolerance = self.tolerance, terms = self.terms }
end

verify.clones = clones

return verify

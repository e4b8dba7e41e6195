-- workload.lua - something to be computed: launches, what they must give, and
-- how much work it is. compare, sweep, bench and the tests all work on these;
-- lua/workload/kernels.lua makes them for the library.
--
--   local p = workload.new { … }
--   local p = workload.of_launch { k, a, b, grid = …, cpu = … }
--   p:verify()         runs it once and compares: { ok =, text =, … }
--   p:run(n)           runs it n times: seconds of one by the device's clock,
--                      and wall
--   p:ways()           names of the ways its CPU reference runs here
--   p:cpu_run(way, n)  runs the reference n times: seconds of one
--   p.restore()        if there: gives a person's outputs back what they held
--
-- Verification comes before any timing. Outputs are filled with nonsense first
-- where that is possible, so that what an earlier run left cannot pass for an
-- answer.
local arguments = require "lua.workload.arguments"
local units = require "lua.text.units"
local uses = require "lua.workload.uses"

local workload = {}
local methods = {}
local meta = { __index = methods }

function workload.new(p) return setmetatable(p, meta) end

-- "buffer", "kernel" …, of what Mettle makes.
local function kind_of(v)
  local meta = type(v) == "userdata" and getmetatable(v)
  return type(meta) == "table" and meta.__name
end
local function is_texture(v) return kind_of(v) == "texture" end
local function is_buffer(v) return kind_of(v) == "buffer" end
local function is_kernel(v) return kind_of(v) == "kernel" end
workload.is_buffer, workload.is_kernel, workload.is_texture = is_buffer, is_kernel,
  is_texture

-- A message without the place in our own modules that it was raised at: the
-- person's own line is what helps.
function workload.plain(message)
  if type(message) ~= "string" then return message end
  local place, rest = message:match "^([^\n:]*%.lua):%d+: (.*)$"
  local ours = place and (place:find "%f[%w_]lua/[%w_]+%.lua$"
    or place:find "%f[%w_]lua/%l+/[%w_]+%.lua$"
    or place:find "%f[%w_]kernels/[%w_]+%.lua$")
  return ours and rest or message
end

--------------------------------------------------------------------- running

-- The launch with other words in it; the table given is not changed.
local function with(launch, changes)
  local t = {}
  for key, v in pairs(launch) do t[key] = v end
  for key, v in pairs(changes) do t[key] = v end
  return t
end

local SAMPLES = 500 -- times of each launch that are kept

-- All steps in one command buffer; the times of each are kept in p.each.
local function run_steps(p, limit)
  local r = gpu.commands({ function()
    for _, step in ipairs(p.steps) do
      if step.barrier then gpu.barrier() end
      step.kernel(step.launch)
    end
  end, concurrent = p.concurrent or nil, limit = limit })
  p.commands = r
  -- what is asked of a last launch: its sizes, and the time of all
  p.last = setmetatable({ time = r.time, wall = r.wall }, { __index = r[#r] })
  p.each = p.each or {}
  for i, one in ipairs(r) do
    p.each[i] = p.each[i] or {}
    if one.time and #p.each[i] < SAMPLES then
      table.insert(p.each[i], one.time * one.repeats)
    end
  end
  return r.time, r.wall
end

-- One run of all steps.
local function run_once(p, limit)
  if #p.steps > 1 then return run_steps(p, limit) end
  local step = p.steps[1]
  local r = step.kernel(with(step.launch, { limit = limit }))
  p.last = r
  return r.time, r.wall
end

-- Seconds that a sample may take with 'before' called between its runs: what it
-- does is not timed, but somebody waits for it.
local PREPARED = 0.05

-- n runs, or as many as fit, with 'before' called ahead of each: every one is a
-- launch of its own.
local function run_prepared(p, n, limit)
  local now = require("mettle.system").now
  local time, wall, count, start = 0, 0, 0, now()
  repeat
    p.before()
    local own, launched = run_once(p, limit)
    time, wall, count = time + own, wall + launched, count + 1
  until count >= n or now() - start > PREPARED
  return time / count, wall / count, count
end

-- Run all steps n times; seconds of one round on the device, and by the wall,
-- and how many runs there were if not n.
-- 'limit', in seconds, for one run.
function methods:run(n, limit)
  local steps = self.steps
  if self.before then return run_prepared(self, n, limit) end
  if #steps == 1 then
    local r = steps[1].kernel(
      with(steps[1].launch, { repeats = n, limit = limit }))
    self.last = r
    return r.time, r.wall
  end
  local time, wall = 0, 0
  for _ = 1, n do
    local own, launched = run_once(self, limit)
    time, wall = time + own, wall + launched
  end
  return time / n, wall / n
end

local ALONE = 3 -- runs of each launch by itself

-- The times of launches in a command buffer of their own, for a device that
-- times a command buffer as a whole.
local function times_alone(p)
  local each = { alone = true }
  for _ = 1, ALONE do
    if p.before then p.before() end
    for i, step in ipairs(p.steps) do
      local r = step.kernel(step.launch)
      each[i] = each[i] or {}
      table.insert(each[i], r.time * r.repeats)
    end
  end
  return each
end

-- What each launch of several took since the last call, as medians: { kernel,
-- time, share } in order, 'alone' if they did not run in one command buffer;
-- nil if there was none.
function methods:launch_times()
  local each, list, total = self.each, {}, 0
  local summary = require("lua.workload.timing").summary
  self.each = nil
  if not each or #self.steps < 2 then return nil end
  if #each[1] == 0 then each = times_alone(self) end
  list.alone = each.alone
  for i, step in ipairs(self.steps) do
    list[i] = { kernel = step.kernel.name, time = summary(each[i]).median }
    total = total + list[i].time
  end
  for _, one in ipairs(list) do
    one.share = total > 0 and one.time / total or 0
  end
  return list
end

------------------------------------------------------------------- verifying

-- A copy of what an output holds; of a texture its pixels, as a buffer.
local function contents_of(output)
  return is_texture(output.value) and output.value:read() or output.value:copy()
end

-- Set an output to what a buffer holds.
local function put(output, contents)
  if is_texture(output.value) then
    output.value:write(contents)
  else
    output.value:fill(contents)
  end
end

-- Buffers like the outputs, for the reference to fill.
local function clones(p)
  local out = {}
  for _, output in ipairs(p.outputs) do
    out[output.name] = contents_of(output)
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

-- What an output holds, to look at: the buffer itself, or a texture's pixels.
function workload.contents(output)
  return is_texture(output.value) and output.value:read() or output.value
end
local got = workload.contents

local function flat(v) return is_buffer(v) and v:reshape(#v) or v end

-- Compare one output; a report as from b:equals, with 'ok' and the name.
local function judge(p, output, wanted)
  local ok, report
  if output.unordered then
    ok, report = require("lua.workload.multiset_compare").equals(flat(got(output)),
      flat(wanted), p.tolerance)
    report.unordered = true
  else
    ok, report = flat(got(output)):equals(flat(wanted), p.tolerance, p.scale)
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
  for i, output in ipairs(self.outputs) do list[i] = contents_of(output) end
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

local function is_float(b) return arguments.is_float(b.type) end
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
        "%s: %s of %s elements were not written, the first at [%d]: is the grid large enough?")
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
  for i, output in ipairs(list) do held[i] = contents_of(output) end
  local result = f(p, ...)
  for i, output in ipairs(list) do put(output, held[i]) end
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
    "; with %s cleared it is right: give before = function() %s:fill(0) end"):format(name, name)
end

-- What the person's own verify says of the answer: nil if it is right, else why
-- not.
local function refused(p)
  local said = table.pack(p.accept())
  if said.n == 0 then
    error(
      "verify must return whether the answer is right: true, or false and a sentence; it returned nothing", 0)
  end
  return not said[1]
    and tostring(said[2] or "verify says that the answer is not right") or nil
end

-- Nobody knows what is right: what it leaves is kept, for others to be held
-- against.
local function unverified(p)
  p:run(1)
  p.first_count = keeping(p, count_unwritten)
  return { text =
    "not verified: give a reference, as in cpu = cpu.add, or verify = function(…) … end", reports = {} }
end

-- What the kernel writes and the reference does not give.
local function apart(p)
  local names = {}
  for _, output in ipairs(p.outputs) do
    if output.apart then names[#names + 1] = output.name end
  end
  return #names == 0 and "" or ("; not compared: %s, of which cpu.%s says nothing"):format(
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

-- Bytes that must be moved and operations that must be done, or nil.
function methods:work()
  local out = self.work_out or {}
  local function value(v)
    if type(v) == "function" then return v(out) end
    return v
  end
  return value(self.bytes), value(self.operations)
end

-- Bytes of all that it touches: each buffer and texture once.
function methods:working_set()
  local total, seen = 0, {}
  local function add(v)
    if not seen[v] and (is_buffer(v) or is_texture(v)) then
      seen[v] = true
      total = total + (is_buffer(v) and v or v:read()).bytes
    end
  end
  for _, v in pairs(self.values or self.arguments or {}) do
    add(v)
    if type(v) == "table" then for _, member in pairs(v) do add(member) end end
  end
  return total
end

--------------------------------------------------------------- CPU references

-- Names of the ways; {"Lua"} for a person's own function; none for a reference
-- that is there to check with, and whose time would say nothing about the CPU.
function methods:ways()
  if self.cpu then return self.cpu.ways end
  return self.reference and not self.check_only and { "Lua" } or {}
end

function methods:cpu_run(way, n)
  self.cpu_out = self.cpu_out or clones(self)
  local total = 0
  for _ = 1, n do
    local now = require("mettle.system").now
    local start = now()
    local results = table.pack(
      self.reference(self.cpu_out, self.cpu and way or nil))
    local seconds = self.cpu and results[results.n]
    total = total + (type(seconds) == "number" and seconds or now() - start)
  end
  return total / n
end

---------------------------------------------------------- a person's own launch

-- Words of a launch that are not for the launch itself.
local words = { cpu = true, tolerance = true, bytes = true, operations = true,
  before = true, verify = true, unordered = true,
  budget = true, devices = true, title = true, over = true, group_sizes = true,
    repeats = true, plot = true }

local function parameters(k)
  local list = {}
  for _, p in ipairs(uses.params(k)) do
    if p.kind ~= "builtin" then list[#list + 1] = p end
  end
  return list
end

-- The buffers and textures in a struct that is given as a table: { param, value
-- }, with what the kernel does with each. 'key' is its field.
local function members_of(a)
  local list = {}
  local given = type(a.value) == "table" and getmetatable(a.value) == nil
  for _, f in ipairs(given and a.param.fields or {}) do
    local v = a.value[f.name]
    if f.access and (is_buffer(v) or is_texture(v)) then
      list[#list + 1] = { value = v, key = f.name, param = {
        name = a.param.name .. "." .. f.name, access = f.access, type = f.type,
        kind = is_buffer(v) and "buffer" or "texture" } }
    end
  end
  return list
end

-- All buffers and textures of a launch, those in structs as well.
local function objects_of(order)
  local list = {}
  for _, a in ipairs(order) do
    if type(a.value) == "userdata" then list[#list + 1] = a end
    for _, member in ipairs(members_of(a)) do list[#list + 1] = member end
  end
  return list
end

local function has_texture(order)
  for _, a in ipairs(objects_of(order)) do
    if is_texture(a.value) then return true end
  end
  return false
end

-- The arguments by name, and in the order of the kernel's parameters.
local function bound(k, launch)
  local values, order, number = {}, {}, 0
  for _, p in ipairs(parameters(k)) do
    local v
    if p.kind ~= "threadgroup" then
      number = number + 1
      v = launch[number]
    end
    if v == nil then v = launch[p.name] end
    order[#order + 1] = { param = p, value = v }
    values[p.name] = v
  end
  return values, order
end

local writes = uses.writes

-- What a reference of cpu.* is called with: its inputs are the buffers that the
-- kernel reads, in order, its outputs those that it writes, its numbers the
-- plain numbers that come as values of the kind the reference wants.
local function arguments_for(reference, order, out)
  local reads, written, both, numbers = {}, {}, {}, {}
  local all = objects_of(order)
  for _, a in ipairs(order) do
    if type(a.value) ~= "userdata" then all[#all + 1] = a end
  end
  for _, a in ipairs(all) do
    if is_buffer(a.value) and writes(a.param) then
      written[#written + 1] = out[a.param.name]
      both[#both + 1] = a.value
    elseif is_texture(a.value) and writes(a.param) then
      written[#written + 1] = out[a.param.name]
      both[#both + 1] = a.value:read()
    elseif is_buffer(a.value) then
      reads[#reads + 1] = a.value
    elseif is_texture(a.value) then
      reads[#reads + 1] = a.value:read()
    elseif type(a.value) == "number" and a.param.type ~= "uint"
      and a.param.type ~= "int" then
      numbers[#numbers + 1] = a.value
    end
  end
  local list, used, reads_outputs = {}, { ["in"] = 0, out = 0, number = 0 },
    false
  for i, want in ipairs(reference.args) do
    used[want.role] = used[want.role] + 1
    local n = used[want.role]
    if want.role == "in" then
      list[i] = reads[n] or both[n - #reads]
      reads_outputs = reads_outputs or reads[n] == nil
    elseif want.role == "out" then list[i] = written[n]
    else list[i] = numbers[n] end
    if list[i] == nil and want.role ~= "out" then
      error(
        ("cpu.%s needs '%s', and the kernel has no such argument: give a function instead, as in cpu = function(…) return cpu.%s(…) end")
        :format(reference.name, want.name, reference.name), 0)
    end
  end
  return list, reads_outputs
end

-- Operations of a few references, from their arguments.
local TOLERANCE = 1e-5 -- of an element, where nothing better is known

local operations_of = {
  add = function(a) return #a[1] end, sub = function(a) return #a[1] end,
    mul = function(a) return #a[1] end,
  relu = function(a) return #a[1] end, sum = function(a) return #a[1] end,
    mean = function(a) return #a[1] end,
  max = function(a) return #a[1] end, saxpy = function(a) return 2 * #a[2] end,
    dot = function(a) return 2 * #a[1] end,
  scan = function(a) return #a[1] end,
  matmul =
    function(a) return 2 * a[1].shape[1] * a[1].shape[2] * a[2].shape[2] end,
  linear =
    function(a) return 2 * a[1].shape[1] * a[1].shape[2] * a[2].shape[2] end,
}

-- The root mean square of a buffer of floats.
local function size_of(b)
  local floats = (b.type == "float" and b or b:as "float"):reshape(b.bytes // 4)
  return math.sqrt(cpu.dot(floats, floats) / #floats)
end

-- References that add up: how many terms, and how large they can be together,
-- by which rounding is measured where they cancel each other out.
local sums_of = {
  sum = function(a) return #a[1], #a[1] * size_of(a[1]) end,
  mean = function(a) return #a[1], size_of(a[1]) end,
  scan = function(a) return #a[1], #a[1] * size_of(a[1]) end,
  dot = function(a) return #a[1], #a[1] * size_of(a[1]) * size_of(a[2]) end,
  matmul = function(a) return a[1].shape[2],
    a[1].shape[2] * size_of(a[1]) * size_of(a[2]) end,
  linear = function(a) return a[1].shape[2] + 1,
    a[1].shape[2] * size_of(a[1]) * size_of(a[2]) + size_of(a[3]) end,
  conv1d = function(a) return #a[2], #a[2] * size_of(a[1]) * size_of(a[2]) end,
  conv2d = function(a) return #a[2], #a[2] * size_of(a[1]) * size_of(a[2]) end,
  softmax = function(a) return a[1].shape[#a[1].shape], 1 end,
  layernorm = function(a) return a[1].shape[#a[1].shape], 1 end,
  attention = function(a) return #a[2] // a[2].shape[#a[2].shape], 1 end,
}

-- The tolerance where none is said, the scale, and the terms of a sum.
local function allowance(ref, order)
  local sums = ref and sums_of[ref.name]
  if not sums then return TOLERANCE end
  local fits, list = pcall(arguments_for, ref, order, {})
  local known, n, scale = pcall(function() return sums(list) end)
  if not (fits and known and n > 0) then return TOLERANCE end
  return TOLERANCE + require("lua.workload.tolerance").of_sum(n), scale > 1
    and scale < math.huge and scale or nil, n
end

-- Every byte once: what the kernel reads and what it writes.
local function bytes_of(order)
  local total = 0
  for _, a in ipairs(objects_of(order)) do
    local v = a.value
    if is_texture(v) then v = v:read() end
    local used = is_buffer(v) and a.param.access ~= "none"
    if used then total = total + v.bytes end
  end
  return total
end

-- What a reference gets for a struct: its outputs are copies that it may fill.
local function with_outputs(a, out)
  local members = members_of(a)
  local v = #members > 0 and with(a.value, {}) or a.value
  for _, member in ipairs(members) do
    v[member.key] = out[member.param.name] or v[member.key]
  end
  return v
end

local function reference_of(given, order, values)
  if given == nil then return nil end
  local reference = kind_of(given) == kind_of(cpu.add)
    and given
  if not reference and type(given) ~= "function" then
    local hint = type(given) == "string" and cpu[given]
      and (": write cpu = cpu.%s"):format(given) or ""
    error("cpu is a reference such as cpu.add, or a function, not a "
      .. type(given) .. hint, 0)
  end
  if reference then
    -- The arguments are made once for the same outputs, which a batch fills
    -- thousands of times; what a texture holds is read each time.
    local stay, list, made_for = not has_texture(order), nil, nil
    return function(out, way)
      if made_for ~= out then list = arguments_for(reference, order, out) end
      made_for = stay and out or nil
      list[#reference.args + 1] = way
      return reference(table.unpack(list, 1,
        #reference.args + (way and 1 or 0)))
    end, reference
  end
  return function(out)
    local list, n = {}, 0
    for _, a in ipairs(order) do
      if a.param.kind ~= "threadgroup" then
        n = n + 1
        list[n] = out[a.param.name] or with_outputs(a, out)
      end
    end
    return given(table.unpack(list, 1, n))
  end
end

-- Textures that the kernel only writes are filled with nonsense before.
-- Buffers, and what it reads too, get back what they held at the start: a
-- kernel may write some elements and leave the others as they are.
local function keep_contents(outputs)
  for _, output in ipairs(outputs) do
    output.initial = contents_of(output)
    if output.access == "write" and is_texture(output.value) then
      output.start = output.initial:copy():fill(
        is_float(output.initial) and 0 / 0 or 85)
    end
  end
  return function()
    for _, output in ipairs(outputs) do
      put(output, output.start or output.initial)
    end
  end
end

-- The arguments as the kernel has them, without threadgroup memory.
local function plain_arguments(order)
  local list, n = {}, 0
  for _, a in ipairs(order) do
    if a.param.kind ~= "threadgroup" then
      n = n + 1
      list[n] = a.value
    end
  end
  return list, n
end

-- verify = function(a, b, …): called with the kernel's own arguments after a
-- run.
local function accept_of(given, order)
  if given == nil then return nil end
  if type(given) ~= "function" then
    error(
      "verify is a function that gets the kernel's arguments after a run and returns true, or false and why not: verify = function(a, b) return b[0] == 1 end", 0)
  end
  local list, n = plain_arguments(order)
  return function() return given(table.unpack(list, 1, n)) end
end

-- unordered = true, "hits" or {"hits", …}: outputs whose elements may stand in
-- any order.
local function mark_unordered(given, outputs)
  if not given then return end
  local names, known = {}, {}
  for _, output in ipairs(outputs) do known[#known + 1] = output.name end
  for _, name in ipairs(given == true and known or type(given) == "table"
    and given or { given }) do
    names[name] = true
  end
  for _, output in ipairs(outputs) do
    output.unordered, names[output.name] = names[output.name], nil
  end
  local other = next(names)
  if other ~= nil then
    error(
      ("unordered names outputs of the kernel (%s), or is true for all; there is no '%s'"):format(
      #known > 0 and table.concat(known, ", ") or "it has none",
        tostring(other)), 0)
  end
end

-- A kernel and { k, arguments…, grid = … }, for those who look at one launch:
-- from such a table, or from a name of the library with sizes, of which it is
-- the first step. 'words' are the caller's own beside those of a launch. With
-- 'small' the library's kernels have small sizes where none is given.
function workload.one_launch(t, who, words, small)
  if type(t) == "string" then t = { t } end
  if type(t) == "table" and is_kernel(t[1]) then return t[1], t end
  if type(t) ~= "table" or type(t[1]) ~= "string" then
    error(("%s takes a kernel and its arguments: %s{k, a, b, grid = 64}"):format(
      who, who), 0)
  end
  local p, all = require("lua.workload.kernels").take(t, words, small)
  p.reset()
  local step = p.steps[1]
  all[1] = step.kernel
  for key, v in pairs(step.launch) do
    all[math.type(key) == "integer" and key + 1 or key] = v
  end
  return step.kernel, all
end

workload.mark_unordered, workload.keep_contents, workload.put, workload.TOLERANCE =
  mark_unordered, keep_contents, put, TOLERANCE

-- What the launch writes. Where only the declaration is known, a launch shows
-- it: what does not change is an input.
local function outputs_of(k, launch, order)
  local outputs, open = {}, {}
  for _, a in ipairs(objects_of(order)) do
    if writes(a.param) then
      local one = { name = a.param.name, value = a.value,
        access = a.param.access, param = a.param }
      outputs[#outputs + 1] = one
      if a.param.declared and is_buffer(a.value) then open[#open + 1] = one end
    end
  end
  if #open < 2 or not uses.observe(function() k(launch) end, open) then
    return outputs
  end
  local changed = {}
  for _, one in ipairs(outputs) do
    if one.observed ~= false then changed[#changed + 1] = one end
  end
  if #changed == 0 then return outputs end
  for _, one in ipairs(open) do
    if one.observed == false then one.param.access = "read" end
  end
  return changed
end

-- Outputs that the reference does not fill are not compared with it, unless it
-- fills none: then it works in place.
local function mark_apart(ref, list, outputs)
  local filled, any = {}, false
  for i, want in ipairs(ref and list and ref.args or {}) do
    if want.role == "out" and list[i] ~= nil then
      filled[list[i]], any = true, true
    end
  end
  for _, output in ipairs(outputs) do
    output.apart = any and not filled[output.value] or nil
  end
end

-- A workload from { k, arguments…, grid =, group =, cpu =, tolerance =, bytes =,
-- operations =, before =, verify =, unordered = }. 'who' is the function that
-- was called, for messages.
function workload.of_launch(t, who)
  if type(t) ~= "table" or not is_kernel(t[1]) then
    error(
      ("%s takes a kernel and its arguments: %s{k, a, b, c, grid = 1000, cpu = cpu.add}"):format(who, who), 0)
  end
  local k, launch, own, open = t[1], {}, {}, uses.open(t[1], t)
  for key, v in pairs(t) do
    if math.type(key) == "integer" then launch[key - 1] = key > 1 and v or nil
    elseif words[key] and not open[key] then own[key] = v
    else launch[key] = v end
  end
  local values, order = bound(k, launch)
  local outputs = outputs_of(k, launch, order)
  mark_unordered(own.unordered, outputs)
  if own.before ~= nil and type(own.before) ~= "function" then
    error(
      "before is a function, called before each run: before = function() total:fill(0) end", 0)
  end
  local reference, ref = reference_of(own.cpu, order, values)
  local tolerance, scale, terms = TOLERANCE, nil, nil
  if own.tolerance == nil then
    tolerance, scale, terms = allowance(ref, order)
  end
  local restore = keep_contents(outputs)
  local first_arguments
  local marked, by_name = {}, {}
  for _, output in ipairs(outputs) do
    by_name[output.name] = output.value
    if is_buffer(output.value) then marked[#marked + 1] = output end
  end
  local fits, list, reads_outputs = pcall(arguments_for, ref or { args = {} },
    order, by_name)
  mark_apart(ref, fits and list, outputs)
  return workload.new {
    name = k.name, title = own.title or k.name,
      steps = { { kernel = k, launch = launch } }, outputs = outputs,
    values = values, order = order, marked = marked, reads_outputs = fits
      and reads_outputs,
    reset = function()
      restore()
      -- what the reference reads is ready too
      if own.before then own.before() end
    end,
    restore = function()
      for _, output in ipairs(outputs) do put(output, output.initial) end
    end,
    before = own.before, accept = accept_of(own.verify, order),
    reference = reference, reference_key = own.cpu, cpu = ref,
      tolerance = own.tolerance or tolerance, scale = scale, terms = terms,
    bytes = own.bytes or bytes_of(order),
    operations = own.operations or ref and operations_of[ref.name]
      and function(out)
      first_arguments = first_arguments or arguments_for(ref, order, out)
      return operations_of[ref.name](first_arguments)
    end or nil,
  }
end

return workload

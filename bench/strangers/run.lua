-- run.lua - the kernels of bench/strangers on this device, beside PoCL, plain C
-- and nvcc: answers are compared with those of plain C, then all take turns
-- (bench/side.lua). `make bench-strangers` builds the contenders and runs it.
--
--   FAMILY=fft KERNEL=word,word   only those   BESIDE=pocl,cc,nvcc
--   CORES=one   one thread each, CPU time; all: all cores, by the wall; both,
--               one after the other, if not given
--   CHECK=1     answers only                STRANGERS_SCALE=16   larger inputs
--
-- On a GPU (METTLE_DEVICE=cuda) times are the GPU's own, and plain C is there
-- for the answers alone.
local side = dofile "bench/side.lua"
local texts = dofile "bench/strangers/texts.lua"
local inputs = dofile "bench/strangers/inputs.lua"
local contenders = dofile "bench/strangers/contenders.lua"
local system = require "mettle.system"
local units = require "lua.text.units"

local on_gpu = gpu.device.is_gpu
local cores = os.getenv "CORES" or on_gpu and "all" or "both"
local check_only = os.getenv "CHECK"
local beside = os.getenv "BESIDE" or on_gpu and "nvcc" or "pocl,cc"
local scale = tonumber(os.getenv "STRANGERS_SCALE") or on_gpu and 16 or 1

------------------------------------------------------------ one core, all cores

local ONE = "METTLE_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 OMP_NUM_THREADS=1"

-- Threads are set by the environment, so each way is a process of its own.
local WAYS = { one = { "one" }, all = { "all" }, both = { "one", "all" } }
local way = os.getenv "STRANGERS_WAY"
if not way then
  local program = arg and arg[-1] or "build/mettle"
  os.remove "build/bench-strangers.md"
  for _, cores in ipairs(WAYS[check_only and "all" or cores]) do
    local ok, _, status = os.execute(("env STRANGERS_WAY=%s %s '%s' %s"):format(
      cores, cores == "one" and ONE or "", program, arg[0]))
    if not ok then os.exit(status) end
  end
  return
end

local by_cpu = way == "one"
local settings = by_cpu and ONE
  or "OMP_WAIT_POLICY=passive OMP_NUM_THREADS=" .. system.cores

---------------------------------------------------------------------- arguments

local function list_of(v) return type(v) == "table" and v or { v } end

local function arguments_of(kernel)
  local t = assert(load("return " .. kernel.head, "=" .. kernel.name, "t",
    inputs.words(scale)))()
  t.arguments = table.move(t, 2, #t, 1, {})
  t.grid, t.group, t.files = list_of(t.grid), list_of(t.group), {}
  t.launch = { grid = t.grid, group = t.group }
  for i, argument in ipairs(t.arguments) do
    local b = argument.buffer
    t.launch[i] = b and (argument.as and b:as(argument.as) or b)
      or argument.value
    if b then
      if argument.output then
        b:fill(argument.output)
        argument.start = b:copy()
      end
      t.files[i] = ("%s/%d.npy"):format(contenders.folder, i)
      b:save(t.files[i])
    end
  end
  return t
end

------------------------------------------------------------------------ answers

local EXACT = { int = true, uint = true, uchar = true, char = true,
  ushort = true, short = true }

local function largest(b)
  return math.max(math.abs(b:min()), math.abs(b:max()))
end

-- nil if all is well, else what is wrong; 'got' and 'expected' by argument.
local function wrong(t, got, expected)
  for i, right in pairs(expected) do
    local size = math.max(largest(right), 1e-30)
    local error = t.off and t.off / size or EXACT[right.type] and 0
      or t.error or 2 ^ -20
    local same, report = got[i]:equals(right, error, size)
    if not same and report.wrong > (t.outliers or 0) * report.count then
      return report.text
    end
  end
end

local function outputs(t, f)
  local list = {}
  for i, argument in ipairs(t.arguments) do
    if argument.output then list[i] = f(i, argument) end
  end
  return list
end

local function own_answers(kernel, t)
  for _, argument in ipairs(t.arguments) do
    if argument.output then argument.buffer:fill(argument.output) end
  end
  kernel(t.launch)
  return outputs(t, function(_, argument) return argument.buffer end)
end

local function answers_of(contender, kernel, t)
  contender:give(kernel, t)
  contender:run(1)
  return outputs(t, function(i) return contender:answer(t, i) end)
end

-------------------------------------------------------------------------- turns

local function own_turn(kernel, t)
  if on_gpu then
    return function(n)
      t.launch.repeats = n
      return kernel(t.launch).time
    end
  end
  local clock = by_cpu and os.clock or system.now
  return function(n)
    local start = clock()
    for _ = 1, n do kernel(t.launch) end
    return (clock() - start) / n
  end
end

local function turn_of(contender)
  return function(n) return (select(by_cpu and 2 or 1, contender:run(n))) end
end

-- Those whose answer is right take part; a line names the others.
local function contest(kernel, others, reference)
  local t = arguments_of(kernel)
  local compiled = gpu.kernel(texts.of(kernel, "metal"), kernel.name)
  local expected = answers_of(reference, kernel, t)
  local faults = 0
  local function judged(name, f)
    local ok, got = pcall(f)
    local why = not ok and got or wrong(t, got, expected)
    if why then
      faults = faults + 1
      print(("%s: %s: %s"):format(kernel.name, name, why))
    end
    return not why
  end
  local ok = judged("Mettle", function() return own_answers(compiled, t) end)
  local turns = { { "Mettle", own_turn(compiled, t) } }
  for _, other in ipairs(others) do
    if other == reference or judged(other.name, function()
      return answers_of(other, kernel, t)
    end) then
      turns[#turns + 1] = { other.name, turn_of(other) }
    end
  end
  local ratios
  if check_only then
    print(kernel.name .. (faults == 0 and ": ok" or ": wrong"))
  elseif ok and #turns > 1 then
    ratios = side.row(kernel.name, table.unpack(turns))
  end
  reference:clear()
  for _, other in ipairs(others) do
    if other ~= reference then other:clear() end
  end
  return ratios, faults
end

------------------------------------------------------------------------- tables

local results = {} -- { kernel, family, ratios }

-- The geometric mean, how many, the least and its kernel.
local function mean(name, family)
  local logs, count, least, who = 0, 0, math.huge, ""
  for _, r in ipairs(results) do
    local ratio = r.ratios[name]
    if ratio and (not family or r.family == family) then
      logs, count = logs + math.log(ratio.median), count + 1
      if ratio.median < least then least, who = ratio.median, r.kernel end
    end
  end
  return count > 0 and math.exp(logs / count), count, least, who
end

-- How many times as long it takes, in the mean of each family and of all.
local function summarise(name)
  side.heading(("%s takes, in the geometric mean"):format(name))
  for _, family in ipairs(texts.families) do
    local times, count, least, who = mean(name, family)
    if times then
      print(("%s %s of %2d, least %s %s"):format(units.pad(family, 12),
        units.right(units.times(times), 7), count, units.times(least), who))
    end
  end
  local times, count, least, who = mean(name)
  if not times then return end
  local below = 0
  for _, r in ipairs(results) do
    if r.ratios[name] and r.ratios[name].median < 0.95 then
      below = below + 1
    end
  end
  print(("%s %s of %2d, least %s %s; %d below 0.95"):format(
    units.pad("all", 12), units.right(units.times(times), 7), count,
    units.times(least), who, below))
end

local function cell(ratio)
  return ratio and ("%s (%s to %s)"):format(units.times(ratio.median),
    units.three(ratio.low), units.three(ratio.high)) or ""
end

-- The table for docs/performance.md.
local function write(title, names)
  local file = assert(io.open("build/bench-strangers.md", "a"))
  file:write("\n", title, "\n\n| family | kernel | Mettle |")
  for _, name in ipairs(names) do file:write(" ", name, " takes |") end
  file:write("\n|---|---|---|", ("---|"):rep(#names), "\n")
  for _, r in ipairs(results) do
    local first = select(2, next(r.ratios)).first
    file:write(("| %s | %s | %s |"):format(r.family, r.kernel,
      units.time(first)))
    for _, name in ipairs(names) do
      file:write(" ", cell(r.ratios[name]), " |")
    end
    file:write "\n"
  end
  for _, family in ipairs(texts.families) do
    local line, any = ("| **%s** | geometric mean | |"):format(family), false
    for _, name in ipairs(names) do
      local times = mean(name, family)
      any = any or times
      line = line .. " " .. (times and units.times(times) or "") .. " |"
    end
    if any then file:write(line, "\n") end
  end
  file:write "| **all** | geometric mean | |"
  for _, name in ipairs(names) do
    local times = mean(name)
    file:write(" ", times and units.times(times) or "", " |")
  end
  file:write "\n"
  file:close()
end

--------------------------------------------------------------------------- main

assert(os.execute("mkdir -p " .. contenders.folder))
local reference = assert(contenders.open("cc", settings))
local others, names = {}, {}
for word in beside:gmatch "[^,]+" do
  local other, why
  if word == "cc" then
    other = reference
  else
    other, why = contenders.open(word, settings)
  end
  if other then
    others[#others + 1], names[#names + 1] = other, other.name
  else
    print(("without %s: %s"):format(word, why))
  end
end

local title = ("Kernels as strangers write them, on %s, %s"):format(
  gpu.device.title, on_gpu and "the GPU's own time"
  or by_cpu and "one thread each, CPU time" or "all cores, by the wall")
side.heading(title .. ": how many times as long the others take")
local faults, refused = 0, 0
for _, kernel in ipairs(texts.kernels(os.getenv "FAMILY" or "",
  os.getenv "KERNEL" or "")) do
  local ok, ratios, wrongs = pcall(contest, kernel, others, reference)
  if not ok then
    refused = refused + 1
    print(kernel.name .. ": " .. tostring(ratios))
    reference:clear()
    for _, other in ipairs(others) do other:clear() end
  else
    faults = faults + wrongs
    if ratios and next(ratios) then
      results[#results + 1] = { kernel = kernel.name, family = kernel.family,
        ratios = ratios }
    end
  end
  collectgarbage()
end
reference:close()
for _, other in ipairs(others) do
  if other ~= reference then other:close() end
end
if #results > 0 then
  for _, name in ipairs(names) do summarise(name) end
  write(title, names)
end
if faults + refused > 0 then
  print(("%d wrong answers, %d kernels that did not run"):format(faults,
    refused))
  os.exit(1)
end

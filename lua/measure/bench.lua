-- bench.lua - bench(): the standard suite, and its result as a card.
--
-- What people try first on a new machine, always the same, so that two cards
-- can be laid side by side (lua/measure/cards.lua). Each figure is verified
-- before it is measured; one that does not fit into memory or time is left out,
-- and the card says why.
local on_devices = require "lua.workload.on_devices"
local cards = require "lua.measure.cards"
local kernels = require "lua.workload.kernels"
local progress = require "lua.session.progress"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local bench = {}

-- Each is an id, a title, a kernel and its sizes. A figure with 'like' takes
-- the fastest kernel of those, and is left out if 'times' its time is more than
-- 'most' seconds: so that the whole suite stays within three minutes.
local suite = {
  { "add-1M", "vector add, 1M", "add", { n = 1000000 } },
  { "relu-1M", "relu, 1M", "relu", { n = 1000000 } },
  { "saxpy-16M", "saxpy, 16M", "saxpy", { n = 16000000 } },
  { "triad-16M", "triad, 16M", "triad", { n = 16000000 } },
  { "transpose-naive", "transpose 2048², naive", "transpose_naive", {} },
  { "transpose-padded", "transpose 2048², tiled", "transpose_padded", {} },
  { "sum-atomic-1M", "sum 1M, atomic", "sum_atomic", { n = 1000000 } },
  { "sum-tree-16M", "sum 16M, tree", "sum_tree", { n = 16000000 } },
  { "sum-simd-16M", "sum 16M, simd_sum", "sum_simd", { n = 16000000 } },
  { "mean-10000", "mean of 10,000²", "mean",
    { rows = 10000, columns = 10000 } },
  { "matmul-naive-1000", "matmul 1000³, naive", "matmul_naive",
    { m = 1000, n = 1000, k = 1000 } },
  { "matmul-tiled-1000", "matmul 1000³, tiled", "matmul_tiled",
    { m = 1000, n = 1000, k = 1000 } },
  { "matmul-blocked-1000", "matmul 1000³, blocked", "matmul_blocked",
    { m = 1000, n = 1000, k = 1000 } },
  { "matmul-simd-1000", "matmul 1000³, simdgroup", "matmul_simdgroup",
    { m = 1000, n = 1000, k = 1000 } },
  { "matmul-5000", "matmul 5000³, the fastest", "matmul_tiled",
    { m = 5000, n = 5000, k = 5000 },
    like = { "matmul-tiled-1000", "matmul-blocked-1000", "matmul-simd-1000" },
      times = 125, most = 30 },
  { "conv2d-1024", "5 × 5 convolution, 1024²", "conv2d", {} },
  { "softmax-1024", "softmax, 1024²", "softmax", {} },
  { "attention-1024", "attention, 1024 × 64", "attention", {} },
  { "mandelbrot-1024", "mandelbrot, 1024²", "mandelbrot", {} },
  { "blackscholes-1M", "Black-Scholes, 1M", "blackscholes", {} },
  { "nbody-4096", "4096 bodies", "nbody", {} },
  { "histogram-4M", "histogram, 4M", "histogram", {} },
  { "scan-1M", "scan, 1M", "scan", {} },
}
bench.suite = suite

----------------------------------------------------------------- one figure

local function numbers(t)
  return { median = t.median, low = t.low, high = t.high, spread = t.spread,
    runs = t.runs, count = t.count }
end

-- The fastest of the figures that this one is like.
local function fastest(entry, done)
  local best
  for _, id in ipairs(entry.like) do
    local f = done[id]
    if f and f.time and (not best or f.time.median < best.time.median) then
      best = f
    end
  end
  return best
end

-- Why it cannot be measured here, or nil. Three times the bytes that are moved
-- must fit: the arguments, the reference's, and the answers.
local function too_large(entry, like)
  local memory = gpu.device.memory
  local data = kernels.data(entry[3])
  local ok, bytes = pcall(data.bytes,
    setmetatable({}, { __index = function(_, key)
    return entry[4][key] or data.sizes[key]
  end }))
  if ok and memory > 0 and 3 * bytes > memory then
    return ("needs %s of memory"):format(units.bytes(3 * bytes))
  end
  if entry.like and not like then
    return "none of " .. table.concat(entry.like, ", ") .. " ran"
  end
  if like and like.time.median * entry.times > entry.most then
    return (
      "one run would take about %s, more than the %s that a figure may (by %s, "
        .. "the fastest at 1000³)"):format(
      units.time(like.time.median * entry.times), units.time(entry.most),
        like.kernel)
  end
end

local function cpu_times(p, entry, budget)
  local list = {}
  for _, way in ipairs(p:ways()) do
    if not (entry.like and way ~= "vendor") then
      local t = timing.measure(function(n) return p:cpu_run(way, n) end,
        { budget = budget, warm = 0.01 })
      list[#list + 1] = numbers(t)
      list[#list].way = way
      if t.cut then return list, true end
    end
  end
  return list
end

-- The reference of a large product is the vendor's, or it would take longer
-- than everything else.
local function by_vendor(p)
  local own, has = p.reference, false
  for _, way in ipairs(p:ways()) do has = has or way == "vendor" end
  if has then
    p.reference = function(out, way) return own(out,
      way == "all cores" and "vendor" or way) end
  end
end

local function figure(entry, done, budget)
  local like = entry.like and fastest(entry, done)
  local f = { id = entry[1], title = entry[2],
    kernel = like and like.kernel or entry[3] }
  f.skipped = too_large(entry, like)
  if f.skipped then return f end
  local p = kernels.workload(f.kernel, entry[4])
  f.sizes = entry[4]
  if like then by_vendor(p) end
  local check = p:verify()
  f.ok, f.error = check.ok, check.worst
  if not check.ok then
    f.skipped = check.text
    return f
  end
  local t
  if like and p.last.time > 2 then -- the run that verified it must do
    t = timing.summary { p.last.time }
    t.runs, t.wall = 1, p.last.wall
  else
    t = timing.measure(function(n) return p:run(n) end,
      { budget = budget, once = like and p.last.time or nil })
  end
  f.time, f.wall, f.launches = numbers(t), t.wall, #p.steps
  f.bytes, f.operations = p:work()
  local cut
  if not t.cut then f.cpu, cut = cpu_times(p, entry, budget) end
  return f, t.cut or cut
end

--------------------------------------------------------------------- the card

local function machine()
  local d = gpu.device
  local vendor_ok, vendor = pcall(cpu.vendor)
  return { os = system.os, release = system.release,
    architecture = system.architecture, cores = system.cores },
    { name = d.name, title = d.title, how = d.how, is_gpu = d.is_gpu,
      units = d.units, simd_width = d.simd_width,
      memory = d.memory }, vendor_ok and vendor or nil
end

-- Run the suite; 'only' is a word that the id or title of a figure must have,
-- 'each' is called with a title before its figure, and with the one before.
function bench.run(options)
  local chosen = {}
  for _, entry in ipairs(suite) do
    if not options.only or (entry[1] .. " " .. entry[2]):find(options.only, 1,
      true) then
      chosen[#chosen + 1] = entry
    end
  end
  if #chosen == 0 then
    error(("no figure of the suite has '%s' in its name"):format(options.only),
      0)
  end
  local bar = progress.new("bench", #chosen + 1)
  bar:step("this machine", true)
  local card = { mettle_card = cards.FORMAT, version = system.version,
    when = os.date "%Y-%m-%d", figures = {} }
  card.machine, card.device, card.vendor = machine()
  local peaks, overhead = require(
    "lua.measure.peaks").peaks { again = options.again },
    timing.overhead()
  card.peaks = { memory = peaks.memory, cache = peaks.cache,
    operations = peaks.operations }
  card.overhead = { launch = overhead.launch, each = overhead.each }
  local done = {}
  for i, entry in ipairs(chosen) do
    bar:step(entry[2], true)
    if options.each then
      options.each(entry[2], i > 1 and done[chosen[i - 1][1]] or nil)
    end
    local ok, f, cut = system.attempt(figure, entry, done,
      options.budget or 0.25)
    if not ok then
      if f == "interrupted" then cut, f = true, nil
      else f = { id = entry[1], title = entry[2], kernel = entry[3],
        skipped = tostring(f) } end
    end
    if f then
      card.figures[#card.figures + 1] = f
      done[f.id] = f
    end
    collectgarbage() -- large buffers go before the next are made
    if cut then
      card.cut = true
      break
    end
  end
  bar:done()
  return cards.new(card)
end

local function plain_name(card) return (card.device.name:gsub("%W", "-")) end

-- The file of a card; of one among several devices, its device is in the name.
local function file_name(card, asked, several)
  if not asked then
    return ("mettle-%s-%s.json"):format(plain_name(card), card.when)
  end
  if not several then return asked end
  local stem, ending = asked:match "^(.*)(%.[^./]*)$"
  return ("%s-%s%s"):format(stem or asked, plain_name(card), ending or "")
end

local function run_and_save(options, several)
  local card = bench.run(options)
  if options.save ~= false and not card.cut then
    card:save(file_name(card, options.save, several))
  end
  return card
end

-- The suite on each of these devices: a card each, side by side.
local function run_on_all(options)
  local names, missing = on_devices.devices(options.devices)
  local list = {}
  for _, name in ipairs(names) do
    list[#list + 1] = on_devices.run(name, run_and_save, options, #names > 1)
    if list[#list].cut then break end
  end
  local r = cards.cards(table.unpack(list))
  r.notes = missing
  return r
end

-- bench(), bench "card.json", bench{save = "card.json" or false, only =
-- "matmul", devices = "all"}
function bench.bench(options)
  if type(options) == "string" then options = { save = options } end
  options = options or {}
  if type(options) ~= "table" then
    error('bench takes the name of a file, or {save = …, only = "matmul"}', 2)
  end
  for key in pairs(options) do
    if key ~= "save" and key ~= "only" and key ~= "budget"
      and key ~= "again" and key ~= "devices" then
      error(("bench knows save, only, budget, again and devices, not '%s'"):
        format(tostring(key)), 2)
    end
  end
  local ok, made = pcall(options.devices == nil and run_and_save or run_on_all,
    options)
  if not ok then error(made, 2) end
  return made
end

------------------------------------------------------------------ mettle bench

local USAGE = "mettle bench [-o CARD.json] [--only WORD] [--devices all]"
local WORDS = { ["-o"] = "save", ["--only"] = "only",
  ["--devices"] = "devices" }

-- What the shell's `mettle bench` does with its arguments.
function bench.main(arguments)
  local options, i, fail = {}, 1, require "lua.session.usage"
  while i <= #arguments do
    local word = arguments[i]
    local value = arguments[i + 1]
    if WORDS[word] then
      if not value then
        fail("%s needs a value after it: %s", word, USAGE)
      end
      options[WORDS[word]] = value
      i = i + 2
    else
      fail("unknown argument %s: %s", word, USAGE)
    end
  end
  if options.devices and options.devices ~= "all" then
    local names = {}
    for name in options.devices:gmatch "[^,]+" do names[#names + 1] = name end
    options.devices = names
  end
  local card = bench.bench(options)
  print(card)
  if require "lua.session.verdict".of(card) == false then
    arguments.status = 1
  end
  if card.file then
    print(require("lua.text.style").fold(
      "The card is in " .. card.file
        .. "; mettle cards lays several side by side."))
  end
end

return bench

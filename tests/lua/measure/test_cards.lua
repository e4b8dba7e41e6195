-- test_cards.lua - bench and cards: what a card holds, what is refused, and
-- what is said of two.
--
-- Guards: bench, cards, `mettle bench` and `mettle cards`; damaged cards;
-- lua/measure/{bench, cards}.lua, lua/reference/gpu_models.lua,
-- repl/commands/measure.c
local t = dofile "tests/tap.lua"
local json = require "mettle.json"
local cards_module = require "lua.measure.cards"

local folder = os.tmpname()
os.remove(folder)
os.execute("mkdir " .. folder)
local function path(name) return folder .. "/" .. name end

local function write(name, text)
  local file = assert(io.open(path(name), "w"))
  file:write(text)
  file:close()
  return path(name)
end

local program = os.getenv "METTLE" or os.getenv "PWD" .. "/build/mettle"

-- Status and all output of a shell command.
local function shell(arguments)
  local pipe = io.popen(("cd %s && %s %s 2>&1"):format(
    folder, program, arguments))
  local text = pipe:read "a"
  local ok, _, status = pipe:close()
  return ok and 0 or status, text
end

-- A card as another machine might have made it: 'factor' times as fast.
local function made(factor, more)
  local card = { mettle_card = 1, version = "0.1.0", when = "2026-01-01",
    machine = { os = "Linux", architecture = "x86_64", cores = 4 },
    device = { name = "host", title = "A CPU " .. factor, is_gpu = false,
      units = 4, memory = 1 << 33 },
    peaks = { memory = 10e9 * factor, cache = 100e9,
      operations = 100e9 * factor },
    overhead = { launch = 1e-5, each = 1e-6 },
    figures = {
      { id = "add-1M", title = "vector add, 1M", kernel = "add", ok = true,
        sizes = { n = 1000000 }, bytes = 12e6,
        operations = 1e6, time = { median = 1e-3 / factor,
          low = 0.9e-3 / factor, high = 1.1e-3 / factor, spread = 0.1,
          runs = 9 },
        cpu = { { way = "one core", median = 2e-3, low = 2e-3,
          high = 2e-3 } } },
      { id = "matmul", title = "matmul", kernel = "matmul_tiled", ok = true,
        sizes = { n = 10 }, bytes = 12e6,
        operations = 2e9, time = { median = 0.1 / factor, low = 0.1 / factor,
          high = 0.1 / factor, runs = 3 } },
      { id = "big", title = "too big", kernel = "mean",
        skipped = "needs 1 TB" },
    } }
  for key, v in pairs(more or {}) do card[key] = v end
  return card
end

local function card_file(name, card) return write(name, json.encode(card)) end

t.test("bench measures, verifies and writes a card", function()
  local file = path "own.json"
  local card = bench { only = "relu", save = file, budget = 0.01 }
  t.equal(#card.figures, 1)
  local f = card.figures[1]
  t.equal(f.ok, true); t.equal(f.sizes.n, 1000000)
  t.ok(f.time.low <= f.time.median and f.time.median <= f.time.high)
  t.equal(#f.cpu, #cpu.relu.ways)
  local back = cards(file)
  t.equal(back.device.name, gpu.device.name)
  t.equal(back.machine.cores, require("mettle.system").cores)
  t.has(tostring(back), "relu, 1M")
  t.has(tostring(back), gpu.device.is_gpu and "GPU time" or "a CPU")
end)

t.test("a card tells nothing about persons or computers", function()
  t.compiler()
  local file = assert(io.open(path "own.json"))
  local text = file:read "a"
  file:close()
  for _, name in ipairs { "HOSTNAME", "USER", "HOME" } do
    local v = os.getenv(name)
    if v and #v > 3 then t.ok(not text:find(v, 1, true), name) end
  end
  t.ok(#text < 20000, "small: " .. #text)
end)

t.test("every figure of the suite names a kernel and sizes that it has", function()
  local kernels = require "lua.workload.kernels"
  for _, entry in ipairs(require("lua.measure.bench").suite) do
    local data = kernels.data(entry[3])
    for size in pairs(entry[4]) do
      t.ok(data.sizes[size], entry[1] .. ": " .. size)
    end
  end
end)

t.test("bench on a list of devices: a card for each", function()
  t.compiler()
  local one = bench { only = "relu", save = path "one.json", budget = 0.01,
    devices = gpu.device.name }
  t.equal(one.device.name, gpu.device.name)
  t.equal(one.file, path "one.json")
  t.raises("cannot be used here", bench, { only = "relu", save = false,
    devices = { "abacus" } })
  t.raises("gpu.devices() lists them", bench, { only = "relu", save = false, devices = 3 })
end)

t.test("bench refuses what makes no sense", function()
  t.raises("no figure of the suite", bench, { only = "xyzzy", save = false })
  t.raises("not 'olny'", bench, { olny = "add" })
end)

t.test("two cards side by side: ratios, means, explanations", function()
  local a, b = card_file("a.json", made(1)), card_file("b.json", made(4))
  local r = cards(a, b)
  t.equal(#r.rows, 2)
  t.near(r.rows[1].ratios[2], 4, 1e-9)
  t.near(r.ratio[2], 4, 1e-9)
  local text = tostring(r)
  t.has(text, "4.00×"); t.has(text, "█"); t.has(text, "all in all 4.00× as fast")
  t.has(text, "what memory limits (1 figure) is 4.00× as fast; its memory is 4.00× as fast")
  for line in text:gmatch "[^\n]+" do
    if not line:find(folder, 1, true) and not line:find "limits" then
      t.ok(utf8.len(line) <= 80, line)
    end
  end
  local again = cards(a, b, a)
  t.equal(again.ratio[3], nil, "one machine has no winner")
  t.has(tostring(again), "the same hardware")
end)

t.test("what differs in kind is said", function()
  local gpu_card = made(2, { device = { name = "metal", title = "A GPU",
    is_gpu = true }, version = "9.9.9",
    machine = { os = "Darwin", architecture = "arm64", cores = 8 } })
  local text = tostring(cards(card_file("a.json", made(1)),
    card_file("g.json", gpu_card)))
  t.has(text, "the first is a CPU, this one a GPU")
  t.has(text, "different versions of Mettle")
  local more = made(1, { machine = { os = "Linux", architecture = "x86_64",
    cores = 8 } })
  t.has(tostring(cards(card_file("a.json", made(1)),
    card_file("m.json", more))), "8 cores instead of 4")
end)

t.test("figures with other sizes are not compared", function()
  local other = made(1)
  other.figures[1].sizes.n = 5
  local r = cards(card_file("a.json", made(1)), card_file("o.json", other))
  t.equal(r.rows[1].ratios[2], nil)
  t.equal(r.rows[2].ratios[2], 1)
end)

t.test("damaged and foreign cards get a clear sentence", function()
  t.raises("no card: ", cards, path "none.json")
  t.raises("is not a card: this is not JSON: line 1", cards, write("x.json", '{"mettle_card": 1,'))
  t.raises("the text is empty", cards, write("x.json", ""))
  t.raises("JSON, but not a card", cards, write("x.json", '{"a": 1}'))
  t.raises("JSON, but not a card", cards, write("x.json", "3"))
  t.raises("another version of Mettle (format 2", cards, card_file("x.json", made(1, { mettle_card = 2 })))
  t.raises("is damaged: peaks is not a table", cards, card_file("x.json", made(1, { peaks = 3 })))
  local broken = made(1)
  broken.figures[1].time.median = "fast"
  t.raises("add-1M, time, median is not a number", cards, card_file("x.json", broken))
  broken.figures[1].time.median = -1
  t.raises("median is not above 0", cards, card_file("x.json", broken))
  broken.figures[1].time = nil
  t.raises("add-1M, time is missing", cards, card_file("x.json", broken))
  local function damaged(what, change)
    local card = made(1)
    change(card, card.figures[1])
    t.raises("is damaged: " .. what, cards, card_file("x.json", card))
  end
  damaged("add-1M, bytes is not a number", function(_, f) f.bytes = "x" end)
  damaged("add-1M, cpu is not a table", function(_, f) f.cpu = 3 end)
  damaged("add-1M, sizes is not a table", function(_, f) f.sizes = 5 end)
  damaged("figures is not a list", function(c) c.figures = { a = 1 } end)
  damaged("overhead, launch is not a number", function(c) c.overhead = { launch = "x", each = 1 } end)
  damaged("machine, cores is not a number", function(c) c.machine.cores = "many" end)
  damaged("peaks, memory is not above 0", function(c) c.peaks.memory = 0 end)
  damaged("version is not a string", function(c) c.version = 3 end)
  local loud = made(1)
  loud.figures[1].title = "\27[31mred\nline"
  t.ok(not tostring(cards(card_file("y.json", loud))):find "\27", "no escape sequence gets through")
  damaged("add-1M, time is missing", function(_, f) f.time = nil end)
  t.raises("which cards?", cards)
  t.raises("not a number", cards, 3)
  t.raises("folder", cards, folder)
end)

t.test("from the shell: mettle bench and mettle cards", function()
  local status, text = shell "bench -o s.json --only relu"
  t.equal(status, 0, text)
  t.has(text, "The card is in s.json")
  status, text = shell "cards s.json b.json"
  t.equal(status, 0, text)
  t.has(text, "1: ")
  status, text = shell "cards x.json"
  t.equal(status, 1)
  t.has(text, "damaged"); t.ok(not text:find "stack traceback")
  status, text = shell "cards"
  t.equal(status, 2); t.has(text, "which cards?")
  status, text = shell "bench --fast"
  t.equal(status, 2); t.has(text, "unknown argument --fast")
  status, text = shell "bench -o"
  t.equal(status, 2); t.has(text, "needs a value")
end)

os.execute("rm -rf " .. folder)
t.done()

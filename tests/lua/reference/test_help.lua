-- test_help.lua - the help texts are whole and true.
--
-- Every public function has a topic, every topic the same form, and every
-- example runs: each in a program of its own, in an empty folder, as a person
-- would who copies it into a file, with short measurements.
--
-- Guards: lua/reference/help, lua/reference/help.lua: every public function has
-- its topic, every example runs
local t = dofile "tests/tap.lua"
local help = require "lua.reference.help"

local program = os.getenv "METTLE" or os.getenv "PWD" .. "/build/mettle"
local QUICK = ("dofile %q"):format(os.getenv "PWD" .. "/tests/quick.lua")

------------------------------------------------------------------ the topics

-- Globals that are Lua's own.
local of_lua = {}
for name in ([[_G _VERSION assert collectgarbage coroutine debug dofile error
  getmetatable io ipairs load loadfile math next os package pairs pcall print
  rawequal rawget rawlen rawset require select setmetatable string table
  tonumber tostring type utf8 warn xpcall arg]]):gmatch "%S+" do
  of_lua[name] = true
end

-- Every public name: globals, members of global tables, methods of objects.
local function public_names()
  local names = {}
  for name, value in pairs(_G) do
    if not of_lua[name] then
      names[name] = value
      if type(value) == "table" then
        for member, v in pairs(value) do names[name .. "." .. member] = v end
      end
    end
  end
  for registered, meta in pairs(debug.getregistry()) do
    local kind = type(registered) == "string"
      and registered:match "^mettle%.(%l+)$"
    if kind and type(meta) == "table" and meta.__methods then
      for method, f in pairs(meta.__methods) do
        if type(f) == "function" then names[kind .. "." .. method] = f end
      end
    end
  end
  for _, name in ipairs { "gpu.device", "gpu.target", "gpu.kernels", "buffer",
    "kernel", "library", "texture", "sampler" } do
    names[name] = false -- no plain field of a table
  end
  return names
end

local function example(topic) return topic.body:match "```lua\n(.-)```" end

-- What help(...) prints.
local function shown(...)
  local lines, real = {}, print
  print = function(text) lines[#lines + 1] = text end
  local ok, why = pcall(help.help, ...)
  print = real
  if not ok then error(why, 0) end
  return table.concat(lines, "\n")
end

t.test("there are topics, and the folder is read", function()
  t.ok(#help.topics() > 40)
end)

t.test("every public name has a topic", function()
  local missing = {}
  for name in pairs(public_names()) do
    if not help.topic(name) then missing[#missing + 1] = name end
  end
  table.sort(missing)
  t.equal(table.concat(missing, " "), "")
end)

t.test("every topic of a member is about something that exists", function()
  local names, gone = public_names(), {}
  for _, name in ipairs(help.topics()) do
    if name:find "%." and names[name] == nil then gone[#gone + 1] = name end
  end
  t.equal(table.concat(gone, " "), "")
end)

t.test("help(function) finds the topic of every function", function()
  for name, value in pairs(public_names()) do
    if type(value) == "function" then
      t.equal(shown(value):match "^[^\n]*", help.topic(name).signature, name)
    end
  end
end)

t.test("help(value) finds the topic of every kind of object", function()
  local b = gpu.buffer(4)
  local _, report = b:equals { 0, 0, 0, 0 }
  local kinds = { buffer = b, gpu = gpu, ["gpu.device"] = gpu.device,
    ["buffer.equals"] = report, sampler = gpu.sampler() }
  for name, value in pairs(kinds) do
    t.equal(shown(value):match "^[^\n]*", help.topic(name).signature, name)
  end
end)

t.test("words are found as people type them", function()
  for word, name in pairs { ["b:fill"] = "buffer.fill", fill = "buffer.fill",
    ["gpu.kernel()"] = "gpu.kernel", GPU = "gpu", CUDA = "cuda",
    ["gpu:load"] = "gpu.load" } do
    t.equal(shown(word):match "^[^\n]*", help.topic(name).signature, word)
  end
  t.has(shown "bufer", "buffer")
  t.has(shown "matrix", "cpu.matmul")
  t.has(shown "xyzzy", "help()")
end)

t.test("help() fits a screen of 24 lines by 80", function()
  local lines = 0
  for line in (help.text(help.topic "help", 80) .. "\n"):gmatch "([^\n]*)\n" do
    lines = lines + 1
    t.ok(utf8.len(line) <= 80, line)
  end
  t.ok(lines <= 22, lines .. " lines")
end)

--------------------------------------------------------- each topic by itself

local function known(name)
  return help.topic(name) ~= nil
end

local function check_form(topic)
  t.ok(#topic.signature > 0, "no signature")
  t.ok(#topic.line > 0 and utf8.len(topic.line) < 70, "line 2: " .. topic.line)
  t.ok(not topic.line:find "^%s" and not topic.signature:find "^%s", "indented")
  local code = example(topic)
  t.ok(code, "no example")
  t.has(code, "assert", "an example that cannot fail")
  t.ok(not ("\n" .. code):find "\nlocal ", "a local is gone on the next line of the console")
  for line in code:gmatch "[^\n]+" do
    t.ok(utf8.len(line) <= 76, "too long for a terminal: " .. line)
  end
  local also = topic.body:match "\nSee also: ([^\n]*)\n?$"
  t.ok(also or not topic.body:find "See also", "See also is the last line")
  for name in (also or ""):gmatch "[^, ]+" do
    t.ok(known(name), "See also: there is no topic " .. name)
  end
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local output = pipe:read "a"
  return pipe:close(), output
end

local function check_example(topic)
  local _, folder = run "mktemp -d"
  folder = folder:gsub("%s+$", "")
  local file = assert(io.open(folder .. "/example.lua", "w"))
  -- what it judges may be wrong on purpose
  file:write(example(topic), "\nos.exit(0, true)\n")
  file:close()
  local ok, output = run("cd " .. quoted(folder) .. " && " .. quoted(program)
    .. " -e " .. quoted(QUICK) .. " example.lua")
  run("rm -r " .. quoted(folder))
  if not ok and output:find("pictures in files need", 1, true) then error({ skip = "this build has no libpng" }, 0) end
  local kernels = example(topic):find "gpu%.[kl]"
    or example(topic):find "%f[%w]run%(%)"
  if not ok and kernels then t.compiler() end
  t.ok(ok, output)
end

for _, name in ipairs(help.topics()) do
  local topic = help.topic(name)
  t.test(name .. " has the form of a topic", function() check_form(topic) end)
  t.test(name .. " has an example that runs", function() check_example(topic) end)
end

------------------------------------------------------------------ one index

local function shown(word)
  local lines, real = {}, print
  print = function(...) lines[#lines + 1] = table.concat({ ... }, "\t") end
  local ok, why = pcall(help.help, word)
  print = real
  if not ok then error(why, 0) end
  return table.concat(lines, "\n")
end

t.test("help finds what the glossary and the dictionaries know", function()
  local words = require "lua.reference.help".words()
  for _, word in ipairs(words) do
    local text = shown(word)
    t.ok(not text:find "^There is no help", word .. ": " .. text)
  end
  t.ok(#words > 1000, #words)
end)

t.test("words of the field have pages", function()
  for word, part in pairs { ["unified memory"] = "CPU and GPU",
    benchmark = "mettle bench", training = "capstone(1)",
    is_available = "gpu.device", ["torch.cuda.is_available"] = "gpu.device",
    TensorFlow = "tensorflow-metal", JAX = "XLA", xcrun = "mettle compile",
    ["Core ML"] = "Neural Engine", MPSGraph = "Metal Performance Shaders",
    MPS = "Metal Performance Shaders", warp = "SIMD-group",
    ["neural engine"] = "Core ML", Vulkan = "graphics API",
    HIP = "ROCm", gradient = "training", bench = "card", cards = "side by side",
    ["np.cumsum"] = "cpu.scan", __syncthreads = "barrier",
    lua = "for i = 0, 9 do", quantization = "conversion" } do
    t.has(shown(word), part, word)
  end
end)

t.test("a word that is nowhere gets the nearest pages", function()
  t.has(shown "barier", "do you mean gpu.barrier, barrier")
  t.has(shown "swepe", "do you mean sweep") -- two letters swapped are one slip
  t.has(shown(("sweep"):rep(30)), "help() lists the topics")
  t.has(shown "benchmarcks", "card")
  t.has(shown "speed of light", "speedup")
  t.has(shown "xyzzy", "help() lists the topics, glossary() the words")
  t.has(shown "", "help() lists the topics")
  t.has(shown "%d[[", "help() lists the topics")
end)

t.test("the glossary shows a topic that is not its own", function()
  local lines, real = {}, print
  print = function(text) lines[#lines + 1] = text end
  pcall(require "lua.reference.glossary".glossary, "sweep")
  print = real
  t.has(table.concat(lines), "sweep{")
end)

t.test("help() names every global function", function()
  local text = help.topic "help".body
  for _, name in ipairs { "bench", "cards", "compare", "sweep", "check",
    "profile", "lua", "python" } do
    t.ok(text:find("%f[%w]" .. name .. "%f[%W]"), name)
  end
end)

t.done()

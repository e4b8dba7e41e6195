-- test_glossary.lua - the glossary and the dictionaries: every link leads
-- somewhere, every example compiles and runs, every word is found.
--
-- Guards: lua/reference/glossary, lua/reference/rosetta: links resolve,
-- examples compile and run, CUDA's side is read by Clang (tests/cuda);
-- lua/reference/{glossary, rosetta, rosetta_examples}.lua
local t = dofile "tests/tap.lua"
local glossary = require "lua.reference.glossary"
local help = require "lua.reference.help"
local rosetta = require "lua.reference.rosetta"

-- What a call prints.
local function shown(f, ...)
  local lines, real = {}, print
  print = function(...) lines[#lines + 1] = table.concat({ ... }, "\t") end
  local ok, why = pcall(f, ...)
  print = real
  if not ok then error(why, 0) end
  return table.concat(lines, "\n")
end

local function blocks(text)
  local list = {}
  for kind, code in ("\n" .. text):gmatch "\n```(%l+)\n(.-)\n```" do
    list[#list + 1] = { kind = kind, code = code }
  end
  return list
end

-- Lua with globals of its own, and with what it prints swallowed.
local function run(code, known)
  local env = setmetatable(known or {}, { __index = _G })
  local ok, why = pcall(shown, assert(load(code, "=example", "t", env)))
  if ok then return end
  if code:find "gpu%.[kl]" then t.compiler() end
  error(why, 0)
end

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

-- Lines for the body of a kernel (the head of lua/reference/glossary.lua says
-- which).
local function compile(code)
  local source = code
  local is_top_level = code:find "kernel" or code:find "^float first"
  if is_top_level then
    if not code:find "kernel" then source = code .. "\nkernel void unused(device float *a) { a[0] = first(a); }" end
  else
    source = ([=[
kernel void lines(device float *a, device float *b, device float *out, constant uint &n,
                  uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[256];
CODE
  if (n == 0) out[i] = a[i] + b[i] + tile[t] + lane + group;
}]=]):gsub("CODE", function() return code end)
  end
  if not source:find "#include" then source = head .. source end
  return gpu.library(source)
end

---------------------------------------------------------------- the glossary

local pages = glossary.pages()

t.test("there are at least 80 pages, in themes", function()
  t.ok(#pages >= 80, #pages .. " pages")
  local themes = {}
  for _, page in ipairs(pages) do themes[page.theme.title] = true end
  t.ok(next(themes))
end)

t.test("no word leads to two pages", function()
  local owner = {}
  for _, page in ipairs(pages) do
    local words = { glossary.plain(page.term) }
    for word in (page.also or ""):gmatch "[^,]+" do
      words[#words + 1] = glossary.plain(word)
    end
    for _, word in ipairs(words) do
      t.ok(not owner[word] or owner[word] == page.term, word .. ": "
        .. tostring(owner[word]) .. " and " .. page.term)
      owner[word] = page.term
    end
  end
end)

-- Kinds of findings: tests/lua/check/test_finding_kinds.lua.
t.test("what profile and the compiler speak of is explained", function()
  for word in ([[coalescing bank-conflict divergence atomic
      contention barrier mem_flags arithmetic-intensity roofline occupancy launch-overhead address-space
      attribute diagnostic half bfloat function-constant argument-buffer canary seed median spread
      warm-up tolerance guard ragged-edge padding alignment simdgroup_matrix]]):gmatch "%S+" do
    t.ok(glossary.find(word), "no page for " .. word)
  end
end)

t.test("a compiler's message has its word", function()
  for source, term in pairs {
    ["kernel void f(float *a) { a[0] = 0; }"] = "address space",
    ["kernel void f(device float *a) { a[0] = x; }"] = "diagnostic",
    ["kernel void f(device float *a) { a[0] = 1 }"] = "diagnostic",
    ["kernel void f(device float *a) { double x = 1; a[0] = x; }"] = "double",
    ["kernel float f(device float *a) { return a[0]; }"] = "kernel",
    ["float s = 2; kernel void f(device float *a) { a[0] = s; }"] = "constant memory",
    ["kernel void f(device float *a, uint i [[thread_in_grid]]) { a[i] = 1; }"] = "attribute",
    ["kernel void f(device float *a) { a[0] = simd_sum(a[1]); }"] = "metal_stdlib",
  } do
    local ok, why = pcall(gpu.kernel, source)
    t.ok(not ok)
    t.equal(glossary.about(why), term, why)
  end
  t.equal(glossary.about "program_source:1:1: error: nobody has ever said this", nil)
  t.equal(glossary.about "attempt to index a nil value", nil)
end)

t.test("words of CUDA and OpenCL lead to Metal's", function()
  for word, term in pairs { warp = "SIMD-group", block = "threadgroup",
    ["work-group"] = "threadgroup",
    ["work-item"] = "thread", ["shared memory"] = "threadgroup memory",
    __shared__ = "threadgroup memory",
    ["__syncthreads()"] = "barrier", ["sub-group"] = "SIMD-group",
    NDRange = "grid", atomicAdd = "atomic",
    cudaMemcpy = "unified memory", ["simd group"] = "SIMD-group",
    simdgroups = "SIMD-group",
    ["Threadgroup Memory"] = "threadgroup memory", float4 = "vector type",
    stream = "command queue" } do
    local page = glossary.find(word)
    t.equal(page and page.term, term, word)
  end
end)

t.test("a word that is not there is met with the nearest", function()
  t.has(shown(glossary.glossary, "barier"), "barrier")
  t.has(shown(glossary.glossary, "threadgrup"), "threadgroup")
  t.has(shown(glossary.glossary, "xyzzy"), "glossary()")
  t.has(shown(glossary.glossary, ""), "glossary()")
  t.has(shown(glossary.glossary, "%d[["), "glossary()")
  t.raises("takes a word", glossary.glossary, 7)
end)

t.test("glossary() lists every term within 80 columns", function()
  local text = shown(glossary.glossary)
  for _, page in ipairs(pages) do t.has(text:gsub("%s+", " "), page.term) end
  for line in text:gmatch "[^\n]+" do t.ok(utf8.len(line) <= 80, line) end
end)

t.test("terms() has them all, sorted, for completion", function()
  local terms = glossary.terms()
  t.equal(#terms, #pages)
  for i = 2, #terms do
    t.ok(terms[i - 1]:lower() < terms[i]:lower(), terms[i])
  end
end)

-- Links, length, examples.
local function check_text(page)
  local prose = page.text:gsub("```.-```", "")
  local words = select(2, prose:gsub("%S+", ""))
  t.ok(words >= 20 and words <= 130, words .. " words")
  for kind, name in page.text:gmatch "%]%((%l+):([^)]*)%)" do
    if kind == "glossary" then
      local target = glossary.find(name)
      t.ok(target and target ~= page, "a link to nowhere, or to itself: " .. name)
      t.equal(name, name:lower():gsub("[%s]", "-"))
    else
      t.equal(kind, "help")
      t.ok(help.topic(name), "there is no help on " .. name)
    end
  end
  local left = prose:gsub("%[[^%[%]]+%]%(%l+:[^)]*%)", ""):gsub("%[%b[]%]", "")
  t.ok(not left:find "%]%(", "a broken link: " .. left)
  for line in glossary.text(page, 80):gmatch "[^\n]+" do
    t.ok(utf8.len(line) <= 80, "too wide: " .. line)
  end
end

local lessons = {}
for _, name in ipairs(require "mettle.system".list "lessons") do
  lessons[name:match "^%d%d%-(.+)$" or name] = true
end

local function check_lesson(page)
  if not page.lesson then return end
  t.ok(lessons[page.lesson], page.lesson) -- by its name, without its number
end

local function check_examples(page)
  for _, block in ipairs(blocks(page.text)) do
    if block.kind == "lua" then run(block.code)
    elseif block.kind == "metal" then t.ok(#compile(block.code):kernels() > 0)
    else error("a block of " .. block.kind, 0) end
  end
end

for _, page in ipairs(pages) do
  t.test(page.term .. ": text, links, examples", function()
    check_text(page)
    check_lesson(page)
    check_examples(page)
  end)
end

t.test("every page can be reached from another", function()
  local reached = {}
  for _, page in ipairs(pages) do
    for name in page.text:gmatch "%]%(glossary:([^)]*)%)" do reached[glossary.find(name)] = true end
  end
  local alone = {}
  for _, page in ipairs(pages) do
    if not reached[page] then alone[#alone + 1] = page.term end
  end
  t.ok(#alone == 0, "alone: " .. table.concat(alone, ", "))
end)

------------------------------------------------------------ the dictionaries

-- Clang as the build found it, or nil.
local function clang()
  local config = io.open "build/config.mk"
  if not config then return nil end
  local path = config:read "a":match 'MT_CLANG=\'?\\?"([^"\\]+)'
  config:close()
  return os.getenv "METTLE_CLANG" or path
end

-- As CUDA's own compiler would read it, by Clang with tests/cuda/stand-in.h.
local function read_cuda(code)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write('#include "tests/cuda/stand-in.h"\n', code, "\n")
  file:close()
  for _, side in ipairs { "host", "device" } do
    local pipe = assert(io.popen(("'%s' -x cuda -std=c++17 --cuda-gpu-arch=sm_70 -nocudainc -nocudalib "
      .. "-fsyntax-only --cuda-%s-only -I. '%s' 2>&1"):format(clang(), side, name)))
    local said = pipe:read "a"
    local ok = pipe:close()
    if not ok then os.remove(name) error(said, 0) end
  end
  os.remove(name)
end

local function check_part(name, part)
  t.ok(#part.entries > 0, "no words")
  for _, entry in ipairs(part.entries) do
    t.ok(glossary.find(entry.term), entry.words[1] .. ": no page "
      .. entry.term)
    t.ok(#entry.ours > 0)
  end
  t.ok(part.blocks.lua and part.blocks.lua:find "assert", "a Lua block that can fail")
  t.ok(name ~= "cuda" or part.blocks.cuda and part.blocks.metal,
    "a kernel in both")
  for _, code in pairs(part.blocks) do
    for line in code:gmatch "[^\n]+" do
      t.ok(utf8.len(line) <= 76, "too wide: " .. line)
    end
  end
  local library = part.blocks.metal and compile(part.blocks.metal)
  run(part.blocks.lua, { k = library and library:kernel(library:kernels()[1]) })
end

for _, name in ipairs { "cuda", "numpy", "torch" } do
  for _, part in ipairs(rosetta.load(name).parts) do
    t.test(name .. ", " .. part.title .. ": words, and a program that runs", function() check_part(name, part) end)
    if part.blocks.cuda and clang() then
      t.test("the same in CUDA is CUDA: " .. part.title, function() read_cuda(part.blocks.cuda) end)
    end
  end
end

-- As pasted at the prompt, line by line; its last value is what is promised.
local function paste(example)
  local text = require "lua.text.markdown"
  local env, last = setmetatable({}, { __index = _G }), nil
  for _, chunk in ipairs(text.chunks(example.text)) do
    last = text.run(chunk, env)[1]
  end
  return tostring(last)
end

for _, name in ipairs { "cuda", "numpy", "torch" } do
  for _, part in ipairs(rosetta.load(name).parts) do
    local title = name .. ", " .. part.title .. ": each word's example does what it says"
    if gpu.device.name ~= "host" and os.getenv "METTLE_TESTS" ~= "all" then
      t.skip(title, "only on the host device in make test")
    else t.test(title, function()
      t.compiler()
      for _, entry in ipairs(part.entries) do
        local word = entry.words[1]
        t.ok(entry.example and entry.example.value, "no example: " .. word)
        local ok, value
        shown(function() ok, value = pcall(paste, entry.example) end)
        t.ok(ok, word .. ": " .. tostring(value))
        t.equal(value, entry.example.value, word)
      end
    end) end
  end
end

t.test("every example belongs to a word", function()
  for _, name in ipairs { "cuda", "numpy", "torch" } do
    local first = {}
    for _, part in ipairs(rosetta.load(name).parts) do
      for _, entry in ipairs(part.entries) do first[entry.words[1]] = true end
    end
    for word in pairs(require "lua.reference.rosetta_examples".load(name)) do
      t.ok(first[word], name .. " has no " .. word)
    end
  end
end)

t.test("reading CUDA can fail", function()
  if clang() then t.raises("undeclared", read_cuda, "__global__ void f(float *a) { a[0] = nothing; }") end
end)

t.test("at least 60 words of CUDA, each found as it is written", function()
  local words = rosetta.words "cuda"
  t.ok(#words >= 60)
  for _, word in ipairs(words) do t.ok(rosetta.entry("cuda", word), word) end
  for _, word in ipairs(rosetta.words "numpy") do
    t.ok(rosetta.entry("numpy", word), word)
  end
  for typed, first in pairs { ["blockIdx.z"] = "blockIdx",
    ["BLOCKIDX"] = "blockIdx",
    ["__syncthreads()"] = "__syncthreads", ["cudaMalloc(&a, n)"] = "cudaMalloc",
    ["f<<<4, 64>>>(a)"] = "<<<grid, block>>>",
    ["tiled_partition<32>"] = "tiled_partition" } do
    local entry = rosetta.entry("cuda", typed)
    t.equal(entry and entry.words[1], first, typed)
  end
  for typed, first in pairs { ["torch.sum"] = "np.sum", ["mx.matmul"] = "a @ b",
    ["jnp.cumsum"] = "np.cumsum",
    ["x.to"] = nil, ["np.zeros((3, 4))"] = "np.zeros",
    ["F.softmax"] = "softmax" } do
    local entry = rosetta.entry("numpy", typed)
    t.equal(entry and entry.words[1], first, typed)
  end
end)

t.test("cuda and numpy show, list, and say what they do not know", function()
  local text = shown(rosetta.cuda, "blockIdx")
  for _, part in ipairs { "threadgroup_position_in_grid", "__global__", "kernel void", "k{", "glossary" } do
    t.has(text, part)
  end
  t.has(shown(rosetta.cuda), "__shared__")
  t.has(shown(rosetta.numpy), "np.sum")
  t.has(shown(rosetta.numpy, "softmax"), "cpu.softmax")
  t.has(shown(rosetta.cuda, "__shfl_xor_sync"), "simd_shuffle_xor(a[i], 1)")
  t.has(shown(rosetta.cuda, "__shfl_xor_sync"), "a whole program: cuda 'warp'")
  t.has(shown(rosetta.torch), "torch.relu")
  t.has(shown(rosetta.torch, "mx.softmax"), "jax.nn.softmax")
  t.has(shown(rosetta.torch, "jax.grad"), "loss.backward")
  t.has(shown(rosetta.cuda, "blokIdx"), "blockIdx")
  t.has(shown(rosetta.cuda, "int i = threadIdx.x + 5"), "threadIdx")
  t.has(shown(rosetta.cuda, "xyzzyx"), "cuda()")
  t.has(shown(rosetta.numpy, "xyzzyx"), "numpy()")
  t.raises("takes a word", rosetta.cuda, {})
end)

t.done()

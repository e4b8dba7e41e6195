-- test_cycles.lua - the kernels of Cycles, Blender's renderer, as it gives them
-- to Metal: a file of 75 kernels. (Of no device but the host.) Its sources are
-- in build/cycles, where `make cycles` brings them.
--
-- Two readings of the source are compared: Mettle's list of kernels, and the
-- names that the macros of kernel/device/gpu/kernel.h are called with. One is
-- run, whose answer is known. With METTLE_TESTS=all each is taken, which
-- compiles it; METTLE_CYCLES=word takes those with the word in their name.
--
-- Guards: the kernels of Cycles, Blender's renderer, as one source: read, with
-- Blender's settings for older and for newer Macs, its 75 kernels listed as its
-- own macros name them, prefix_sum run beside its known answer; skipped by name
-- until `make cycles` has brought the sources (upstream's or Debian's, compared
-- with a checksum, to build/cycles). `make cycles`, which is not in `make
-- test`, also takes each kernel, which compiles it: many minutes; `WORD=film`
-- takes those with the word in their name
local t = dofile "tests/tap.lua"

local SOURCES = "build/cycles"
local file = io.open(SOURCES .. "/kernel/device/gpu/kernel.h")
if not file then
  t.skip("cycles", "make cycles brings the sources")
  t.done()
  return
end
local text = file:read "a"
file:close()

gpu.use "host"
t.compiler "cycles"

-- film_convert_##variant##_half_rgba is a kernel for each variant.
local function variants(pattern, add)
  for variant in text:gmatch "\nKERNEL_FILM_CONVERT_VARIANT%((%w[%w_]*)" do
    add((pattern:gsub("##variant", variant):gsub("##", "")))
  end
end

local function names_of_source()
  local seen, names = {}, {}
  local function add(name)
    if not seen[name] then names[#names + 1] = "cycles_metal_" .. name end
    seen[name] = true
  end
  for name in text:gmatch "ccl_gpu_kernel_signature%(%s*([%w_#]+)" do
    if name:find("##", 1, true) then variants(name, add) else add(name) end
  end
  table.sort(names)
  return names
end

local function read(defines)
  return gpu.library(SOURCES .. "/kernel/device/metal/kernel.metal", {
    include = { SOURCES },
    defines = defines,
  })
end

-- What Blender defines for Apple's GPUs on macOS 13 and an Intel processor: a
-- ray's state is not packed, and no ray is traced by the hardware.
local library
t.test("the source is read", function()
  library = read { __KERNEL_METAL_APPLE__ = "", __KERNEL_METAL_MACOS__ = 13 }
end)
if not library then return t.done() end

local names = names_of_source()
local function check_list(of)
  local listed = {}
  for name in tostring(of):gmatch "cycles_metal_[%w_]+" do
    listed[#listed + 1] = name
  end
  table.sort(listed)
  t.ok(#names >= 60, "the source's macros have another form now")
  t.equal(table.concat(listed, "\n"), table.concat(names, "\n"))
end
t.test(("its %d kernels are listed"):format(#names), function()
  check_list(library)
end)

-- On newer ones: a ray's state is packed, and a thread's place is in variables
-- of the program.
t.test("it is read as for macOS 14 and Apple's processors", function()
  check_list(read {
    __KERNEL_METAL_APPLE__ = "",
    __KERNEL_METAL_MACOS__ = 14,
    __KERNEL_METAL_TARGET_CPU_ARM64__ = "",
    __METAL_GLOBAL_BUILTINS__ = "",
  })
end)

-- Its arguments are a struct with pointers; the scene, which it does not look
-- at, is zeros.
t.test("prefix_sum gives the sums before each and clears the counts", function()
  local n = 1000
  local counter, sums = gpu.buffer("int", n):iota(), gpu.buffer("int", n)
  library.cycles_metal_prefix_sum {
    { counter = counter, prefix_sum = sums, num_values = n },
    gpu.buffer("uchar", 1 << 16), gpu.buffer("uchar", 1 << 12),
    grid = 64, threadgroup = { 1024 },
  }
  for i = 0, n - 1 do
    t.equal(sums[i], i * (i - 1) // 2, "sum before " .. i)
    t.equal(counter[i], 0, "count " .. i)
  end
end)

local word = os.getenv "METTLE_CYCLES" or ""
local all = os.getenv "METTLE_TESTS" == "all"
for _, name in ipairs(all and names or {}) do
  if name:find(word, 1, true) then
    t.test("taken: " .. name, function() t.ok(library:kernel(name)) end)
  end
end
t.done()

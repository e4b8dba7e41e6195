-- families.lua - what Apple's GPU families and versions of macOS have, as data,
-- and which of it a source uses. The stand-in of the tests plays the GPUs below
-- by the same table.
--
-- From Apple's "Metal feature set tables" (developer.apple.com/metal/limits,
-- developer.apple.com/metal/feature-sets). A device reports families such as
-- "Apple 7, Mac 2, Metal 3": an M1 is Apple 7 and Mac 2, an Intel Mac is Mac 2
-- alone. A feature is there from a number of the Apple family on, or with Mac
-- 2, or only with both. What a source may say comes with macOS, whose compiler
-- it is: Metal 3.0 with 13, 3.1 with 14, 3.2 with 15, 4.0 with 26
-- (MTLLanguageVersion).
local families = {}

-- which chips report which Apple family
families.chips = {
  [7] = "M1 and A14", [8] = "M2, A15 and A16", [9] = "M3, M4, A17 Pro and A18",
    [10] = "M5 and A19",
}

-- GPUs to write for, and to play: the families that each reports; unified: it
-- shares the processor's memory; arguments: tier of its argument buffers. The
-- paravirtual one is that of virtual machines, GitHub's among them.
-- simd_widths: threads that a SIMD-group may have; where there are several, the
-- compiler chooses one for each kernel, and only the kernel's pipeline knows
-- (threadExecutionWidth).
families.gpus = {
  m1 = { title = "Apple M1", families = "Apple 7, Mac 2, Metal 3",
    unified = true, arguments = 2, simd_widths = { 32 } },
  m2 = { title = "Apple M2", families = "Apple 8, Mac 2, Metal 3",
    unified = true, arguments = 2, simd_widths = { 32 } },
  m3 = { title = "Apple M3", families = "Apple 9, Mac 2, Metal 3",
    unified = true, arguments = 2, simd_widths = { 32 } },
  m5 = { title = "Apple M5", families = "Apple 10, Mac 2, Metal 4",
    unified = true, arguments = 2, simd_widths = { 32 } },
  intel = { title = "Intel UHD Graphics", families = "Mac 2, Metal 3",
    unified = true, arguments = 1, simd_widths = { 8, 16, 32 } },
  amd = { title = "AMD Radeon Pro", families = "Mac 2, Metal 3",
    unified = false, arguments = 2, simd_widths = { 32, 64 } },
  paravirtual = { title = "Apple Paravirtual device", families = "Apple 5",
    unified = true, arguments = 1, simd_widths = { 32 } },
}

-- The macOS to write for where none is named: older ones get no new programs
-- from Homebrew.
families.macos = 14

-- Limits, from this Apple family on; Mac 2 has those of Apple 4.
families.limits = {
  { apple = 2, threads = 512, threadgroup_memory = 16352,
    unequal_groups = false },
  { apple = 3, threads = 512, threadgroup_memory = 16384,
    unequal_groups = false },
  { apple = 4, threads = 1024, threadgroup_memory = 32768,
    unequal_groups = true },
}

-- name: what the sentence calls it; apple: from this Apple family on (0: any);
-- mac: Mac 2 has it too; with_mac: this Apple family will do in a Mac; macos:
-- from this version on; words: how a source shows that it uses it.
families.features = {
  { name = "SIMD-group shuffles", apple = 6, mac = true,
    words = { "simd_shuffle[%w_]*", "simd_broadcast[%w_]*", "simd_ballot",
      "simd_vote", "simd_all", "simd_any",
              "simd_is_first", "simd_active_threads_mask" } },
  { name = "SIMD-group reductions", apple = 7, mac = true,
    words = { "simd_sum", "simd_product", "simd_min", "simd_max", "simd_and",
      "simd_or", "simd_xor", "simd_prefix[%w_]*" } },
  { name = "SIMD-group shift and fill", apple = 8, mac = false,
    words = { "simd_shuffle_and_fill_up", "simd_shuffle_and_fill_down" } },
  { name = "SIMD-group matrices", apple = 7, mac = false,
    words = { "simdgroup_matrix", "simdgroup_float8x8", "simdgroup_half8x8",
      "simdgroup_bfloat8x8",
              "simdgroup_multiply[%w_]*" } },
  { name = "atomic floats", apple = 7, mac = true,
    words = { "atomic_float", "atomic<float>" } },
  { name = "64-bit atomics", apple = 9, with_mac = 8, mac = false,
    words = { "atomic_ulong", "atomic<ulong>" } },
  { name = "bfloat", apple = 6, mac = true, macos = 14,
    words = { "bfloat", "bfloat%d", "packed_bfloat%d",
      "simdgroup_bfloat8x8" } },
  { name = "texture atomics", apple = 0, mac = true, macos = 14,
    members = { "atomic_load", "atomic_store", "atomic_exchange",
      "atomic_fetch_%w+", "atomic_compare_exchange_%w+", "atomic_min",
        "atomic_max" } },
  { name = "shader logging", apple = 0, mac = true, macos = 15,
    words = { "os_log[%w_]*", "metal_logging" } },
  { name = "fences and coherent memory", apple = 0, mac = true, macos = 15,
    words = { "atomic_thread_fence", "coherent", "memory_coherence[%w_]*" } },
  { name = "tensors", apple = 7, mac = false, macos = 26,
    words = { "metal_tensor", "MetalPerformancePrimitives", "tensor_ops",
      "tensor_handle", "tensor_inline", "cooperative_tensor" } },
}

-- What a kernel says that goes by the threads of a SIMD-group, and what asks
-- how many these are.
local by_width = { words = { "simd_[%w_]+", "simdgroup_[%w_]+",
  "thread_index_in_simdgroup", "simdgroups_per_threadgroup" } }
local asks_width = { words = { "threads_per_simdgroup",
  "thread_execution_width" } }

-- A source without its comments and texts, which use nothing.
local function bare(source)
  source = source:gsub("/%*.-%*/", " "):gsub("//[^\n]*", " ")
  return (source:gsub('"[^"\n]*"', '""'))
end

local function uses(source, feature)
  for _, word in ipairs(feature.words or {}) do
    local whole = word:find ">$" and word or word .. "%f[^%w_]"
    if source:find("%f[%w_]" .. whole) then return true end
  end
  for _, word in ipairs(feature.members or {}) do
    if source:find("%.%s*" .. word .. "%s*%(") then return true end
  end
end

-- "Apple 8, Mac 2, Metal 3" -> 8, true
function families.read(text)
  local apple = 0
  for n in (text or ""):gmatch "Apple (%d+)" do
    apple = math.max(apple, tonumber(n))
  end
  return apple, (text or ""):find("Mac 2", 1, true) ~= nil
end

-- What a device of these families may be expected to take: an entry of the
-- limits.
function families.limits_of(text)
  local apple, mac = families.read(text)
  local found
  for _, limits in ipairs(families.limits) do
    if math.max(apple, mac and 4 or 0) >= limits.apple then found = limits end
  end
  return found
end

-- The threads of a SIMD-group of these families; nil: each kernel has its own.
function families.simd_width(text)
  return families.read(text) > 0 and 32 or nil
end

-- "15.5" -> 15; nil if it cannot be read.
local function major(macos)
  return tonumber(tostring(macos or ""):match "^%d+")
end

local function gpu_has(feature, text)
  local apple, mac = families.read(text)
  return apple >= feature.apple or mac and feature.mac == true
    or mac and feature.with_mac ~= nil and apple >= feature.with_mac
end

local function system_has(feature, macos)
  return (feature.macos or 0) <= (major(macos) or math.huge)
end

-- Whether a device of these families has the feature, with this macOS; a
-- version that is not known has all.
function families.has(feature, text, macos)
  return gpu_has(feature, text) and system_has(feature, macos)
end

-- The source without other kernels than this one, as far as their form is
-- plain.
local function alone(source, kernel)
  return (source:gsub("%f[%w_]void%s+([%w_]+)%s*(%b())%s*%b{}",
    function(name, parameters)
    local other = name ~= kernel and parameters:find("[[", 1, true)
    return other and "" or nil
  end))
end

-- The features that a source, or one kernel of it, uses and a device of these
-- families has not, or this macOS.
function families.missing(source, text, kernel, macos)
  local list = {}
  source = bare(source)
  if kernel then source = alone(source, kernel) end
  for _, feature in ipairs(families.features) do
    if uses(source, feature) and not families.has(feature, text, macos) then
      list[#list + 1] = feature
    end
  end
  return list
end

-- Does a kernel count on a size of SIMD-groups, rather than ask for it?
function families.counts_on_width(source, kernel)
  source = bare(source)
  if kernel then source = alone(source, kernel) end
  return uses(source, by_width) and not uses(source, asks_width) or false
end

-- One sentence: what is missing, and which chips or versions of macOS have it.
-- Without families and version: which chips.
function families.sentence(feature, text, macos)
  if text and gpu_has(feature, text) then
    return ("it uses %s, which macOS has from %d on"):format(feature.name,
      feature.macos)
  end
  local first = families.chips[math.max(feature.with_mac or feature.apple,
    7)]:match "^M%d+"
  local with = system_has(feature, macos) and ""
    or (" with macOS %d"):format(feature.macos)
  return ("it uses %s, which Macs have from the %s on%s"):format(feature.name,
    first, with)
end

-- The names of all features that a device of these families lacks; of those
-- that its macOS alone lacks, with the version that brings them.
function families.lacks(text, macos)
  local list = {}
  for _, feature in ipairs(families.features) do
    if not gpu_has(feature, text) then list[#list + 1] = feature.name
    elseif not system_has(feature, macos) then
      list[#list + 1] = ("%s (macOS %d)"):format(feature.name,
        feature.macos) end
  end
  return list
end

-- Why a kernel that compiles cannot run on a GPU of these families; nil if the
-- tables know no reason.
function families.reason(source, text, kernel, macos)
  local lacks = families.missing(source, text, kernel, macos)[1]
  return lacks and families.sentence(lacks, text, macos)
end

-- Why the compiler of this macOS does not know what a source says; nil if the
-- tables know no reason.
function families.too_new(source, macos)
  source = bare(source)
  for _, feature in ipairs(families.features) do
    if uses(source, feature) and not system_has(feature, macos) then
      return ("it uses %s, which macOS has from %d on; this is %s"):format(
        feature.name, feature.macos, macos)
    end
  end
end

-- Where a device takes less than its families promise, in words; "" where not.
function families.short(text, threads, threadgroup_memory)
  local promised = families.limits_of(text)
  local list = {}
  if promised and threads < promised.threads then
    list[#list + 1] = ("%d threads per threadgroup, not %d"):format(threads,
      promised.threads)
  end
  if promised and threadgroup_memory < promised.threadgroup_memory then
    list[#list + 1] = ("%d bytes of threadgroup memory, not %d"):format(
      threadgroup_memory, promised.threadgroup_memory)
  end
  return table.concat(list, ", ")
end

return families

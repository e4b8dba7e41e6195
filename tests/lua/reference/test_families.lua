-- test_families.lua - lua/reference/families.lua: what Apple's families have,
-- and what a source uses; lua/reference/apple_target.lua: what is told of it.
-- (of no device: tables alone)
--
-- Guards: lua/reference/families.lua: what Apple's GPU families have, which of
-- it a source uses; lua/reference/apple_target.lua: gpu.target
local t = dofile "tests/tap.lua"
local families = require "lua.reference.families"

local M1, M2, M3, INTEL = "Apple 7, Mac 2, Metal 3", "Apple 8, Mac 2, Metal 3", "Apple 9, Mac 2, Metal 3, Metal 4", "Mac 2, Metal 3"
local PHONE = "Apple 8, Metal 3"

local function missing(source, text)
  local names = {}
  for i, feature in ipairs(families.missing(source, text)) do
    names[i] = feature.name
  end
  return table.concat(names, ", ")
end

t.test("families as a device reports them", function()
  local apple, mac = families.read(M1)
  t.equal(apple, 7)
  t.equal(mac, true)
  apple, mac = families.read(PHONE)
  t.equal(apple, 8)
  t.equal(mac, false)
  t.equal(families.read(nil), 0)
  t.equal(families.read "Apple 10, Mac 2", 10)
end)

t.test("64-bit atomics: from the M2 on, elsewhere from Apple 9 on", function()
  local source = "kernel void f(device atomic_ulong *a) { atomic_max_explicit(a, 1ul, memory_order_relaxed); }"
  t.equal(missing(source, M1), "64-bit atomics")
  t.equal(missing(source, M2), "")
  t.equal(missing(source, PHONE), "64-bit atomics")
  t.equal(missing(source, M3), "")
  t.equal(missing(source, INTEL), "64-bit atomics")
  t.equal(missing("device atomic<ulong> *a;", M1), "64-bit atomics")
end)

t.test("matrices and shifts on an Intel Mac", function()
  t.equal(missing("simdgroup_float8x8 a; simdgroup_load(a, p);", INTEL), "SIMD-group matrices")
  t.equal(missing("simdgroup_matrix<half, 8, 8> a;", INTEL), "SIMD-group matrices")
  t.equal(missing("x = simd_sum(x);", INTEL), "")
  t.equal(missing("x = simd_shuffle_and_fill_up(x, y, 1);", M1), "SIMD-group shift and fill")
  t.equal(missing("x = simd_shuffle_and_fill_up(x, y, 1);", M2), "")
end)

t.test("every function of the cross-lane table belongs to a feature", function()
  local seen = 0
  for line in io.lines "msl/include/metal/__crosslane" do
    local name, types = line:match "^  X%([%w_]+, +([%w_]+), +SIMD_QUAD, +(%w+)"
    if name and types ~= "NONE" then
      seen = seen + 1
      t.ok(missing("x = simd_" .. name .. "(x);", "Apple 5") ~= "", "simd_"
        .. name)
    end
  end
  t.ok(seen >= 21)
  t.equal(missing("x = simd_shuffle_down(x, 1);", "Apple 5"), "SIMD-group shuffles")
  t.equal(missing("x = simd_prefix_inclusive_sum(x);", "Apple 6"), "SIMD-group reductions")
end)

t.test("what came with a macOS is missing before it", function()
  local function missing_in(source, macos, text)
    local list = families.missing(source, text or M3, nil, macos)
    return list[1] and list[1].name, #list
  end
  local cases = { { "bfloat", "device bfloat4 *a;", 14 }, { "shader logging", 'os_log_default.log("x");', 15 },
    { "texture atomics", "uint o = image.atomic_fetch_add(p, 1u);", 14 }, { "tensors", "#include <metal_tensor>", 26 },
    { "fences and coherent memory", "volatile coherent(device) device uint *flag;", 15 } }
  for _, case in ipairs(cases) do
    local name, source, from = table.unpack(case)
    t.equal(missing_in(source, tostring(from - 1) .. ".6"), name, name)
    t.equal(select(2, missing_in(source, tostring(from - 1) .. ".6")), 1, name)
    t.equal(missing_in(source, from .. ".0"), nil, name)
    t.equal(missing_in(source, from), nil, name)
    t.equal(missing_in(source, nil), nil, name)
    t.equal(missing_in(source, "?"), nil, name)
  end
  t.equal(missing_in("atomic_fetch_add_explicit(a, 1, memory_order_relaxed); s.atomics = 1;", 13), nil)
  t.equal(missing_in("float tensor = 1; int incoherent;", 13), nil)
end)

t.test("the sentence names the macOS, or the chip, or both", function()
  local bfloat = families.missing("bfloat x;", M1, nil, "13.6")[1]
  t.equal(families.sentence(bfloat, M1, "13.6"), "it uses bfloat, which macOS has from 14 on")
  local tensor = families.missing("cooperative_tensor", INTEL, nil, "15.5")[1]
  t.equal(families.sentence(tensor, INTEL, "15.5"), "it uses tensors, which Macs have from the M1 on with macOS 26")
  t.equal(families.reason("bfloat x;", M1, nil, "13.6"), "it uses bfloat, which macOS has from 14 on")
  t.equal(families.too_new("bfloat x;", "13.6"), "it uses bfloat, which macOS has from 14 on; this is 13.6")
  t.equal(families.too_new("bfloat x;", "14.1"), nil)
  t.equal(families.too_new("// bfloat", "13.6"), nil)
  t.equal(table.concat(families.lacks(M2, "15.1"), ", "), "tensors (macOS 26)")
end)

t.test("limits by family, and a device that falls short of them", function()
  t.equal(families.limits_of(M1).threads, 1024)
  t.equal(families.limits_of(INTEL).threadgroup_memory, 32768)
  t.equal(families.limits_of("Apple 3").threads, 512)
  t.equal(families.limits_of("Apple 3").unequal_groups, false)
  t.equal(families.limits_of(M1).unequal_groups, true)
  t.equal(families.limits_of "", nil)
  t.equal(families.short(M1, 1024, 32768), "")
  t.equal(families.short(M1, 512, 16384), "512 threads per threadgroup, not 1024, 16384 bytes of threadgroup memory, not 32768")
  t.equal(families.short("", 1, 1), "")
end)

t.test("comments, texts and longer words use nothing", function()
  t.equal(missing('// atomic_ulong\n/* simdgroup_float8x8 */ log("atomic_ulong");', INTEL), "")
  t.equal(missing("my_atomic_ulong_t x; int simd_summary;", ""), "")
end)

t.test("the sentence names the chip", function()
  t.equal(families.sentence(families.missing("device atomic_ulong *a;", M1)[1]), "it uses 64-bit atomics, which Macs have from the M2 on")
end)

t.test("what one kernel of a source uses is not another's", function()
  local source = [=[
    uint helper(uint x) { return x; }
    kernel void small(device uint *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = helper(i); }
    kernel void large(device atomic_ulong *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (i) { atomic_max_explicit(a, 1ul, memory_order_relaxed); } }
    kernel void sums(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = simd_shuffle_and_fill_up(a[i], 0.0f, 1); }]=]
  t.equal(families.reason(source, M1, "small"), nil)
  t.equal(families.reason(source, M1, "large"), "it uses 64-bit atomics, which Macs have from the M2 on")
  t.equal(families.missing(source, M1, "sums")[1].name, "SIMD-group shift and fill")
  t.equal(#families.missing(source, M1, "sums"), 1)
  t.equal(families.reason("kernel void f() {}", M1, "f"), nil)
end)

t.test("every GPU that is named has families that say something", function()
  for name, g in pairs(families.gpus) do
    local apple, mac = families.read(g.families)
    t.ok(apple > 0 or mac, name)
    t.ok(type(g.title) == "string" and type(g.unified) == "boolean"
      and (g.arguments == 1 or g.arguments == 2), name)
  end
  t.equal(#families.lacks(families.gpus.m5.families), 0)
  t.equal(table.concat(families.lacks(M1), ", "), "SIMD-group shift and fill, 64-bit atomics")
end)

t.test("SIMD-groups have 32 threads on Apple's own GPUs; elsewhere each kernel has its own", function()
  for name, g in pairs(families.gpus) do
    t.equal(families.simd_width(g.families), #g.simd_widths == 1 and 32 or nil,
      name)
    local has_32 = false
    for _, width in ipairs(g.simd_widths) do has_32 = has_32 or width == 32 end
    t.ok(has_32, name .. ": the stand-in's pipelines have 32")
  end
  t.equal(families.simd_width(INTEL), nil)
  t.equal(families.simd_width(M1), 32)
  local sums = "kernel void k(device float *a [[buffer(0)]]) { a[0] = simd_sum(a[0]); }"
  local asks = "kernel void k(device float *a [[buffer(0)]], uint w [[threads_per_simdgroup]]) { a[0] = simd_sum(a[w]); }"
  local plain = "kernel void k(device float *a [[buffer(0)]]) { a[0] = 1; } // simd_sum"
  t.equal(families.counts_on_width(sums, "k"), true)
  t.equal(families.counts_on_width(asks, "k"), false)
  t.equal(families.counts_on_width(plain, "k"), false)
  local notes = require("lua.reference.apple_target").notes
  gpu.target = "intel"
  t.equal(notes(sums, "k")[1], 'note: SIMD-groups have 8, 16 or 32 threads on an Intel UHD Graphics, as its compiler chooses for each kernel: k may count on 32, [[threads_per_simdgroup]] tells (help "gpu.target")')
  t.equal(#notes(sums, "k"), 0, "told once")
  gpu.target = "amd"
  t.has(notes(sums, "k")[1], "have 32 or 64 threads on an AMD")
  t.equal(#notes(asks, "k"), 0)
  gpu.target = "m1"
  t.equal(#notes(sums, "k"), 0)
end)

t.test("gpu.target is one of them, or none", function()
  t.equal(gpu.target, "m1")
  gpu.target = "intel"
  t.equal(gpu.target, "intel")
  gpu.target = false
  t.equal(gpu.target, false)
  t.raises("gpu.target is a GPU to write for (amd, intel, m1,", function() gpu.target = "m0" end)
  t.raises("gpu.target is a GPU", function() gpu.target = "m1 macOS" end)
  t.raises("gpu.target is a GPU", function() gpu.target = 13 end)
  t.raises("or false for none", function() gpu.target = nil end)
end)

t.test("what is told of a kernel goes by the GPU and the macOS", function()
  local notes = require("lua.reference.apple_target").notes
  local function said(target, source)
    gpu.target = target
    return table.concat(notes(source, "k"), "\n")
  end
  local log = 'kernel void k(device float *a [[buffer(0)]]) { os_log_default.log("x"); }'
  t.equal(said("m1", log), 'note: k runs here, not on an Apple M1 with macOS 14: it uses shader logging, which macOS has from 15 on (help "gpu.target")')
  t.equal(#notes(log, "k"), 0, "told once")
  t.equal(said("m2, macOS 15", log), "")
  t.equal(gpu.target, "m2, macOS 15")
  t.has(said("m1 macos13", "kernel void k(device bfloat *a [[buffer(0)]]) { }"), "with macOS 13: it uses bfloat, which macOS has from 14 on")
  t.equal(said("m1", "kernel void k(device bfloat *a [[buffer(0)]]) { }"), "")
  t.has(said("m1", "kernel void k(device atomic_ulong *a [[buffer(0)]]) { }"), "not on an Apple M1: it uses 64-bit atomics, which Macs have from the M2 on")
  t.equal(said(false, log), "")
  gpu.target = "m1"
end)
t.done()

-- test_families.lua - lua/families.lua: what Apple's families have, and what a source
-- uses; lua/target.lua: what is told of it. (of no device: tables alone)
local t = dofile "tests/tap.lua"
local families = require "lua.families"

local M1, M2, M3, INTEL = "Apple 7, Mac 2, Metal 3", "Apple 8, Mac 2, Metal 3", "Apple 9, Mac 2, Metal 3, Metal 4", "Mac 2, Metal 3"
local PHONE = "Apple 8, Metal 3"

local function missing(source, text)
  local names = {}
  for i, feature in ipairs(families.missing(source, text)) do names[i] = feature.name end
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
      t.ok(missing("x = simd_" .. name .. "(x);", "Apple 5") ~= "", "simd_" .. name)
    end
  end
  t.ok(seen >= 21)
  t.equal(missing("x = simd_shuffle_down(x, 1);", "Apple 5"), "SIMD-group shuffles")
  t.equal(missing("x = simd_prefix_inclusive_sum(x);", "Apple 6"), "SIMD-group reductions")
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
    t.ok(type(g.title) == "string" and type(g.unified) == "boolean" and (g.arguments == 1 or g.arguments == 2), name)
  end
  t.equal(#families.lacks(families.gpus.m5.families), 0)
  t.equal(table.concat(families.lacks(M1), ", "), "SIMD-group shift and fill, 64-bit atomics")
end)

t.test("gpu.target is one of them, or none", function()
  t.equal(gpu.target, "m1")
  gpu.target = "intel"
  t.equal(gpu.target, "intel")
  gpu.target = false
  t.equal(gpu.target, false)
  t.raises("gpu.target is a GPU to write for (amd, intel, m1,", function() gpu.target = "m0" end)
  t.raises("or false for none", function() gpu.target = nil end)
end)
t.done()

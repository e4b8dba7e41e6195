-- test_versions.lua - versions of MSL: what __METAL_VERSION__ says is what is
-- accepted, and what came later is refused with the version that it came with.
--
-- Guards: msl/reader/versions.c: `__METAL_VERSION__`, std = "metal3.1", what
-- came later is refused, names, members and headers, unless the source has it
-- for a thing of its own; versions that do not exist; mettle check --std
local t = dofile "tests/tap.lua"
t.compiler "versions of MSL"

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

local function version_of(options)
  local k = gpu.kernel(head .. [=[
kernel void k(device int *v) {
  v[0] = __METAL_VERSION__;
#ifdef __HAVE_BFLOAT__
  v[1] = 1;
#endif
}]=], options)
  local v = gpu.buffer("int", 2)
  k { v, grid = 1 }
  return v[0], v[1]
end

t.test("__METAL_VERSION__ is the version that is asked for, or the newest", function()
  t.equal(version_of {}, 400)
  for std, number in pairs { ["metal4.0"] = 400, ["metal3.2"] = 320,
    ["metal3.1"] = 310, ["metal3.0"] = 300,
    ["metal2.4"] = 240, ["macos-metal2.3"] = 230, ["metal2.0"] = 200 } do
    local got, bfloats = version_of { std = std }
    t.equal(got, number, std)
    t.equal(bfloats, number >= 310 and 1 or 0, std)
  end
end)

t.test("versions that do not exist are refused", function()
  for _, std in ipairs { "metal5.0", "metal3.3", "metal3.10", "3.1", "",
    "metal" } do
    t.raises(("'%s' is no version of the Metal Shading Language that is known here"):format(std), version_of, { std = std })
  end
  t.raises('std names a version, as in std = "metal3.1"; got number', version_of, { std = 310 })
end)

-- A use of each, and the version that it came with.
local uses = {
  { "bfloat", "metal3.0", "3.1", "kernel void k(device bfloat4 *a) { a[0] = 1; }" },
  { "os_log_default", "metal3.1", "3.2", "#include <metal_logging>\nkernel void k(device int *a) { os_log_default.log(\"x\"); a[0] = 1; }" },
  { "texture atomics", "metal3.0", "3.1",
    "kernel void k(texture2d<uint, access::read_write> x) { x.atomic_fetch_add(uint2(0), uint4(1)); }" },
  { "coherent", "metal3.1", "3.2", "kernel void k(coherent(device) device int *a) { a[0] = 1; }" },
  { "atomic_thread_fence", "metal3.1", "3.2",
    "kernel void k(device int *a) { atomic_thread_fence(mem_flags::mem_device, memory_order_relaxed); a[0] = 1; }" },
  { "simd_shuffle_and_fill_up", "metal2.3", "2.4",
    "kernel void k(device float *a, uint i [[thread_position_in_grid]]) { a[i] = simd_shuffle_and_fill_up(a[i], 0.0f, 1); }" },
  { "atomic_float", "metal2.4", "3.0",
    "kernel void k(device atomic_float *a) { atomic_store_explicit(a, 1, memory_order_relaxed); }" },
  { "simdgroup matrices", "metal2.2", "2.3",
    "kernel void k(device float *a) { simdgroup_float8x8 m; simdgroup_load(m, a); simdgroup_store(m, a); }" },
  { "atomic_bool", "metal2.3", "2.4",
    "kernel void k(device atomic_bool *a) { atomic_store_explicit(a, true, memory_order_relaxed); }" },
  { "packed_long3", "metal2.2", "2.3",
    "kernel void k(device packed_long3 *a) { a[0] = 1; }" },
  { "nextafter", "metal3.0", "3.1",
    "kernel void k(device float *a) { a[0] = nextafter(a[0], 2.0f); }" },
  { "a type without a name", "metal3.0", "3.1",
    "float f(const bfloat) { return 1; }\nkernel void k(device float *a) { a[0] = f(bfloat(1)); }" },
  { "<metal_logging>", "metal3.1", "3.2",
    "#include <metal_logging>\nkernel void k(device int *a) { a[0] = 1; }" },
  { "<metal_tensor>", "metal3.2", "4.0",
    "#include <metal_tensor>\nkernel void k(device int *a) { a[0] = 1; }" },
}

for _, use in ipairs(uses) do
  t.test(use[1] .. " since Metal " .. use[3], function()
    gpu.kernel(head .. use[4])
    gpu.kernel(head .. use[4], { std = "metal" .. use[3] })
    t.raises(("came with Metal %s, and this is compiled as Metal %s"):format(use[3], use[2]:sub(6)), gpu.kernel,
      head .. use[4], { std = use[2] })
  end)
end

t.test("what stands behind an #if that does not hold is no use", function()
  gpu.kernel(head .. [=[
#if __METAL_VERSION__ >= 310
typedef bfloat number;
#else
typedef float number;
#endif
struct S { int atomic_load; };
kernel void k(device number *a, device atomic_int *b) {
  a[0] = atomic_load_explicit(b, memory_order_relaxed);
}]=], { std = "metal3.0" })
end)

-- Names of the table that the source gives to things of its own.
local own = {
  function_ = "float nextafter(float x, float y) { return x + y; }\nkernel void k(device float *a) { a[0] = nextafter(a[0], 2.0f); }",
  template = "template <class T> T simd_shuffle_and_fill_up(T a, T b, T c) { return a + b + c; }\nkernel void k(device int *a) { a[0] = simd_shuffle_and_fill_up(a[0], 2, 3); }",
  type_ = "struct atomic_float { float v; };\nkernel void k(device atomic_float *a) { a[0].v = 1; }",
  typedef = "typedef float dextents;\nkernel void k(device dextents *a) { a[0] = 1; }",
  variable = "kernel void k(device int *a) { int os_log = 3; a[0] = os_log; }",
  parameter = "kernel void k(device int *tensor_offset) { tensor_offset[0] = 1; }",
  member = "struct S { int v; int atomic_load(int n) { return v + n; } };\nkernel void k(device int *a) { S s = {1}; a[0] = s.atomic_load(2); }",
  namespace = "namespace raytracing { int one() { return 1; } }\nkernel void k(device int *a) { a[0] = raytracing::one(); }",
}
for what, text in pairs(own) do
  t.test("a name of a later version that the source has for a " .. what:gsub("_", ""), function()
    gpu.kernel("#include <metal_stdlib>\n" .. text, { std = "metal2.0" })
  end)
end
t.test("the library's is refused beside it", function()
  t.raises("came with Metal 3.1", gpu.kernel, head ..
    "float nextafter(float x) { return x; }\nkernel void k(device float *a) { a[0] = metal::nextafter(a[0], nextafter(2)); }",
    { std = "metal3.0" })
end)

t.test("mettle check --std=metal3.0", function()
  local system = require "mettle.system"
  local file = os.tmpname()
  system.write(file, head .. "kernel void k(device bfloat *a) { a[0] = 1; }\n")
  local command = ("%s check --grid 1 --arg 'a=bfloat[1]' %s %s 2>&1")
  local function run(option)
    local program = os.getenv "METTLE" or "build/mettle"
    local pipe = io.popen(command:format(program, option, file))
    return pipe:read "a", pipe:close()
  end
  local options = { "--std=metal3.0", "-std=metal3.0", "--std metal3.0" }
  for _, option in ipairs(options) do
    t.ok(run(option):find("came with Metal 3.1, and this is compiled as Metal 3.0", 1, true), option)
  end
  t.ok(not run("--std=metal3.1"):find("came with", 1, true))
  t.ok(run("--std=metal9"):find("is no version of the Metal Shading Language", 1, true))
  os.remove(file)
end)

t.test("a kernel keeps its version on another device, and beside another one", function()
  local source = head .. "kernel void k(device int *v) { v[0] = __METAL_VERSION__; }"
  local old = gpu.kernel(source, { std = "metal2.4" })
  local new, v = gpu.kernel(source), gpu.buffer("int", 1)
  old { v, grid = 1 }
  t.equal(v[0], 240)
  new { v, grid = 1 }
  t.equal(v[0], 400)
end)

t.done()

-- test_argument_buffers.lua - structs with pointers, textures and samplers:
-- given as tables, run, checked, and refused in a sentence where they are
-- wrong.
--
-- Guards: structs with pointers, textures and samplers: run, checked, profiled,
-- refused where wrong; lua/bind/gpu/{argument_buffers, gpu, kernel,
-- missing_features, result}.c
local t = dofile "tests/tap.lua"
t.compiler "structs with pointers"

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

local add = gpu.kernel(head .. [=[
struct Job { device const float *x; device float *y; uint n; float by; };
kernel void add(constant Job &job [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i < job.n) job.y[i] = job.x[i] + job.by;
}]=])

t.test("pointers in a struct lead to buffers", function()
  local x, y = gpu.buffer(100):iota(), gpu.buffer(100)
  add { { x = x, y = y, n = 90, by = 0.5 }, grid = 100 }
  t.ok(y[0] == 0.5 and y[89] == 89.5 and y[90] == 0, "the struct's numbers and buffers arrive")
end)

t.test("a view starts where it starts, and both may lie in one buffer", function()
  local all = gpu.buffer(64):iota()
  add { job = { x = all:view(0, 32), y = all:view(32, 32), n = 32, by = 100 },
    grid = 32 }
  t.ok(all[31] == 31 and all[32] == 100 and all[63] == 131, "the second half is written")
end)

t.test("arrays of pointers, structs in structs, none", function()
  local k = gpu.kernel(head .. [=[
struct Part { device const int *values; int weight; };
struct All { array<device const int *, 3> lists; Part part; device int *out; device int *spare; };
kernel void sum(constant All &all [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int s = all.part.weight * all.part.values[i];
  for (int k = 0; k < 3; k++) s += all.lists[k][i];
  all.out[i] = s;
  if (all.spare) all.spare[i] = -1;
}]=])
  local function list(v) return gpu.buffer("int", 8):fill(v) end
  local out, spare = list(0), list(0)
  local all = { lists = { list(1), list(10), list(100) },
    part = { values = list(2), weight = 500 }, out = out, spare = false }
  k { all, grid = 8 }
  t.ok(out[0] == 1111 and out[7] == 1111, "all four lists were read")
  all.spare = spare
  k { all, grid = 8 }
  t.ok(spare[7] == -1, "what was none is a buffer now")
end)

t.test("references to the pointers themselves, under another type too", function() -- as SPIRV-Cross writes them
  local k = gpu.kernel(head .. [=[
struct One { int data[4]; };
struct Two { int2 data[2]; };
struct All { device One *lists[2]; device int *out; };
int one(device One *const constant (&lists)[2], uint i) { return lists[0]->data[i] + lists[1]->data[i]; }
int two(device Two *const constant (&lists)[2]) { return lists[1]->data[1].y; }
int loud(device One *const device (&lists)[2]) { return lists[0]->data[0]; }
kernel void sum(constant All &all [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const constant auto &pairs = reinterpret_cast<device Two *const constant (&)[2]>(all.lists);
  all.out[i] = one(all.lists, i) * 10 + two(pairs);
}]=])
  local out = gpu.buffer("int", 4)
  k { { lists = { gpu.buffer("int", { 1, 2, 3, 4 }),
    gpu.buffer("int", { 5, 6, 7, 8 }) }, out = out }, grid = 4 }
  t.ok(out:equals { 68, 88, 108, 128 }, tostring(out))
end)

t.test("a list of structs", function()
  local k = gpu.kernel(head .. [=[
struct Row { device float *values; float by; };
kernel void scale(constant Row *rows [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  rows[at.y].values[at.x] *= rows[at.y].by;
}]=])
  local a, b = gpu.buffer(4):fill(1), gpu.buffer(4):fill(1)
  k { { { values = a, by = 3 }, { values = b, by = 5 } }, grid = { 4, 2 } }
  t.ok(a[3] == 3 and b[0] == 5, "each row has its own buffer")
end)

t.test("textures and samplers in a struct", function()
  local k = gpu.kernel(head .. [=[
struct Scene { texture2d<float, access::sample> image; sampler how; texture2d<float, access::write> out; device float *seen; };
kernel void paint(constant Scene &scene [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  float4 c = scene.image.sample(scene.how, (float2(at) + 0.5) / 4);
  scene.out.write(c * 2, at);
  scene.seen[at.y * 4 + at.x] = c.x;
}]=])
  local image, out, seen = gpu.texture("r32float", 4, 4),
    gpu.texture("r32float", 4, 4), gpu.buffer(16)
  image:write(gpu.buffer(16):iota())
  local scene = { image = image, how = gpu.sampler { filter = "nearest" },
    out = out, seen = seen }
  k { scene, grid = { 4, 4 }, group = { 4, 4 } }
  t.ok(seen[5] == 5 and out:read()[15] == 30, "sampled, written")
  local r = check { k, scene, grid = { 4, 4 }, group = { 4, 4 } }
  t.ok(r.ok, tostring(r))
end)

t.test("check follows them", function()
  local x, y = gpu.buffer(64), gpu.buffer(64)
  t.ok(check { add, { x = x, y = y, n = 64, by = 1 }, grid = 64 }.ok, "what is right is clean")
  t.ok(y[0] == 0, "and the person's buffers are left alone")
  local r = check { add, { x = x, y = y, n = 65, by = 1 }, grid = 65 }
  t.ok(#r == 2 and r[1].kind == "out-of-bounds", tostring(r))
  local names = { [r[1].buffer] = true, [r[2].buffer] = true }
  t.ok(names["job.x"] and names["job.y"] and r[1].index == 64 and r[1].length == 64, "named by their fields")
  local race = gpu.kernel(head .. [=[
struct One { device float *total; };
kernel void race(constant One &one [[buffer(0)]], uint i [[thread_position_in_grid]]) { one.total[0] += i; }]=])
  r = check { race, { total = gpu.buffer(1) }, grid = 64 }
  t.ok(r[1] and r[1].kind == "race" and r[1].buffer == "one.total", tostring(r))
end)

t.test("profile counts what goes through them", function()
  local p = profile { add, { x = gpu.buffer(64), y = gpu.buffer(64), n = 64,
    by = 1 }, grid = 64 }
  t.ok(p.reads_per_thread >= 1 and p.writes_per_thread == 1, tostring(p))
end)

t.test("what is wrong is said", function()
  local x, y = gpu.buffer(8), gpu.buffer(8)
  t.raises("'job.x': it is a pointer: give a buffer", add, { { x = 3, y = y, n = 8, by = 1 }, grid = 8 })
  t.raises("field 'y' (float *)", add, { { x = x, n = 8, by = 1 }, grid = 8 })
  t.raises("points at float, the buffer holds int", add, { { x = gpu.buffer("int", 8), y = y, n = 8, by = 1 }, grid = 8 })
  local gone = gpu.buffer(8)
  gone:free()
  t.raises("'job.y': the buffer was freed", add, { { x = x, y = gone, n = 8, by = 1 }, grid = 8 })
end)

t.test("a struct behind a pointer is given as a table of its fields", function()
  local k = gpu.kernel [=[
struct Params { float by; uint first[2]; };
kernel void k(device float *out [[buffer(0)]], constant Params *p [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { out[i] = p->by * (i + p->first[1]); }
]=]
  local out = gpu.buffer(3)
  k { out, { by = 2, first = { 0, 5 } }, grid = 3 }
  t.ok(out:equals { 10, 12, 14 })
  k { out, { { by = 3, first = { 0, 0 } } }, grid = 3 }
  t.ok(out:equals { 0, 3, 6 })
  t.raises("has no field 'bye'", k, { out, { bye = 2 }, grid = 3 })
  t.raises("the table is empty", k, { out, {}, grid = 3 })
end)

t.test("a parameter that a function constant leaves out need not be given", function()
  local source = [=[
constant bool with [[function_constant(0)]];
kernel void k(device float *out [[buffer(0)]], device const float *more [[buffer(1), function_constant(with)]],
              uint i [[thread_position_in_grid]]) { out[i] = 1; if (with) out[i] += more[i]; }
]=]
  local out, more = gpu.buffer(2), gpu.buffer { 5, 6 }
  gpu.kernel(source, { constants = { with = false } }) { out = out, grid = 2 }
  t.ok(out:equals { 1, 1 })
  gpu.kernel(source, { constants = { with = true } }) {
    out = out, more = more, grid = 2 }
  t.ok(out:equals { 6, 7 })
end)

t.done()

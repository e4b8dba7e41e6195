-- test_check_missed.lua - what check does not watch is named, with its line,
-- and nothing is named that is watched (check_missed.c, check_outputs.c).
-- It is of no device: check runs on the host.
--
-- Guards: devices/host/sites/unchecked.c,
-- devices/host/probe/pointer_choices.c,
-- devices/host/check/{coverage, unchecked}.c: accesses that are not
-- instrumented are named with their line, and no others; elements that are
-- never written
local t = dofile "tests/tap.lua"
gpu.use "host"

local head = "#include <metal_stdlib>\nusing namespace metal;\n"

-- The sentences about one kernel, as one text.
local function missed(source, launch)
  launch[1] = gpu.kernel(head .. source)
  for i, v in ipairs(launch.with) do launch[i + 1] = v end
  launch.with = nil
  local r = check(launch)
  return table.concat(r.unchecked, "\n"), r
end

local function out(n) return gpu.buffer(n or 64) end

---------------------------------------------------------------------- pointers

local lists = [=[
kernel void f(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  thread float *p[2] = {a, b};
  out[i] = p[i & 1][i % 4];
}
]=]

t.test("accesses to private memory through pointers from memory, by their line", function()
  local text = missed(lists, { with = { out() }, grid = 64, group = 32 })
  t.has(text, "through a pointer that is kept in memory (line 6)")
end)

t.test("threadgroup arrays that a list of pointers leads to: the list works, the bounds are named", function()
  local source = [=[
kernel void f(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[32], b[32];
  a[t] = t;
  b[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *p[2] = {a, b};
  out[i] = p[t & 1][t];
}
]=]
  local y = out()
  gpu.kernel(head .. source) { y, grid = 64, group = 32 }
  for i = 0, 63 do t.equal(y[i], (i % 2 + 1) * (i % 32)) end
  local text, r = missed(source, { with = { out() }, grid = 64, group = 32 })
  t.ok(r.ok, tostring(r))
  t.has(text, "stay inside their threadgroup array (line 9)")
end)

t.test("variables whose address is chosen are not followed, unless they are set at once", function()
  local source = [=[
kernel void f(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float kept[4], set[4] = {1, 2, 3, 4};
  for (int k = 0; k < 4; k++) kept[k] = k;
  thread float *p = (i & 1) ? kept : set;
  out[i] = p[i % 4];
}
]=]
  local text = missed(source, { with = { out() }, grid = 64, group = 32 })
  t.has(text, "since a pointer to it is chosen, computed or kept: kept (line 5)")
  t.ok(not text:find "set %(line")
end)

t.test("a variable that is too large to follow", function()
  local text = missed([=[
kernel void f(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float large[600];
  for (int k = 0; k < 600; k++) large[k] = k;
  out[i] = large[i];
}
]=], { with = { out() }, grid = 64, group = 32 })
  t.has(text, "larger than 2 KB: large (line 5)")
end)

t.test("what is watched is not named: pointers chosen by ?:, by loops, by functions", function()
  local text, r = missed([=[
static float at(threadgroup const float *p, uint k) { return p[k]; }
kernel void f(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float a[32], b[32];
  float x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
  a[t] = t;
  b[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  thread float *p = (t & 1) ? x : y;
  threadgroup float *s = a;
  float sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += s[t] + p[k];
    s = s == a ? b : a;
    p = p == x ? y : x;
  }
  out[i] = sum + at((t & 1) ? a : b, t);
}
]=], { with = { out() }, grid = 64, group = 32 })
  t.ok(r.ok, tostring(r))
  t.equal(text, "")
end)

----------------------------------------------------------------------- outputs

local border = [=[
kernel void f(texture2d<float, access::write> out [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  if (p.x == 0 || p.y == 0 || p.x == 15 || p.y == 15) return;
  out.write(float4(1), p);
}
]=]

t.test("elements of several cells that are never written are counted",
  function()
    for _, case in ipairs {
      { "if (i > 5) o[i] = float2(i);", "6 of 16 elements are never written" },
      { "if (i < 5) o[i] = float2(i);",
        "11 of 16 elements are never written, the first is o[5]" },
      { "if (i != 7) o[i] = float2(i);",
        "1 of 16 elements is never written" },
      { "if (i != 7) o[i].x = i; else o[i].y = 1; if (i != 3) o[i].y = 2; ",
        "2 of 16 elements are never written, the first is o[3]" } } do
      local _, r = missed("kernel void k(device float2 *o, uint i "
        .. "[[thread_position_in_grid]]) { " .. case[1] .. " }",
        { with = { gpu.buffer("float2", 16) }, grid = 16, outputs = { "o" },
          schedules = 0 })
      t.equal(r[1] and r[1].kind, "coverage", tostring(r))
      t.has(r[1].message, case[2])
    end
  end)

t.test("a border that is not written is named; outputs makes it a finding, or says that it is meant", function()
  local image = gpu.texture("r32float", 16, 16)
  local text, r = missed(border, { with = { image }, grid = { 16, 16 },
    group = { 8, 8 } })
  t.ok(r.ok, tostring(r))
  t.has(text, "whether out should be written all over: 60 of 256 elements are not, the first is out at (0, 0)")
  text = missed(border, { with = { image }, grid = { 16, 16 }, group = { 8, 8 },
    outputs = {} })
  t.equal(text, "")
  _, r = missed(border, { with = { image }, grid = { 16, 16 }, group = { 8, 8 },
    outputs = { "out" } })
  t.equal(r[1].kind, "coverage")
  t.has(r[1].message, "60 of 256 elements are never written, the first is at (0, 0)")
  local first = "kernel void f(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (i > 0) y[i] = 1; }"
  for _, case in ipairs { { 8, "1 of 8 elements is never written" }, { 1, "1 of 1 element is never written" } } do
    _, r = missed(first, { with = { out(case[1]) }, grid = case[1],
      outputs = { "y" } })
    t.has(r[1].message, case[2])
  end
end)

t.test("so are gaps that the data makes", function()
  local x = gpu.buffer(256):random(1)
  local text, r = missed([=[
kernel void f(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (x[i] > 0.5f) y[i] = x[i];
}
]=], { with = { x, out(256) }, grid = 256 })
  t.ok(r.ok, tostring(r))
  t.has(text, "whether y should be written all over: ")
  t.ok(not tostring(r):find "all of y is written")
end)

t.test("kernels of the library have nothing to name", function()
  for _, name in ipairs { "relu", "sum_tree", "matmul_simdgroup", "histogram",
    "blur" } do
    local launch = { name } -- small: what is watched is known from the code
    for size, n in pairs(require("lua.workload.kernels").data(name).try[3]) do
      launch[size] = n
    end
    t.equal(table.concat(check(launch).unchecked, " "), "", name)
  end
end)
t.done()

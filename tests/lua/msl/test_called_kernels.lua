-- test_called_kernels.lua - a kernel that is called as a function, where a
-- thread's place is a parameter and where it is a variable of the program
-- (msl/reader/builtins.c): the same answers. Metal's specification refuses the
-- call, and Mettle warns of it (tests/c/msl/test_msl.c); so the host alone runs
-- it (of no device).
--
-- Guards: msl/reader/builtins.c: a kernel that calls another, with a thread's
-- place as a parameter or as a variable of the program
local t = dofile "tests/tap.lua"
t.compiler "kernels that are called"
gpu.use "host"

local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"

local function fills(source, value)
  local b = gpu.library(HEAD .. source).b
  local x = gpu.buffer(40)
  b { x, grid = 40, group = 8 }
  for i = 0, 39 do t.equal(x[i], value(i), i) end
  t.ok(check { b, x, grid = 40, group = 8 }.ok, "it is not clean")
end

local function index(i) return i + 0.0 end
local gid = "uint i [[thread_position_in_grid]];\n"

t.test("with the place as a parameter", function()
  fills([=[kernel void a(device float *x,
      uint i [[thread_position_in_grid]]) { x[i] = i; }
    kernel void b(device float *x, uint i [[thread_position_in_grid]]) {
      a(x, i);
    }]=], index)
end)

t.test("with a variable of the program", function()
  fills(gid .. [=[kernel void a(device float *x) { x[i] = i; }
    kernel void b(device float *x) { a(x); }]=], index)
end)

t.test("with two, by a function", function()
  fills(gid .. [=[uint t [[thread_position_in_threadgroup]];
    kernel void a(device float *x, constant float &k) { x[i] = t + k; }
    constant float hundred = 100;
    void h(device float *x) { a(x, hundred); }
    kernel void b(device float *x) { h(x); }]=],
    function(i) return i % 8 + 100.0 end)
end)

t.test("declared twice before, in a namespace", function()
  fills("namespace n {" .. gid .. [=[
    kernel void a(device float *x);
    kernel void a(device float *);
    void g(device float *x) { a(x); }
    kernel void a(device float *x) { x[i] = i; }
    }
    kernel void b(device float *x) { n::g(x); }]=], index)
end)

t.test("a template, and one without parameters", function()
  fills(gid .. [=[template <class T> kernel void a(device T *x) { x[i] = i; }
    template [[host_name("af")]] kernel void a<float>(device float *);
    kernel void none(void);
    kernel void none(void) {}
    kernel void b(device float *x) { none(); a(x); }]=], index)
end)

t.test("too few arguments are named as the source has them", function()
  local ok, why = pcall(gpu.library, HEAD .. gid
    .. "kernel void a(device float *x) { x[i] = 1; }\n"
    .. "kernel void b(device float *x) { a(); }")
  t.ok(not ok, "it compiles")
  t.has(why, "requires at least argument 'x'")
end)

t.done()

-- test_own_names.lua - functions, types and variables of a person's own that
-- have a name of the library: none is treated apart.
--
-- The one idea: each name goes through every way in which a source can declare
-- it, as a member, in a namespace or alone where the library's names are not
-- let in; what it gives is known. The masks are comparisons of vectors, which
-- are bool vectors for whom they are given to.
--
-- Guards: msl/reader/own.c, msl/types.c: functions, types and variables with a
-- name of the library, declared in every way, and types that are arguments
local t = dofile "tests/tap.lua"
t.compiler "names of a person's own"

-- Names that the reader, the passes or reflection know, and some that they
-- do not.
local names = {
  "any", "all", "select", "assert_", "coherent", "matmul2d", "vec", "matrix",
  "array", "is_function_constant_defined", "restrict", "sampler", "texture",
  "texture_size", "atomic", "enable_if", "as_type_", "size", "main_", "global",
  "local", "generic", "read_only", "pipe", "image2d_t", "clamp", "mix", "dot",
  "length", "abs", "min", "simd_sum", "fast", "precise", "level", "bias",
  "access", "filter", "make_filled_simdgroup_matrix", "threadgroup_barrier",
  "os_log", "metal_", "simd", "packed", "list", "uniform", "barrier", "depth2d",
  "event", "atomic_int", "color", "position", "user", "stage_in", "buffer",
  "depth", "time", "object", "mesh", "index", "id", "name", "value", "param",
}

-- What a source declares with the name N; what is asked of it, of a = (7, 2, 3)
-- and b = (1, 1, 9); the answer.
local PLAIN = "int N(int3 v, bool3 m) const { return v[0] + int(m.y); }"
local ANY = "template <class T, class M> int N(T v, M m) " ..
  "{ return v[0] + int(m.y) + sizeof(m); }"
local ARRAY = "template <class T, int K> struct N { T x[K]; " ..
  "T last() const { return x[K - 1]; } };"
local forms = {
  { "a member", "struct S { " .. PLAIN .. " };", "return S().N(a, a > b);", 8 },
  { "a member of a pointer's", "struct S { " .. PLAIN .. " };",
    "S s; thread S *p = &s; return p->N(a, a > b);", 8 },
  { "a member template", "struct S { " .. ANY .. " };",
    "return S().N(a, a > b);", 12 },
  { "a member that another calls", "struct S { " .. ANY ..
    " int go(int3 a, int3 b) { return N(a, a > b); } };",
    "return S().go(a, b);", 12 },
  { "a static member",
    "struct S { static " .. PLAIN:gsub(" const", "") .. " };",
    "return S::N(a, a > b);", 8 },
  { "a function of a namespace", "namespace own { " .. ANY .. " }",
    "return own::N(a, a > b);", 12 },
  { "a function", ANY, "return N(a, a > b) + sizeof(N(a, a > b));", 16, true },
  { "overloads", "namespace own { int N(int3, int3) { return 1; } " ..
    "int N(int3, bool3) { return 2; } }",
    "return own::N(a, a > b) * 10 + own::N(a, b);", 21 },
  { "a struct", "namespace own { struct N { int x; int3 v; }; }",
    "own::N n = {3, a}, m = n; return m.x + m.v.y + sizeof(m);", 37 },
  { "a class template of a namespace", "namespace own { " .. ARRAY .. " }",
    "own::N<int, 3> n = {{1, 2, 3}}; return n.last() + sizeof(n);", 15 },
  { "a class template", ARRAY, "N<int, 3> n = {{1, 2, 3}}; " ..
    "N<bool, 2> m = {{true, true}}; return n.last() + m.last();", 4, true },
  { "an argument's class template", ARRAY ..
    " template <class T> T f(N<T, 3> n) { return n.last(); }",
    "N<int, 3> n = {{1, 2, 3}}; return f(n);", 3, true },
  { "a variable", "", "int3 N = a; int K = 3; " ..
    "return N.x + (N.x < 3 && K > 4 ? 1 : 0) + (N[0] < K);", 7 },
  { "a number", "int second(bool, bool c) { return c; }",
    "int N = 3, K = 5; bool c = N < 3 || K > (N); " ..
    "return N + c + second(N < 2, K > (3));", 5 },
  { "a field", "struct S { int N; int3 v; };",
    "S s = {4, a}; s.N += s.v.x; return s.N + (s.N < 3);", 11 },
  { "a parameter", "int f(int N, int3 v) " ..
    "{ return N < 3 && v.x > (2) ? N : N + 1; }", "return f(5, a);", 6 },
  { "a type's name", "namespace own { typedef int3 N; }",
    "own::N n = a; return n.x + own::N(b).y;", 8 },
  { "an enumerator", "struct S { enum { N = 5 }; };",
    "return S::N + (S::N < 3);", 5 },
}

-- A source with one namespace for each name.
local function text_of(form, some)
  local text = { "#include <metal_stdlib>\n",
    form[5] and "" or "using namespace metal;\n" }
  for i, name in ipairs(some) do
    local own = ("namespace n%d { %s\nint run(int3 a, int3 b) { %s } }\n")
      :format(i, form[2], form[3])
    text[#text + 1] = own:gsub("%f[%w_]N%f[^%w_]", name)
  end
  text[#text + 1] = "kernel void k(device int *o [[buffer(0)]], " ..
    "constant packed_int3 &p [[buffer(1)]]) {\n"
  for i in ipairs(some) do
    text[#text + 1] = ("o[%d] = n%d::run(int3(p), int3(1, 1, 9));\n")
      :format(i - 1, i)
  end
  return table.concat(text) .. "}\n"
end

-- Adds what is wrong to 'out'; a source that is refused is halved.
local function try(form, some, out)
  local ok, k = pcall(gpu.kernel, text_of(form, some))
  if not ok and #some > 1 then
    local half = #some // 2
    try(form, { table.unpack(some, 1, half) }, out)
    try(form, { table.unpack(some, half + 1) }, out)
  elseif not ok then
    out[#out + 1] = some[1] .. ": " .. tostring(k)
  else
    local o, p = gpu.buffer("int", #some), gpu.buffer("int", { 7, 2, 3 })
    k { o, p, grid = 1 }
    for i, name in ipairs(some) do
      if o[i - 1] ~= form[4] then
        out[#out + 1] = ("%s: %d, expected %d"):format(name, o[i - 1], form[4])
      end
    end
  end
end

for _, form in ipairs(forms) do
  t.test("the name of " .. form[1], function()
    local wrong = {}
    try(form, names, wrong)
    t.ok(#wrong == 0, table.concat(wrong, "\n"))
  end)
end

-- ------------------------------------------------------- a kernel's arguments

-- Types with a name of the library's are read as what they are.
local arguments = {
  { "struct N { int x; float y; };", "N", { "sampler", "texture", "matrix",
    "array", "atomic", "depth2d", "acceleration_structure" } },
  { "template <class T, int K> struct N { T x; float y; T more[K]; };",
    "N<int, 2>", { "matrix", "array", "atomic", "texture2d", "texture_of",
      "depth2d", "vec", "visible_function_table" } },
}
for _, kind in ipairs(arguments) do
  for _, name in ipairs(kind[3]) do
    t.test(kind[2]:gsub("N", name) .. " as an argument", function()
      local text = (kind[1] .. [=[
kernel void k(device int *o [[buffer(0)]], constant TYPE &n [[buffer(1)]],
              device TYPE *m [[buffer(2)]]) {
  o[0] = n.x + 1; o[1] = int(n.y * 8); o[2] = m[0].x + sizeof(TYPE);
}]=]):gsub("TYPE", kind[2]):gsub("%f[%w_]N%f[^%w_]", name)
      local k = gpu.kernel(text)
      local o, m = gpu.buffer("int", 3), gpu.buffer("int", { 5, 6, 7, 8 })
      local given = { x = 3, y = 0.25 }
      if kind[2] ~= "N" then given.more = { 1, 2 } end
      k { o, given, m, grid = 1 }
      t.equal(o[0], 4)
      t.equal(o[1], 2)
      t.equal(o[2], kind[2] == "N" and 13 or 21)
    end)
  end
end

t.done()

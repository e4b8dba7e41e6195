-- splats.lua - forms in which a bool becomes a vector: each place where MSL
-- converts by itself, with each kind of bool. true is 1 in every component.
--
-- In a place V is the vector, E its element, SIZE its length, $ the bool; 'r'
-- is what is looked at. 'fixed' places take a constant expression only.
local splats = {}

splats.prelude = [=[
constant bool program_const = true;
struct Has { bool b; static constexpr constant bool yes = true; };
template <class T> struct Trait {
  static constexpr constant bool value = sizeof(T) > 2;
};
static bool called() { return true; }
constexpr bool sure() { return true; }
static constexpr constant bool limit = 3 > 2;
using alias = bool;
#define LOCALS \
  const bool local_const = true; constexpr bool local_constexpr = true; \
  const alias alias_const = true; const auto auto_const = 3 > 2;
]=]

-- a name, the expression, and whether it is a constant expression
splats.sources = {
  {"a variable", "b"}, {"a literal", "true", true},
  {"a comparison", "(i > 2)"}, {"a bare comparison", "i > 2"},
  {"a comparison of constants", "(3 > 2)", true},
  {"bare constants", "3 > 2", true},
  {"a program-scope constant", "program_const", true},
  {"a constexpr", "limit", true}, {"a local const", "local_const"},
  {"a local constexpr", "local_constexpr"}, {"an alias", "alias_const"},
  {"an auto", "auto_const"}, {"a function constant", "given"},
  {"a call", "called()"}, {"a constexpr function", "sure()", true},
  {"a field", "h.b"}, {"a static member", "Has::yes", true},
  {"a trait", "is_same<int, int>::value", true},
  {"a trait's variable", "is_same_v<int, int>", true},
  {"a trait of its own", "Trait<float>::value", true},
  {"a limit", "numeric_limits<float>::has_infinity", true},
  {"a negation", "!n"}, {"a negated literal", "!false", true},
  {"&&", "b && i > 2"}, {"||", "n || b"},
  {"&& of constants", "true && 3 > 2", true},
  {"a component", "bv.y"}, {"a component by index", "bv[1]"},
  {"any", "any(bv)"}, {"?:", "(i > 2 ? b : false)"},
  {"?: of literals", "(i > 2 ? true : false)"},
  {"a bare ?:", "i > 2 ? true : false"}, {"bool()", "(bool(i))"},
  {"bool() of a constant", "bool(7)", true}, {"a C cast", "(bool)i"},
  {"a C cast of a constant", "(bool)7", true},
  {"static_cast of a constant", "static_cast<bool>(7)", true},
  {"static_cast", "static_cast<bool>(i)"}, {"an array's element", "list[1]"},
  {"what a pointer leads to", "*p"}, {"a reference", "list[i - 6]"},
  {"an assignment", "(w = true)"}, {"a compound assignment", "(w |= b)"},
  {"a comma", "(i, b)"}, {"a buffer's element", "in[0]"},
  {"& of bools", "(b & true)"}, {"a template argument", "B", true},
  {"a comparison of one", "(N > 2)", true},
}

local pair = "struct S { V v; int k; };"
splats.places = {
  {"an initialiser", "", "V r = $;"},
  {"a const", "", "const V r = $;"},
  {"an assignment", "", "V r = V(5); r = $;"},
  {"parentheses", "", "V r($);"},
  {"a list of one", "", "V r{$};", first = true},
  {"= and a list of one", "", "V r = {$};", first = true},
  {"a swizzle", "", "V r = V(1); r.xy = $;"},
  {"a component", "", "V r = V(1); r.y = $;"},
  {"a component by index", "", "V r = V(1); r[1] = $;"},
  {"an array", "", "V a[2] = {$, V(7)}; V r = a[0];"},
  {"an array of one", "", "V a[1] = {$}; V r = a[0];"},
  {"an array of arrays", "", "V a[2][2] = {{V(7), $}, {V(3), V(2)}}; V r = a[0][1];"},
  {"metal::array", "", "array<V, 2> a = {$, V(7)}; V r = a[0];"},
  {"a struct", pair, "S s = {$, 3}; V r = s.v;"},
  {"a struct's first", pair, "S s = {$}; V r = s.v;"},
  {"a struct without =", pair, "S s{$, 4}; V r = s.v;"},
  {"a named field", pair, "S s = {.v = $, .k = 3}; V r = s.v;"},
  {"a temporary", pair, "V r = S{$, 4}.v;"},
  {"a field", pair, "S s; s.v = $; V r = s.v;"},
  {"a constructor", "struct S { V v; S(bool x) : v(x) {} };", "S s($); V r = s.v;"},
  {"a constructor of the vector", "struct S { V v; S(V x) : v(x) {} };", "S s($); V r = s.v;"},
  {"a field's default", "struct S { V v = $; };", "S s; V r = s.v;", fixed = true},
  {"an argument", "static V f(V x) { return x; }", "V r = f($);"},
  {"a second argument", "static V f(int k, V x) { return x; }", "V r = f(3, $);"},
  {"a reference", "static V f(const thread V &x) { return x; }", "V r = f($);"},
  {"a default argument", "static V f(V x = $) { return x; }", "V r = f();", fixed = true},
  {"an argument of a template", "template <class T> T f(T x) { return x; }", "V r = f<V>($);"},
  {"overloads", "static V f(V x) { return x; } static V f(V x, int k) { return x; }", "V r = f($);"},
  {"a method", "struct S { V v; void set(V x) { v = x; } };", "S s; s.set($); V r = s.v;"},
  {"a method's result", "struct S { bool k; V get() const { return k; } };", "S s = {$}; V r = s.get();"},
  {"a result", "template <bool B, int N> V f(PARAMETERS) { LOCALS return $; }", "V r = f<B, N>(ARGUMENTS);"},
  {"V()", "", "V r = V($);"},
  {"(V)", "", "V r = (V)($);"},
  {"static_cast<V>", "", "V r = static_cast<V>($);"},
  {"vec", "", "vec<E, SIZE> r = $;"},
  {"vec()", "", "V r = vec<E, SIZE>($);"},
  {"a typedef", "typedef V mine;", "mine r = $;"},
  {"a using", "using mine = V;", "mine r; r = $;"},
  {"a const using", "using mine = V;", "const mine r = $;"},
  {"? $ :", "", "V r = i > 2 ? $ : V(7);"},
  {"? : $", "", "V r = i < 2 ? V(7) : $;"},
  {"+", "", "V r = V(0) + ($);"}, {"+, turned", "", "V r = ($) + V(0);"},
  {"*", "", "V r = V(1) * ($);"}, {"+=", "", "V r = V(0); r += $;"},
  {"*=", "", "V r = V(1); r *= $;"}, {"-=", "", "V r = V(2); r -= $;"},
  {"==", "", "V r = V(V(1) == ($));"}, {"=, twice", "", "V r, u; r = u = $;"},
  {"behind a comma", "", "V r; i += 0, r = $;"},
  {"for", "", "V r = V(0); for (V v = $; i > 0; i = 0) r = v;"},
  {"if", "", "V r = V(0); if (i > 2) r = $;"},
  {"through a pointer", "", "V r; thread V *q = &r; *q = $;"},
  {"through a reference", "", "V r; thread V &q = r; q = $;"},
  {"threadgroup memory", "", "threadgroup V q; q = $; V r = q;"},
  {"an array's element", "", "V a[2]; a[1] = $; V r = a[1];"},
  {"a packed vector", "", "packed_E3 q = $; E3 r = q;", size = 3},
  {"a packed vector, assigned", "", "packed_E3 q; q = $; E3 r = q;", size = 3},
  {"program scope", "constant V c = $;", "V r = c;", fixed = true},
  {"program scope, constexpr", "constexpr constant V c = $;", "V r = c;", fixed = true},
  {"program scope, parentheses", "constant V c($);", "V r = c;", fixed = true},
  {"an array at program scope", "constant V c[2] = {$, V(7)};", "V r = c[0];", fixed = true},
  {"an array at program scope, by index", "constant V c[4] = {V(7), V(6), V(5), $};", "V r = c[i - 4];", fixed = true},
  {"a struct at program scope", "struct S { int k; V v; }; constant S c = {3, $};", "V r = c.v;", fixed = true},
  {"structs at program scope", "struct S { int k; V v; }; constant S c[2] = {{3, V(7)}, {2, $}};", "V r = c[1].v;", fixed = true},
  {"constexpr", "", "constexpr V c = $; V r = c;", fixed = true},
  {"a constexpr array", "", "constexpr V c[2] = {V(7), $}; V r = c[i - 6];", fixed = true},
  {"a const array", "", "const V c[2] = {V(7), $}; V r = c[i - 6];", fixed = true},
  {"a static member", "struct S { static constexpr constant V c = $; };", "V r = S::c;", fixed = true},
  {"a constexpr function of a bool", "constexpr V f(bool x) { return x; } constant V c = f($);", "V r = c;", fixed = true},
  {"a constexpr function", "constexpr V f() { return $; } constexpr constant V c = f();", "V r = c;", fixed = true},
  {"a constexpr function's argument", "constexpr V f(V x) { return x; } constant V c = f($);", "V r = c;", fixed = true},
  {"static_assert", "constexpr constant V c = $; static_assert(c.x == 1, \"\");", "V r = c;", fixed = true},
  {"a template's variable", "template <class T> T f(bool x) { T v = x; return v; }", "V r = f<V>($);"},
  {"a template's assignment", "template <class T> T f(bool x) { T v; v = x; return v; }", "V r = f<V>($);"},
  {"vec of a template", "template <class T> vec<T, SIZE> f(bool x) { vec<T, SIZE> v = x; return v; }", "V r = f<E>($);"},
  {"a vector of bools", "", "boolSIZE q = $; V r = V(q);"},
  {"a matrix's column", "", "float2xSIZE m = float2xSIZE(0); m[1] = $; floatSIZE r = m[1];", only = "float"},
  {"a matrix's diagonal", "", "float2x2 m = float2x2($); float2 r = float2(m[0].x, m[1].y);", only = "float", size = 2},
  {"a matrix times a bool", "", "float2xSIZE m = float2xSIZE(floatSIZE(1), floatSIZE(1)) * ($); floatSIZE r = m[0];", only = "float"},
  {"fmax", "", "V r = fmax(V(0), $);", only = "float"},
  {"mix", "", "V r = mix(V(0), V(1), $);", only = "float"},
  {"select", "", "V r = select(V(0), V(1), $);"},
  {"max", "", "V r = max(V(0), $);"},
  {"clamp", "", "V r = clamp(V(7), $, 1);"},
}

local function filled(text, vector, element, size, bool)
  text = text:gsub("packed_E3", "packed_" .. element .. "3")
  text = text:gsub("%f[%w_]E3", element .. "3")
  text = text:gsub("%f[%w_]E%f[^%w_]", element)
  text = text:gsub("%f[%w_]V%f[^%w_]", vector):gsub("SIZE", tostring(size))
  return (text:gsub("%$", (bool:gsub("%%", "%%%%"))))
end

-- The form of a place and a source; nil where there is none such.
function splats.form(place, source, element, size)
  local own = source[2] == "B" or source[2] == "(N > 2)"
  if place.fixed and not source[3] then return nil end
  if place.fixed and own and place[2] ~= "" then return nil end
  if place.only and place.only ~= element then return nil end
  local function fill(text)
    return filled(text, element .. size, element, size, source[2])
  end
  return { name = ("%s%d, %s: %s"):format(element, size, place[1], source[1]),
    scope = fill(place[2]), body = "LOCALS " .. fill(place[3]),
    size = place.size or size,
    want = place.first and "float(k == 0)" or "1", type = "float" }
end

return splats

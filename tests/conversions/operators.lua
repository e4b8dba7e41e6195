-- operators.lua - forms of operators and conversions of vectors: each component
-- is what the same is in scalar C++, cut to the vector's element, since vectors
-- are not promoted; or the form is refused.
--
-- A form has 'body', which makes a vector 'r', and 'want', component k of it.
local operators = { prelude = "" }

local bits = { char = 8, uchar = 8, short = 16, ushort = 16, int = 32,
  uint = 32, long = 64, ulong = 64 }
local unsigned = { char = "uchar", short = "ushort", int = "uint",
  long = "ulong" }
local elements = { "char", "uchar", "short", "ushort", "int", "uint", "long",
  "ulong", "float", "half" }
local values = {
  char = { "100, -100, -1, 7", "100, 3, -128, 2" },
  uchar = { "200, 255, 0, 7", "100, 3, 255, 2" },
  short = { "30000, -30000, -1, 7", "30000, 3, -32768, 2" },
  ushort = { "60000, 65535, 0, 7", "60000, 3, 65535, 2" },
  int = { "2000000000, -2000000000, -1, 7", "2000000000, 3, -2147483647, 2" },
  uint = { "4000000000u, 4294967295u, 0, 7", "4000000000u, 3, 4294967295u, 2" },
  long = { "9000000000000000000l, -5, -1, 7", "9000000000000000000l, 3, -9, 2" },
  ulong = { "18000000000000000000ul, 5, 0, 7", "9000000000000000000ul, 3, 9, 2" },
  float = { "1.5f, -2.5f, 0, 7", "100, 3, -128, 2" },
  half = { "1.5h, -2.5h, 0, 7", "100, 3, -128, 2" },
}

local forms = {}

-- T in 'body' and 'want' is the element, U it without a sign and wide enough
-- not to be promoted to one with a sign.
local function add(T, name, body, want, more)
  local U = unsigned[T] or T
  if (bits[T] or 32) < 32 then U = "uint" end
  local function fill(text)
    text = text:gsub("%f[%w_]T%f[^%w_]", T):gsub("%f[%w_]T4", T .. "4")
    return (text:gsub("%f[%w_]U%f[^%w_]", U))
  end
  local f = { name = T .. " " .. name, scope = "", body = fill(body), size = 4,
    want = fill(want), type = T }
  for k, v in pairs(more or {}) do f[k] = v end
  f.scope = fill(f.scope)
  forms[#forms + 1] = f
end

local function start(T)
  return ("T4 a = hidden(T4(%s)), b = hidden(T4(%s)); T s = b.w; (void)s; ")
    :format(values[T][1], values[T][2])
end

local bools, int = { type = "bool" }, { type = "int" }
local refused = { refused = true }

-- a op b and its like; 'scalar' makes a component of two
local function binary(T, op, scalar)
  local both, one = scalar("a[k]", "b[k]"), scalar("a[k]", "(T)1")
  local first = start(T)
  local sign = op:gsub("%%", "%%%%")
  local function form(name, body, want, more)
    add(T, name, first .. body:gsub("@", sign), want, more)
  end
  form("v" .. op .. "v", "T4 r = a @ b;", both)
  form("v" .. op .. "s", "T4 r = a @ s;", scalar("a[k]", "s"))
  form("s" .. op .. "v", "T4 r = s @ b;", scalar("s", "b[k]"))
  form("v" .. op .. "2", "T4 r = a @ 2;", scalar("a[k]", "(T)2"))
  form("2" .. op .. "v", "T4 r = 2 @ b;", scalar("(T)2", "b[k]"))
  form("v" .. op .. "=v", "T4 r = a; r @= b;", both)
  form("v" .. op .. "=s", "T4 r = a; r @= s;", scalar("a[k]", "s"))
  form("v" .. op .. "true", "T4 r = a @ true;", one)
  form("v" .. op .. "b", "T4 r = a @ flag;", one)
  form("v" .. op .. "=b", "T4 r = a; r @= flag;", one)
  form("v.xy" .. op .. "=", "T4 r = a; r.xy @= b.xy; r.zw = r.zw @ b.zw;", both)
  form("its size", "int4 r = int4(sizeof(a @ b) == sizeof(a));", "1", int)
  form("its type", "int4 r = int4(which(a @ b));", "1",
    { type = "int", scope = "static int which(T4 x) { return 1; } template <class X> static int which(X x) { return 2; }" })
end

local function shifts(T)
  local first = start(T)
  for _, op in ipairs { "<<", ">>" } do
    for _, count in ipairs { 1, 7, bits[T], bits[T] + 1 } do
      -- an amount is taken modulo the element's width
      local function scalar(x)
        local how = op == "<<" and "(T)((ulong)(U)%s << %d)" or "(T)(%s >> %d)"
        return how:format(x, count % bits[T])
      end
      local function form(name, body, x)
        body = body:gsub("@", op):gsub("#", tostring(count))
        add(T, ("%s %d, %s"):format(op, count, name), first .. body,
          scalar(x or "a[k]"))
      end
      form("a constant", "T4 r = a @ #;")
      form("a scalar", "T q = #; T4 r = a @ q;")
      form("an int", "int q = hidden(#); T4 r = a @ q;")
      form("a vector", "T4 r = a @ hidden(T4(#));")
      form("=, a vector", "T4 r = a; r @= hidden(T4(#));")
      form("=, an int", "int q = hidden(#); T4 r = a; r @= q;")
      form("of a scalar", "T4 r = s @ hidden(T4(#));", "s")
      form("of constants", ("T4 r = T4(%s) @ #;"):format(values[T][1]))
    end
    local one = op == "<<" and "(T)((U)a[k] << 1)" or "(T)(a[k] >> 1)"
    add(T, op .. " b", first .. "T4 r = a " .. op .. " flag;", one)
    add(T, op .. " true", first .. "T4 r = a " .. op .. " true;", one)
    add(T, op .. " in a constexpr", "constexpr T4 r = T4(5) " .. op .. " 1;",
      "(T)(5 " .. op .. " 1)")
  end
end

local function truths(T, op)
  local first, both = start(T), ("(a[k] %s b[k])"):format(op)
  local function form(name, body, want, more)
    body, want = body:gsub("@", op), want:gsub("@", op)
    add(T, name, first .. body, want, more)
  end
  form("v" .. op .. "v", "bool4 r = a @ b;", both, bools)
  form("v" .. op .. "s", "bool4 r = a @ s;", "(a[k] @ s)", bools)
  form("s" .. op .. "v", "bool4 r = s @ b;", "(s @ b[k])", bools)
  form("v" .. op .. "7", "bool4 r = a @ 7;", "(a[k] @ (T)7)", bools)
  form("v" .. op .. "b", "bool4 r = a @ flag;", "(a[k] @ (T)1)", bools)
  form("auto v" .. op .. "v", "auto r = a @ b;", both, bools)
  form("T4(v" .. op .. "v)", "T4 r = T4(a @ b);", both)
  form("(T4)(v" .. op .. "v)", "T4 r = (T4)(a @ b);", both)
  form("T4 = v" .. op .. "v", "T4 r = a @ b;", both, refused)
  form("select by v" .. op .. "v", "T4 r = select(a, b, a @ b);",
    both .. " ? b[k] : a[k]")
  form("any v" .. op .. "v", "bool4 r = bool4(any(a @ b));", "(a[0] @ b[0] || a[1] @ b[1] || a[2] @ b[2] || a[3] @ b[3])", bools)
  form("all v" .. op .. "v", "bool4 r = bool4(all(a @ b));",
    "((a[0] @ b[0]) && (a[1] @ b[1]) && (a[2] @ b[2]) && (a[3] @ b[3]))", bools)
  form("!(v" .. op .. "v)", "bool4 r = !(a @ b);", "!" .. both, bools)
  form("v + T4(v" .. op .. "v)", "T4 r = a + T4(a @ b);",
    "(T)((U)a[k] + " .. both .. ")")
end

local function conversions(T)
  local first = start(T)
  for _, other in ipairs(elements) do
    if other ~= T then
      local to = { type = other }
      local no = { type = other, refused = true }
      local wide = bits[T] and "(T)((U)a[k] + 3)" or "(T)(a[k] + 3)"
      local function of(text) return (text:gsub("@", other)) end
      add(T, of "to @4()", first .. of "@4 r = @4(a);", of "(@)a[k]", to)
      add(T, of "to @4", first .. of "@4 r = a;", "0", no)
      add(T, of "scalar to @4", of "T q = T(3); @4 r = q;", of "(@)3", to)
      add(T, of "4 + @4", first .. of "@4 q = @4(3); auto r = a + q;", "0",
        refused)
      -- a float beside a vector of integers is refused
      add(T, of "4 + @", first .. of "@ q = @(3); T4 r = a + q;", wide,
        { refused = bits[T] and not bits[other] or T == "half"
          and other == "float" and "either" or nil })
    end
  end
  local q = "bool4 q = hidden(bool4(true, false, true, true)); "
  add(T, "4(bool4)", q .. "T4 r = T4(q);", "(T)(k != 1)")
  add(T, "4 = bool4", q .. "T4 r = q;", "0", refused)
  add(T, "4 + bool4", first .. q .. "T4 r = a + q;", "0", refused)
  add(T, "to bool4()", first .. "bool4 r = bool4(a);", "(a[k] != 0)", bools)
end

local function unary(T)
  local first = start(T)
  add(T, "-v", first .. "T4 r = -a;",
    bits[T] and "(T)(0 - (U)a[k])" or "-a[k]")
  add(T, "+v", first .. "T4 r = +a;", "a[k]")
  add(T, "v++", first .. "T4 r = a; r++;", "(T)(a[k] + 1)")
  add(T, "--v", first .. "T4 q = a; T4 r = --q;", "(T)(a[k] - 1)")
  add(T, "!v", first .. "bool4 r = !a;", "!a[k]", bools)
  if bits[T] then add(T, "~v", first .. "T4 r = ~a;", "(T)~a[k]") end
  add(T, "bool4 ? :", first .. "T4 r = bool4(true, false, true, false) ? a : b;", "0", refused)
  add(T, "v < v ? :", first .. "T4 r = a < b ? a : b;", "0", refused)
  add(T, "b ? v : v", first .. "T4 r = flag ? a : b;", "a[k]")
  add(T, "b ? v : 2", first .. "T4 r = flag ? a : 2;", "a[k]")
  add(T, "b ? 2 : v", first .. "T4 r = !flag ? a : 2;", "(T)2")
end

local function of_bools()
  local first = "bool4 a = hidden(bool4(true, true, false, false)), b = hidden(bool4(true, false, true, false)); "
  local function form(name, body, want, more)
    add("bool", name, first .. body, want, more)
  end
  for _, op in ipairs { "&", "|", "^", "&&", "||", "==", "!=" } do
    local scalar = op == "^" and "!=" or op
    local both = ("(a[k] %s b[k])"):format(scalar)
    local one = ("(a[k] %s true)"):format(scalar)
    form("v" .. op .. "v", ("bool4 r = a %s b;"):format(op), both)
    form("v" .. op .. "b", ("bool4 r = a %s flag;"):format(op), one)
    form("v" .. op .. "true", ("bool4 r = a %s true;"):format(op), one)
    form("b" .. op .. "v", ("bool4 r = flag %s a;"):format(op), one)
    form("int4(v" .. op .. "v)", ("int4 r = int4(a %s b);"):format(op), both,
      int)
    form("float4(v" .. op .. "v)", ("float4 r = float4(a %s b);"):format(op),
      both, { type = "float" })
  end
  for _, op in ipairs { "+", "-", "*", "/", "<", "<<", "%" } do
    form("v" .. op .. "v", ("auto r = a %s b;"):format(op), "0", refused)
  end
  for _, op in ipairs { "~", "-", "++" } do
    form(op .. "v", "auto r = " .. op .. "a;", "0", refused)
  end
end

for _, T in ipairs(elements) do
  for _, op in ipairs { "+", "-", "*", "/" } do
    binary(T, op, function(x, y)
      local how = bits[T] and op ~= "/" and "(T)((U)%s %s (U)%s)"
      return (how or "(T)(%s %s %s)"):format(x, op, y)
    end)
  end
  for _, op in ipairs(bits[T] and { "%", "&", "|", "^" } or {}) do
    binary(T, op, function(x, y)
      return ("(T)(%s %s %s)"):format(x, op, y)
    end)
  end
  if bits[T] then shifts(T) end
  for _, op in ipairs { "<", ">", "<=", ">=", "==", "!=", "&&", "||" } do
    truths(T, op)
  end
  unary(T)
  conversions(T)
end
of_bools()

operators.forms = forms
return operators

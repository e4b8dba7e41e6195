-- test_types.lua - every row of the table of scalar types: buffers, kernels,
-- files, messages and help know it. A new row fails here until all of them do.
--
-- Guards: msl/include/metal/__scalar_types: buffers, kernels, files, messages
-- and help know every row
local t = dofile "tests/tap.lua"
local types = require "mettle.types"

local rows, names = {}, {}
for line in io.lines "msl/include/metal/__scalar_types" do
  local name, class, highest = line:match "^  X%(with, %w+, +(%w+), +[%w_ ]-, +%w+, +[%w_]+, +(%w+), +([%w.+]+),"
  if line:find "^  X%(with," then
    assert(highest, "a row that this test cannot read: " .. line)
    rows[#rows + 1] = { name = name, class = class,
      highest = tonumber(highest) }
    names[#names + 1] = name
  end
end

local function each(f)
  for _, row in ipairs(rows) do f(row, row.name) end
end

-- MSL has no packed vectors of bool.
local function packed(row)
  return (row.class == "BOOL" and "" or "packed_") .. row.name .. "3"
end

-- A kernel of each type: a copy of scalars and of vectors, the limits, what
-- constructors and conversions make.
local function source()
  local text = { "#include <metal_stdlib>\nusing namespace metal;\n" }
  each(function(row, name)
    text[#text + 1] = ([=[
kernel void copy_T(device const T *in, device T *out, device const P *packed, device T3 *wide,
                   uint i [[thread_position_in_grid]]) {
  out[i] = in[i];
  wide[i] = packed[i];
}
kernel void make_T(device T *out, constant T &given) {
  T one(1), zero = T(0);
  T2 two = T2(one, zero);
  vec<T, 4> four = T4(two, T2(1));
  T other = (T)one;
  out[0] = numeric_limits<T>::lowest();
  out[1] = numeric_limits<T>::max();
  out[2] = four.w;
  out[3] = select(zero, other, given == one);
}
]=]):gsub("%f[%w]T%f[%W]", name):gsub("%f[%w]T(%d)", name .. "%1"):gsub("%f[%w]P%f[%W]", packed(row))
  end)
  return table.concat(text)
end

t.test("the table is read, and Lua has all of it", function()
  t.ok(#rows >= 12)
  each(function(row, name)
    local scalar = types[name]
    t.ok(scalar and scalar.size == gpu.buffer(name, 1).bytes, name)
    t.equal(scalar.kind, ({ FLOAT = "f", SIGNED = "i", UNSIGNED = "u",
      BOOL = "b" })[row.class])
  end)
end)

-- made by the first test that needs it: a GPU may lack one of the types
local made
local function library()
  made = made or gpu.library(source())
  return made
end

t.test("kernels copy scalars and vectors of every type", function()
  each(function(row, name)
    local from = gpu.buffer(name, 40):random(3)
    local threes = gpu.buffer(packed(row), 40)
    threes:as(name):random(4)
    local to, wide = gpu.buffer(name, 40), gpu.buffer(name .. "3", 40)
    library()["copy_" .. name] { from, to, threes, wide, grid = 40 }
    t.ok(from:equals(to), name)
    for i = 0, 39, 13 do
      for c = 1, 3 do t.equal(wide[i][c], threes[i][c], name) end
    end
  end)
end)

t.test("constructors and limits of every type", function()
  each(function(row, name)
    local out = gpu.buffer(name, 4)
    local one = row.class == "BOOL" or 1
    library()["make_" .. name] { out, one, grid = 1 }
    if row.class == "BOOL" then
      t.equal(tostring(out[0]) .. tostring(out[1]) .. tostring(out[2])
        .. tostring(out[3]), "falsetruetruetrue")
      return
    end
    local low = row.class == "UNSIGNED" and 0 or row.class == "SIGNED"
      and -row.highest - 1 or -row.highest
    t.near(out[0], low, math.abs(low) * 1e-12, name)
    t.near(math.abs(out[1] < 0 and out[1] + 2.0 ^ 64 or out[1]), row.highest,
      row.highest * 1e-12, name)
    t.equal(out[2], 1, name)
    t.equal(out[3], 1, name)
  end)
end)

t.test("files keep every type that NumPy has", function()
  local path = os.tmpname()
  each(function(_, name)
    local b = gpu.buffer(name, 20):random(5)
    local ok, why = pcall(b.save, b, path)
    t.equal(ok, types[name].numpy ~= nil, name)
    if not ok then return t.has(why, "NumPy has no " .. name) end
    local back = gpu.load(path)
    t.equal(back.type, name)
    t.ok(back:equals(b), name)
  end)
  os.remove(path)
end)

t.test("a pointer of every type wants an address space", function()
  each(function(_, name)
    local ok, why = pcall(gpu.kernel, "kernel void k(device " .. name .. " *a) { " .. name .. " *p = a; *p = 0; }")
    t.ok(not ok, name)
    t.has(why, "explicit address space qualifier", name)
  end)
end)

t.test("messages and help name every type", function()
  local _, why = pcall(gpu.buffer, "double", 1)
  local help = io.open("lua/reference/help/types.md"):read "a" .. io.open("lua/reference/help/gpu.buffer.md"):read "a"
  each(function(_, name)
    t.ok(why:find("%f[%w]" .. name .. ","), name)
    t.ok(help:find("\n|[^|]-%f[%w]" .. name .. "%f[%W]"), "help types: "
      .. name)
    t.ok(help:find("any scalar of Metal %(.-%f[%w]" .. name .. "%f[%W]"), "help gpu.buffer: " .. name)
  end)
end)

t.test("completion in kernels offers every type and its vectors", function()
  local offered = {}
  for _, word in ipairs(require "lua.reference.msl_words".types) do
    offered[word] = true
  end
  each(function(_, name)
    t.ok(offered[name], name)
    for n = 2, 4 do t.ok(offered[name .. n], name .. n) end
  end)
end)

t.test("play fills in and shows every type", function()
  local roles = require "lua.play.roles"
  local function param(name, type, access)
    return { kind = "buffer", name = name, type = type, access = access,
      reference = access == "read", const = access == "read" }
  end
  each(function(row, name)
    local value = roles.value(param("time", name, "read"))
    t.equal(value ~= nil, row.class ~= "BOOL", name)
    if value then
      t.equal(value { time = 1.5 }, row.class == "FLOAT" and 1.5 or 1, name)
    end
    t.ok(roles.is_picture(param("out", name .. "4", "write")), name)
  end)
  t.ok(not roles.is_picture(param("out", "Body", "write")), "no struct")
end)

t.done()

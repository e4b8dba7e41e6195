-- test_buffer.lua - buffers: making, indexing, filling, reducing, views, files.
--
-- Guards: lua/bind/memory/buffer.c, lua/bind/memory/buffer/,
-- lua/bind/memory/value.c, lua/bind/memory/npy.c: buffers from Lua;
-- lua/bind/memory/buffer/{equals, fill, make, reduce, show}.c
local t = dofile "tests/tap.lua"

local scalars = { "float", "half", "bfloat", "int", "uint", "short", "ushort",
  "char", "uchar",
  "long", "ulong", "bool" }
local sizes = { float = 4, half = 2, bfloat = 2, int = 4, uint = 4, short = 2,
  ushort = 2,
  char = 1, uchar = 1, long = 8, ulong = 8, bool = 1 }

t.test("every type has Metal's size, and starts as zeros", function()
  for _, name in ipairs(scalars) do
    for _, n in ipairs { 1, 2, 3, 4 } do
      local type_name = n == 1 and name or name .. n
      local b = gpu.buffer(type_name, 5)
      t.equal(b.type, type_name)
      t.equal(b.bytes, 5 * sizes[name] * (n == 3 and 4 or n), type_name)
      local v = b[4]
      if n > 1 then v = v[n] end
      if name == "bool" then t.equal(v, false) else t.equal(v, 0, type_name) end
    end
  end
  t.equal(gpu.buffer("packed_float3", 2).bytes, 24)
end)

t.test("sizes, shapes and values", function()
  t.equal(#gpu.buffer(7), 7)
  t.equal(gpu.buffer(7).type, "float")
  local b = gpu.buffer("half", 3, 5)
  t.equal(#b, 15)
  t.equal(b.shape[1], 3); t.equal(b.shape[2], 5); t.equal(b.shape[3], nil)
  t.equal(#gpu.buffer("int", 2, 3, 4), 24)
  t.equal(#gpu.buffer(4, 4), 16)
  t.equal(gpu.buffer(1e3).bytes, 4000)
  local c = gpu.buffer { { 1, 2, 3 }, { 4, 5, 6 } }
  t.equal(c.shape[1], 2); t.equal(c.shape[2], 3)
  t.equal(c[5], 6); t.equal(c:at(1, 0), 4)
  local d = gpu.buffer("uint", { { { 1, 2 }, { 3, 4 } },
    { { 5, 6 }, { 7, 8 } } })
  t.equal(d:at(1, 0, 1), 6)
  local v = gpu.buffer("float3", { { 1, 2, 3 }, { 4, 5, 6 } })
  t.equal(#v, 2); t.equal(v[1][3], 6)
  t.equal(gpu.buffer("float4", { 7, 8 })[1][4], 8)
  local m = gpu.buffer("float2", { { { 1, 2 }, { 3, 4 } },
    { { 5, 6 }, { 7, 8 } } })
  t.equal(m.shape[1], 2); t.equal(m:at(1, 1)[1], 7)
  t.equal(gpu.buffer("bool", { true, false, true })[2], true)
end)

t.test("sizes that cannot be are refused in a sentence", function()
  t.raises("at least 1, got 0", gpu.buffer, 0)
  t.raises("at least 1, got -5", gpu.buffer, -5)
  t.raises("whole number, got 2.5", gpu.buffer, 2.5)
  t.raises("whole number", gpu.buffer, 0 / 0)
  t.raises("absurdly large", gpu.buffer, math.huge)
  t.raises("absurdly large", gpu.buffer, 1e300)
  t.raises("the limit is", gpu.buffer, 1e15)
  t.raises("the limit is", gpu.buffer, "float4", 1e8, 1e8)
  t.raises("how many elements?", gpu.buffer)
  t.raises("how many elements?", gpu.buffer, "float")
  t.raises("no type 'double'", gpu.buffer, "double", 4)
  t.raises("at most three dimensions", gpu.buffer, 2, 2, 2, 2)
  t.raises("the type first", gpu.buffer, "float", "x")
  t.raises("table is empty", gpu.buffer, {})
  t.raises("table is empty", gpu.buffer, { {} })
  t.raises("every row must have 2 values", gpu.buffer, { { 1, 2 }, { 3 } })
  t.raises("every row must have 2 values", gpu.buffer, { { 1, 2 }, 3 })
  t.raises("value 2: expected a number", gpu.buffer, { 1, "two" })
  t.raises("nested too deep", gpu.buffer, { { { { 1 } } } })
end)

t.test("indices start at 0 and stay in range", function()
  local b = gpu.buffer { 10, 20, 30 }
  t.equal(b[0], 10); t.equal(b[2], 30); t.equal(b[1.0], 20)
  b[1] = 21
  t.equal(b[1], 21)
  t.raises("index 3 is out of range: the buffer has 3 elements, 0 to 2", function() return b[3] end)
  t.raises("index -1 is out of range", function() b[-1] = 0 end)
  t.raises("whole numbers from 0, got 0.5", function() return b[0.5] end)
  t.raises("whole numbers from 0", function() return b[{}] end)
  t.raises("has no 'foo'", function() return b.foo end)
  t.raises("no field 'foo' to set", function() b.foo = 1 end)
  local m = gpu.buffer(2, 3)
  t.ok(m:set(1, 2, 5) == m)
  t.equal(m[5], 5)
  t.raises("row 2 is out of range", m.at, m, 2, 0)
  t.raises("column 3 is out of range", m.at, m, 0, 3)
end)

t.test("values must fit the type", function()
  local limits = { char = { -128, 127 }, uchar = { 0, 255 },
    short = { -32768, 32767 },
    ushort = { 0, 65535 }, int = { -2 ^ 31, 2 ^ 31 - 1 },
    uint = { 0, 2 ^ 32 - 1 } }
  for name, limit in pairs(limits) do
    local b = gpu.buffer(name, 1)
    for _, v in ipairs(limit) do b[0] = v; t.equal(b[0], v, name) end
    t.raises("does not fit in " .. name, function() b[0] = limit[1] - 1 end)
    t.raises("does not fit in " .. name, function() b[0] = limit[2] + 1 end)
    t.raises("not a whole number", function() b[0] = 0.5 end)
    t.raises("not a whole number", function() b[0] = 0 / 0 end)
    t.raises("does not fit", function() b[0] = math.huge end)
  end
  local l, u = gpu.buffer("long", 1), gpu.buffer("ulong", 1)
  l[0] = math.mininteger; t.equal(l[0], math.mininteger)
  u[0] = math.maxinteger; t.equal(u[0], math.maxinteger)
  u[0] = 2.0 ^ 63; t.equal(u[0], 2.0 ^ 63)
  t.raises("does not fit in ulong", function() u[0] = -1 end)
  t.raises("does not fit in long", function() l[0] = 2.0 ^ 63 end)
  local h = gpu.buffer("half", 1)
  h[0] = 65504; t.equal(h[0], 65504)
  t.raises("does not fit in half", function() h[0] = 65536 end)
  h[0] = math.huge; t.equal(h[0], math.huge)
  h[0] = 0.1; t.near(h[0], 0.1, 1e-4)
  local f = gpu.buffer(1)
  t.raises("does not fit in float", function() f[0] = 1e39 end)
  f[0] = 0 / 0; t.ok(f[0] ~= f[0])
  t.raises("expected a number", function() f[0] = "1" end)
  t.raises("expected a number", function() f[0] = true end)
  local v = gpu.buffer("int2", 1)
  t.raises("int2 has 2 parts, the table has 3", function() v[0] = { 1, 2, 3 } end)
  v[0] = 9; t.equal(v[0][2], 9)
end)

t.test("filling", function()
  local b = gpu.buffer("int", 5):fill(7)
  t.equal(b:sum(), 35)
  t.equal(gpu.buffer("int", 5):fill(function(i) return i * i end)[4], 16)
  t.equal(gpu.buffer(3, 4):fill(function(r, c)
    return 10 * r + c
  end):at(2, 3), 23)
  t.equal(gpu.buffer("float3", 100):fill { 1, 2, 3 }[99][2], 2)
  t.raises("function's value for index 2", function()
    gpu.buffer("uchar", 5):fill(function(i) return i == 2 and 256 or 0 end)
  end)
  local i = gpu.buffer("uint", 4):iota()
  t.equal(i[0], 0); t.equal(i[3], 3)
  t.equal(gpu.buffer(4):iota(1, 0.5)[3], 2.5)
  t.equal(gpu.buffer("int", 3):iota(5, -2)[2], 1)
  t.raises("300, does not fit in uchar", function() gpu.buffer("uchar", 301):iota() end)
  t.raises("does not fit in uint", function()
    gpu.buffer("uint", 3):iota(0, -1)
  end)
  t.raises("freed while it was being filled", function()
    local x = gpu.buffer(3)
    x:fill(function() x:free() return 0 end)
  end)
end)

t.test("random numbers repeat by seed and are spread as they should be", function()
  local n = 100000
  local a, b = gpu.buffer(n):random(42), gpu.buffer(n):random(42)
  t.ok(a:equals(b))
  t.ok(not a:equals(gpu.buffer(n):random(43)))
  t.ok(not gpu.buffer(n):random():equals(gpu.buffer(n):random()))
  t.ok(a:min() >= 0 and a:max() < 1)
  t.near(a:mean(), 0.5, 0.01)
  local h = gpu.buffer("half", n):random(1)
  t.ok(h:min() >= 0 and h:max() <= 1)
  local z = gpu.buffer(n):normal(7)
  local squares = 0
  for i = 0, n - 1 do squares = squares + z[i] ^ 2 end
  t.near(z:mean(), 0, 0.02)
  t.near(squares / n, 1, 0.03)
  local i = gpu.buffer("int", n):random(3)
  t.ok(i:min() == 0 and i:max() == 99)
  local r = gpu.buffer("int", n):random(3, -5, 5)
  t.ok(r:min() == -5 and r:max() == 4)
  local coins = gpu.buffer("bool", n):random(5):sum()
  t.ok(coins > 0.45 * n and coins < 0.55 * n)
end)

t.test("sums, extremes and means", function()
  local b = gpu.buffer { 3, -1, 4, 1.5 }
  t.equal(b:sum(), 7.5)
  t.equal(b:min(), -1); t.equal(b:max(), 4); t.equal(b:mean(), 1.875)
  -- exact for integers, beyond what a float or a 32-bit sum could hold
  local u = gpu.buffer("uint", 100001):fill(2 ^ 32 - 1)
  t.equal(u:sum(), 100001 * (2 ^ 32 - 1))
  t.equal(math.type(u:sum()), "integer")
  t.equal(gpu.buffer("char", 3):fill(-128):sum(), -384)
  -- many small floats: a float sum would stall at 2^24
  t.equal(gpu.buffer(2 ^ 25):fill(1):sum(), 2.0 ^ 25)
  local nan = gpu.buffer { 1, 0 / 0, 3 }
  t.ok(nan:sum() ~= nan:sum() and nan:min() ~= nan:min()
    and nan:max() ~= nan:max())
  t.has(tostring(nan), "1 nan")
  local v = gpu.buffer("float3", { { 1, 2, 3 }, { 4, 5, 6 } })
  t.equal(v:sum()[3], 9); t.equal(v:max()[1], 4); t.equal(v:mean()[2], 3.5)
  for _, n in ipairs { 1, 2, 1023, 1024, 1025, 65535, 65536, 65537 } do
    t.equal(gpu.buffer("int", n):iota():sum(), n * (n - 1) // 2)
  end
end)

t.test("comparison reports the worst element", function()
  local a, b = gpu.buffer { 1, 2, 3, 1000 }, gpu.buffer { 1, 2.5, 3, 1001 }
  local same, report = a:equals(b)
  t.equal(same, false)
  t.equal(report.wrong, 2)
  t.equal(report.index, 1)
  t.equal(report.got, 2); t.equal(report.expected, 2.5)
  t.has(tostring(report), "2 of 4 elements differ; worst at [1]: got 2, expected 2.5")
  t.has(tostring(select(2, gpu.buffer { 1000.001 }:equals { 1000 })), "got 1000.00098, expected 1000;")
  t.ok(a:equals(b, 0.5))
  same, report = a:equals(b, 0.01)
  t.equal(report.wrong, 1)
  t.ok(a:equals { 1, 2, 3, 1000 })
  t.ok(gpu.buffer { 0 / 0, math.huge }:equals { 0 / 0, math.huge })
  t.ok(not gpu.buffer { 0 / 0 }:equals({ 0 }, 1e30))
  t.ok(not gpu.buffer { 1 }:equals({ math.huge }, 1e30))
  t.ok(not gpu.buffer { math.huge }:equals({ -math.huge }, 1e30))
  local big = gpu.buffer("long", { 2 ^ 53 | 0, 2 ^ 53 + 1 | 0 })
  big[1] = (1 << 53) + 1
  t.ok(not big:equals(gpu.buffer("long", 2):fill(1 << 53)))
  t.raises("differ in size", a.equals, a, gpu.buffer(3))
  t.raises("not negative", a.equals, a, b, -1)
  local m = gpu.buffer(2, 3)
  m:set(1, 2, 1)
  t.has(tostring(select(2, m:equals(gpu.buffer(2, 3)))), "row 1, column 2")
  t.ok(gpu.buffer("half", { 1, 2 }):equals(gpu.buffer { 1, 2 }))
end)

t.test("views share memory, copies do not", function()
  local b = gpu.buffer(10):iota()
  local v = b:view(4, 3)
  t.equal(#v, 3); t.equal(v[0], 4)
  v[0] = 99
  t.equal(b[4], 99)
  t.equal(b:view(8)[1], 9)
  t.equal(v:view(1, 1)[0], 5)
  local c = b:copy()
  c[0] = -1
  t.equal(b[0], 0)
  t.raises("not all in the buffer", b.view, b, 8, 3)
  t.raises("not all in the buffer", b.view, b, 10)
  t.raises("at least 1, got 0", b.view, b, 0, 0)
  t.equal(gpu.buffer { 1 }:as("uint")[0], 0x3f800000)
  t.equal(#gpu.buffer("float4", 3):as "float", 12)
  t.raises("not a whole number of float4", function() return gpu.buffer(3):as "float4" end)
  t.equal(gpu.buffer(6):iota():reshape(2, 3):at(1, 0), 3)
  t.raises("the shape has 8 elements, the buffer 6", function() return gpu.buffer(6):reshape(2, 4) end)
end)

t.test("a freed buffer is an error, for its views too", function()
  local b = gpu.buffer(10)
  local v = b:view(2, 2)
  b:free(); b:free()
  t.raises("was freed", function() return b[0] end)
  t.raises("was freed", function() return v[0] end)
  t.raises("was freed", function() return #v end)
  t.raises("was freed", b.sum, b)
  t.raises("was freed", b.save, b, "x.npy")
  t.has(tostring(b), "freed")
  local keep
  do local x = gpu.buffer(1000):fill(5); keep = x:view(10, 5) end
  collectgarbage(); collectgarbage()
  t.equal(keep:sum(), 25)
end)

t.test("the collector knows how large buffers are", function()
  -- 400 buffers of 64 MB would be 25 GB if nothing were given back in between
  for i = 1, 400 do local b = gpu.buffer(16 * 1024 * 1024); b[0] = i end
end)

t.test("printing shows head, tail and extremes", function()
  local s = tostring(gpu.buffer(1000):iota())
  t.has(s, "float[1000]  0  1  2  3  4  5  …  998  999")
  t.has(s, "min 0  max 999  mean 499.5")
  for _, b in ipairs { gpu.buffer(1e5):random(1), gpu.buffer(8):random(1),
    gpu.buffer("float2", 7):random(1) } do
    local line = tostring(b):match "^[^\n]*"
    t.ok(utf8.len(line) <= 80, line)
    t.has(line, "…")
  end
  t.ok(not tostring(gpu.buffer { 0.5, 0.25, 0.125 }):find "…")
  t.has(tostring(gpu.buffer(100, 100)), "float[100 × 100]")
  t.ok(#tostring(gpu.buffer(1e6)) < 400)
  t.has(tostring(gpu.buffer("float2", 2)), "{0, 0}")
  local hex = gpu.buffer("uint", { 0x64636261, 1 }):hex()
  t.has(hex, "61 62 63 64 01 00 00 00")
  t.has(hex, "|abcd....|")
  t.has(gpu.buffer(10):iota():hex(1, 1), "00 00 80 3f")
  t.raises("out of range", function() gpu.buffer(3):hex(3) end)
end)

t.test("tables", function()
  local rows = gpu.buffer { { 1, 2 }, { 3, 4 } }:table()
  t.equal(rows[2][1], 3)
  t.equal(gpu.buffer("uint2", { { 1, 2 } }):table()[1][2], 2)
end)

-- NumPy's files, written here byte by byte as its documentation describes
local function npy(descr, order, shape, data, version)
  local dict = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, order, shape)
  dict = dict .. (" "):rep(63 - (10 + #dict) % 64) .. "\n"
  local name = os.tmpname()
  local file = io.open(name, "wb")
  if version == 2 then file:write("\x93NUMPY\2\0", string.pack("<I4", #dict),
    dict, data)
  else file:write("\x93NUMPY\1\0", string.pack("<I2", #dict), dict, data) end
  file:close()
  return name
end

t.test("npy files go both ways", function()
  local name = os.tmpname()
  for _, type_name in ipairs(scalars) do
    if type_name ~= "bfloat" then
      local b = gpu.buffer(type_name, 3, 5):random(1)
      t.ok(b:save(name) == b)
      local c = gpu.load(name)
      t.equal(c.type, type_name)
      t.equal(c.shape[2], 5)
      t.ok(b:equals(c), type_name)
    end
  end
  gpu.buffer("float3", { { 1, 2, 3 }, { 4, 5, 6 } }):save(name)
  local c = gpu.load(name)
  t.equal(c.shape[1], 2); t.equal(c.shape[2], 3); t.equal(c[5], 6)
  t.raises("NumPy has no bfloat", function()
    gpu.buffer("bfloat", 3):save(name)
  end)
  t.raises("No such file", function() gpu.buffer(1):save "/no/such/folder/x.npy" end)
  local file = io.open(name, "rb")
  local text = file:read "a"
  file:close()
  t.equal(text:sub(1, 8), "\x93NUMPY\1\0")
  t.equal((10 + string.unpack("<I2", text, 9)) % 64, 0)
  t.has(text, "'fortran_order': False, 'shape': (2, 3, )")
  os.remove(name)
end)

t.test("saving leaves alone what a person made", function()
  local name = os.tmpname()
  os.remove(name)
  os.execute("mkdir " .. name)
  local function sh(command)
    local pipe = io.popen("cd " .. name .. " && { " .. command .. "; } 2>&1")
    local said = pipe:read "a"
    pipe:close()
    return (said:gsub("%s+$", ""))
  end
  local b = gpu.buffer { 1, 2, 3 }
  sh "touch a.npy; chmod 640 a.npy; ln -s a.npy link.npy; ln -s later.npy dangling.npy; mkfifo pipe; ln -s round round"
  b:save(name .. "/link.npy")
  t.equal(sh "ls -l a.npy | cut -c1-10", "-rw-r-----")
  t.equal(sh "readlink link.npy", "a.npy")
  t.equal(gpu.load(name .. "/a.npy"):sum(), 6.0)
  b:save(name .. "/dangling.npy")
  t.equal(gpu.load(name .. "/later.npy"):sum(), 6.0)
  b:save "/dev/null"
  t.equal(sh "ls -l /dev/null | cut -c1", "c")
  t.raises("no program reads", b.save, b, name .. "/pipe")
  t.raises("a folder", b.save, b, name)
  t.raises("symbolic links", b.save, b, name .. "/round")
  t.raises("not a file", gpu.load, "/dev/zero")
  t.raises("not a file", gpu.load, name .. "/pipe")
  t.raises("a folder", gpu.load, name)
  t.equal(sh "ls | tr '\\n' ' '", "a.npy dangling.npy later.npy link.npy pipe round")
  os.execute("cat " .. name .. "/pipe >" .. name .. "/piped &")
  for _ = 1, 600 do -- until it reads
    if pcall(b.save, b, name .. "/pipe") then break end
    os.execute "sleep 0.1"
  end
  for _ = 1, 600 do -- until it has written
    if pcall(gpu.load, name .. "/piped") then break end
    os.execute "sleep 0.1"
  end
  t.equal(gpu.load(name .. "/piped"):sum(), 6.0)
  os.execute("rm -r " .. name)
end)

t.test("npy files of others are read", function()
  local f8 = npy("<f8", "False", "(3,)", string.pack("<ddd", 1.5, -2, 1e300))
  local b = gpu.load(f8)
  t.equal(b.type, "float"); t.equal(b[1], -2); t.equal(b[2], math.huge)
  local big = gpu.load(npy(">i2", "False", "(2,)", string.pack(">hh", 258, -3)))
  t.equal(big.type, "short"); t.equal(big[0], 258); t.equal(big[1], -3)
  local columns = gpu.load(npy("<i4", "True", "(2, 3)",
    string.pack("<i4i4i4i4i4i4", 1, 4, 2, 5, 3, 6)))
  t.ok(columns:equals(gpu.buffer("int", { { 1, 2, 3 }, { 4, 5, 6 } })))
  t.equal(#gpu.load(npy("<f4", "False", "()", string.pack("<f", 7))), 1)
  t.equal(gpu.load(npy("|u1", "False", "(2, 2, 2, 2)",
    ("\1"):rep(16))).shape[1], 4)
  t.equal(gpu.load(npy("<f4", "False", "(1,)", string.pack("<f", 7), 2))[0], 7)
end)

t.test("what follows the array of an npy file is told", function()
  for _, more in ipairs { "", "more" } do
    local file = npy("<f4", "False", "(1,)", string.pack("<f", 7) .. more)
    local said = io.popen(("'%s' -e 'gpu.load \"%s\"' 2>&1"):format(
      require("mettle.system").program, file)):read "a"
    t.equal(said:find "4 bytes after the end" ~= nil, more ~= "", said)
  end
end)

t.test("damaged npy files are refused in a sentence", function()
  t.raises("No such file", gpu.load, "nothing.npy")
  t.raises("type that Metal does not have", gpu.load, npy("<c16", "False", "(1,)", ("\0"):rep(16)))
  t.raises("type that Metal does not have", gpu.load, npy("|S5", "False", "(1,)", "hello"))
  t.raises("shorter than its shape says", gpu.load, npy("<f4", "False", "(100,)", "xxxx"))
  t.raises("shorter than", gpu.load, npy("<f4", "False", "(9999999999, 9999999999, 9999999999)", "xxxx"))
  t.raises("no elements", gpu.load, npy("<f4", "False", "(0, 5)", ""))
  t.raises("shape cannot be read", gpu.load, npy(
    "<f4", "False", "(a,)", "xxxx"))
  local name = os.tmpname()
  for _, text in ipairs { "", "\x93NUMPY", "hello world, hello", "\x93NUMPY\1\0\xff\xff{}" } do
    local file = io.open(name, "wb")
    file:write(text)
    file:close()
    t.raises(name, gpu.load, name)
  end
end)

t.test("arithmetic on buffers says what to do instead", function()
  local a = gpu.buffer { 1, 2 }
  t.raises("kernels are for", function() return a + 1 end)
  t.raises("kernels are for", function() return 2 * a end)
  t.raises("kernels are for", function() return -a end)
  t.raises("kernels are for", function() return a / a end)
end)

-- Lines of a buffer's text, without the first and what stands below the
-- elements.
local function table_of(b)
  local lines = {}
  for line in tostring(b):gmatch "[^\n]+" do
    if not line:find "^  min" then lines[#lines + 1] = line end
  end
  table.remove(lines, 1)
  return lines
end

t.test("a small matrix is a table: whole, its columns aligned", function()
  t.equal(table.concat(table_of(gpu.buffer("int", 3, 4):iota()), "\n"), "  0  1   2   3\n  4  5   6   7\n  8  9  10  11")
  local lines = table_of(gpu.buffer(12, 8):random(1))
  t.equal(#lines, 12)
  for _, line in ipairs(lines) do
    t.equal(select(2, line:gsub("%S+", "")), 8, line)
    t.equal(#line, #lines[1], line) -- the last column ends where all others do
    t.equal(line:find("…", 1, true), nil)
  end
  local shown = table_of(gpu.buffer(2, 2):fill(0 / 0))
  t.equal(shown[1], "  nan  nan")
end)

t.test("a large matrix has dots in both directions and fits 80 columns", function()
  local lines = table_of(gpu.buffer("int", 100, 100):iota())
  t.equal(#lines, 9)
  t.equal(lines[7], "  …")
  t.has(lines[1], "   0     1     2")
  t.has(lines[1], "  …    98    99")
  t.has(lines[9], "  …  9998  9999")
  for _, line in ipairs(lines) do t.equal(utf8.len(line) <= 80, true, line) end
  t.equal(table_of(gpu.buffer("int", 1, 30):iota())[1], "  0  1  2  3  4  5  6  7  8  9  10  11  12  13  14  15  16  17  18  …  28  29")
  t.equal(#table_of(gpu.buffer(16, 2)), 16)
  t.equal(#table_of(gpu.buffer(17, 2)), 9)
end)

t.test("three dimensions are matrices with their index", function()
  t.equal(table.concat(table_of(gpu.buffer("uchar", 2, 1, 2):iota()), "|"), " [0]|  0  1| [1]|  2  3")
  local lines = table.concat(table_of(gpu.buffer("uchar", 20, 1, 2):iota()),
    "|")
  t.equal(lines, " [0]|  0  1| [1]|  2  3| [2]|  4  5|  …| [19]|  38  39")
end)

t.done()

-- test_cpu.lua - the CPU references from Lua: results, ways, options, errors.
--
-- Guards: lua/bind/gpu/cpu.c: the references from Lua, their help, what they
-- say to misuse
local t = dofile "tests/tap.lua"
local program = os.getenv "METTLE" or "build/mettle"

local function names()
  local list = {}
  for name in pairs(cpu) do
    if name ~= "vendor" then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

t.test("there are 33, each with its fields and a text", function()
  t.equal(#names(), 33)
  for _, name in ipairs(names()) do
    local ref = cpu[name]
    t.equal(ref.name, name)
    t.ok(#ref.about > 0)
    t.has(ref.signature, "cpu." .. name .. "(")
    t.ok(#ref.args >= 1)
    t.equal(ref.ways[1], "one core")
    t.equal(ref.ways[2], "all cores")
    local text = tostring(ref)
    t.has(text, ref.signature)
    t.has(text, ref.about)
    t.has(text, '"all cores"')
    for _, arg in ipairs(ref.args) do t.has(text, arg.name .. ": ") end
    for _, option in ipairs(ref.options) do
      t.has(text, option.name .. " = ")
    end
    t.raises("has no 'nothing'", function() return ref.nothing end)
  end
  t.equal(cpu.matmul.args[1].shape, "n×k")
  t.equal(cpu.matmul.args[3].role, "out")
  t.equal(cpu.saxpy.args[1].role, "number")
end)

t.test("every reference has help, and its signature there is its own", function()
  for _, name in ipairs(names()) do
    local file = assert(io.open("lua/reference/help/cpu." .. name .. ".md"), name)
    t.equal(file:read "l", cpu[name].signature)
    t.ok(#file:read "l" < 70)
    file:close()
  end
end)

t.test("an output is made, or filled, and returned with the time", function()
  local a, b = gpu.buffer { { 1, 2 }, { 3, 4 } }, gpu.buffer { { 5 }, { 6 } }
  local c, seconds = cpu.matmul(a, b)
  t.ok(c:equals { { 17 }, { 39 } })
  t.equal(math.type(seconds), "float")
  t.ok(seconds > 0 and seconds < 10)
  local d = gpu.buffer("float", 2, 1)
  t.ok(rawequal(cpu.matmul(a, b, d), d))
  t.ok(d:equals(c))
  t.ok(rawequal(cpu.matmul(a, b, d, "one core"), d))
  t.ok(cpu.matmul(a, b, nil, "one core"):equals(c))
  t.ok(cpu.matmul(a, b, { way = "all cores" }):equals(c))
end)

t.test("all ways there are agree", function()
  local a = gpu.buffer("float", 67, 130):normal(1)
  local b = gpu.buffer("float", 130, 45):normal(2)
  local c = cpu.matmul(a, b, "one core")
  for _, way in ipairs(cpu.matmul.ways) do
    t.ok(cpu.matmul(a, b, way):equals(c, 1e-4), way)
  end
end)

t.test("one number comes as a number", function()
  local x = gpu.buffer { 1, 2, 3.5 }
  t.equal(cpu.sum(x), 6.5)
  t.equal(cpu.max(x), 3.5)
  t.equal(cpu.dot(x, x), 17.25)
  t.near(cpu.mean(x), 6.5 / 3, 1e-6)
  local total = gpu.buffer(1)
  local got = cpu.sum(x, total)
  t.ok(rawequal(got, total))
  t.equal(total[0], 6.5)
  local whole = gpu.buffer("int", { 0x7fffffff, 1 })
  t.equal(math.type(cpu.sum(whole)), "integer")
  t.equal(cpu.sum(whole), 0x80000000)
  t.equal(cpu.sum(whole, gpu.buffer("int", 1))[0], -0x80000000)
  t.equal(cpu.sum(whole, gpu.buffer("long", 1))[0], 0x80000000)
  t.equal(cpu.max(gpu.buffer("uint", { 7, 0xffffffff })), 0xffffffff)
end)

t.test("two outputs come one behind the other", function()
  local bodies = gpu.buffer("float4", 5):random(1)
  local moved, speeds, seconds = cpu.nbody(bodies, gpu.buffer("float4", 5))
  t.equal(moved.type, "float4")
  t.equal(#speeds, 5)
  t.ok(seconds > 0)
  local one = gpu.buffer { 1 }
  local call, put = cpu.blackscholes(one, one, one, nil, gpu.buffer(1))
  t.ok(call[0] > put[0])
end)

t.test("vectors without gaps are one dimension more", function()
  local a = gpu.buffer("float4", 3):random(1)
  local b = cpu.add(a, a)
  t.equal(b.type, "float4")
  t.near(b[2][4], 2 * a[2][4], 1e-6)
  t.near(cpu.sum(a), cpu.sum(a:as "float"), 1e-6)
  t.ok(cpu.matmul(a, gpu.buffer("float", 4, 2)).shape[2] == 2)
  t.raises("float3, whose elements have gaps", cpu.sum, gpu.buffer("float3", 2))
end)

t.test("views and shapes", function()
  local b = gpu.buffer(12):iota()
  t.equal(cpu.sum(b:view(3, 4)), 3 + 4 + 5 + 6)
  cpu.relu(b:view(0, 6), b:view(6, 6)) -- one half into the other
  t.equal(b[11], 5)
  t.raises("share memory", cpu.relu, b:view(0, 6), b:view(3, 6))
  local cube = gpu.buffer("float", 2, 3, 4)
  t.equal(#cpu.softmax(cube).shape, 3)
  t.near(cpu.softmax(cube)[0], 0.25, 1e-7)
end)

t.test("options by name", function()
  local x = gpu.buffer { 1, 2, 3 }
  t.ok(cpu.scan(x, { exclusive = true }):equals { 0, 1, 3 })
  t.ok(cpu.scan(x, nil, { exclusive = false, way = "one core" }):equals {
    1, 3, 6 })
  t.equal(#cpu.conv1d(x, x, { pad = 2 }), 5)
  t.equal(#cpu.histogram(gpu.buffer("uint", 9), { bins = 3 }), 3)
  t.equal(#cpu.histogram(gpu.buffer("uint", 9)), 256)
  local counts = cpu.mandelbrot { rows = 2, columns = 7, steps = 9 }
  t.equal(counts.type, "uint")
  t.equal(counts.shape[2], 7)
  t.raises("has no option 'padding'; it takes way, pad, stride", cpu.conv1d, x, x, { padding = 1 })
  t.raises("exclusive must be true or false, got number", cpu.scan, x, { exclusive = 1 })
  t.raises("pad must be a number, got string", cpu.conv1d, x, x, { pad = "1" })
  t.raises("pad must be a whole number from 0 on, got 0.5", cpu.conv1d, x, x, { pad = 0.5 })
  t.raises("options have names", cpu.scan, x, { 1 })
  t.raises("counts has 3 rows, but the option says 4", cpu.mandelbrot, gpu.buffer("uint", 3, 3), { rows = 4 })
end)

t.test("what does not fit is an error that says what was expected", function()
  local a, b = gpu.buffer("float", 3, 4), gpu.buffer("float", 5, 2)
  t.raises("cpu.matmul: a is 3×4 and b is 5×2: columns of a (4) must equal rows of b (5)",
    cpu.matmul, a, b)
  t.raises("cpu.matmul: c is 3×4, expected 3×3", cpu.matmul, a, gpu.buffer("float", 4, 3), a:copy())
  t.raises("cpu.matmul: a is 12 long, expected a matrix, n×k", cpu.matmul, gpu.buffer(12), b)
  t.raises("cpu.matmul: b is missing; it is cpu.matmul(a, b [, c] [, way])", cpu.matmul, a)
  t.raises("a must be a buffer, got table", cpu.matmul, { 1 }, b)
  t.raises("k must be a number, got userdata", cpu.saxpy, a, a, a)
  t.raises("too many", cpu.relu, a, a, a)
  t.raises("there is no way 'fast'", cpu.relu, a, "fast")
  t.raises("expected float, int or uint", cpu.add, gpu.buffer("half", 3), gpu.buffer("half", 3))
  t.raises("cpu.relu has no vendor way", cpu.relu, a, "vendor")
  if pcall(cpu.vendor) then
    t.raises("float alone", cpu.transpose, gpu.buffer("int", 2, 2), "vendor")
  end
  a:free()
  t.raises("a was freed", cpu.matmul, a, b)
end)

t.test("errors carry the line that called", function()
  local ok, why = pcall(function() cpu.sum(1) end)
  t.ok(not ok)
  t.has(why, "test_cpu.lua:")
end)

local function run(code, settings)
  local pipe = io.popen((settings or "") .. " '" .. program .. "' -e '" .. code
    .. "' 2>&1")
  local text = pipe:read "a"
  pipe:close()
  return text
end

t.test("without the module two ways remain, and the message says what is missing", function()
  local text = run([[
    local a = gpu.buffer{{2}}
    print(#cpu.matmul.ways, cpu.matmul(a, a)[0])
    print(pcall(cpu.matmul, a, a, "vendor"))
    print(pcall(cpu.vendor))]], "METTLE_LIB=/nonexistent")
  t.has(text, "2\t4.0")
  t.has(text, "false\tcpu.matmul: the vendor's library is missing")
  t.has(text, "run 'make run'")
end)

t.test("the number of threads changes no bit", function()
  local code = [[
    local x = gpu.buffer(300001):normal(3)
    local s = cpu.softmax(x)
    print(("%a %a %s"):format(cpu.sum(x), cpu.dot(x, x), s:hex(1000, 16)),
      cpu.scan(x):hex(299990, 8))]]
  local first = run(code, "METTLE_THREADS=1")
  t.ok(#first > 100, first)
  for _, threads in ipairs { 2, 3, 5 } do
    t.equal(run(code, "METTLE_THREADS=" .. threads), first)
  end
end)

t.test("starting loads no library", function()
  if not io.open "/proc/self/maps" then return end
  local text = run [[
    local function mapped()
      return io.open("/proc/self/maps"):read("a"):find("openblas", 1, true) ~= nil
    end
    io.write(tostring(mapped()), " ")
    local ways = cpu.matmul.ways
    io.write(tostring(mapped() == (#ways == 3)))]]
  t.equal(text:match "^%S+ %S+", "false true")
end)

t.done()

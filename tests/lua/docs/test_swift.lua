-- test_swift.lua - docs/swift.md and the programs that it shows: no Swift is
-- compiled here, so what can be checked without is. The page has the files as
-- they are, the kernel in one of them is the library's, it is given what it
-- declares, and both programs compute what the page says.
--
-- Guards: docs/swift.md and demos/metal/matmul_*.swift, which no compiler reads
-- here: the page shows the files, the kernel is the library's, arguments and
-- numbers are right
local t = dofile "tests/tap.lua"

local function read(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end
local page, host, device = read "docs/swift.md", read "demos/metal/matmul_cpu.swift",
  read "demos/metal/matmul_gpu.swift"

t.test("the page shows the programs as they are", function()
  local shown = {}
  for block in page:gmatch "```swift\n(.-)```" do shown[#shown + 1] = block end
  t.equal(#shown, 2)
  t.equal(shown[1], host)
  t.equal(shown[2], device)
end)

t.test("it says which is the CPU, and that neither was run", function()
  t.has(page, "Accelerate is the CPU")
  t.has(page, "were not run")
end)

local source = device:match 'let source = """\n(.-)"""\n'
t.test("the kernel is that of the library", function()
  t.equal(source, read "kernels/matmul_tiled.metal")
  t.equal(source:find("\\", 1, true), nil) -- it would mean something in Swift
end)

t.test("each parameter is given at its index", function()
  local k = gpu.kernel(source)
  local given = {}
  for name, index in device:gmatch "setBuffer%((%a)Buffer, offset: 0, index: (%d)%)" do
    given[name] = tonumber(index)
  end
  local first = tonumber(device:match "index: (%d) %+ index")
  for i, name in ipairs { "m", "n", "k" } do given[name] = first + i - 1 end
  t.has(device, "for (index, value) in [m, n, k].enumerated()")
  local count = 0
  for _, p in ipairs(k.params) do
    if p.index then
      count = count + 1
      t.equal(given[p.name], p.index, p.name)
    end
  end
  t.equal(count, 6)
  t.equal(k.name, device:match 'makeFunction%(name: "([%w_]+)"%)')
end)

-- The numbers of both programs, which have the same lines for them.
local m, n, k = device:match "let %(m, n, k%) = %((%d+), (%d+), (%d+)%)"
m, n, k = tonumber(m), tonumber(n), tonumber(k)

local function data(name, rows, columns)
  local line = ("let %s = (0..<%s * %s).map { Float($0 %% "):format(name,
    rows == m and "m" or "k", columns == n and "n" or "k")
  local _, at = device:find(line, 1, true)
  t.ok(at and host:find(line, 1, true), line)
  local by = tonumber(device:match("^%d+", at + 1))
  local b = gpu.buffer("float", rows, columns)
  local flat = b:reshape(rows * columns)
  for i = 0, rows * columns - 1 do flat[i] = i % by end
  return b
end

local function printed(c)
  local flat = c:reshape(m * n)
  return ("c[0] = %.1f, c[%d] = %.1f, sum = %.1f"):format(flat[0], m * n - 1,
    flat[m * n - 1], flat:sum())
end

t.test("both compute what the page says", function()
  t.has(host, ("let (m, n, k) = (%d, %d, %d)"):format(m, n, k))
  local a, b, c = data("a", m, k), data("b", k, n), gpu.buffer("float", m, n)
  t.has(page, printed(cpu.matmul(a, b)))
  local tile = tonumber(device:match "let tile = (%d+)")
  t.takes(gpu.kernel(source), tile * tile)
  gpu.kernel(source) { a, b, c, m, n, k, group = { tile, tile },
    groups = { (n + tile - 1) // tile, (m + tile - 1) // tile } }
  t.equal(printed(c), printed(cpu.matmul(a, b)))
end)
t.done()

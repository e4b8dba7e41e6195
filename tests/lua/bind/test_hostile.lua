-- test_hostile.lua - Lua code that runs where it is not expected: between the
-- reading of an argument and its use. Nothing may be pulled away from under the
-- API, and no order of calls ends the program.
--
-- First the known ways, one by one; then calls at random, always the same ones
-- (METTLE_HOSTILE=n tries n more from another seed).
--
-- Guards: lua/bind/core/pin.c and all C of lua/: Lua code that frees, drops or
-- changes what the API works with while it does, by metamethods, callbacks,
-- finalisers, coroutines; lua/bind/core/guard.c: bytecode, debug and what else
-- of Lua's own could crash a program in C; calls at random (METTLE_HOSTILE=8000
-- tries so many more); lua/bind/core/{core, devices, fields, late, pin, system,
-- types}.c, lua/open.c
local t = dofile "tests/tap.lua"
t.compiler "hostile code"

local source = [=[
#include <metal_stdlib>
using namespace metal;
struct P { float x; float y; };
kernel void plain(device float *a [[buffer(0)]], constant P &p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  a[i] += p.x + p.y;
}
kernel void list(device float *a [[buffer(0)]], constant P *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  a[i] += p[0].x + p[0].y;
}
struct Job { device float *data[2]; device float *sum; float k; };
kernel void linked(constant Job &job [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  job.sum[i] = job.k * (job.data[0][i] + job.data[1][i]);
}
kernel void pixels(texture2d<float, access::read> from [[texture(0)]], texture2d<float, access::write> to [[texture(1)]],
    constant P &p [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  to.write(from.read(at) * p.x, at);
}
]=]
local library = gpu.library(source)
local plain, list, linked, pixels = library.plain, library.list, library.linked,
  library.pixels

-- A table whose fields are 1, and which runs 'f' whenever one is read.
local function running(f)
  return setmetatable({}, { __index = function() f(); return 1 end })
end
-- Runs 'f' when the collector comes by.
local function at_collection(f) setmetatable({}, { __gc = f }) end

local ways = {
  launch = function(k, launch) return k(launch) end,
  check = function(k, launch)
    table.insert(launch, 1, k); return check(launch)
  end,
  profile = function(k, launch)
    table.insert(launch, 1, k); return profile(launch)
  end,
}

for name, way in pairs(ways) do
  t.test(name .. ": a buffer that is freed while the arguments are read", function()
    for _, k in ipairs { plain, list } do
      local a = gpu.buffer(64):fill(1)
      local view = a:view(0, 64)
      local p = running(function() a:free() end)
      way(k, { view, k == list and { p } or p, grid = 64 })
      -- gone for Lua at once
      t.raises("was freed", function() return view[0] end)
      t.raises("was freed", way, k, { view, { x = 1, y = 1 }, grid = 64 })
    end
  end)

  t.test(name .. ": a buffer that nobody holds any more", function()
    local p = running(function() end)
    local launch = { gpu.buffer(64):fill(1), p, grid = 64 }
    getmetatable(p).__index = function()
      for i, v in ipairs(launch) do
        if type(v) == "userdata" and v ~= plain then launch[i] = false end
      end
      collectgarbage()
      collectgarbage()
      return 1
    end
    t.ok(pcall(way, plain, launch))
  end)

  t.test(name .. ": what is inside of an argument buffer", function()
    local one, two, sum = gpu.buffer(64):fill(1), gpu.buffer(64):fill(2),
      gpu.buffer(64)
    local reads = 0
    local job = setmetatable({ k = 1 }, { __index = function(_, key)
      reads = reads + 1
      -- nothing else holds the first
      if key == "data" then return { gpu.buffer(64):fill(3), two } end
      if reads > 2 then one:free(); two:free() end
      collectgarbage()
      return sum
    end })
    way(linked, { job, grid = 64 })
    local fickle = setmetatable({ k = 1, sum = sum },
      { __index = function(table, key)
      if key ~= "data" then return nil end
      rawset(table, "data", 5) -- a table first, a number the second time
      return { sum, sum }
    end })
    t.raises("data", way, linked, { fickle, grid = 64 })
  end)

  t.test(name .. ": textures and the kernel itself, freed by its own finaliser", function()
    local from, to = gpu.texture("rgba8unorm", 8, 8),
      gpu.texture("rgba8unorm", 8, 8)
    local k = library:kernel "pixels"
    local p = running(function()
      for _, v in ipairs { from, to, k } do debug.getmetatable(v).__gc(v) end
    end)
    -- a report on it wants its name
    pcall(way, k, { from, to, p, grid = { 8, 8 } })
    t.raises("was freed", function() return from:read() end)
    t.raises("was freed", function() return tostring(to) end)
    t.raises("was freed", function() return k.name end)
    t.raises("was freed", way, pixels, { from, to, { x = 1, y = 1 },
      grid = { 8, 8 } })
  end)
end

t.test("an error on the way gives everything back", function()
  local a = gpu.buffer(64)
  local function fails()
    plain { a, running(function() a:free(); error "no" end), grid = 64 }
  end
  t.ok(not pcall(fails))
  local co = coroutine.create(fails)
  a = gpu.buffer(64)
  t.ok(not coroutine.resume(co))
  a = gpu.buffer(64)
  t.ok(not pcall(coroutine.wrap(fails)))
  collectgarbage()
end)

t.test("memory that is freed in a launch is given back when it ends", function()
  -- of this process's address space; 0 where Linux is not
  local function pages()
    local file = io.open "/proc/self/statm"
    local n = file and file:read "n" or 0
    if file then file:close() end
    return n
  end
  local before, held = pages(), {}
  for i = 1, 60 do
    local a = gpu.buffer("uchar", 1 << 26)
    held[i] = a -- the collector has no say
    plain { a:as "float", running(function() a:free() end), grid = 64 }
  end
  t.ok(pages() - before < 30 * (1 << 26) / 4096, "freed memory is still there")
end)

t.test("metatables are closed, and finalisers may be called twice", function()
  for _, v in ipairs { gpu.buffer(4), gpu.texture("r8unorm", 2), gpu.sampler(),
    library, plain, cpu.add,
      gpu.device, plain { gpu.buffer(1), { x = 1, y = 1 }, grid = 1 },
      select(2, gpu.buffer(1):equals { 0 }) } do
    t.equal(type(getmetatable(v)), "table")
    t.equal(getmetatable(v).__gc, nil)
    t.equal(getmetatable(v).__index, nil)
    t.ok(getmetatable(v).__name)
    for _ = 1, 2 do
      local gc = debug.getmetatable(v).__gc
      if gc and v ~= library and v ~= plain then gc(v) end
    end
  end
end)

t.test("a result whose fields were changed still prints", function()
  for _, field in ipairs { "kernel", "device", "title", "grid", "group",
    "threads", "threadgroups", "idle", "time", "wall", "repeats" } do
    for _, v in ipairs { false, 5, "x", {}, print } do
      local r = plain { gpu.buffer(64), { x = 1, y = 1 }, grid = 64 }
      r[field] = v or nil
      pcall(tostring, r)
    end
  end
  t.raises("", debug.getmetatable(plain { gpu.buffer(1), { x = 1, y = 1 },
    grid = 1 }).__tostring, 5)
end)

t.test("finalisers that free what a method works on", function()
  collectgarbage "generational"
  for round = 1, 60 do
    local b, other = gpu.buffer("float4", 300):fill(1),
      gpu.buffer("float4", 300)
    local tries = {
      function() return b:table() end, function() return b:copy() end,
      function() return b:sum() end,
      function() return b:equals(other) end, function()
        return b:equals(other:table())
      end,
      function() return b:fill(function() return { 1, 2, 3, 4 } end) end,
      function() return b:at(5) end,
      function() return b[7] end, function() return tostring(b) end, function()
        return b:hex(0, 40)
      end,
      function() return cpu.add(b, other) end, function()
        return b:set(3, { 1, 2, 3, 4 })
      end,
      function() return b:view(3):reshape(27, 11) end, function()
        return b:min()
      end,
    }
    for _ = 1, 8 do
      local run = tries[(round * 7) % #tries + 1]
      at_collection(function() b:free() end)
      for _ = 1, 50 do pcall(run) end
    end
  end
  collectgarbage "incremental"
end)

t.test("options whose strings go away", function()
  local include = { "/tmp/" .. ("x"):rep(100) .. "1", "/tmp/" .. ("x"):rep(100)
    .. "2" }
  local options = setmetatable({ include = include },
    { __index = function(_, key)
    if key ~= "constants" then return nil end
    include[1], include[2] = 1, 2
    for i = 1, 200 do local _ = ("y"):rep(105) .. i end
    collectgarbage()
    return nil
  end })
  t.ok(gpu.kernel("kernel void k(device int *a [[buffer(0)]]) { a[0] = 1; }", options))
end)

t.test("the end of the program in the middle of a call", function()
  local program = os.getenv "METTLE"
  if not program then return end
  local start = "local k = gpu.kernel[=[struct P { float x; }; kernel void f(device float *a, constant P &p, "
    .. "uint i [[thread_position_in_grid]]) { a[i] = p.x; }]=] local p = setmetatable({}, {__index = function() os.exit(7, true) end}) "
  for _, code in ipairs { start .. "k{gpu.buffer(4), p, grid = 4}", start .. "check{k, gpu.buffer(4), p, grid = 4}",
      "coroutine.wrap(function() gpu.buffer(4):fill(function() os.exit(7, true) end) end)()",
      "setmetatable({}, {__gc = function() os.exit(7, true) end}) collectgarbage()",
      "held = setmetatable({}, {__gc = function() local b = gpu.buffer(4); held = b:fill(1); os.exit(7) end})" } do
    local _, how, status = os.execute("'" .. program .. "' -e '" .. code .. "' >/dev/null 2>&1 </dev/null")
    t.equal(how, "exit", code)
    t.equal(status, 7, code)
  end
end)

------------------------------------------------------------------ at random

local seed
local function random(n) -- 1 to n
  seed = seed * 6364136223846793005 + 1442695040888963407
  return (seed >> 33) % n + 1
end
local function pick(list_of) return list_of[random(#list_of)] end

local buffers, textures, kernels = {}, {}, { plain, list, linked, pixels }
local types = { "float", "half", "int", "uchar", "float2", "float3", "float4",
  "long", "bool", "packed_float3", "nonsense" }
local act -- forward: one call at random

local depth = 0
local function deeper()
  if depth > 3 then return end
  depth = depth + 1
  pcall(act)
  depth = depth - 1
end

-- Each metamethod does something unexpected before it answers.
local function strange()
  local function some()
    deeper(); return pick { 1, 0.5, "x", false, buffers[1] or 2 }
  end
  return setmetatable(pick { {}, { 1, 2, 3, 4 }, { x = 1 }, { x = 1, y = 2 },
    { { 1, 2 }, { 3, 4 } } }, {
    __index = some, __len = function() deeper(); return random(9) end,
    __tostring = function() deeper(); return "strange" end,
    __pairs = function()
      deeper(); return next, {}
    end, __call = some, __lt = some, __le = some, __eq = some,
    __close = deeper, __gc = random(3) == 1 and deeper or nil,
    __name = pick { "buffer", "kernel", 5 } })
end

local makers = {
  function()
    return pick { 0, 1, 2, 3, 7, 64, -1, 1.5, 0 / 0, 1 / 0, -1 / 0, 1e300,
      2 ^ 60, math.mininteger, math.maxinteger }
  end,
  function() return random(64) end,
  function() return pick(types) end,
  function()
    return pick { "", "\0", "\xff\xfe", "grid", "x", "rgba8unorm",
      ("long"):rep(50), "one core", "/nowhere/x" }
  end,
  function() return pick(buffers) end,
  function() return pick(buffers) end,
  function() return pick(textures) end,
  function() return pick(kernels) end,
  function() return strange() end,
  function() return pick { true, false } end,
  function() return nil end,
  function()
    return pick { type, deeper, function()
      deeper(); return pick { 1, { 1, 2 }, "x" }
    end, io.stdout, coroutine.create(deeper) }
  end,
  function()
    return { random(5), pick(buffers), { 1, 2 }, grid = random(64), x = 1,
      y = strange() }
  end,
  function() return cpu[pick { "add", "sum", "matmul", "sort" }] end,
}
local function any() return pick(makers)() end
local function some_values()
  local n, values = random(5) - 1, {}
  for i = 1, n do values[i] = any() end
  return table.unpack(values, 1, n)
end

local function methods_of(name)
  return debug.getregistry()["mettle." .. name].__methods
end
local function method_of(name)
  local names = {}
  for key in next, methods_of(name) do
    if key ~= "save" then names[#names + 1] = key end
  end
  table.sort(names)
  return methods_of(name)[pick(names)]
end

local function struct()
  return random(2) == 1 and { x = 1, y = any() } or strange()
end
local function launch()
  local k = pick(kernels)
  local one = { grid = random(4) == 1 and pick {
    0, -1, 1.5, "x", {}, {1, 2, 3, 4}, strange() } or 64, group = random(3) == 1
    and pick { 32, 32, -4, 1e9, 0.5, "x", {}, strange() } or nil,
    limit = 2, repeats = random(6) == 1 and random(3) or nil }
  if random(5) == 1 then setmetatable(one, getmetatable(strange())) end
  if k == linked then
    one[1] = { k = 1, sum = any(), data = random(2) == 1 and strange()
      or { pick(buffers), pick(buffers) } }
  elseif k == pixels then
    one[1], one[2], one[3] = pick(textures), pick(textures), struct()
    if random(2) == 1 then one.grid = { 4, 4 } end
  else
    one[1], one[2] = pick(buffers), k == list and { struct(), struct() }
      or struct()
  end
  if random(8) == 1 then one[random(4)] = any() end
  local how = random(60)
  if how > 2 then return k(one) end
  table.insert(one, 1, k)
  return how == 1 and check(one) or how == 2 and profile(one)
end

local calls = {
  function() buffers[random(12)] = gpu.buffer(pick(types), random(64)) end,
  function() buffers[random(12)] = gpu.buffer(some_values()) end,
  function()
    buffers[random(12)] = gpu.buffer(pick { "float", "float2" },
      { 1, 2, { 3, 4 }, any() })
  end,
  function()
    textures[random(6)] = gpu.texture(pick { "rgba8unorm", "r32float" }, 4, 4)
  end,
  function() textures[random(6)] = gpu.texture(some_values()) end,
  function()
    textures[random(6)] = gpu.texture { format = "r8unorm", width = any(),
      height = any(), kind = any() }
  end,
  function() return method_of "buffer"(pick(buffers), some_values()) end,
  function() return method_of "buffer"(pick(buffers), some_values()) end,
  function() return method_of "buffer"(some_values()) end,
  function() return method_of "texture"(pick(textures), some_values()) end,
  function() return method_of "kernel"(pick(kernels), some_values()) end,
  function() return method_of "library"(library, some_values()) end,
  function() return pick(buffers)[any()] end,
  function() pick(buffers)[any()] = any() end,
  function() return #pick(buffers) end,
  function() return tostring(any()) end,
  function() return (require "lua.session.show".text(any())) end,
  function()
    return cpu[pick { "add", "matmul", "sum", "copy", "softmax", "scan" }](
      some_values())
  end,
  function() return pick(buffers):fill(any()) end,
  function() return pick(buffers):equals(any(), any()) end,
  function() local b = pick(buffers); if random(4) == 1 then b:free() end end,
  function() at_collection(deeper) end,
  function() collectgarbage(pick { "step", "collect", "step", "step" }) end,
  function() buffers[random(12)] = nil end,
  function() return coroutine.wrap(deeper)() end,
  function() local co = coroutine.create(launch); coroutine.resume(co) end,
  function() return xpcall(launch, deeper) end,
  function() local _ <close> = strange(); launch() end,
  function()
    return table.sort({ 3, 1, 2 }, function(a, b) deeper(); return a < b end)
  end,
  function() gpu.use(pick { gpu.device.name, gpu.device.name, "nothing" }) end,
  function()
    local v = pick { pick(buffers), pick(textures) }
    local meta = debug.getmetatable(v)
    return meta and pick { meta.__gc, meta.__tostring, meta.__index, meta.__len,
      meta.__newindex }(some_values())
  end,
  launch, launch, launch, launch,
}
function act() return pick(calls)() end

local function try(from, count)
  seed = from
  for i = 1, 12 do buffers[i] = gpu.buffer("float", 64) end
  for i = 1, 6 do textures[i] = gpu.texture("rgba8unorm", 4, 4) end
  local fine = 0
  for _ = 1, count do
    depth = 0
    local ok, why = pcall(act)
    if ok then fine = fine + 1 end
    if not ok and type(why) == "string" then
      t.ok(not why:find "not enough memory", why)
    end
  end
  return fine
end

-- C ends a string at a NUL byte: b:save "a\0b" would write the file a.
t.test("a name with a NUL byte is refused, not cut off", function()
  local source = "struct P { float a; }; kernel void k(constant P &p, device float *y) { y[0] = p.a; }"
  local lib, b = gpu.library(source), gpu.buffer { 1, 2, 3 }
  local k = lib.k
  for number, call in ipairs {
    function() lib:kernel "k\0x" end, function() return lib["k\0x"] end,
    function() gpu.kernel(source, { defines = { ["N\0"] = 1 } }) end,
    function() gpu.kernel(source, { defines = { N = "1\0" } }) end,
    function() gpu.kernel(source, { include = { "/tmp\0x" } }) end,
    function() gpu.kernel(source, { ["name\0"] = "k" }) end,
    function() gpu.buffer("float\0", 3) end, function()
      gpu.texture("r32float\0", 4, 4)
    end,
    function() gpu.sampler { filter = "linear\0" } end, function()
      gpu.use "host\0"
    end,
    function() b:save "/nowhere\0.npy" end, function()
      gpu.load "/nowhere\0.npy"
    end,
    function() k { { a = 1 }, ["y\0"] = b, grid = 1 } end,
    function() k { { a = 1, ["a\0"] = 2 }, b, grid = 1 } end,
    function() k { { a = 1 }, b, grid = 1, ["group\0"] = 1 } end,
    function() cpu.sum(b, { way = "one core\0" }) end,
  } do
    local ok, why = pcall(call)
    t.ok(not ok and tostring(why):find "NUL byte", number .. ": "
      .. tostring(why))
  end
end)

-- Each in a process of its own, which ends by itself: with an error or without,
-- never by a signal.
local in_lua = {
  -- bytecode
  'local s = string.dump(function(a) local b = a + 1 for i = 1, a do b = b .. i end end) for i = 1, 5000 do local p = math.random(#s) local f = load(s:sub(1, p - 1) .. string.char(math.random(0, 255)) .. s:sub(p + 1)) if f then pcall(f, 3) end end',
  'load("\27Lua" .. ("x"):rep(500))()', 'assert(load(function() return nil end))',
  'local n = 0 load(function() n = n + 1 return n < 3 and "\27Lua" or nil end)()',
  'load(string.dump(function() end), "x", nil, {})()',
  -- what debug could change
  'debug.setupvalue(next, 3, nil) next()', 'debug.setupvalue(print, 1, nil) print(1)',
  'debug.setmetatable(gpu.buffer(1), debug.getmetatable(io.stdout)) collectgarbage()',
  'debug.setmetatable(io.stdout, debug.getmetatable(gpu.buffer(1))) io.stdout:sum()',
  'local r = debug.getregistry() for k in pairs(r) do r[k] = nil end collectgarbage() print(gpu.buffer(3):sum())',
  'debug.getregistry()[1] = nil debug.getregistry()[2] = 1 print(_G, coroutine.running())',
  'local b = gpu.buffer(10) local v = b:view(0, 3) for i = 1, 4 do pcall(debug.setuservalue, v, nil, i) end b = nil collectgarbage() v:fill(1) print(v:sum())',
  'for i = 1, 3 do for n = 1, 9 do pcall(debug.setlocal, 1, n, {}) end end',
  'local function f(...) for n = 1, 9 do pcall(debug.setlocal, 2, n, "x") end end for i = 1, 3 do for k in pairs { 1, 2 } do f() end end',
  'local co = coroutine.create(function() for i = 1, 5 do coroutine.yield() end end) coroutine.resume(co) for n = 1, 9 do pcall(debug.setlocal, co, 1, n, "x") end coroutine.resume(co)',
  'table.sort({ 3, 1, 2 }, function(a, b) for l = 1, 3 do for n = 1, 9 do pcall(debug.setlocal, l, n, nil) end end return a < b end)',
  'local up = debug.getupvalue debug.upvaluejoin(function() return up end, 1, function() return t end, 1)',
  'debug.sethook(function() error "hook" end, "crl", 1) pcall(gpu.buffer, 3) collectgarbage()',
  'debug.setmetatable("", nil) print(pcall(function() return ("x"):rep(3) end))',
  'debug.setmetatable(nil, { __index = function(t, k) return t[k] end }) print(pcall(function() return (nil).x end))',
  'for _, m in pairs { gpu.buffer(1), io.stdout, gpu.sampler {} } do for k, f in pairs(debug.getmetatable(m)) do if type(f) == "function" then pcall(f) pcall(f, m) pcall(f, {}) pcall(f, io.stderr) end end end',
  -- memory
  'print(pcall(string.rep, "x", 1 << 62))', 'print(pcall(string.rep, ("x"):rep(1000), 1 << 55, ","))',
  'print(pcall(table.concat, setmetatable({}, { __len = function() return 1 << 60 end })))',
  'print(pcall(table.unpack, {}, 1, 1e8)) print(pcall(table.unpack, {}, math.mininteger, math.maxinteger))',
  'print(pcall(string.pack, "!16 Xi16 s8", ("x"):rep(100))) print(pcall(string.unpack, "s8", ("\255"):rep(8)))',
  'print(pcall(string.format, "%" .. ("9"):rep(99) .. "d", 1)) print(pcall(string.format, "%99.99f", 1e308))',
  'print(pcall(table.move, {}, 1, math.maxinteger, 2))', 'print(pcall(utf8.char, 0x7fffffff, 1 << 40))',
  -- the stack
  'local function f() return f() + 1 end print(pcall(f))', 'local t = setmetatable({}, {}) getmetatable(t).__index = t print(pcall(function() return t.x end))',
  'local function f() return coroutine.wrap(f)() end print(pcall(f))', 'local function f() return pcall(f) end print(f())',
  'local function f(...) return select("#", f(...)) end print(pcall(f))', 'print(pcall(load, "return " .. ("("):rep(1e5) .. "1"))',
  'print(load(("{"):rep(1e5)))', 'print(load(("a."):rep(1e6)))', 'print(load("local " .. ("a,"):rep(300) .. "a"))',
  'local t = setmetatable({}, {}) getmetatable(t).__tostring = function(x) return tostring(x) end print(pcall(tostring, t))',
  'local t = setmetatable({}, { __gc = function(t) error(t) end }) t = nil collectgarbage()',
  'xpcall(error, function(e) error(e) end, "x")', 'local function h(e) return xpcall(error, h, e) end print(h(1))',
  'print(pcall(string.gsub, ("x"):rep(10), ".", function() return ("x"):rep(10):gsub(".", error) end))',
  'print(pcall(table.sort, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, function() return true end))',
  -- coroutines and ends
  'local co co = coroutine.create(function() return coroutine.close(co) end) print(coroutine.resume(co))',
  'local co co = coroutine.wrap(function() return co() end) print(pcall(co))', 'setmetatable(_G, { __gc = function() coroutine.wrap(function() gpu.buffer(3):sum() end)() end })',
  'coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() error "close" end }) error "x" end)()',
  'setmetatable({}, { __gc = function() os.exit(0, true) end }) collectgarbage()', 'os.exit(true, true)',
  'coroutine.wrap(function() os.exit(0, true) end)()', 'io.stdout:close() print(1)', 'io.stderr:close() error "x"',
  'string.dump = nil package.loaded.string = nil package.searchers = nil print(pcall(require, "x"))', 'package.path = nil print(pcall(require, "x"))',
  'for k in pairs(_G) do _G[k] = nil end', 'collectgarbage "generational" for i = 1, 1e5 do local t = setmetatable({}, { __gc = function() end }) end',
}

t.test("nothing of Lua's own crashes the program", function()
  local program = require("mettle.system").program
  local file = os.tmpname()
  for number, code in ipairs(in_lua) do
    local f = assert(io.open(file, "w"))
    f:write(code)
    f:close()
    local _, how, status = os.execute(("'%s' '%s' >/dev/null 2>&1"):format(
      program, file))
    t.ok(how == "exit" and status <= 2, ("%d: %s: %s %s"):format(number, code,
      how, status))
  end
  os.remove(file)
end)

t.test("bytecode is loaded where it is asked for, and nowhere else", function()
  local code = string.dump(function() return 7 end)
  local f, why = load(code)
  t.equal(f, nil)
  t.has(why, 'load(chunk, name, "b") loads it')
  t.equal(load(code, "x", "b")(), 7)
  t.equal(load(code, "x", "bt")(), 7)
  t.equal(load "return 8"(), 8)
  t.equal(load("return x", "x", "t", { x = 9 })(), 9)
  t.equal(load("return x", "x", nil, { x = 9 })(), 9)
  local folder = require("mettle.system").scratch()
  local file = assert(io.open(folder .. "/bytes.lua", "wb"))
  file:write(code)
  file:close()
  f, why = loadfile(folder .. "/bytes.lua")
  t.equal(f, nil)
  t.has(why, 'loadfile(file, "b") loads it')
  t.equal(loadfile(folder .. "/bytes.lua", "b")(), 7)
  t.raises("attempt to load a binary chunk", dofile, folder .. "/bytes.lua")
  local path = package.path
  package.path = folder .. "/?.lua"
  t.raises("attempt to load a binary chunk", require, "bytes")
  package.path = path
  t.equal(os.execute(("'%s' '%s/bytes.lua' 2>/dev/null"):format(
    require("mettle.system").program, folder)), nil)
  os.remove(folder .. "/bytes.lua")
  os.remove(folder)
end)

t.test("debug reads, and changes what is Lua's", function()
  local b, local_one = gpu.buffer(3), 1
  t.raises("does not change a userdata", debug.setmetatable, b, {})
  t.raises("does not change a userdata", debug.setuservalue, b, 1)
  t.raises("does not change a function of C", debug.setupvalue, next, 1, 1)
  t.raises("does not change a hidden variable", function()
    for i = 1, 2 do for n = 1, 9 do debug.setlocal(1, n, i) end end
  end)
  local plain = {}
  t.equal(debug.setmetatable(plain, { __len = function() return 5 end }), plain)
  t.equal(#plain, 5)
  local function inner() return local_one end
  t.equal(debug.setupvalue(inner, 1, 2), "local_one")
  t.equal(inner(), 2)
  local set = 1
  local name
  for n = 1, 20 do
    name = debug.getlocal(1, n)
    if name == "set" then debug.setlocal(1, n, 3) break end
  end
  t.equal(set, 3)
  t.equal(debug.getregistry()._LOADED.string, string)
  t.ok(not rawequal(debug.getregistry(), debug.getregistry()))
end)

t.test("calls at random", function()
  local count = tonumber(os.getenv "METTLE_HOSTILE" or "") or 0
  t.ok(try(1, 3000) > 600, "hardly any call works: this tries nothing")
  if count > 0 then try(os.time(), count) end
end)

t.test("and after all that the API still works", function()
  local a = gpu.buffer(64):fill(1)
  plain { a, { x = 1, y = 2 }, grid = 64 }
  t.equal(a:sum(), 256.0)
end)

-- What is left runs while the state is closed: finalisers that use what is
-- gone. (No more calls at random: the text of an error that is made now is
-- never freed.)
depth = 100
at_collection(function()
  pcall(function() plain { gpu.buffer(8), { x = 1, y = 1 }, grid = 8 } end)
end)
for i = 1, 12 do
  local b = buffers[i]
  at_collection(function()
    pcall(function() b:fill(2); return b:table() end)
  end)
end

t.done()

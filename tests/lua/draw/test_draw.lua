-- test_draw.lua - draw{…}: numbers worked out by hand, the picture as text, as
-- SVG and as data of its page; what it says to misuse.
--
-- Guards: draw{…}, lua/draw/draw.lua, lua/draw/, lua/bind/tools/record.c: lines
-- and banks worked out by hand, the text at 80 × 24, SVG, the page's data,
-- misuse; lua/draw/{html, paint, svg, text}.lua
local t = dofile "tests/tap.lua"
t.compiler "draw{…}"
local json = require "mettle.json"

local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"

local function kernel(body, params)
  return gpu.kernel(HEAD .. "kernel void k(" .. (params or "device float *x, device float *y") ..
    ", uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {\n" .. body .. "\n}")
end
local FIRST = 4 -- line of a body's first line

-- The text at 80 × 24 without colours, as of a kernel of the host device.
local function text_of(d)
  d.width, d.height, d.depth, d.device = 80, 24, nil, "host"
  local lines = 0
  for line in (tostring(d) .. "\n"):gmatch "([^\n]*)\n" do
    t.ok(utf8.len(line) <= 80, "at most 80 columns: " .. line)
    lines = lines + 1
  end
  t.ok(lines <= 22, "at most 24 lines with the prompt: " .. lines)
  return tostring(d)
end

local function row(list, buffer, kind)
  for _, r in ipairs(list) do
    if r.buffer == buffer and r.kind == (kind or r.kind) then return r end
  end
end

local transpose = gpu.kernel(HEAD .. [=[
kernel void transpose(device const float *x, device float *y, constant uint &n, uint2 g [[threadgroup_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][WIDTH];
  for (uint j = 0; j < 32; j += 8)
    tile[t.y + j][t.x] = x[(g.y * 32 + t.y + j) * n + g.x * 32 + t.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = 0; j < 32; j += 8)
    y[(g.x * 32 + t.y + j) * n + g.y * 32 + t.x] = tile[t.x][t.y + j];
}]=], "transpose", { defines = { WIDTH = 32 } })
local padded = gpu.kernel(transpose.source, "transpose",
  { defines = { WIDTH = 33 } })

------------------------------------------------------------------------ numbers

t.test("lines of 128 bytes, by hand", function()
  local x, y = gpu.buffer(4096), gpu.buffer(4096)
  for index, each in pairs { ["i"] = 1, ["i + 1"] = 2, ["i * 2"] = 2,
    ["i * 32"] = 32, ["i / 32"] = 1, ["i ^ 1"] = 1 } do
    local d = draw { kernel(("y[i] = x[%s];"):format(index)), x, y, grid = 64,
      group = 64 }
    local r = row(d:lines(), "x", "read")
    t.equal(r.simdgroups, 2)
    t.equal(r.moved, 2 * each)
    t.equal(r.ideal, 2)
    t.equal(r.line, FIRST)
    t.equal(row(d:lines(), "y", "write").each, 1)
  end
end)

t.test("a naive transpose reads 32 lines, one by tiles one", function()
  local x, y = gpu.buffer(4096):iota(), gpu.buffer(4096)
  local naive = gpu.kernel [=[kernel void turn(device const float *x, device float *y, uint2 p [[thread_position_in_grid]]) {
    y[p.y * 64 + p.x] = x[p.x * 64 + p.y]; }]=]
  local d = draw { naive, x, y, grid = { 64, 64 }, group = { 32, 8 } }
  t.equal(row(d:lines(), "x").each, 32); t.equal(row(d:lines(), "y").each, 1)
  d = draw { transpose, x, y, 64, grid = { 64, 16 }, group = { 32, 8 } }
  t.equal(row(d:lines(), "x").each, 1); t.equal(row(d:lines(), "y").each, 1)
end)

t.test("bank conflicts: none, 2, 32, and none again with padding", function()
  local x, y = gpu.buffer(2048), gpu.buffer(2048)
  for index, ways in pairs { ["t"] = 1, ["t * 2"] = 2, ["t * 32"] = 32,
    ["t * 33"] = 1, ["0"] = 1 } do
    local d = draw { kernel(("threadgroup float a[1100];\na[%s] = x[i];\ny[i] = a[t];"):format(index)), x, y, grid = 32, group = 32 }
    local r = row(d:banks(), "a", "write")
    t.equal(r.worst, ways)
    t.equal(r.passes, ways)
    t.equal(r.conflicts, ways > 1 and 1 or 0)
    t.equal(r.line, FIRST + 1)
  end
  x, y = gpu.buffer(4096), gpu.buffer(4096)
  local d = draw { transpose, x, y, 64, grid = { 64, 16 }, group = { 32, 8 } }
  t.equal(row(d:banks(), "tile", "read").worst, 32)
  t.equal(row(d:banks(), "tile", "write").worst, 1)
  d = draw { padded, x, y, 64, grid = { 64, 16 }, group = { 32, 8 } }
  t.equal(row(d:banks(), "tile", "read").worst, 1)
end)

t.test("cells say who touched them", function()
  local x, y = gpu.buffer(128):iota(), gpu.buffer(128)
  local k = kernel "if (i < 70) y[i] = x[i] + x[i / 2];"
  local d = draw { k, x, y, grid = 100, group = 64 }
  t.equal(d.buffers.x.reads, 140); t.equal(d.buffers.x.writes, 0)
  t.equal(d.buffers.y.writes, 70); t.equal(d.buffers.y.touched, 70)
  t.equal(d.buffers.y.cells[69].writer, 2); t.equal(d.buffers.y.cells[70], nil)
  t.equal(d.buffers.x.cells[0].reads, 3)
  t.equal(d.buffers.x.cells[0].reader, 0)
  t.equal(d.buffers.x.cells[34].reader, "several")
  d = draw { k, x, y, grid = 100, group = 64, by = "threadgroup" }
  t.equal(d.buffers.y.cells[69].writer, 1)
  d = draw { k, x, y, grid = 100, group = 64, by = "thread" }
  t.equal(d.buffers.y.cells[69].writer, 5)
  t.equal(y[0], 0, "the person's buffers are not changed")
end)

t.test("accesses in order, with place and value", function()
  local d = draw { kernel "threadgroup float a[32];\na[31 - t] = x[i] * 2;\nthreadgroup_barrier(mem_flags::mem_threadgroup);\ny[i] = a[t];",
    gpu.buffer(32):iota(), gpu.buffer(32), grid = 32, group = 32 }
  local list = {}
  for a in d:accesses() do list[#list + 1] = a end
  t.equal(#list, 4 * 32)
  t.equal(list[6].place, "x[5]")
  t.equal(list[6].value, "5")
  t.equal(list[6].kind, "read"); t.equal(list[6].x, 5)
  t.equal(list[32 + 6].place, "a[26]")
  t.equal(list[32 + 6].value, "10"); t.equal(list[32 + 6].line, FIRST + 1)
  t.equal(list[96 + 6].place, "y[5]")
  t.equal(list[96 + 6].value, "52"); t.equal(list[96 + 6].epoch, 1)
  t.equal(d.barriers, 1)
end)

t.test("one line, one buffer, one group, some threads", function()
  local x, y = gpu.buffer(256), gpu.buffer(256)
  local k = kernel "float v = x[i];\ny[i] = v + x[255 - i];"
  local d = draw { k, x, y, grid = 128, group = 64, line = FIRST }
  t.equal(d.count, 128); t.equal(d.buffers.y.writes, 0)
  d = draw { k, x, y, grid = 128, group = 64, buffer = "y" }
  t.equal(d.count, 128); t.equal(#d.buffers, 1)
  d = draw { k, x, y, grid = 128, group = 64, only = { group = 1 } }
  t.equal(d.count, 3 * 64)
  t.equal(d.buffers.y.cells[63], nil); t.equal(d.buffers.y.cells[64].writer, 2)
  d = draw { k, x, y, grid = 128, group = 64, threads = { 3, { 70 } } }
  t.equal(d.count, 6); t.equal(d.buffers.y.cells[70].writes, 1)
end)

t.test("structs, vectors, halves, atomics, textures", function()
  local source = HEAD .. [=[
struct P { float3 at; uint id; half2 uv; };
kernel void k(device P *p, device float4 *v, device half *h, device atomic_uint *c,
              texture2d<float, access::read_write> image, uint i [[thread_position_in_grid]]) {
  p[i].id = i * 3;
  v[i] = float4(i, 1, 2, p[i].at.y);
  h[i] = half(i) / 2;
  atomic_fetch_add_explicit(&c[i % 2], 5, memory_order_relaxed);
  image.write(float4(1), uint2(i % 8, i / 8));
}]=]
  local ok, k = pcall(gpu.kernel, source)
  if not ok then return t.skip("this device takes no such kernel: " .. k) end
  local image = gpu.texture { width = 8, height = 4, format = "rgba8unorm" }
  local args = { k, gpu.buffer("uint", 32 * 8), gpu.buffer("float4", 32),
    gpu.buffer("half", 32), gpu.buffer("uint", 2), image,
    grid = 32, group = 32 }
  local d = draw(args)
  local values = {}
  for a in d:accesses() do values[a.place .. " " .. a.kind] = a.value end
  t.equal(values["p[7] write"], "21")
  t.equal(values["v[2] write"], "{2, 1, 2, 0}")
  t.equal(values["h[3] write"], "1.5")
  t.equal(values["c[1] atomic"], "75 → 80")
  t.equal(d.buffers.image.writes > 0 and d.buffers.image.touched, 32)
  t.equal(d.buffers.v.line, 8)
  d.height = 60
  t.ok(tostring(d):find "image: rgba8unorm 8 × 4")
end)

--------------------------------------------------------------------------- text

t.test("saxpy as text", function()
  local k = gpu.kernel [=[kernel void saxpy(device const float *x, device float *y, constant float &a, constant uint &n,
  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = a * x[i] + y[i];
}]=]
  local d = draw { k, gpu.buffer(80), gpu.buffer(80), 2, 77, grid = 96,
    group = 32 }
  t.equal(text_of(d), [[
saxpy: grid 96, threadgroups of 32; 231 accesses
An element is drawn as the SIMD-group that touched it: 0-9 a-z A-Z, * several.
x: float[80], 77 reads; lines of 128 bytes per access: 1, ideal 1
       read by
    0  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
   32  1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
   64  2 2 2 2 2 2 2 2 2 2 2 2 2 · · ·
y: float[80], 77 reads, 77 writes; lines of 128 bytes per access: 1, ideal 1
       read by                           written by
    0  00000000000000000000000000000000  00000000000000000000000000000000
   32  11111111111111111111111111111111  11111111111111111111111111111111
   64  2222222222222···                  2222222222222···]])
end)

t.test("a transpose with bank conflicts as text", function()
  local d = draw { transpose, gpu.buffer(4096):reshape(64, 64),
    gpu.buffer(4096):reshape(64, 64), 64, grid = { 64, 16 }, group = { 32, 8 } }
  t.equal(text_of(d), [[
transpose: grid 64 × 16, threadgroups of 32 × 8; 16,384 accesses
An element is drawn as the SIMD-group that touched it: 0-9 a-z A-Z, * several.
x: float[4096], 4,096 reads; lines of 128 bytes per access: 1, ideal 1
       read by
    0  00000000000000000000000000000000│88888888888888888888888888888888
    1  11111111111111111111111111111111│99999999999999999999999999999999
    2  22222222222222222222222222222222│aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    3  33333333333333333333333333333333│bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    …  60 more rows were touched, of 64 in all
y: float[4096], 4,096 writes; lines of 128 bytes per access: 1, ideal 1
       written by
    0  00000000000000000000000000000000│gggggggggggggggggggggggggggggggg
    1  11111111111111111111111111111111│hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
    2  22222222222222222222222222222222│iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii
    3  33333333333333333333333333333333│jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj
    …  60 more rows were touched, of 64 in all
tile: threadgroup 0's float[32][32], 4,096 reads, 4,096 writes; passes over the
  banks per access: 16.5, ideal 1
  line 10, read: passes over the banks per access: 32, ideal 1
       read by, banks 0 to 31            written by, banks 0 to 31
    0  01234567012345670123456701234567  00000000000000000000000000000000
    …  31 more rows were touched, of 32 in all]])
end)

t.test("the grid with its ragged edge as text", function()
  local k = gpu.kernel [=[kernel void k(device float *x, uint2 p [[thread_position_in_grid]]) { x[p.y * 20 + p.x] = 1; }]=]
  local d = draw { k, gpu.buffer(200), grid = { 20, 5 }, group = { 8, 4 },
    what = "grid" }
  t.equal(text_of(d), [[
k: grid 20 × 5, threadgroups of 8 × 4; 100 accesses
A thread is drawn as its SIMD-group: 0-9 a-z A-Z.
6 threadgroups of 32 threads, a SIMD-group is 32 of them in a row; the edge is
  ragged: the last groups lack 92 threads.
    0  00000000│11111111│2222····
    1  00000000│11111111│2222····
    2  00000000│11111111│2222····
    3  00000000│11111111│2222····
       ──────────────────────────
    4  33333333│44444444│5555····
    5  ········│········│········
    6  ········│········│········
    7  ········│········│········]])
end)

t.test("another device is named, room is shared out", function()
  local d = draw { kernel "y[i] = x[i / 32];", gpu.buffer(512), gpu.buffer(512),
    grid = 512, group = 64 }
  d.device = "metal"
  t.ok(tostring(d):find "Recorded on the host device; on metal")
  local text = text_of(d)
  t.ok(text:find("x: float[512], 512 reads; lines of 128 bytes per access: 1, ideal 1\n       read by\n    0  0 1 2 3", 1, true), text)
  t.ok(text:find("  416  d d d", 1, true), "rows that x does not need are y's:\n" .. text)
  t.ok(text:find "2 more rows were touched, of 16 in all", text)
end)

t.test("wide rows and long numbers", function()
  local k = gpu.kernel [=[kernel void k(device float *x, uint i [[thread_position_in_grid]]) { x[i / 2 * 200 + 190 + i % 2] = 1; }]=]
  local d = draw { k, gpu.buffer(4, 200), grid = 4 }
  local text = text_of(d)
  t.ok(text:find("written by, columns 130 to 199 of 200", 1, true), text)
  t.ok(text:find("    1  ···", 1, true), text)
  d = draw { kernel "y[i * 300000] = x[0];", gpu.buffer(1), gpu.buffer(1 << 20), grid = 4, group = 32 }
  text = text_of(d)
  t.ok(text:find("\n     0  0 · ·", 1, true) and text:find(
    "\n900000  0 · ·", 1, true), text)
end)

t.test("colours where the terminal has them", function()
  local paint = require "lua.draw.paint"
  local d = draw { kernel "y[i] = x[i];", gpu.buffer(32), gpu.buffer(32),
    grid = 32, group = 32 }
  d.width, d.height, d.depth = 80, 24, "24"
  t.ok(tostring(d):find("\27[30;48;2;230;159;0m0 \27[0m", 1, true), "24 bits")
  d.depth = "256"
  t.ok(tostring(d):find("\27[30;48;5;178m0 \27[0m", 1, true), "256 colours")
  t.equal(#paint.list "thread", 32)
  t.equal(paint.symbol(61), "Z"); t.equal(paint.symbol(62), "0")
end)

---------------------------------------------------------------------------- svg

-- Well-formed, by a reader of its own: every element is closed, in order.
local function check_xml(text)
  local open = {}
  local rest = text:gsub("^%s*", "")
  for close, name, attributes, empty in rest:gmatch "<(/?)([%a][%w:]*)([^<>]-)(/?)>" do
    local bare = attributes:gsub('%s+[%w:_-]+="[^"<]*"', "")
    t.ok(bare:find "^%s*$", "attributes of " .. name .. ": " .. bare)
    if close == "/" then t.equal(table.remove(open), name)
    elseif empty == "" then open[#open + 1] = name end
  end
  t.equal(#open, 0)
  t.ok(not rest:gsub("<[^<>]*>", ""):find "[<>]", "no stray brackets")
  t.ok(not rest:gsub("&%a+;", ""):find "&", "no stray ampersands")
end

local function count(text, part) return select(2, text:gsub(part, "")) end

t.test("SVG: well-formed, a rectangle for each cell", function()
  local path = os.tmpname() .. ".svg"
  local d = draw { kernel "if (i < 70 && i > 1) y[i] = x[2 * i];",
    gpu.buffer(192), gpu.buffer(96), grid = 96, group = 64 }
  t.equal(d:save(path), d)
  local file <close> = io.open(path)
  local text = file:read "a"
  os.remove(path)
  check_xml(text)
  t.equal(count(text, 'class="thread"'), 96)
  t.equal(count(text, 'class="none"'), 32)
  t.equal(count(text, 'class="reads"'), 160, "rows 0 to 4 of x")
  t.equal(count(text, 'class="writes"'), 96)
  t.equal(count(text, 'class="line"'), 2 + 5 + 3)
  t.ok(text:find("x[4]: read once by SIMD-group 0 of threadgroup 0", 1, true))
  t.ok(text:find("y[69]: written once by SIMD-group 0 of threadgroup 1", 1, true))
end)

--------------------------------------------------------------------------- html

t.test("HTML: the recording is in it, and nothing from elsewhere", function()
  local path = os.tmpname() .. ".html"
  local k = gpu.kernel "// </script> <!-- \"\nkernel void k(device float *x, uint i [[thread_position_in_grid]]) { x[i] = i < 3; }"
  draw { k, gpu.buffer(40), grid = 40, group = 40 }:save(path)
  local file <close> = io.open(path)
  local text = file:read "a"
  os.remove(path)
  t.ok(not text:find "https?://", "no address")
  t.ok(not text:find 'src%s*=', "no file")
  t.equal(count(text, "</script>"), 2)
  local data = json.decode(text:match '<script type="application/json" id="data">(.-)</script>')
  t.equal(data.kernel, "k")
  t.equal(#data.steps, 2); t.equal(#data.thread, 40); t.equal(data.cell[40], 39)
  t.equal(data.value[3], "1")
  t.equal(data.value[4], "0"); t.equal(data.panels[1].name, "x")
  t.equal(data.source[1], '// </script> <!-- "')
  t.equal(data.numbers.simdgroup, 2)
end)

------------------------------------------------------------------------- misuse

t.test("misuse gets a sentence", function()
  local k, x, y = kernel "y[i] = x[i];", gpu.buffer(64), gpu.buffer(64)
  local function says(words, f, ...)
    local ok, why = pcall(f, ...)
    t.ok(not ok and tostring(why):find(words, 1, true), words .. " in: "
      .. tostring(why))
  end
  says("draw takes a kernel and its arguments: draw{k, a, b, grid = 64}", draw, 3)
  says("draw takes a kernel and its arguments", draw, {})
  says('by is "simdgroup" or "threadgroup" or "thread", not "warp"', draw, { k, x, y, grid = 64, by = "warp" })
  says('what is "memory" or "grid", not 1', draw, { k, x, y, grid = 64, what = 1 })
  says("line is a whole number of at least 1, not 0", draw, { k, x, y, grid = 64, line = 0 })
  says("line 1 makes no access that is drawn; those that do are 4", draw, { k, x, y, grid = 64, line = 1 })
  says("buffer: k has no 'z'; it has x, y", draw, { k, x, y, grid = 64, buffer = "z" })
  says("only: there is no threadgroup 2; they are numbered from 0 to 1", draw, { k, x, y, grid = 64, group = 32, only = { group = 2 } })
  says("only needs the size of a threadgroup: give group = …", draw, { k, x, y, grid = 64, only = { group = 1 } })
  says("only takes group = …, not thread", draw, { k, x, y, grid = 64, group = 32, only = { thread = 2 } })
  says("threads: there is no thread 64; they are numbered from 0 to 63", draw, { k, x, y, grid = 64, threads = { 64 } })
  says("threads is a list of threads", draw, { k, x, y, grid = 64, threads = {} })
  says("only is a table, as in only = {group = 3}", draw, { k, x, y, grid = 64, only = 3 })
  says("the launch makes 128 accesses, and a drawing has 100: take a part of it with only = {group = 0} or threads = {0, 31}, "
    .. "a smaller grid, or give events = 128", draw, { k, x, y, grid = 64, events = 100 })
  says("a launch of 16,777,216 threads is too large to record", draw, { k, x, y, grid = 1 << 24 })
  says("makes no access to memory", draw, { kernel "if (i > 100) y[i] = x[i];", x, y, grid = 64 })
  says("argument", draw, { k, x, grid = 64 })
  says("line 4", draw, { kernel "if (i == 3) y[i + 100000000] = 1;", x, y, grid = 64 })
  local d = draw { k, x, y, grid = 64 }
  says("a drawing is saved as .svg, .html or .txt, not as 'x.png'", d.save, d, "x.png")
  says('a drawing is saved to a file: d:save "x.html"', d.save, d)
end)

t.test("an endless kernel ends by its limit", function()
  local k = kernel "volatile device float *v = y; while (v[0] >= 0) v[1] = x[i];"
  local ok, why = pcall(draw, { k, gpu.buffer(8), gpu.buffer(8), grid = 8,
    limit = 0.2 })
  t.ok(not ok and why:find "take a part of it" or why:find "time limit", why)
end)

t.test("an answer that depends on the order is said", function()
  local d = draw { kernel "y[i] = i ? y[i - 1] + 1 : 0;", gpu.buffer(64),
    gpu.buffer(64), grid = 64, group = 64 }
  t.ok(tostring(d):find "The plain launch gives another y")
  t.ok(d.record.differences[1].worst > 0.01)
  d.record.differences[1].worst = 1e-7
  d.height = 60
  t.ok(tostring(d):find "rounds %d+ elements of y differently, by 1e%-07 of the value", tostring(d))
end)

t.test("kernels of the library by name", function()
  local d = draw { "relu", n = 64, by = "thread" }
  t.ok(d.count >= 128); t.equal(d.by, "thread")
  -- without a size one that a picture has room for
  t.equal(draw "relu".buffers.x.length, 1024)
  t.equal(draw { "transpose_naive", by = "thread" }.buffers[1].length, 1024)
end)

t.done()

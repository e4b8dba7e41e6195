-- test_check_places.lua - where a finding points: the line and column as typed,
-- whatever the reader and the preprocessor made of the line (of no device).
--
-- Guards: msl/diagnostics/map.c, devices/host/check/findings.c: a finding
-- points at the line and column as typed, through rewriting and macros
local t = dofile "tests/tap.lua"

local function first_place(body, head)
  local source = (head or "") .. [=[
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *a [[buffer(0)]], constant uint &n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
]=] .. body .. "\n}\n"
  local r = check { gpu.kernel(source), gpu.buffer(8), 8, grid = 8,
    schedules = 0 }
  return r[1] and r[1].line, r[1] and r[1].column, r
end

-- The marks: the column of the finding is that of '@', which is taken out.
local function points(name, body, head)
  t.test(name, function()
    local before = body:match "^(.-)@"
    local line = select(2, ((head or "") .. before):gsub("\n", "")) + 5
    local column = #before:match "[^\n]*$" + 1
    local got_line, got_column, r = first_place((body:gsub("@", "", 1)), head)
    t.equal(got_line, line)
    t.equal(got_column, column)
  end)
end

points("a read", "float v = @a[i + 90]; if (v > 1e30f) a[0] = v;")
points("a read behind a tab and a cast", "\tfloat v = 2 * float(@a[i + 90]); if (v > 1e30f) a[0] = v;")
points("behind what the reader rewrites", "float2 v = float2(uint2(i)) + 1.0; if (v.x > @a[i + 90]) a[0] = v.x;")
points("in a macro's argument", "TWICE(float v, @a[i + 90]); if (v > 1e30f) a[0] = v;", "#define TWICE(x, y) x = 2 * (y)\n")
points("two on a line: the first", "float v = @a[i + 90] + a[i + 91]; if (v > 1e30f) a[0] = v;")
points("a division", "uint d = 7 @/ (n - 8); a[i] = d;")

-- In a header of the person's own: its name, its line, and what stands there.
local folder = os.tmpname()
os.remove(folder)
os.execute("mkdir -p '" .. folder .. "/more'")
local function write(name, text)
  local f = assert(io.open(folder .. "/" .. name, "w"))
  f:write(text)
  f:close()
end
write("put.h", "\ninline void put(device float *to, uint i, float v) {\n  to[i + 1] = 2.0 * v;\n}\n")
write("more/get.h", "#pragma once\n\n#define NEXT 1\ninline float get(device const float *from,\n                 uint i) {\n"
  .. "  return 3 *   from[i + NEXT];\n}\n")
local SOURCE = [=[
#include <metal_stdlib>
#include "put.h"
#include "more/get.h"
using namespace metal;
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  BODY
}
]=]
local function checked(body, options)
  options.include = { folder }
  return check { gpu.kernel((SOURCE:gsub("BODY", body)), options),
    gpu.buffer(8), grid = 8, schedules = 0 }
end

t.test("a finding in an included file names it", function()
  for _, options in ipairs { {}, { file = folder .. "/main.metal" } } do
    local r = checked("put(a, i, 1);", options)
    local f = r[1]
    t.has(f.file, "put.h")
    t.equal(f.line, 3)
    t.equal(f.column, 13) -- the assignment
    t.has(tostring(r), "put.h:3:13: out-of-bounds")
    t.has(tostring(r), "3 | to[i + 1] = 2.0 * v;")
    t.has(r:json(), "put.h")
  end
end)

t.test("a race of two files shows a line of each", function()
  local r = checked("a[i] = get(a, i);", {})
  local race
  for _, f in ipairs(r) do race = race or f.kind == "race" and f end
  t.ok(race, "there is a race")
  local here, there = race.file, race.other_file
  if not here then here, there = there, here end
  t.has(here, "more/get.h")
  t.equal(there, nil)
  t.has(tostring(r), "6 | return 3 *   from[i + NEXT]")
  t.has(tostring(r), "6 | a[i] = get(a, i);")
  t.has(tostring(r), "in the source:")
end)

t.test("a profile counts what an included function does for the line that calls it", function()
  local k = gpu.kernel((SOURCE:gsub("BODY", "put(a, i, get(a, i));")), { include = { folder } })
  local p = profile { k, gpu.buffer(9), grid = 8 }
  t.equal(p.file, nil)
  t.equal(p.lines[6].device_writes, 8)
  t.equal(p.lines[3], nil)
end)

t.test("a kernel in an included file is shown from there", function()
  write("kernel.h", "// one\n// two\nkernel void k(device float *a [[buffer(0)]],\n              uint i [[thread_position_in_grid]]) {\n"
    .. "  a[i] = i;\n}\n")
  local k = gpu.kernel('#include "kernel.h"\n', { include = { folder } })
  local p = profile { k, gpu.buffer(8), grid = 8 }
  t.has(p.file, "kernel.h")
  t.equal(p.lines[5].device_writes, 8)
  t.has(tostring(p), "a[i] = i;")
  t.has(tostring(p), "lines of ")
  gpu.use "host" -- a GPU has memory there, and no lines
  k = gpu.kernel('#include "kernel.h"\n', { include = { folder } })
  local ok, why = pcall(k, { gpu.buffer(8), grid = 100000 })
  t.ok(not ok, "it leaves the buffer")
  t.has(why, "line 5 of ")
  t.has(why, "kernel.h")
end)
os.execute("rm -r '" .. folder .. "'")

t.done()

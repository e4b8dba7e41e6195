-- test_check_places.lua - where a finding points: the line and column as typed,
-- whatever the reader and the preprocessor made of the line.
local t = dofile "tests/tap.lua"

local function first_place(body, head)
  local source = (head or "") .. [=[
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *a [[buffer(0)]], constant uint &n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
]=] .. body .. "\n}\n"
  local r = check { gpu.kernel(source), gpu.buffer(8), 8, grid = 8, schedules = 0 }
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
t.done()

-- test_step.lua - the stepper without a terminal: the cursor over a recording
-- (lua/step/stepper.lua), its rows of text (lua/step/view.lua), what keys do
-- (lua/step/step.lua).
--
-- Guards: step{…} without a terminal, lua/step/stepper.lua, lua/step/view.lua,
-- lua/step/step.lua: the cursor, variables and lanes, breakpoints, findings,
-- rows for windows of several sizes, keys; lua/step/{breakpoints, inspect}.lua
local t = dofile "tests/tap.lua"
t.compiler "recordings"
local step = require "lua.step.step"
local units = require "lua.text.units"
local view = require "lua.step.view"

local reduce = gpu.kernel [=[
// sums of threadgroups
#include <metal_stdlib>
using namespace metal;
static float twice(float a, int times) {
  float sum = 0;
  for (int n = 0; n < times; n++)
    sum += a;
  return sum;
}
kernel void reduce(device const float *x, device float *y,
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[64];
  float v = x[i];
  if (i % 3 == 0)
    v = twice(v, 2);
  tile[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = 32; n > 0; n /= 2) {
    if (t < n)
      tile[t] += tile[t + n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0)
    y[g] = tile[0];
}]=]
local r = record { reduce, gpu.buffer(128):iota(), gpu.buffer(2), grid = 128,
  group = 64 }

local function values(s)
  local out = {}
  for i, v in ipairs(s:variables()) do
    out[i] = (v.changed and "*" or "") .. v.name .. "=" .. v.text
  end
  return table.concat(out, " ")
end

local function fits(rows, columns, count)
  t.equal(#rows, count)
  for _, row in ipairs(rows) do
    local plain = row:gsub("\27%[[%d;]*m", "")
    t.ok(units.width(plain) <= columns, plain)
  end
end

t.test("line by line, forwards and backwards", function()
  local s = step.open(r)
  local lines, back = {}, {}
  repeat lines[#lines + 1] = s.visit.line until not s:line(1)
  t.equal(s.said, "the thread ends here")
  t.equal(table.concat(lines, " ", 1, 12), "15 16 17 5 6 7 6 7 6 8 17 18")
  repeat table.insert(back, 1, s.visit.line) until not s:line(-1)
  t.equal(table.concat(back, " "), table.concat(lines, " "))
  t.equal(s.said, "the thread begins here")
  s:ends(1); t.equal(s.visit.line, 27); s:ends(-1); t.equal(s.visit.line, 15)
  t.equal(s.visit.number, 1); t.equal(s.visit.count, #lines)
end)

t.test("variables of the frame, with what changed", function()
  local s = step.open(r)
  s:thread(3)
  t.equal(values(s), "i=3 t=3 g=0 *v=3")
  s:to_line(6, 1)
  t.equal(values(s), "a=3 times=2 sum=0 *n=0")
  s:line(1)
  t.equal(values(s), "a=3 times=2 *sum=3 n=0")
  t.equal(s:variables()[3].was, "0")
  t.equal(s:stack()[1].name, "twice"); t.equal(s:stack()[2].line, 17)
  s:caller(1)
  t.equal(values(s), "i=3 t=3 g=0 v=3")
  t.ok(not s:caller(1) and s.said == "this is the kernel itself", s.said)
  s:caller(-1)
  s:out(1); t.equal(s.visit.line, 17); t.equal(values(s), "i=3 t=3 g=0 *v=6")
  s:line(-1); s:ends(-1); s:line(1); s:line(1)
  s:over(1); t.equal(s.visit.line, 17); s:over(1); t.equal(s.visit.line, 18)
  t.ok(not s:out(1)); t.equal(s.said, "this is the kernel itself")
end)

t.test("barriers, lines", function()
  local s = step.open(r)
  s:barrier(1); t.equal(s.visit.line, 19)
  s:barrier(1); t.equal(s.visit.line, 23)
  s:barrier(-1); t.equal(s.visit.line, 19)
  t.ok(not s:barrier(-1))
  t.equal(s.said, "no barrier came before in this thread")
  s:to_line(22, 1); t.equal(s.visit.does[3], "tile[0] = 32")
  t.ok(not s:to_line(16, 1))
  t.equal(s.said, "this thread does not come to line 16 any more")
  s:to_line(16, -1); t.equal(s.visit.line, 16)
end)

t.test("other threads, at the same line of the same iteration", function()
  local s = step.open(r)
  s:to_line(22, 1); s:to_line(22, 1)
  t.equal(s.visit.does[1], "tile[16] is 112")
  s:lane(1); t.equal(s:name(), "1"); t.equal(s.visit.line, 22)
  t.equal(s.visit.does[1]:match "^tile%[17%]", "tile[17]")
  s:lane(-1); s:lane(-1); t.equal(s:name(), "31")
  t.equal(s.said, "this thread does not come to that line: where it was at that moment")
  s:thread(0); s:ends(-1); s:line(1)
  s:simdgroup(1); t.equal(s:name(), "32"); t.equal(s.visit.line, 16)
  t.equal(s:simdgroup(1), true); t.equal(s:name(), "64")
  s:group(-1); t.equal(s:name(), "0")
  s:group(1); t.equal(s:name(), "64"); t.equal(s.visit.line, 16)
  t.ok(not s:group(1))
  t.equal(s.said, "this is the last threadgroup that was recorded")
  t.ok(not s:thread(500)); t.equal(s.said, "there is no thread 500; the grid has 128")
end)

t.test("lanes with their mask", function()
  local s = step.open(r)
  s:to_line(6, 1)
  local here, count, all = s:mask()
  t.equal(count, 11); t.equal(all, 32)
  t.ok(here[0] and not here[1] and here[3] and not here[31])
  s:to_line(7, 1)
  t.equal(s:lane_variable().name, "sum")
  here = s:mask()
  local sums = s:lane_values(s:lane_variable(), here)
  t.equal(sums[9], "9"); t.equal(sums[10], nil)
  s:choose_lanes(); t.equal(s:lane_variable().name, "n")
end)

t.test("memory as it is at the moment", function()
  local s = step.open(r)
  s:to_line(22, 1)
  t.equal(r.objects[s.object].name, "tile")
  t.equal(s:touched()[0], "write"); t.equal(s:touched()[32], "read")
  t.equal(table.concat(s:cells(0, 3), " "), "32 1 2")
  s:line(-1); t.equal(table.concat(s:cells(0, 3), " "), "0 1 2")
  s:choose_object(1); t.equal(s.pinned, true)
  s:ends(1); s:choose_object(1)
end)

t.test("breakpoints with conditions", function()
  local s = step.open(r)
  t.ok(not s:run(1))
  t.equal(s.said, "there is no breakpoint: x makes one on this line")
  s:stop(22, "thread == 7 and n <= 8")
  t.equal(s.said, "stops at line 22 if thread == 7 and n <= 8")
  t.ok(s:run(1)); t.equal(s:name(), "7"); t.equal(s.visit.line, 22)
  t.equal(s.visit.does[1]:match "^tile%[15%]", "tile[15]")
  t.ok(not s:run(1)); t.equal(s.said, "no breakpoint is met any more")
  t.equal(s:name(), "7")
  s.breaks = {}
  s:stop(nil, "sum > 100 and lane == 3")
  s:thread(0); s:ends(-1)
  t.ok(s:run(1)); t.equal(s:name(), "99"); t.equal(s.visit.line, 7)
  s.breaks = {}
  s:stop(nil, "nosuch > 3")
  t.ok(not s:run(1))
  t.equal(s.said,
    "the condition nosuch > 3 is never known: no variable is called nosuch")
  t.equal(s:stop(22, "n <="), nil)
  t.ok(s.said:find "^the condition: unexpected symbol", s.said)
  t.equal(s:stop(3), nil); t.equal(s.said, "line 3 has no code of the kernel")
  s.breaks = {}
  s:toggle(18); s:thread(0); s:ends(-1)
  s:run(1); t.equal(s:name(), "0"); s:run(1); t.equal(s:name(), "1")
  s:run(-1); t.equal(s:name(), "0")
  s:toggle(18); t.equal(#s.breaks, 0)
end)

t.test("references, structs, a grid of two dimensions", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
struct Ray { float3 from; float3 along; uint hits; };
static bool march(thread Ray &ray, float by) {
  ray.from += ray.along * by;
  ray.hits++;
  return ray.hits > 1;
}
kernel void trace(device uint *y, constant float &by,
                  uint2 g [[thread_position_in_grid]]) {
  Ray ray = { float3(g.x, g.y, 0), float3(1, 2, 0), 0 };
  for (int n = 0; n < 3; n++)
    if (march(ray, by)) break;
  y[g.y * 8 + g.x] = ray.hits;
}]=]
  local s = step.make { k, gpu.buffer("uint", 64), 0.5, grid = { 8, 8 },
    group = { 8, 4 } }
  s:thread { 3, 1 }
  t.equal(s:name(), "(3, 1)")
  s:to_line(6, 1)
  t.equal(values(s), "*ray={from = {3.5, 2, 0}, along = {1, 2, 0}, hits = 1} by=0.5")
  t.equal(s:lane_variable().name, "by")
  local text = table.concat(view.rows(s, 80, 24, false), "\n")
  for _, words in ipairs { "*ray.from = {3.5, 2, 0}", "*ray.hits = 1", "[march:6] < trace:13" } do
    t.ok(text:find(words, 1, true), words .. " in:\n" .. text)
  end
  s:stop(6, "ray.hits == 2 and thread.x == 5 and ray.from.y > 3")
  s:run(1)
  t.equal(s:name(), "(5, 2)")
  fits(view.rows(s, 80, 24, false), 80, 24)
end)

local shift = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void shift(device const float *x, device float *y,
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = x[i];
  float left = t > 0 ? tile[t - 1] : 0;
  y[i] = left;
}]=]

t.test("a finding of check, with both threads", function()
  local x, y = gpu.buffer(64):iota(), gpu.buffer(64)
  local report = check { shift, x, y, grid = 64, group = 64 }
  local s = step.make(report[1])
  t.equal(s.visit.line, 8); t.equal(s.other.visit.line, 7)
  t.ok(s.said:find("finding 1 of 1: tile[", 1, true), s.said)
  local mine, other = s:name(), s.other.name
  t.equal(tonumber(mine), tonumber(other) + 1)
  t.equal(s.visit.does[1], ("tile[%s] is %s"):format(other, other))
  s:swap(); t.equal(s:name(), other); t.equal(s.visit.line, 7)
  local own = step.make { shift, x, y, grid = 64, group = 64 }
  t.ok(own:finding(1), own.said); t.equal(own.visit.line, 8)
  local fine = step.open(r)
  t.ok(not fine:finding(1)); t.equal(fine.said, "check finds nothing here")
  t.equal(step.make(report):name(), mine)
end)

t.test("a kernel that is stopped by a fault is recorded until then", function()
  local k = gpu.kernel [=[
kernel void far(device float *y, constant uint &to, uint i [[thread_position_in_grid]]) {
  float v = i;
  v += 1;
  y[i == 5 ? to : i] = v;
  y[i] += 1;
}]=]
  local far = record { k, gpu.buffer(8), 1 << 30, grid = 8 }
  t.ok(far.stopped:find("kernel 'far', line 4", 1, true), far.stopped)
  t.ok(tostring(far):find("Recorded until it was stopped: kernel 'far', line 4", 1, true), tostring(far))
  local s = step.open(far)
  t.equal(s:name(), "5"); t.equal(s.visit.line, 4); t.equal(s.said, far.stopped)
  t.equal(values(s), "i=5 v=6")
  s:line(-1); t.equal(s.visit.line, 3)
  local barrier = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void torn(device float *y, uint i [[thread_position_in_grid]]) {
  if (i < 20)
    threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = 1;
}]=]
  local report = check { barrier, gpu.buffer(64), grid = 64, group = 64 }
  local torn = step.make(report)
  t.ok(torn.said:find("finding 1 of", 1, true), torn.said)
  t.equal(torn.visit.line, report[1].line)
  t.ok(not pcall(draw, { k, gpu.buffer(8), 1 << 30, grid = 8 }), "a drawing needs the whole launch")
end)

------------------------------------------------------------------------- rows

t.test("rows for a window of 80 × 24, without colours", function()
  local s = step.open(r)
  s:to_line(22, 1)
  s:stop(18)
  s.said = nil
  local rows = view.rows(s, 80, 24, false)
  fits(rows, 80, 24)
  local text = table.concat(rows, "\n")
  t.ok(not text:find "\27", "no escapes")
  for _, words in ipairs { " reduce  thread 0: threadgroup 0, SIMD-group 0, lane 0",
    ">   22       tile[t] += tile[t + n];", " o  18   tile[t] = v;",
    "│  n = 32", " 22: tile[32] is 32; tile[0] is 0; tile[0] = 32",
    " lanes ################################  32 of 32 come here; n after it:",
    " 0[32]     1 32 ", " tile: 64 float, threadgroup 0, at this moment",
    "[ 32]", "< 32>", "schedule: threads; unoptimised, fast math off", "q quit" } do
    t.ok(text:find(words, 1, true), words .. " in:\n" .. text)
  end
  s:thread(3); s:ends(-1); s:to_line(7, 1)
  text = table.concat(view.rows(s, 80, 24, false), "\n")
  t.ok(text:find("│ [twice:7] < reduce:17", 1, true) or text:find("│ [twice:7]", 1, true), text)
end)

t.test("colours add escapes and nothing else", function()
  local s = step.open(r)
  s:to_line(22, 1)
  for _, size in ipairs { { 80, 24 }, { 120, 40 }, { 200, 60 }, { 50, 12 },
    { 60, 17 }, { 40, 10 } } do
    local plain = view.rows(s, size[1], size[2], false)
    local coloured = view.rows(s, size[1], size[2], true)
    fits(plain, size[1], size[2]); fits(coloured, size[1], size[2])
    local stripped = table.concat(coloured, "\n"):gsub("\27%[[%d;]*m", "")
    t.equal(stripped, table.concat(plain, "\n"))
    t.ok(table.concat(coloured):find "\27%[1;33m")
  end
  fits(view.rows(s, 20, 5, true), 20, 5)
  fits(view.keys(80, 24), 80, 24)
end)

t.test("every line of every thread has its rows", function()
  local s = step.open(r)
  local _, count = pcall(function()
    local n = 0
    repeat fits(view.rows(s, 80, 24, false), 80, 24) n = n
      + 1 until not s:line(1)
    return n
  end)
  t.equal(count, s.visit.count)
end)

------------------------------------------------------------------------- keys

t.test("keys", function()
  local s = step.open(r)
  local function press(...)
    for _, name in ipairs { ... } do t.ok(not step.key(s, name)) end
  end
  press("right", "n", " "); t.equal(s.visit.line, 5)
  press("left", "p"); t.equal(s.visit.line, 16)
  press("g", "2", "2"); t.equal(s.asks, "to line"); t.equal(s.typed, "22")
  press("\127", "2", "\n"); t.equal(s.visit.line, 22); t.equal(s.asks, nil)
  press("t", "5", "\n"); t.equal(s:name(), "5")
  press("c"); for ch in ("22 if n == 8"):gmatch "." do press(ch) end
  press("\n")
  t.equal(s.breaks[1].condition, "n == 8"); t.equal(s.breaks[1].line, 22)
  press("c"); for ch in ("v > 3"):gmatch "." do press(ch) end
  press("\n")
  t.equal(s.breaks[2].line, nil); t.equal(s.breaks[2].condition, "v > 3")
  press("g", "q", "escape"); t.equal(s.asks, nil)
  press("?"); t.equal(s.help, true); press("x"); t.equal(s.help, nil)
  for _, name in ipairs { "o", "O", "u", "U", "b", "B", "r", "R", "f", "F",
    "end", "home", "up", "down", "s", "S", "]", "[",
    "\t", "x", "v", "m", "M", "<", ">", "+", "-", "é", "" } do
    press(name)
    fits(view.rows(s, 80, 24, false), 80, 24)
  end
  t.equal(step.key(s, "q"), true); t.equal(step.key(s, "escape"), true)
end)

t.test("what the terminal sends becomes keys", function()
  local function keys(bytes, waited)
    local out = {}
    while bytes ~= "" do
      local name
      name, bytes = step.take(bytes, waited)
      if not name then break end
      out[#out + 1] = name
    end
    return table.concat(out, ","), bytes
  end
  t.equal((keys "\27[C\27[D\27OA\27[B\27[H\27[F\27[4~"), "right,left,up,down,home,end,end")
  t.equal((keys "a\r\127"), "a,\n,\127")
  t.equal((keys "\27[<65;10;10M\27[<35;1;1M"), "right,")
  local got, rest = keys "\27["
  t.equal(got, ""); t.equal(rest, "\27[")
  t.equal((keys("\27", true)), "escape")
end)

t.test("a kernel of the library by its name", function()
  t.equal(step.make { "relu", n = 40 }:name(), step.make "relu":name())
  t.ok(not pcall(step.make, "rellu"))
end)

t.test("misuse gets a sentence", function()
  local function says(words, v)
    local ok, why = pcall(step.step, v)
    t.ok(not ok and tostring(why):find(words, 1, true), words .. " in: "
      .. tostring(why))
  end
  says("step takes a kernel and its arguments, a recording or a finding", 3)
  says("step takes a kernel and its arguments, a recording or a finding", {})
  says("the report has no finding to step to",
    check { reduce, gpu.buffer(128):iota(), gpu.buffer(2), grid = 128,
      group = 64 })
  if not require("mettle.system").terminal(1) then
    says("step needs a terminal with a whole screen; r:thread(0) tells the same as text", r)
  end
end)

t.done()

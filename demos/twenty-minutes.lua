-- twenty-minutes.lua - how a GPU runs threads, and the mistakes that follow.
local demo = require "demos.present"

demo.title "Twenty minutes: groups, memory, races"

demo.say [[
1. Threads come in groups (4 minutes)
Every thread writes down the number of its threadgroup. Ask: how many groups
will there be? What happens at the edges?
]]
demo.types [=[
map = gpu.kernel [==[
  kernel void map(device float *out [[buffer(0)]],
                  uint2 p [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]],
                  uint2 g [[threadgroup_position_in_grid]],
                  uint2 n [[threadgroups_per_grid]]) {
    out[p.y * size.x + p.x] = g.y * n.x + g.x;
  }
]==]
out = gpu.buffer(6, 12)
map{out, grid = {12, 6}, group = {4, 3}}
out
map{out, grid = {12, 6}, group = {5, 4}}
out
]=]
demo.sure "out:max() == 5"

demo.say [[
2. Their size matters (4 minutes)
The same work with other threadgroup sizes. A group of 1 wastes 31 of 32
lanes. Ask for bets: where is the best?
]]
demo.types([=[
sweep{"blackscholes", n = $n}
]=], { n = demo.pick("200000", "5000") })
demo.sure "_.best.median > 0"

demo.say [[
3. Neighbours should read neighbours (4 minutes)
Two copies of the same matrix, transposed: once each thread reads along a row,
once through a tile. Same work, same bytes.
]]
demo.types([=[
compare{"transpose_naive", rows = $n, columns = $n}
compare{"transpose_padded", rows = $n, columns = $n}
]=], { n = demo.pick("1024", "64") })
demo.sure "_.ok"

demo.say [[
4. A race (6 minutes)
Count how often each digit occurs. All threads add to ten counters. Run it a
few times: is the sum a thousand? Ask why it may be right today.
]]
demo.types [=[
count = gpu.kernel [==[
  kernel void count(device const uint *digits [[buffer(0)]],
                    device uint *bins         [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
    bins[digits[i]] += 1;
  }
]==]
digits = gpu.buffer("uint", 1000):random(7, 0, 9)
bins = gpu.buffer("uint", 10)
count{digits, bins, grid = 1000}
bins:sum()
check{count, digits, bins, grid = 1000}
]=]
demo.sure "not _.ok and _[1].kind == 'race'"
demo.say [[
check names both threads and the line. The cure is an atomic:
]]
demo.types [=[
count = gpu.kernel [==[
  #include <metal_stdlib>
  using namespace metal;
  kernel void count(device const uint *digits [[buffer(0)]],
                    device atomic_uint *bins  [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
    atomic_fetch_add_explicit(&bins[digits[i]], 1, memory_order_relaxed);
  }
]==]
bins:fill(0)
count{digits, bins, grid = 1000}
bins:sum()
check{count, digits, bins, grid = 1000}
]=]
demo.sure "_.ok and bins:sum() == 1000"

demo.say [[
5. Where to look things up (2 minutes)
]]
demo.types [=[
glossary "race"
cuda "atomicAdd"
]=]
demo.say [[
Questions. Then: lesson(1), or lesson "barriers-and-races" for the detective
story.
]]

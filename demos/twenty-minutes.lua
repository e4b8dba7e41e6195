-- twenty-minutes.lua - how a GPU runs threads, and the mistakes that follow.
--
--   mettle present demos/twenty-minutes.lua

--# Threads come in groups (2 min)
--: Every thread writes down the number of its threadgroup. Ask: how many groups
--: will there be?
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
print(out)

--# The edges (2 min)
--: Groups of 5 × 4 do not fit into 12 × 6. Ask what happens there before you
--: go on.
map{out, grid = {12, 6}, group = {5, 4}}
draw{map, out, grid = {12, 6}, group = {5, 4}, what = "grid"}
--? out:max() == 5

--# Their size matters (4 min)
--: The same work with other threadgroup sizes. A group of 1 wastes 31 of 32
--: lanes. Ask for bets: where is the best?
--: If the room waits: Ctrl-C shows what is known.
sweep{"blackscholes", n = quick and 5000 or 200000}
--? _.best.median > 0

--# Neighbours should read neighbours (2 min)
--: A matrix, transposed. A character is the SIMD-group that touched the
--: element: in a it reads along rows, in b it writes down a column. The
--: numbers say what memory pays: lines of 128 bytes for each access.
draw{"transpose_naive", rows = 64, columns = 64}

--# Through a tile (2 min)
--: Same work, same bytes, through threadgroup memory. Now both go along rows.
draw{"transpose_padded", rows = 64, columns = 64}
side = quick and 64 or 1024
compare{"transpose_padded", rows = side, columns = side}
--? _.ok

--# A race (3 min)
--: Count how often each digit occurs. All threads add to ten counters. Is the
--: sum a thousand? Ask why it may be right today.
count = gpu.kernel [==[
  kernel void count(device const uint *digits [[buffer(0)]],
                    device uint *bins         [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
    bins[digits[i]] += 1;
  }
]==]
digits = gpu.buffer("uint", 1000):random(7, 0, 10)
bins = gpu.buffer("uint", 10)
count{digits, bins, grid = 1000}
print(bins:sum())
finding = check{count, digits, bins, grid = 1000}[1]
print(finding)
--? finding.kind == "race"

--# Both threads, line by line (2 min)
--: step opens at the finding: → and ← go from line to line, Tab to the other
--: thread, ? has the keys, q leaves. Show that both read the same number
--: before either writes.
step(finding)

--# An atomic (1 min)
--: check named both threads and the line. The cure is an atomic.
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
print(bins:sum())
check{count, digits, bins, grid = 1000}
--? _.ok and bins:sum() == 1000

--# Where to look things up (2 min)
--: Questions. Then: lesson(1), or lesson "barriers-and-races" for the detective
--: story.
glossary "race"
cuda "atomicAdd"

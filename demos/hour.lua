-- hour.lua - matrix multiplication, from the definition to simdgroup_matrix.
local demo = require "demos.present"
local size = { n = demo.pick("512", "64"), small = "33" }

demo.title "An hour: one matrix product, four kernels"

demo.say [[
1. The task and its reference (8 minutes)
C = A × B. Each element of C is a row of A times a column of B. Write the
formula on the board. How many multiplications for n × n? (n³.) How many
numbers are read at least? (2n².) That gap is what this hour is about.
]]
demo.types([=[
A, B = gpu.buffer($n, $n):random(1), gpu.buffer($n, $n):random(2)
C = gpu.buffer($n, $n)
expected = cpu.matmul(A, B)
]=], size)

demo.say [[
2. The definition as a kernel (10 minutes)
A thread for each element of C. Let the room dictate the line in the loop; the
usual suggestion exchanges rows and columns, and compare says so.
]]
demo.types([=[
naive = gpu.kernel [==[
  kernel void naive(device const float *A [[buffer(0)]],
                    device const float *B [[buffer(1)]],
                    device float *C       [[buffer(2)]],
                    constant uint &n      [[buffer(3)]],
                    uint2 p [[thread_position_in_grid]]) {
    float sum = 0;
    for (uint k = 0; k < n; k++)
      sum += A[p.y * n + k] * B[k * n + p.x];
    C[p.y * n + p.x] = sum;
  }
]==]
naive{A, B, C, $n, grid = {$n, $n}, group = {32, 8}}
C:equals(expected, 1e-3)
compare{naive, A, B, C, $n, grid = {$n, $n}, group = {32, 8}, cpu = function(a, b, c) return cpu.matmul(a, b) end, tolerance = 1e-3}
]=], size)
demo.sure "_.ok and C:equals(expected, 1e-3)"

demo.say [[
3. Why it is slow (8 minutes)
Each thread reads 2n numbers for 2n operations: one operation for four bytes.
Neighbours read the same row and the same column. So let a group bring a tile
of both into threadgroup memory once, and use it many times. Draw it.
]]
demo.types [=[
glossary "tile"
]=]

demo.say [[
4. Tiles (12 minutes)
Two barriers: one when the tile is there, one before it is overwritten. Ask
what happens without the second, then take it out and let check say it.
]]
demo.types([=[
source = [==[
  #include <metal_stdlib>
  using namespace metal;
  kernel void tiled(device const float *A [[buffer(0)]],
                    device const float *B [[buffer(1)]],
                    device float *C       [[buffer(2)]],
                    constant uint &n      [[buffer(3)]],
                    uint2 t [[thread_position_in_threadgroup]],
                    uint2 p [[thread_position_in_grid]]) {
    threadgroup float a[16][16], b[16][16];
    float sum = 0;
    for (uint k = 0; k < n; k += 16) {
      bool left = p.y < n && k + t.x < n, up = k + t.y < n && p.x < n;
      a[t.y][t.x] = left ? A[p.y * n + k + t.x] : 0;
      b[t.y][t.x] = up ? B[(k + t.y) * n + p.x] : 0;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      for (uint j = 0; j < 16; j++) sum += a[t.y][j] * b[j][t.x];
      threadgroup_barrier(mem_flags::mem_threadgroup);  // the second
    }
    if (p.x < n && p.y < n) C[p.y * n + p.x] = sum;
  }
]==]
tiled = gpu.kernel(source)
tiled{A, B, C, $n, groups = {$n // 16, $n // 16}, group = {16, 16}}
C:equals(expected, 1e-3)
]=], size)
demo.sure "C:equals(expected, 1e-3)"
demo.types([=[
broken = gpu.kernel((source:gsub("threadgroup_barrier[^\n]*// the second", "")))
a33, c33 = gpu.buffer($small, $small):random(3), gpu.buffer($small, $small)
check{broken, a33, a33, c33, $small, groups = {3, 3}, group = {16, 16}}
]=], size)
demo.sure "not _.ok and _[1].kind == 'race'"
demo.types([=[
check{tiled, a33, a33, c33, $small, groups = {3, 3}, group = {16, 16}}
]=], size)
demo.sure "_.ok"

demo.say [[
5. Which tile, and how far can it go (10 minutes)
The library has the same kernels with their sizes. Let the room bet on the tile,
then on how far from the vendor's CPU library each one is. Say which device
this is, and that Accelerate and OpenBLAS are the CPU.
]]
demo.types([=[
sweep{"matmul_tiled", m = $n, n = $n, k = $n, over = {TILE = {8, 16, 32}}}
compare{"matmul_naive", m = $n, n = $n, k = $n}
compare{"matmul_tiled", m = $n, n = $n, k = $n}
compare{"matmul_simdgroup", m = $n, n = $n, k = $n}
]=], size)
demo.sure "_.ok"

demo.say [[
6. From here to a network (7 minutes)
A layer of a network is this product, a bias and a maximum with 0, in one
kernel: nothing goes to memory between the steps.
]]
demo.types([=[
compare{"linear"}
help "libraries"
]=], size)
demo.say [[
When should one use MPS, MLX or PyTorch instead? Read the page together.
7. Questions (5 minutes). The lessons: "matmul", "matmul-simdgroup", "softmax".
]]

-- hour.lua - matrix multiplication, from the definition to simdgroup_matrix.
--
--   mettle present demos/hour.lua
n = quick and 64 or 512

--# The task and its reference (8 min)
--: C = A × B. Each element of C is a row of A times a column of B. Write the
--: formula on the board. How many multiplications for n × n? (n³.) How many
--: numbers are read at least? (2n².) That gap is what this hour is about.
A, B = gpu.buffer(n, n):random(1), gpu.buffer(n, n):random(2)
C = gpu.buffer(n, n)
expected = cpu.matmul(A, B)

--# The definition as a kernel (10 min)
--: A thread for each element of C. Let the room dictate the line in the loop;
--: the usual suggestion exchanges rows and columns, and equals says false.
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
naive{A, B, C, n, grid = {n, n}, group = {32, 8}}
C:equals(expected, 1e-3)
--? _ == true

--# Who reads what (8 min)
--: Each thread reads 2n numbers for 2n operations: one operation for four
--: bytes. In the picture every element of A and B is read by many SIMD-groups:
--: a star. So let a group bring a tile of both into threadgroup memory once,
--: and use it many times. Draw it on the board.
a32, c32 = gpu.buffer(32, 32):random(3), gpu.buffer(32, 32)
draw{naive, a32, a32, c32, 32, grid = {32, 32}, group = {32, 8}}
glossary "tile"

--# Tiles (8 min)
--: Two barriers: one when the tile is there, one before it is overwritten. Ask
--: what happens without the second.
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
tiled{A, B, C, n, groups = {n // 16, n // 16}, group = {16, 16}}
C:equals(expected, 1e-3)
--? _ == true

--# Without the second barrier (4 min)
--: Take it out and let check say it; then go along with step: one SIMD-group
--: still multiplies the old tile while another brings the new one.
SECOND = "threadgroup_barrier[^\n]*// the second"
broken = gpu.kernel((source:gsub(SECOND, "")))
a33, c33 = gpu.buffer(33, 33):random(3), gpu.buffer(33, 33)
race = check{broken, a33, a33, c33, 33, groups = {3, 3}, group = {16, 16}}[1]
print(race)
--? race.kind == "race"

--# The race, line by line (2 min)
--: q leaves.
step(race)

--# With it (1 min)
check{tiled, a33, a33, c33, 33, groups = {3, 3}, group = {16, 16}}
--? _.ok

--# Which tile? (4 min)
--: The library has the same kernels with their sizes. Let the room bet on the
--: tile. If the room waits: Ctrl-C, or t before you go on.
sweep{"matmul_tiled", m = n, n = n, k = n, over = {TILE = {8, 16, 32}}}

--# How far can it go? (6 min)
--: Bets again: how far from the vendor's CPU library is each one? Say which
--: device this is, and that Accelerate and OpenBLAS are the CPU.
compare{"matmul_naive", m = n, n = n, k = n}
compare{"matmul_tiled", m = n, n = n, k = n}
compare{"matmul_simdgroup", m = n, n = n, k = n}
--? _.ok

--# From here to a network (7 min)
--: A layer of a network is this product, a bias and a maximum with 0, in one
--: kernel: nothing goes to memory between the steps.
--: When should one use MPS, MLX or PyTorch instead? Read the page together.
compare{"linear"}
help "libraries"
--? _.ok

--# A last picture
--: Six kernels, sixteen steps of Jacobi's method a frame: stir it with the
--: mouse while you answer questions. The lessons: "matmul",
--: "matmul-simdgroup", "softmax".
play "fluid"
--? _.frames > 0

// section: 6.15 Atomic Functions
// construct: atomic_store_explicit
// repeats: no
// grid: 64
// in: c uint 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//   0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// out: c uint 0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256 289 324 361 400 441 484 529
//   576 625 676 729 784 841 900 961 1024 1089 1156 1225 1296 1369 1444 1521 1600 1681 1764 1849
//   1936 2025 2116 2209 2304 2401 2500 2601 2704 2809 2916 3025 3136 3249 3364 3481 3600 3721
//   3844 3969
#include <metal_stdlib>
using namespace metal;

kernel void test(device atomic_uint *c [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  atomic_store_explicit(&c[i], i * i, memory_order_relaxed);
}

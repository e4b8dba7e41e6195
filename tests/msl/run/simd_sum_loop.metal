// section: 6.9.2 SIMD-Group Functions
// construct: simd_sum where lanes leave a loop at different times
// grid: 64
// group: 32, 64
// in: a uint 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6
//   13 7 1 8 2 9 3 10 4 11 5 12 6 13 7 1 8 2 9 3 10 4 11 5 12 6 13
// out: out uint 32 63 93 122 150 177 203 228 252 275 297 318 338 357 375 392 408 423 437 450 462
//   473 483 492 500 507 513 518 522 525 527 528 32 63 93 122 150 177 203 228 252 275 297 318 338
//   357 375 392 408 423 437 450 462 473 483 492 500 507 513 518 522 525 527 528
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint total = 0;
  for (uint k = 0; k <= lane; k++) total += simd_sum(1u);
  out[i] = total + a[i] * 0;
}

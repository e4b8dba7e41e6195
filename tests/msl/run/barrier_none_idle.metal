// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: mem_none in a loop that only the threads inside of the data run
// grid: 64
// group: 32, 64, 31
// repeats: no
// in: a float 0..199
// out: b float = i < 50 and 4 * i + 3 * 50 * 2 or 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *b [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float sum = 0;
  if (i < 50) {
    for (uint k = 0; k < 4; k++) {
      threadgroup_barrier(mem_flags::mem_none);
      sum += a[k * 50 + i];
    }
    b[i] = sum;
  }
}

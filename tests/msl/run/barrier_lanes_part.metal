// section: 6.9.1 Threadgroup and SIMD-Group Synchronization Functions
// construct: barriers in an if of an if over lanes, with something to do on the other ways
// groups: 1
// group: 64, 128, 1024
// repeats: no
// out: b uint = i < 4 and 100 + 10 * i or i < 8 and 7 * (i - 4) + 3 or i < 12 and 2 * i + 1 or 0
// in: b uint 16*0
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *b [[buffer(0)]], uint lane [[thread_index_in_simdgroup]],
                 uint s [[simdgroup_index_in_threadgroup]], uint n [[simdgroups_per_threadgroup]]) {
  threadgroup uint kept[32][8];
  uint value;
  if (lane < 8) {
    value = lane * 7;
    for (uint k = 0; k < 3; k++) value += k;
    if (lane < 4) {
      uint tens = lane * 10;
      kept[s][lane] = tens;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      value = 100 + kept[n - 1 - s][lane];
    } else {
      value -= 28;
    }
  } else {
    value = 2 * lane + 1;
  }
  if (s == 0 && lane < 12) b[lane] = value;
}

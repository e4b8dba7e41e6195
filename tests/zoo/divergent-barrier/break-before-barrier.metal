// Threads that find what they look for leave the loop before its barrier.
// run: --grid 128 --group 128 --arg text=uchar[512]:97..123 --arg where=int[128]
#include <metal_stdlib>
using namespace metal;

kernel void find_z(device const uchar *text [[buffer(0)]],
                   device int *where [[buffer(1)]],
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup uchar part[128];
  int found = -1;
  for (uint block = 0; block < 4; block++) {
    part[t] = text[block * 128 + t];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    uchar c = part[127 - t];
    bool here = c == 'z';
#ifdef FIXED
    if (here && found < 0) found = int(block);
#else
    if (here) {
      found = int(block);
      break;
    }
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  }
  where[t] = found;
}

// A thread looks how far the others are and decides by that.
// run: --grid 128 --group 32 --arg done=uint[1]:zero --arg late=uint[128]
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void progress(device atomic_uint *done [[buffer(0)]],
                     device uint *late [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  uint before = atomic_load_explicit(done, memory_order_relaxed);
  atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
#ifdef FIXED
  late[i] = i > 64 || before > 4096;
#else
  late[i] = before > 64;
#endif
}

// A group smaller than a SIMD-group has no whole one.
// run: --grid 20 --group 20 --arg o=uint[20]
#include <metal_stdlib>
using namespace metal;

kernel void k(device uint *o, uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]]) {
#ifdef FIXED
  uint groups = max(n / 32, 1u);
#else
  uint groups = n / 32;
#endif
  o[i] = i % groups; // !division-by-zero
}

// Each thread reads its neighbour's x and writes its own: another component
// would be in nobody's way.
// run: --grid 64 --group 64 --arg o=uint[64] --arg k=1
#include <metal_stdlib>
using namespace metal;

kernel void shift(device uint *o, constant uint &k, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint4 s[64];
  s[t] = uint4(t);
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  s[t].y = s[(t + 1) & 63].x;
  s[t].zw = s[(t + 2) & 63].xx;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  s[t][k ^ 1] = s[(t + 1) & 63][k];
#else
  s[t].x = s[(t + 1) & 63].x; // !race
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[t] = s[t].x + s[t].y + s[t].z;
}

#include <metal_stdlib>
using namespace metal;

kernel void heat(device const float *before [[buffer(0)]],
                 device float       *after  [[buffer(1)]],
                 constant uint      &steps  [[buffer(2)]],
                 uint i      [[thread_position_in_grid]],
                 uint t      [[thread_position_in_threadgroup]],
                 uint length [[threads_per_threadgroup]]) {
  threadgroup float rod[258];
  rod[t + 1] = before[i];
  if (t == 0) rod[0] = 0;
  if (t == length - 1) rod[length + 1] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bool inner = t > 0 && t < length - 1;
  for (uint s = steps; s > 0; s--) {
    float3 near = float3(rod[t], rod[t + 1], rod[t + 2]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    rod[t + 1] = select(near.y, (near.x + near.y + near.z) / 3, inner);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  after[i] = rod[t + 1];
}

// A sum by a threadgroup: the index of part[t] after the loop is the one before
// it, so that it is contiguous, though LLVM computed it on both ways.
// ALL-NOT: scatter
// ALL-NOT: gather
// X86-NOT: vpscatter
// X86-NOT: vpgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]],
              uint t [[thread_position_in_threadgroup]],
              uint size [[threads_per_threadgroup]],
              uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint part[256];
  uint sum = 0;
  for (uint j = t; j < 1024; j += 256) sum += in[1024 * group + j];
  part[t] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint d = 128; d > 0; d /= 2) {
    if (t < d && t + d < size) part[t] += part[t + d];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (uint j = t; j < 1024; j += 256) out[1024 * group + j] = part[0] + in[j];
}

// An index that was loaded: a gather where the CPU has one, else lane by lane.
// ALL: load, gather: its index is loaded
// AVX512: vpgather
// SSE42-NOT: vpgather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[in[i] & 4095u];
}

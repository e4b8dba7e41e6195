// A counter of each lane's own, in device memory, and no answer: the addresses
// come from registers, since a load after a locked instruction waits for it.
// ALL: operation, atomic
// AVX512: vpextrq
// AVX512: lock
// AVX512: vpextrq
// AVX512-NOT: zmm
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  if (i < 4000u)
    atomic_fetch_add_explicit((device atomic_uint *)out + (in[i] & 1023u),
                              in[i] & 7u, memory_order_relaxed);
}

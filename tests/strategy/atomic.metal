// Lanes that add to one counter are added up first.
// ALL: operation, atomic
// X86: lock
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit((device atomic_uint *)out, in[i] & 7u,
                            memory_order_relaxed);
}

#include <metal_stdlib>
using namespace metal;

kernel void count_bytes(device const uchar *data [[buffer(0)]],
                        device atomic_uint *counts [[buffer(1)]],
                        constant uint &n [[buffer(2)]],
                        uint t [[thread_position_in_threadgroup]],
                        uint g [[threadgroup_position_in_grid]]) {
  for (uint i = g * 1024 + t; i < min(n, g * 1024 + 1024); i += 256) {
    device atomic_uint *c = &counts[data[i]];
    uint old = atomic_load_explicit(c, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(c, &old, old + 1,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed)) {}
  }
}

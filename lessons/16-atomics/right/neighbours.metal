#include <metal_stdlib>
using namespace metal;

kernel void count_bytes(device const uchar *data [[buffer(0)]],
                        device atomic_uint *counts [[buffer(1)]],
                        constant uint &n [[buffer(2)]],
                        uint t [[thread_position_in_threadgroup]],
                        uint g [[threadgroup_position_in_grid]]) {
  // four neighbours for each thread
  uint first = g * 1024 + 4 * t;
  for (uint i = first; i < first + 4 && i < n; i++)
    atomic_fetch_add_explicit(counts + data[i], 1u, memory_order_relaxed);
}

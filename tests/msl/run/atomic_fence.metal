// section: 6.15 Atomic Functions
// construct: atomic_thread_fence
// grid: 32
// group: 32
// out: out uint 32*1
#include <metal_stdlib>
using namespace metal;

kernel void test(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  out[i] += 1;
}

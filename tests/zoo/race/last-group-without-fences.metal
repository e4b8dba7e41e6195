// The last group to come sums what the others left; but that it came last by the
// counter does not mean that it sees what they wrote.
// run: --groups 4 --group 32 --arg x=int[128]:one --arg parts=int[4] --arg came=uint[1]:zero --arg total=int[1]
#include <metal_stdlib>
using namespace metal;

static void fence() {
#ifdef FIXED
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst,
                      thread_scope_device);
#endif
}

kernel void sum(device const int *x [[buffer(0)]],
                device int *parts [[buffer(1)]],
                device atomic_uint *came [[buffer(2)]],
                device int *total [[buffer(3)]],
                uint i [[thread_position_in_grid]],
                uint t [[thread_position_in_threadgroup]],
                uint g [[threadgroup_position_in_grid]],
                uint groups [[threadgroups_per_grid]]) {
  int s = simd_sum(x[i]);
  if (t != 0) return;
  parts[g] = s; // !race
  fence();
  uint before = atomic_fetch_add_explicit(came, 1, memory_order_relaxed);
  if (before + 1 < groups) return;
  fence();
  int all = 0;
  for (uint k = 0; k < groups; k++) all += parts[k]; // !race
  *total = all;
}

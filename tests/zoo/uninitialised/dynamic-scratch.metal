// Scratch memory of a parameter is not zero at the start either.
// run: --grid 64 --group 32 --arg x=int[64] --arg out=int[2] --arg total=threadgroup[16]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const int *x [[buffer(0)]],
                device int *out [[buffer(1)]],
                threadgroup atomic_int *total [[threadgroup(0)]],
                uint i [[thread_position_in_grid]],
                uint t [[thread_position_in_threadgroup]],
                uint g [[threadgroup_position_in_grid]]) {
#ifdef FIXED
  if (t == 0) atomic_store_explicit(total, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  atomic_fetch_add_explicit(total, x[i], memory_order_relaxed); // !uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) out[g] = atomic_load_explicit(total, memory_order_relaxed); // !uninitialised
}

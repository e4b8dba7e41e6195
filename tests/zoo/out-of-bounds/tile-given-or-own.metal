// A tile that was given, or one of the kernel's own, in a struct.
// run: --grid 64 --group 32 --arg n=1 --arg given=float[32] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

struct View {
  threadgroup float *at;
  uint count;
};

kernel void pick(constant uint &n [[buffer(0)]],
                 threadgroup float *given [[threadgroup(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup float own[32];
  own[t] = t;
  given[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  View v = n > 2 ? View{given, 32} : View{own, 32};
#ifdef FIXED
  out[i] = v.at[v.count - 1 - t];
#else
  out[i] = v.at[v.count - t]; // !out-of-bounds
#endif
}

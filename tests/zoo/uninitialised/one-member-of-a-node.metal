// A list in threadgroup memory: the values are there, the links are not.
// run: --grid 32 --group 32 --arg out=float[32]
#include <metal_stdlib>
using namespace metal;

struct Node {
  float value;
  uint next;
};

kernel void follow(device float *out [[buffer(0)]],
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup Node node[32];
  node[t].value = float(t);
#ifdef FIXED
  node[t].next = (t + 1) % 32;
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint next = node[t].next % 32; // !uninitialised
  out[t] = node[next].value;
}

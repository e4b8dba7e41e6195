// Members of a struct that all threads count in.
// run: --grid 256 --group 64 --arg s=uint[2]:zero --arg x=int[256]
#include <metal_stdlib>
using namespace metal;

struct State { uint count; uint odd; };
struct AState { atomic_uint count; atomic_uint odd; };
kernel void k(device State *s, device const int *x, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  device AState *a = (device AState *)s;
  atomic_fetch_add_explicit(&a->count, 1, memory_order_relaxed);
  if (x[i] & 1) atomic_fetch_add_explicit(&a->odd, 1, memory_order_relaxed);
#else
  s->count++; // !race
  if (x[i] & 1) s->odd++; // !race
#endif
}

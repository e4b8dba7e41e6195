// Breadth-first search: two threads find the same node unvisited and both take it.
// run: --grid 64 --group 64 --arg edges=uint[128]:0..40 --arg visited=uint[40]:zero --arg taken=uint[1]:zero
#include <metal_stdlib>
using namespace metal;

kernel void expand(device const uint *edges [[buffer(0)]],
#ifdef FIXED
                   device atomic_uint *visited [[buffer(1)]],
#else
                   device uint *visited [[buffer(1)]],
#endif
                   device atomic_uint *taken [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 2; k++) {
    uint node = edges[2 * i + k];
#ifdef FIXED
    if (atomic_exchange_explicit(&visited[node], 1u, memory_order_relaxed) == 0)
      atomic_fetch_add_explicit(taken, 1u, memory_order_relaxed);
#else
    if (visited[node] == 0) { // !race
      visited[node] = 1; // !race
      atomic_fetch_add_explicit(taken, 1u, memory_order_relaxed);
    }
#endif
  }
}

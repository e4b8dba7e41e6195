// i is unsigned: 0 - 1 is 4294967295, and the test "i - 1 >= 0" is always true.
// run: --grid 64 --group 64 --arg x=int[64]:iota --arg d=int[64]
#include <metal_stdlib>
using namespace metal;

kernel void backward_difference(device const int *x [[buffer(0)]],
                                device int *d [[buffer(1)]],
                                uint i [[thread_position_in_grid]]) {
  int before = 0;
#ifdef FIXED
  if (i >= 1)
#else
  if (i - 1 >= 0)
#endif
    before = x[i - 1]; // !out-of-bounds
  d[i] = x[i] - before;
}

#include <metal_stdlib>
kernel void k(device ulong *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  unsigned __int128 p = x[i];
  x[i] = p * p;
}
// expect: 3: mulhi

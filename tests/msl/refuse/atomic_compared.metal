#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int *a [[buffer(1)]], device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (*a == 3) x[i] = 1;
}
// expect: 4: atomic_load_explicit

#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_int a; a = 1; x[i] = 0;
}
// expect: 4: atomic_store_explicit

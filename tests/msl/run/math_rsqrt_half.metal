// section: 6.5 Math Functions
// construct: rsqrt of half
// grid: 8
// in: a half 1 2 4 16 100 0.25 1000 0.5
// out: out half within 0.001: 1 0.70703125 0.5 0.25 0.0999755859375 2 0.0316162109375 1.4140625
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = rsqrt(a[i]);
}

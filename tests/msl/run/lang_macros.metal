// section: 1.5 Metal and C++17
// construct: object-like and function-like macros, ##
// grid: 1
// in: a int 3
// out: out int 10
#include <metal_stdlib>
using namespace metal;

#define TWICE(x) ((x) + (x))
#define JOIN(a, b) a##b
constant int four = 4;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = TWICE(a[i]) + JOIN(fo, ur);
}

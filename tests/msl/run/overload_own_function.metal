// section: 1.5.1 Overloading
// construct: a function of the program with a name of ours, of another type
// grid: 2
// in: a float 1 2
// out: out float 8 9
#include <metal_stdlib>
using namespace metal;

struct Own { float x; };
float sign(Own o) { return 7 * 1.0f + o.x * 0; }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sign(Own{a[i]}) + max(a[i], 0.5f);
}

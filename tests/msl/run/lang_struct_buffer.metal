// section: 2.13 Argument Buffers
// construct: a struct in a constant buffer
// grid: 2
// in: a float 1 2
// out: out float 12 14
#include <metal_stdlib>
using namespace metal;

struct Line { float slope; float start; };
constant Line line = {2.0f, 10.0f};
kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = line.slope * a[i] + line.start;
}

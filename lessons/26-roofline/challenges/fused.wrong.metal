// wrong: the bracket is lost
#include <metal_stdlib>
using namespace metal;

kernel void affine(device const float *x       [[buffer(0)]],
                   device float       *between [[buffer(1)]],
                   device float       *y       [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  y[i] = 3 * 2 * x[i] + 1;
}

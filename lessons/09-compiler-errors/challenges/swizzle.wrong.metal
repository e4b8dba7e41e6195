#include <metal_stdlib>
using namespace metal;

kernel void reorder(device const uchar4 *x [[buffer(0)]],
                    device uchar4       *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  y[i] = x[i].wzyx; // alpha comes last
}

#include <metal_stdlib>
using namespace metal;

// Each element of y becomes v. Nothing is read: how fast can memory be written?
kernel void fill(device float   *y [[buffer(0)]],
                 constant float &v [[buffer(1)]],
                 constant uint  &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = v;
}

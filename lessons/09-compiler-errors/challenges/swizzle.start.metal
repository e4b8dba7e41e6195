#include <metal_stdlib>
using namespace metal;

kernel void reorder(const uchar *x [[buffer(0)]],
                    device uchar *y      [[buffer(1)]],
                    uint i) {
  y[4 * i] = x[4 * i + 2];
  y[4 * i + 1] = x[4 * i + 1]
  y[4 * i + 2] = x[4 * i];
  y[4 * i + 3] = x[4 * i + 3];
}

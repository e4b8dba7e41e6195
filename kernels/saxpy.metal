#include <metal_stdlib>
using namespace metal;

// z = k · x + y: the "single-precision a times x plus y" of every BLAS. The
// compiler makes one fused multiply-add of it.
kernel void saxpy(constant float     &k [[buffer(0)]],
                  device const float *x [[buffer(1)]],
                  device const float *y [[buffer(2)]],
                  device float       *z [[buffer(3)]],
                  constant uint      &n [[buffer(4)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  z[i] = k * x[i] + y[i];
}

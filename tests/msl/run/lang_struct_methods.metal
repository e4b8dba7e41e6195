// section: 2.13 Argument Buffers
// construct: a struct with methods and operators
// grid: 2
// in: a float 1 2
// out: out float 5 20
#include <metal_stdlib>
using namespace metal;

struct Complex {
  float re, im;
  Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  float norm() const { return re * re + im * im; }
};
kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  Complex z = {a[i], 0}, w = {1, 2};
  out[i] = (z * w).norm();
}

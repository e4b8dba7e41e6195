// A mix divided by something that the loop does not change is two products, the
// factors of which are computed before the loop: no difference of the two
// values, no division, and no third product.
// X86-NOT: subps
// X86-NOT: divps
// NEON-NOT: fsub	v
// NEON-NOT: fdiv	v
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  float p = float(n & 7u) * 0.125f, d = 1.5f + p;
  float x = float(in[i] & 255u);
  for (uint k = 1; k < (n & 15u); k++) {
    float y = float(in[i + k] & 255u);
    x = ((1.0f - p) * x + p * y) / d;
  }
  out[i] = as_type<uint>(x);
}

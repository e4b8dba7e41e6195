// Floats become integers with saturation, and NaN becomes zero: x86's own
// conversions do most of that.
// AVX512: vcvttps2dq
// AVX512: vcvttps2udq
// AVX512-NOT: vminps
// AVX2: vcvttps2dq
// SSE42: cvttps2dq
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint i [[thread_position_in_grid]]) {
  float x = as_type<float>(in[i] * 2654435761u), y = x * 3.0f;
  float near = float(in[i]) * 1024.0f - 4294967296.0f; // both signs of 2^31
  out[i] = uint(int(x)) + (i % 3 ? uint(near) : uint(int(near))) * 7 +
           (uint(x) ^ uint(y)) * 3 + (i % 2 ? uint(int(in[i] & 1 ? NAN : y))
                                            : uint(in[i] & 1 ? NAN : near));
}

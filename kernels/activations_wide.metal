#include <metal_stdlib>
using namespace metal;

// The activation functions of neural networks, with four elements per thread,
// as add_wide: 0 sigmoid, 1 tanh, 2 gelu, 3 silu.
template <typename T> static T activation(T v, uint which) {
  switch (which) {
    case 0: return 1 / (1 + exp(-v));
    case 1: return tanh(v);
    case 2: {  // the usual approximation; clamped, as exp would overflow
      T u = 0.7978845608f * (v + 0.044715f * v * v * v);
      return 0.5f * v * (1 + tanh(clamp(u, -10.0f, 10.0f)));
    }
    case 3: return v / (1 + exp(-v));
  }
  return v;
}

kernel void activations_wide(device const float *x     [[buffer(0)]],
                             device float       *y     [[buffer(1)]],
                             constant uint      &which [[buffer(2)]],
                             constant uint      &n     [[buffer(3)]],
                             uint i [[thread_position_in_grid]]) {
  uint first = 4 * i;
  if (first + 4 <= n) {
    float4 v = *(device const float4 *)(x + first);
    *(device float4 *)(y + first) = activation(v, which);
  } else {
    for (uint j = first; j < n; j++) y[j] = activation(x[j], which);
  }
}

#include <metal_stdlib>
using namespace metal;

// The activation functions of neural networks; 'which' chooses: 0 sigmoid,
// 1 tanh, 2 gelu, 3 silu (also called swish). The switch costs nothing: all
// threads go the same way.
kernel void activations(device const float *x     [[buffer(0)]],
                        device float       *y     [[buffer(1)]],
                        constant uint      &which [[buffer(2)]],
                        constant uint      &n     [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float v = x[i];
  switch (which) {
    case 0: v = 1 / (1 + exp(-v)); break;
    case 1: v = tanh(v); break;
    case 2: {  // the usual approximation; clamped, as exp would overflow
      float u = 0.7978845608f * (v + 0.044715f * v * v * v);
      v = 0.5f * v * (1 + tanh(clamp(u, -10.0f, 10.0f)));
      break;
    }
    case 3: v = v / (1 + exp(-v)); break;
  }
  y[i] = v;
}

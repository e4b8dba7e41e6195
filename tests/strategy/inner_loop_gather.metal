// A sum along each lane's own row of what loaded indices name, as of a sparse
// matrix: scalar code, a few sums side by side, without gathers.
// ALL: 3 loads, lane by lane in an inner loop
// ALL: loop, one lane after the other along its row
// AVX512: vfmadd231ss
// AVX512: vfmadd231ss
// AVX512: vfmadd231ss
// AVX512: vfmadd231ss
// AVX512: vfmadd231ss
// AVX2: vfmadd231ss
// AVX2: vfmadd231ss
// AVX2: vfmadd231ss
// AVX2: vfmadd231ss
// AVX2: vfmadd231ss
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  device const float *x = (device const float *)in;
  float s = 0;
  for (uint j = 0; j < n; j++)
    s += x[20000u + i * n + j] * x[in[i * n + j] & 4095u];
  out[i] = uint(s);
}

// A guard of which scalars can tell only that no lane passes: a conjunction
// with something that only the lanes know.
// ALL: branch, divergent, one side tested on scalars first
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  bool odd = in[i] & 1u;
  if ((i < n * 9u) & odd) out[i] = in[i + 1u];
}

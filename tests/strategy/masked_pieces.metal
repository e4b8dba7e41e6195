// Two rows of sixteen under a mask: a masked access for each where the CPU has
// one, else the lanes one by one.
// GROUP: 16 16
// AVX512: 2 loads, contiguous in pieces
// AVX512: store, contiguous in pieces
// AVX512-NOT: scatter
// AVX2: store, contiguous in pieces; under a mask scatter
// AVX2: this CPU has no masked access for it
// SSE42: store, contiguous in pieces; under a mask scatter
// SSE42: this CPU has no masked access for it
// NEON: store, contiguous in pieces; under a mask scatter
// NEON: this CPU has no masked access for it
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_threadgroup]],
              uint2 group [[threadgroup_position_in_grid]]) {
  uint i = at.y * 48u + at.x + group.x * 1024u + group.y * 4096u;
  if (in[i] & 4u) out[i] = in[i + 1u];
}

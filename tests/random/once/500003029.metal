#include <metal_stdlib>
using namespace metal;
struct Uni { uint4 v; uint n; float f; ushort s[4]; packed_uint3 p; uchar c; };
kernel void k0(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
    device atomic_uint *acc [[buffer(2)]], device atomic_uint *own [[buffer(3)]],
    device uint *ext [[buffer(4)]], constant uint *par [[buffer(5)]],
    device const float *small [[buffer(6)]], device atomic_float *facc [[buffer(7)]],
    constant Uni &uni [[buffer(8)]], device uint *more [[buffer(9)]],
    uint3 gid [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
    uint3 group [[threadgroup_position_in_grid]], uint3 per [[threads_per_threadgroup]],
    uint3 lp [[thread_position_in_threadgroup]], uint t [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, n = per.x * per.y * per.z;
  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,
       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;
  uint4 v = uint4(a, b, lane, 7u);
  uint w0 = in[i] & 7u;
  while (true) {
    if (w0++ > 8u) break;
    ((device packed_uint3 *)(more + i * 8u))[in[((lane < 9u) ? n : a) & 1023u] & 1u] = max(v, v).xxyz.yzx;
    ((device uint4 *)ext)[i] = uint4(uchar4(uni.v));
  }
}
#include <metal_stdlib>
using namespace metal;
#pragma clang fp contract(off)
static uint change(thread uint *q, uint by) { *q += by; return *q ^ 3u; }
static uint total(threadgroup uint *q, uint n, uint most) {
  uint s = 0; for (uint k = 0; k < n && k < most; k++) s += q[k]; return s; }
static uint h0_0(uint a, uint b, uint i, uint t, uint lane, uint n, uint tg, uint sg,
    device const uint *in, device atomic_uint *acc, device atomic_float *facc,
    constant uint *par, device const float *small, thread uint *priv) {
  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;
  { uint old = atomic_load_explicit(&acc[56u + (c & 7u)], memory_order_relaxed); uint add = in[in[i] & 1023u];
  device atomic_uint *at = &acc[56u + (lane & 7u)]; old = atomic_load_explicit(at, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(at, &old, old + add, memory_order_relaxed, memory_order_relaxed)) ; }
  if (((sg + 0u) & 5u) != 0u) {
    for (uint k100 = 1; k100 < 2u; k100++) {
    }
    if (lane == 18u) {
    }
  }
  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;
  return all;
}
static uint h0_1(uint a, uint b, uint i, uint t, uint lane, uint n, uint tg, uint sg,
    device const uint *in, device atomic_uint *acc, device atomic_float *facc,
    constant uint *par, device const float *small, thread uint *priv) {
  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;
  for (uint k100 = 2; k100 < 3u; k100++) {
  }
  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;
  return all;
}
kernel void k0(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
    device atomic_uint *acc [[buffer(2)]], device atomic_uint *own [[buffer(3)]],
    device uint *ext [[buffer(4)]], constant uint *par [[buffer(5)]],
    device const float *small [[buffer(6)]], device atomic_float *facc [[buffer(7)]],
    uint3 gid [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
    uint3 group [[threadgroup_position_in_grid]], uint3 per [[threads_per_threadgroup]],
    uint3 lp [[thread_position_in_threadgroup]], uint t [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, n = per.x * per.y * per.z;
  uint tg = (group.z * 3u + group.y) * 5u + group.x;
  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,
       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;
  uint priv[8];
  uint w0 = (d % (tg | 1u)) & 7u;
  do {
    if (w0++ > 8u) break;
    for (uint k1 = 1; k1 < 6u; k1++) {
      change(priv, i);
      ext[i * 4u + (f & 3u)] = c;
      ((device uchar *)(ext + 15000))[i] = uchar(min(addsat(190276544u, c), select(17u, a, (lane < 9u))));
    }
  } while (((lane < 29u) && ((lane < 9u) || (lane < 9u))));
  d = h0_0((~b), uint(uchar((d - e) + 32u)), i, t, lane, n, tg, sg, in, acc, facc, par, small, priv);
}
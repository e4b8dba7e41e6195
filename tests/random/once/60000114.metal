#include <metal_stdlib>
using namespace metal;
#pragma clang fp contract(off)
constant uint fc0 [[function_constant(0)]];
constant bool fc1 [[function_constant(1)]];
constant uint table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 897, 93, 238, 4626, 43383, 279};
struct P { uint a; float x; ushort s; uchar c[2]; uint u; uint2 v; };
struct Q { P p; uint list[3]; short2 sv; half hh; };
struct Uni { uint4 v; uint n; float f; ushort s[4]; packed_uint3 p; uchar c; };
static uint bits(float x) { float z = x + 0.0f; return isnan(z) ? 1u : as_type<uint>(z); }
static half only(half x) { half z = x + 0.0h; return isnan(z) ? 1.0h : z; }
static uint to_uint(float x) { return x >= 0.0f && x < 4e9f ? uint(x) : 17u; }
static uint change(thread uint *q, uint by) { *q += by; return *q ^ 3u; }
static uint total(threadgroup uint *q, uint n, uint most) {
  uint s = 0; for (uint k = 0; k < n && k < most; k++) s += q[k]; return s; }
static P mix_up(P p, uint by) { p.a ^= by; p.v = p.v.yx + by; if (by & 1u) p.s++; return p; }
static void bump(thread uint &r, uint by) { if (by & 2u) r += by; else r ^= by << 1; }
static void twist(thread Q &q, uint k) { q.list[k % 3u] += k; if (k & 4u) { q.sv = q.sv.yx; return; } q.p.v.y ^= k; }
static uint total_of(thread const Q &q, uint k) { uint s = q.p.s; for (uint z = 0; z < k; z++) s += q.list[z % 3u]; return s; }
static void swap_two(thread uint4 &v, uint i, uint j) { uint z = v[i]; v[i] = v[j]; v[j] = z; }
static uint sum_of(thread const uint *q, uint n) { uint s = 0; for (uint z = 0; z < n; z++) s = s * 3u + q[z]; return s; }
static uint pick_from(device const uint *q, uint at, uint k) { if (k & 1u) return q[at]; return k & 2u ? q[at + 1u] : k; }
static uint chase(device const uint *q, uint at, uint n) { for (uint z = 0; z < n; z++) at = q[at] & 1023u; return at; }
static uint active() { return uint(ulong(simd_active_threads_mask())); }
template <typename T> static T heard(T x, T other, uint on, uint from) { return on >> (from & 31u) & 1u ? x : other; }
#define BY(NAME, FROM, ...) template <typename T> static T NAME { uint on = active(); return heard(T(__VA_ARGS__), x, on, FROM); }
#define WITH(s) (T x, uint s, uint lane)
BY(shuffle_(T x, uint s), s, simd_shuffle(x, ushort(s)))
BY(broadcast_(T x, uint s), s, simd_broadcast(x, ushort(s)))
BY(xor_ WITH(m), lane ^ m, simd_shuffle_xor(x, ushort(m)))
BY(up_ WITH(d), lane < d ? lane : lane - d, simd_shuffle_up(x, ushort(d)))
BY(down_ WITH(d), lane + d > 31u ? lane : lane + d, simd_shuffle_down(x, ushort(d)))
BY(rotate_up_ WITH(d), lane - d, simd_shuffle_rotate_up(x, ushort(d)))
BY(rotate_down_ WITH(d), lane + d, simd_shuffle_rotate_down(x, ushort(d)))
BY(fill_up_(T x, T y, uint d, uint lane), lane - d, simd_shuffle_and_fill_up(x, y, ushort(d)))
BY(fill_down_(T x, T y, uint d, uint lane), lane + d, simd_shuffle_and_fill_down(x, y, ushort(d)))
BY(quad_shuffle_ WITH(s), (lane & 28u) + s, quad_shuffle(x, ushort(s)))
BY(quad_broadcast_ WITH(s), (lane & 28u) + s, quad_broadcast(x, ushort(s)))
BY(quad_xor_ WITH(m), lane ^ m, quad_shuffle_xor(x, ushort(m)))
BY(quad_up_ WITH(d), (lane & 3u) < d ? lane : lane - d, quad_shuffle_up(x, ushort(d)))
BY(quad_down_ WITH(d), (lane & 3u) + d > 3u ? lane : lane + d, quad_shuffle_down(x, ushort(d)))
static uint h0_0(uint a, uint b, uint i, uint t, uint lane, uint n, uint tg, uint sg,
    device const uint *in, device atomic_uint *acc, device atomic_float *facc,
    constant uint *par, device const float *small, constant Uni &uni, thread uint *priv) {
  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;
  d += sg + i;
  short sh = short(a); char ch = char(b); uchar us = uchar(a >> 8);
  if (bool((uint((lane < 9u)) ^ ((device const uint2 *)in)[i].y) & 1u)) return e + 5u;
  switch ((4013451628u + 0u) % 6u) {
  case 0: {
    if (in[i] > 2363646804u) e++;
  }
  }
  uint all = e;
  return all;
}
kernel void k0(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
    device atomic_uint *acc [[buffer(2)]], device atomic_uint *own [[buffer(3)]],
    device uint *ext [[buffer(4)]], constant uint *par [[buffer(5)]],
    device const float *small [[buffer(6)]], device atomic_float *facc [[buffer(7)]],
    constant Uni &uni [[buffer(8)]], device uint *more [[buffer(9)]],
    threadgroup uint *tgp [[threadgroup(0)]],
    uint3 gid [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
    uint3 group [[threadgroup_position_in_grid]], uint3 per [[threads_per_threadgroup]],
    uint3 lp [[thread_position_in_threadgroup]], uint t [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, n = per.x * per.y * per.z;
  uint tg = (group.z * 3u + group.y) * 5u + group.x;
  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,
       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;
  uint priv[8];
  for (uint z = 0; z < 8u; z++) priv[z] = a * z + i;
  short sh = short(a); char ch = char(b); uchar us = uchar(a >> 8);
  switch (int(lane) - 2) {
  case 0: {
    if (true) {
      a = h0_0(par[3], in[i], i, t, lane, n, tg, sg, in, acc, facc, par, small, uni, priv);
    }
  }
  case 1: {
  } break;
  default: a ^= 5u;
  }
  uint all = a;
  out[i] = all;
}

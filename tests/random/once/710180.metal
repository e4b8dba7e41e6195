// with fast math
#include <metal_stdlib>
using namespace metal;
#pragma clang fp contract(off)
constant uint fc0 [[function_constant(0)]];
constant bool fc1 [[function_constant(1)]];
constant uint table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 897, 93, 238, 4626, 43383, 279};
constexpr sampler by_pixel(coord::pixel, filter::nearest, address::clamp_to_edge);
constexpr sampler around(coord::normalized, filter::nearest, address::repeat);
constexpr sampler to_nought(coord::normalized, filter::nearest, address::clamp_to_zero);
constexpr sampler mirrored(coord::normalized, filter::nearest, address::mirrored_repeat);
struct S { uint a; ushort s; uchar c; };
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
struct Two { uint a, b; };
static uint word(uint v) { return v; }
static uint word(int v) { return uint(v); }
static uint word(uchar v) { return v; }
static uint word(char v) { return uint(v); }
static uint word(ushort v) { return v; }
static uint word(short v) { return uint(v); }
static uint word(ulong v) { return uint(v) ^ uint(v >> 32) * 5u; }
static uint word(float v) { return bits(v); }
static uint word(half v) { return uint(as_type<ushort>(only(v))); }
static uint word(uint2 v) { return v.x ^ v.y * 5u; }
static uint word(uint4 v) { return v.x ^ v.y * 5u ^ v.z * 7u ^ v.w * 9u; }
static uint word(packed_uint3 v) { return v[0] ^ v[1] * 5u ^ v[2] * 7u; }
static uint word(packed_float3 v) { return bits(v[0]) ^ bits(v[1]) * 5u ^ bits(v[2]) * 7u; }
static uint word(packed_short3 v) { return uint(v[0]) ^ uint(v[1]) * 5u ^ uint(v[2]) * 7u; }
static uint word(float4 v) { return bits(v.x) ^ bits(v.y) * 5u ^ bits(v.z) * 7u ^ bits(v.w) * 9u; }
static uint word(ushort4 v) { return uint(v.x) ^ uint(v.y) * 5u ^ uint(v.z) * 7u ^ uint(v.w) * 9u; }
static uint word(uchar4 v) { return uint(v.x) ^ uint(v.y) * 5u ^ uint(v.z) * 7u ^ uint(v.w) * 9u; }
static uint word(S v) { return v.a ^ v.s * 5u ^ v.c * 7u; }
static uint word(Two v) { return v.a ^ v.b * 5u; }
struct Rng { uint s; uint next() { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; } void skip(uint k) { while (k--) next(); } };
template <typename T> static uint along_row(device const T *q, uint n) { uint s = 0; for (uint k = 0; k < n; k++) { T v = q[k]; if (v == T(0)) return s; s = s * 3u + uint(v); } return s; }
template <uint N> static uint steps(device const uint *q, uint by) { uint s = by; for (uint k = 0; k < N; k++) s += q[k] >> (s & 7u); return s; }
template <typename T> static T largest(T a, T b) { return word(a) < word(b) ? b : a; }
struct Job { device const uint *x; device uint *own; device uint *lists[2]; uint n; float by; };
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
#define IN(m, d) ((lane & ~(m - 1u)) | ((d) & (m - 1u)))
BY(fill_up_in_(T x, T y, uint d, uint m, uint lane), IN(m, lane - d), simd_shuffle_and_fill_up(x, y, ushort(d), ushort(m)))
BY(fill_down_in_(T x, T y, uint d, uint m, uint lane), IN(m, lane + d), simd_shuffle_and_fill_down(x, y, ushort(d), ushort(m)))
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
  ulong l = ulong(a) << 20 ^ b;
  if ((((lane < 9u) && (lane < 9u)) ? (long(l) < long(int(d))) : (2u == i))) {
    e -= median3((1871625411u + a), (b % (in[i] & 1u)), uint(int(a) % (int(in[i] & 1u) - 1)));
    b ^= (b * (i > 0u ? in[i - 1u] : 7u));
  }
  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;
  all = all * 31u + uint(l) + uint(l >> 32) * 3u;
  return all;
}
static uint h0_1(uint a, uint b, uint i, uint t, uint lane, uint n, uint tg, uint sg,
    device const uint *in, device atomic_uint *acc, device atomic_float *facc,
    constant uint *par, device const float *small, constant Uni &uni, thread uint *priv) {
  uint c = a ^ b, d = in[(a + t) & 1023u], e = lane * 3u, f = n + tg;
  d += sg + i;
  ulong l = ulong(a) << 20 ^ b;
  uint big[24]; uchar bytes[16]; uint4 quads[4]; float4 fours[2]; uint table2[4][4]; short shorts[8];
  ulong longs[4]; half halves[8]; bool flags[8]; packed_uint3 packs[2];
  for (uint z = 0; z < 16u; z++) table2[z >> 2][z & 3u] = a + z;
  for (uint z = 0; z < 8u; z++) { shorts[z] = short(b * z); halves[z] = half(z); flags[z] = (a >> z) & 1u; }
  for (uint z = 0; z < 4u; z++) longs[z] = ulong(a) * b + z;
  for (uint z = 0; z < 2u; z++) packs[z] = uint3(a, b, z);
  for (uint z = 0; z < 24u; z++) big[z] = b + z;
  for (uint z = 0; z < 16u; z++) bytes[z] = uchar(a * z);
  for (uint z = 0; z < 4u; z++) quads[z] = uint4(a, z, b, lane);
  for (uint z = 0; z < 2u; z++) fours[z] = float4(float(a & 15u), 1.0f, float(z), 2.0f);
  f = uint((uni.n > (3329243757u + 18u)) || (b ^= 776686642u) < 881535113u) + uint(int(a) / int((big[f % 24u] & 65535u) | 1u));
  if (flags[uni.v[c & 3u] & 7u]) return c + 5u;
  a = h0_0(uint(int(((device const short *)in)[(t * 8u + 3u)])), f, i, t, lane, n, tg, sg, in, acc, facc, par, small, uni, big);
  e = h0_0((uint(((device const ushort *)in)[i]) % (in[(i + 11u)] & 1u)), f, i, t, lane, n, tg, sg, in, acc, facc, par, small, uni, priv);
  e = popcount(25u);
  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;
  all = all * 31u + uint(l) + uint(l >> 32) * 3u;
  for (uint z = 0; z < 16u; z++) all = all * 31u + table2[z & 3u][z >> 2] + uint(shorts[z & 7u]) + uint(flags[z & 7u]) + uint(longs[z & 3u] >> 13) + uint(as_type<ushort>(only(halves[z & 7u]))) + packs[z & 1u][1];
  for (uint z = 0; z < 24u; z++) all = all * 31u + big[z] + bytes[z & 15u] + quads[z & 3u].x + bits(fours[z & 1u].x);
  return all;
}
kernel void k0(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
    device atomic_uint *acc [[buffer(2)]], device atomic_uint *own [[buffer(3)]],
    device uint *ext [[buffer(4)]], constant uint *par [[buffer(5)]],
    device const float *small [[buffer(6)]], device atomic_float *facc [[buffer(7)]],
    constant Uni &uni [[buffer(8)]], device uint *more [[buffer(9)]],
    threadgroup uint *tgp [[threadgroup(0)]],
    uint gid_ [[thread_position_in_grid]], uint grid_ [[threads_per_grid]], uint group_ [[threadgroup_position_in_grid]],
    uint per_ [[threads_per_threadgroup]], uint lp_ [[thread_position_in_threadgroup]], uint t_ [[thread_index_in_threadgroup]],
    uint lane_ [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  const uint3 gid = uint3(gid_, 0u, 0u), grid = uint3(grid_, 1u, 1u), group = uint3(group_, 0u, 0u), per = uint3(per_, 1u, 1u),
              lp = uint3(lp_, 0u, 0u);
  const uint t = t_, lane = lane_;
  uint i = (gid.z * grid.y + gid.y) * grid.x + gid.x, n = per.x * per.y * per.z;
  uint tg = (group.z * 3u + group.y) * 5u + group.x;
  uint a = in[i & 1023u], b = i * 7u, c = lane, d = t ^ 21u,
       e = in[(i * 3u + 1u) & 1023u], f = gid.y + 5u;
  uint priv[8];
  for (uint z = 0; z < 8u; z++) priv[z] = a * z + i;
  ulong l = ulong(a) << 20 ^ b;
  uint big[24]; uchar bytes[16]; uint4 quads[4]; float4 fours[2]; uint table2[4][4]; short shorts[8];
  ulong longs[4]; half halves[8]; bool flags[8]; packed_uint3 packs[2];
  for (uint z = 0; z < 16u; z++) table2[z >> 2][z & 3u] = a + z;
  for (uint z = 0; z < 8u; z++) { shorts[z] = short(b * z); halves[z] = half(z); flags[z] = (a >> z) & 1u; }
  for (uint z = 0; z < 4u; z++) longs[z] = ulong(a) * b + z;
  for (uint z = 0; z < 2u; z++) packs[z] = uint3(a, b, z);
  for (uint z = 0; z < 24u; z++) big[z] = b + z;
  for (uint z = 0; z < 16u; z++) bytes[z] = uchar(a * z);
  for (uint z = 0; z < 4u; z++) quads[z] = uint4(a, z, b, lane);
  for (uint z = 0; z < 2u; z++) fours[z] = float4(float(a & 15u), 1.0f, float(z), 2.0f);
  threadgroup uint tile[1024];
  threadgroup atomic_uint count[4];
  threadgroup uint2 pairs[1024]; threadgroup ushort stile[1024];
  threadgroup S stuff[1024];
  f = h0_0(uint(longs[quads[8u & 3u].z & 3u] >> 9), uint3(packs[((lane < 9u) ? b : c) & 1u]).x, i, t, lane, n, tg, sg, in, acc, facc, par, small, uni, priv);
  switch ((par[tg & 15u] + fc0) % 4u) {
  case 0: {
    if ((t >= 18u)) a++;
    more[i * 8u + (addsat(uint(int(in[i] | 0x80000000u) / (int(b & 3u) - 2)), rotate(b, 3u & 31u)) & 7u)] ^= uint(int(char(e)) / int((((device const packed_uint3 *)in)[i][1] & 65535u) | 1u));
  } break;
  case 1: {
    if (((priv[4] & 4u) == 0u)) {
      ((device uchar *)(ext + 15000))[i] = uchar(rhadd(uint(flags[0u & 7u]), a));
      switch ((uint(long2(long(ulong(long(int(b)))), long((int(b) >> (c & 31u)))).yx.x >> 3) + 0u) % 6u) {
      case 0: {
        uint w0 = uint3(uni.p).y & 7u;
        while (true) {
          if (w0++ > 8u) break;
          { device uint *at = ((subsat(t, 37u) & 1u) == 0u) ? more + i * 8u : ext + i * 4u; at[uint(flags[clz(f) & 7u]) & 3u] = (clz(2u) >> (addsat(2840900861u, 3044920110u) & 31u)); b ^= at[5 & 3]; }
          if ((extract_bits(tg, 1, 9u) < in[i])) break;
          ((device uchar *)(ext + 15000))[i] = uchar(pick_from(in, t, uint(longs[d & 3u] >> 9)));
        }
      }
      case 1: {
      } break;
      case 2: {
      } break;
      case 3: {
      } break;
      default: break;
      }
    }
  } break;
  default: {
  } break;
  }
  uint all = a + b * 3u + c * 5u + d * 7u + e * 11u + f * 13u;
  all = all * 31u + uint(l) + uint(l >> 32) * 3u;
  for (uint z = 0; z < 16u; z++) all = all * 31u + table2[z & 3u][z >> 2] + uint(shorts[z & 7u]) + uint(flags[z & 7u]) + uint(longs[z & 3u] >> 13) + uint(as_type<ushort>(only(halves[z & 7u]))) + packs[z & 1u][1];
  for (uint z = 0; z < 24u; z++) all = all * 31u + big[z] + bytes[z & 15u] + quads[z & 3u].x + bits(fours[z & 1u].x);
  for (uint z = 0; z < 8u; z++) all = all * 31u + priv[z];
  out[i] = all;
}


// section: 2.1 Scalar Data Types
// construct: literals with L, LL, UL and ULL are long and ulong
// grid: 1
// in: a ulong 1152921504606846976
// out: o ulong 61 1152921504606846976 977 18446744073709551615 8192 1152921504606846977 2 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const ulong *a [[buffer(0)]], device ulong *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  ulong x = a[i];
  o[i * 8] = mulhi(x, 977ULL);
  o[i * 8 + 1] = max(x, 977ull);
  o[i * 8 + 2] = clamp(x, 1ULL, 977uLL);
  o[i * 8 + 3] = addsat(x, 0xFFFFFFFFFFFFFFFFULL);
  o[i * 8 + 4] = rotate(x, 17ULL);
  o[i * 8 + 5] = madhi(x, 0b10000LLU, 0ULL) + x;
  o[i * 8 + 6] = is_same_v<decltype(1LL), long> + is_same_v<decltype(1ULL * 2), ulong>;
  o[i * 8 + 7] = popcount(1LL << 40);
}

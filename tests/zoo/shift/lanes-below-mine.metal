// "All lanes up to mine" as a mask: lane 31 shifts by 32.
// run: --grid 32 --group 32 --arg x=float[32] --arg rank=uint[32]
#include <metal_stdlib>
using namespace metal;

kernel void ranks(device const float *x [[buffer(0)]],
                  device uint *rank [[buffer(1)]],
                  uint lane [[thread_index_in_simdgroup]]) {
  uint all = uint(ulong(simd_ballot(x[lane] > 0.5f)));
#ifdef FIXED
  uint upto = 0xffffffffu >> (31 - lane);
#else
  uint upto = (1u << (lane + 1)) - 1; // !shift
#endif
  rank[lane] = popcount(all & upto);
}

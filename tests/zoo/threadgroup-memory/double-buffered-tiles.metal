// Two tiles of 64 × 64, twice, in half precision: 32 KB; in float they are 64.
// run: --grid 64 --group 64 --arg a=float[4096] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

#ifdef FIXED
typedef half element;
#else
typedef float element;
#endif

struct Stage {
  element a[64][64], b[64][64];
};

kernel void pipeline(device const float *a [[buffer(0)]], // !threadgroup-memory
                     device float *out [[buffer(1)]],
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup Stage stage[2];
  for (uint k = 0; k < 64; k++) {
    stage[0].a[k][t] = element(a[k * 64 + t]);
    stage[1].b[t][k] = element(1);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 64; k++) sum += float(stage[0].a[t][k]) * float(stage[1].b[k][t]);
  out[t] = sum;
}

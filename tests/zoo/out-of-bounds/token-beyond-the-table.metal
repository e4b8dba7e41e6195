// The padding token has the number 'vocabulary', one more than the table holds.
// run: --grid 8,65 --group 8,8 --arg ids=int[65]:iota --arg table=float[512] --arg out=float[520]
#include <metal_stdlib>
using namespace metal;

constant int vocabulary = 64;
constant uint width = 8;

kernel void embed(device const int *ids [[buffer(0)]],
                  device const float *table [[buffer(1)]],
                  device float *out [[buffer(2)]],
                  uint2 p [[thread_position_in_grid]]) {
  int id = ids[p.y];
  float v = 0;
#ifdef FIXED
  if (id < vocabulary) v = table[id * width + p.x];
#else
  if (id <= vocabulary) v = table[id * width + p.x]; // !out-of-bounds
#endif
  out[p.y * width + p.x] = v;
}

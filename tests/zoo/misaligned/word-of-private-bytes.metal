// A word written into the bytes of a record, behind its tag.
// run: --grid 64 --group 32 --arg out=uint[64]
#include <metal_stdlib>
using namespace metal;

kernel void pack(device uint *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  uchar record[8];
  for (int k = 0; k < 8; k++) record[k] = k;
#ifdef FIXED
  *(thread uint *)(record + 4) = i;
#else
  *(thread uint *)(record + 1) = i; // !misaligned
#endif
  out[i] = record[4] + record[1];
}

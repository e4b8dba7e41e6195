// Quantised blocks: a half and 16 bytes, read four bytes at a time.
// run: --grid 4 --group 4 --arg blocks=uchar[72] --arg out=uint[4]
#include <metal_stdlib>
using namespace metal;

struct Block {
  half scale;
  uchar q[16];
};

kernel void sum_bytes(device const Block *blocks [[buffer(0)]],
                      device uint *out [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  uint sum = 0;
#ifdef FIXED
  for (uint k = 0; k < 16; k++) sum += blocks[i].q[k];
#else
  device const uint *q = (device const uint *)blocks[i].q;
  for (uint k = 0; k < 4; k++) {
    uint v = q[k]; // !misaligned
    sum += (v & 255) + (v >> 8 & 255) + (v >> 16 & 255) + (v >> 24);
  }
#endif
  out[i] = sum;
}

// A row narrower than a block has no whole block.
// run: --grid 30 --group 10 --arg out=uint[30] --arg p=width:6,block:8
#include <metal_stdlib>
using namespace metal;

struct Shape {
  uint width, block;
};

static uint row_of(uint i, constant Shape &p) {
  uint blocks = p.width / p.block;
#ifdef FIXED
  blocks = max(blocks, 1u);
#endif
  return i / blocks; // !division-by-zero
}

kernel void block_rows(device uint *out [[buffer(0)]],
                       constant Shape &p [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  out[i] = row_of(i, p);
}

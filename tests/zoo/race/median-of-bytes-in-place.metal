// A median of three pixels that is written over the picture it is taken from.
// run: --grid 64,16 --group 16,16 --arg a=uchar[1024] --arg b=uchar[1024]
#include <metal_stdlib>
using namespace metal;

kernel void median(device uchar *a [[buffer(0)]], device uchar *b [[buffer(1)]],
                   uint2 p [[thread_position_in_grid]]) {
  device uchar *row = a + p.y * 64;
  uchar l = row[max(p.x, 1u) - 1]; // !race
  uchar m = row[p.x];
  uchar r = row[min(p.x + 1, 63u)]; // !race
  m = max(min(l, m), min(max(l, m), r));
#ifndef FIXED
  row[p.x] = m; // !race
#endif
  b[p.y * 64 + p.x] = m;
}

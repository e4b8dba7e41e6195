// section: 2.2 Vector Data Types
// construct: components of short4 wrap, without promotion
// grid: 1
// in: a short4 32767 -32768 30000 -1
// out: o short4 -32768 -32767 -5536 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const short4 *a [[buffer(0)]], device short4 *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  short4 v = a[i];
  o[i] = short4(v.x + 1, v.y + 1, 0, 0) + short4(0, 0, v.z + v.z, v.w + 1);
}

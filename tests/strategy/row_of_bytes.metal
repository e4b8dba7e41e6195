// A text that each lane goes along from a place of its own, to a zero: the next
// sixteen bytes at once, though nobody knows how many lanes need.
// ALL: load, row buffer
// ALL: loop, divergent
// ALL: mt_transpose_in
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  device const uchar *text = (device const uchar *)in;
  uint hash = i;
  for (uint at = in[i] & 0xffffu; (text[at] & 31u) != 0; at++)
    hash = (hash ^ text[at]) * 16777619u;
  out[i] = hash;
}

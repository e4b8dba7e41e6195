#include <metal_stdlib>
using namespace metal;

// One step of a bitonic sort: every thread orders one pair of elements. Which
// pairs, 'mask' says: partners differ in the bits of the mask. To merge sorted
// runs of h elements, first i and i ^ (2h - 1) are ordered (the second run is
// read backwards), then i and i ^ h/2, i ^ h/4, … i ^ 1. All pairs are ordered
// the same way round, so that what lies beyond the end may be thought of as
// infinity, and any number of elements can be sorted.
kernel void bitonic_sort(device float  *x    [[buffer(0)]],
                         constant uint &mask [[buffer(1)]],
                         constant uint &n    [[buffer(2)]],
                         uint t [[thread_position_in_grid]]) {
  uint high = 1u << (31 - clz(mask));      // the highest bit of the mask
  uint low_bits = t & (high - 1);
  uint i = ((t - low_bits) << 1) | low_bits;  // t with a 0 put in at that bit
  uint partner = i ^ mask;
  if (partner >= n) return;
  float a = x[i], b = x[partner];
  x[i] = min(a, b);
  x[partner] = max(a, b);
}

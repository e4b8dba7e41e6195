// A pointer goes to the end and reads what it points to there, too.
// run: --grid 4 --group 4 --arg x=int[40] --arg sums=int[4]
#include <metal_stdlib>
using namespace metal;

kernel void rows(device const int *x [[buffer(0)]],
                 device int *sums [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  device const int *p = x + i * 10, *end = p + 10;
  int s = 0;
#ifdef FIXED
  while (p != end) s += *p++;
#else
  while (p <= end) s += *p++; // !out-of-bounds
#endif
  sums[i] = s;
}

// 20 elements over 32 parts: each part has 20 / 32 = 0.
// run: --grid 20 --group 20 --arg part=uint[20] --arg n=20
#include <metal_stdlib>
using namespace metal;

kernel void parts(device uint *part [[buffer(0)]],
                  constant uint &n [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint each = (n + 31) / 32;
#else
  uint each = n / 32;
#endif
  part[i] = i / each; // !division-by-zero
}

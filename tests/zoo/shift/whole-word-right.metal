// The upper half of a 32-bit number by >> 32.
// run: --grid 4 --group 4 --arg x=uint[4] --arg n=32 --arg high=uint[4]
// fixed: --grid 4 --group 4 --arg x=uint[4] --arg n=16 --arg high=uint[4]
#include <metal_stdlib>
using namespace metal;

kernel void upper(device const uint *x [[buffer(0)]],
                  constant uint &n [[buffer(1)]],
                  device uint *high [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  high[i] = x[i] >> n; // !shift
}

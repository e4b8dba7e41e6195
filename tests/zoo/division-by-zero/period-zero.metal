// A period that the host left at 0.
// run: --grid 40 --group 40 --arg out=uint[40] --arg period=0
// fixed: --grid 40 --group 40 --arg out=uint[40] --arg period=7
#include <metal_stdlib>
using namespace metal;

kernel void ramp(device uint *out [[buffer(0)]],
                 constant uint &period [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = i % period; // !division-by-zero
}

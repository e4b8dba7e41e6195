// Hash tables of sizes that come from data, and some are empty.
// run: --grid 32 --group 16 --arg sizes=ushort[32]:0..4 --arg slot=ushort[32]
#include <metal_stdlib>
using namespace metal;

kernel void slots(device const ushort *sizes [[buffer(0)]],
                  device ushort *slot [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  slot[i] = sizes[i] > 0 ? ushort(i * 40503u) % sizes[i] : 0;
#else
  slot[i] = ushort(i * 40503u) % sizes[i]; // !division-by-zero
#endif
}

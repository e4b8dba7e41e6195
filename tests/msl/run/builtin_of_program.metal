// section: 5.9 Program Scope Global Built-ins and Bindings
// construct: a thread's place in a variable that every function reads
// grid: 4 3
// group: 2 3, 4 1, 1
// out: o uint = i % 4 + 10 * (i // 4) + 7 * (i % 4) * 100
#include <metal_stdlib>
using namespace metal;
uint2 gid [[thread_position_in_grid]];
namespace places {
uint2 size [[threads_per_grid]];
}
static uint digits() { return gid.x + 10 * gid.y; }
static uint deep(uint n) { return n > 1 ? digits() : 99; }
kernel void k(device uint *o [[buffer(0)]]) {
  uint mine = deep(places::size.x);
  for (uint i = 0; i < gid.x; i++) mine += 700;
  o[gid.y * places::size.x + gid.x] = mine;
}

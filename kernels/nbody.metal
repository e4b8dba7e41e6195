#include <metal_stdlib>
using namespace metal;

// One time step of bodies that attract each other, one body per thread. Each
// needs all others: the threads of a group fetch a tile of bodies together,
// and everyone goes through the tile. xyz is the place, w the mass.
#define THREADS 256

kernel void nbody(device const float4 *bodies      [[buffer(0)]],
                  device const float4 *velocities  [[buffer(1)]],
                  device float4       *bodies2     [[buffer(2)]],
                  device float4       *velocities2 [[buffer(3)]],
                  constant uint  &n         [[buffer(4)]],
                  constant float &dt        [[buffer(5)]],  // time step
                  constant float &softening [[buffer(6)]],
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float4 tile[THREADS];
  float4 me = i < n ? bodies[i] : 0;
  float3 pull = 0;
  for (uint first = 0; first < n; first += THREADS) {
    // beyond the end: bodies without mass, which pull nobody
    tile[t] = first + t < n ? bodies[first + t] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < THREADS; j++) {
      float3 d = tile[j].xyz - me.xyz;
      // the softening keeps close encounters, and i itself, finite
      float near = rsqrt(dot(d, d) + softening * softening);
      pull += d * (tile[j].w * near * near * near);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i >= n) return;
  float4 speed = velocities[i];
  speed.xyz += dt * pull;
  velocities2[i] = speed;
  bodies2[i] = float4(me.xyz + dt * speed.xyz, me.w);
}

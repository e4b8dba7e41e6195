// section: 6.1 Namespace and Header Files
// construct: the rays of MetalPerformanceShaders, and a part of simd
// grid: 2
// out: o float 32 0 0 2  32 1 1 2
#include <MetalPerformanceShaders/MetalPerformanceShaders.h>
#include <simd/vector_types.h>
using Ray = MPSRayOriginMinDistanceDirectionMaxDistance;
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Ray r;
  r.origin = MPSPackedFloat3(float(i), 0.0, -1.0);
  vector_float3 v = r.origin;
  simd_float3 w = v + simd_float3(0, i, 3);
  o[4 * i] = sizeof(Ray);
  o[4 * i + 1] = r.origin.x;
  o[4 * i + 2] = w.y;
  o[4 * i + 3] = w.z;
}

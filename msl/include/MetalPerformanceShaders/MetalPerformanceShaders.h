// -*- c++ -*-
// What a kernel uses of this framework's header: the rays that it writes for an
// intersector, and the hits that it reads.
#ifndef METTLE_MPS
#define METTLE_MPS
#pragma clang system_header
#include "../metal_stdlib"

struct MPSPackedFloat3 {
  union {
    struct { float x, y, z; };
    float elements[3];
  };
  MPSPackedFloat3() = default;
  __MSL_FN constexpr MPSPackedFloat3(float a, float b, float c)
      : x(a), y(b), z(c) {}
  __MSL_FN constexpr MPSPackedFloat3(float3 v) : x(v.x), y(v.y), z(v.z) {}
  __MSL_FN constexpr MPSPackedFloat3(packed_float3 v)
      : x(v.x), y(v.y), z(v.z) {}
  __MSL_FN constexpr operator float3() const { return float3{x, y, z}; }
  __MSL_FN constexpr operator packed_float3() const {
    return packed_float3(x, y, z);
  }
};

struct MPSRayOriginDirection {
  float3 origin, direction;
};
struct MPSRayPackedOriginDirection {
  MPSPackedFloat3 origin, direction;
};
struct MPSRayOriginMinDistanceDirectionMaxDistance {
  MPSPackedFloat3 origin;
  float minDistance;
  MPSPackedFloat3 direction;
  float maxDistance;
};
struct MPSRayOriginMaskDirectionMaxDistance {
  MPSPackedFloat3 origin;
  uint mask;
  MPSPackedFloat3 direction;
  float maxDistance;
};
struct MPSIntersectionDistance {
  float distance;
};
struct MPSIntersectionDistancePrimitiveIndex {
  float distance;
  uint primitiveIndex;
};
struct MPSIntersectionDistancePrimitiveIndexCoordinates {
  float distance;
  uint primitiveIndex;
  float2 coordinates;
};
struct MPSIntersectionDistancePrimitiveIndexInstanceIndex {
  float distance;
  uint primitiveIndex, instanceIndex;
};
struct MPSIntersectionDistancePrimitiveIndexInstanceIndexCoordinates {
  float distance;
  uint primitiveIndex, instanceIndex;
  float2 coordinates;
};
#endif

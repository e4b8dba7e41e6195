// metal.h - the words of bench/strangers in Metal's language. Positions are
// arguments of a kernel here, so KERNEL adds them to its parameters.
#include <metal_stdlib>
using namespace metal;

#define KERNEL(name, ...)                                   \
  kernel void name(__VA_ARGS__,                             \
                   uint3 in_grid [[thread_position_in_grid]],    \
                   uint3 in_group [[thread_position_in_threadgroup]], \
                   uint3 of_group [[threadgroup_position_in_grid]])
#define GLOBAL_X in_grid.x
#define GLOBAL_Y in_grid.y
#define GLOBAL_Z in_grid.z
#define LOCAL_X in_group.x
#define LOCAL_Y in_group.y
#define GROUP_X of_group.x
#define GROUP_Y of_group.y

#define IN(type) device const type *
#define OUT(type) device type *
#define VALUE(type) constant type &
#define COUNTERS device atomic_uint *
#define GLOBAL device
#define THREAD thread
#define SHARED threadgroup
#define SHARED_COUNTER threadgroup atomic_uint
#define TABLE constant
#define FUNCTION static inline
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup)

#define ATOMIC_ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_relaxed)
#define ATOMIC_MIN(p, v) atomic_fetch_min_explicit(p, v, memory_order_relaxed)
#define ATOMIC_GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define ATOMIC_PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

// Lanes of a SIMD-group of 32. LANES stands once in a kernel that uses them.
#define LANES
#define SHUFFLE(v, lane) simd_shuffle(v, lane)
#define SHUFFLE_UP(v, by) simd_shuffle_up(v, by)
#define SHUFFLE_DOWN(v, by) simd_shuffle_down(v, by)
#define SHUFFLE_XOR(v, mask) simd_shuffle_xor(v, mask)

#define HALF half
#define FROM_HALF(place) float(place)
#define TO_HALF(place, v) ((place) = half(v))

#define FLOAT2 float2
#define FLOAT3 float3
#define FLOAT4 float4
#define BITS(f) as_type<uint>(f)
#define POPCOUNT popcount
#define LEADING_ZEROS clz
#define HIGH_PRODUCT mulhi

// opencl.h - the words of bench/strangers in OpenCL C 1.2. It has no shuffles
// there, so lanes talk through local memory: LANES declares it. All threads of
// a group take part in a shuffle, as the kernels here do.
#define KERNEL(name, ...) kernel void name(__VA_ARGS__)
#define GLOBAL_X ((uint)get_global_id(0))
#define GLOBAL_Y ((uint)get_global_id(1))
#define GLOBAL_Z ((uint)get_global_id(2))
#define LOCAL_X ((uint)get_local_id(0))
#define LOCAL_Y ((uint)get_local_id(1))
#define GROUP_X ((uint)get_group_id(0))
#define GROUP_Y ((uint)get_group_id(1))

#define IN(type) global const type *
#define OUT(type) global type *
#define VALUE(type) type
#define COUNTERS volatile global uint *
#define GLOBAL global
#define THREAD private
#define SHARED local
#define SHARED_COUNTER local uint
#define TABLE constant
#define FUNCTION static
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)

#define ATOMIC_ADD(p, v) atomic_add(p, v)
#define ATOMIC_MIN(p, v) atomic_min(p, v)
#define ATOMIC_GET(p) (*(p))
#define ATOMIC_PUT(p, v) (*(p) = (v))

#define LANES local float lanes[1024];
#define SHUFFLE(v, lane) \
  shuffled(v, (LOCAL_X & ~31u) + ((lane) & 31u), lanes)
#define SHUFFLE_UP(v, by) \
  shuffled(v, (LOCAL_X & 31u) >= (by) ? LOCAL_X - (by) : LOCAL_X, lanes)
#define SHUFFLE_DOWN(v, by) \
  shuffled(v, (LOCAL_X & 31u) + (by) < 32 ? LOCAL_X + (by) : LOCAL_X, lanes)
#define SHUFFLE_XOR(v, mask) shuffled(v, LOCAL_X ^ (mask), lanes)
static float shuffled(float v, uint from, local float *lanes) {
  barrier(CLK_LOCAL_MEM_FENCE);
  lanes[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  return lanes[from];
}

#define HALF ushort
#define FROM_HALF(place) vload_half(0, (global const half *)&(place))
#define TO_HALF(place, v) vstore_half(v, 0, (global half *)&(place))

#define FLOAT2 (float2)
#define FLOAT3 (float3)
#define FLOAT4 (float4)
#define BITS(f) as_uint(f)
#define POPCOUNT popcount
#define LEADING_ZEROS clz
#define HIGH_PRODUCT mul_hi

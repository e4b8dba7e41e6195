// cuda.h - the words of bench/strangers in CUDA C++. vectors.h, which follows,
// has the arithmetic of small vectors, which CUDA leaves to its users.
#include <cuda_fp16.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong;

#define KERNEL(name, ...) extern "C" __global__ void name(__VA_ARGS__)
#define GLOBAL_X (blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y (blockIdx.y * blockDim.y + threadIdx.y)
#define GLOBAL_Z (blockIdx.z * blockDim.z + threadIdx.z)
#define LOCAL_X threadIdx.x
#define LOCAL_Y threadIdx.y
#define GROUP_X blockIdx.x
#define GROUP_Y blockIdx.y

#define IN(type) const type *
#define OUT(type) type *
#define VALUE(type) type
#define COUNTERS uint *
#define GLOBAL
#define THREAD
#define SHARED __shared__
#define SHARED_COUNTER __shared__ uint
#define TABLE __constant__ const
#define FUNCTION __device__ static inline
#define BARRIER __syncthreads()

#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define ATOMIC_MIN(p, v) atomicMin(p, v)
#define ATOMIC_GET(p) (*(p))
#define ATOMIC_PUT(p, v) (*(p) = (v))

#define LANES
#define SHUFFLE(v, lane) __shfl_sync(~0u, v, lane)
#define SHUFFLE_UP(v, by) __shfl_up_sync(~0u, v, by)
#define SHUFFLE_DOWN(v, by) __shfl_down_sync(~0u, v, by)
#define SHUFFLE_XOR(v, mask) __shfl_xor_sync(~0u, v, mask)

#define HALF __half
#define FROM_HALF(place) __half2float(place)
#define TO_HALF(place, v) ((place) = __float2half(v))

#define FLOAT2 make_float2
#define FLOAT3 make_float3
#define FLOAT4 make_float4
#define BITS(f) __float_as_uint(f)
#define POPCOUNT __popc
#define LEADING_ZEROS __clz
#define HIGH_PRODUCT __umulhi

/*
** stand-in.h - as much of CUDA's headers as the programs in
** lua/reference/rosetta/cuda.md use, so that Clang can read them where no CUDA
** is installed. Only declarations: nothing here runs.
*/
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define BOTH __host__ __device__

typedef unsigned long size_t;
struct dim3 {
  unsigned x, y, z;
  BOTH dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
};
extern const __device__ dim3 threadIdx, blockIdx, blockDim, gridDim;

typedef enum { cudaSuccess } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef unsigned long long cudaTextureObject_t;
typedef enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost } cudaMemcpyKind;

extern "C" {
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaFree(void *);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
__device__ float fabsf(float);
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
template <typename T> cudaError_t cudaMalloc(T **, size_t);
__device__ void __syncthreads();
template <typename T> __device__ T __shfl_down_sync(unsigned, T, unsigned);
__device__ unsigned atomicAdd(unsigned *, unsigned);
template <typename T> __device__ T tex2D(cudaTextureObject_t, float, float);
__device__ int __popc(unsigned);
__device__ int __float_as_int(float);

struct __half {
  unsigned short bits;
};

namespace cg {
struct thread_block {};
template <unsigned N> struct thread_block_tile {
  __device__ unsigned thread_rank() const;
};
__device__ thread_block this_thread_block();
template <unsigned N>
__device__ thread_block_tile<N> tiled_partition(thread_block);
template <typename T> struct plus {};
template <typename G, typename T, typename F> __device__ T reduce(G, T, F);
}

namespace wmma {
struct row_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major };
template <typename U, int M, int N, int K, typename T, typename L = void>
struct fragment {};
template <typename F, typename T> __device__ void fill_fragment(F &, T);
template <typename F, typename T>
__device__ void load_matrix_sync(F &, const T *, unsigned);
template <typename D, typename A, typename B, typename C>
__device__ void mma_sync(D &, const A &, const B &, const C &);
template <typename T, typename F>
__device__ void store_matrix_sync(T *, const F &, unsigned, layout_t);
}

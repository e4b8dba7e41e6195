// CUDA. Make it Metal: cuda "__global__" and so on tell the words.
// Launched with blocks of 256 threads, as many as n needs.
__global__ void block_sums(const float *x, float *sums, int n) {
  __shared__ float part[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int w = 0; w < 8; w++) total += part[w];
    sums[blockIdx.x] = total;
  }
}

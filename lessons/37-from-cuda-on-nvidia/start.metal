// CUDA. Make it Metal: cuda "__ballot_sync" and so on tell the words.
// Launched with blocks of 64 threads, as many as n needs.
__global__ void keep(const float *x, float *y, unsigned *kept, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % 32;
  float v = i < n ? x[i] : 0;
  unsigned mask = __ballot_sync(0xffffffff, v > 0);
  unsigned place = __popc(mask & ((1u << lane) - 1));
  unsigned count = __popc(mask);
  if (v > 0) y[i - lane + place] = v;
  if (lane >= count && i < n) y[i] = 0;
  if (lane == 0 && i < n) kept[i / 32] = count;
}

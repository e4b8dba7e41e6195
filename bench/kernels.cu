// The kernels of the benchmarks in CUDA C++: each the same as the one of its
// name in kernels/, line by line, with the same arguments in the same order.
typedef unsigned uint;
typedef unsigned char uchar;
#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

__global__ void empty(float *x) {}

__global__ void copy(const float *x, float *y, uint n) {
  uint i = GX;
  if (i >= n) return;
  y[i] = x[i];
}

__global__ void saxpy(float k, const float *x, const float *y, float *z,
                      uint n) {
  uint i = GX;
  if (i >= n) return;
  z[i] = k * x[i] + y[i];
}

__global__ void triad(float *a, const float *b, const float *c, float s,
                      uint n) {
  uint first = 4 * GX;
  if (first + 4 <= n) {
    float4 x = *(const float4 *)(b + first);
    float4 y = *(const float4 *)(c + first);
    *(float4 *)(a + first) =
        make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
  } else {
    for (uint j = first; j < n; j++) a[j] = b[j] + s * c[j];
  }
}

__device__ float simd_sum(float v) {
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

__device__ float simd_max(float v) {
  for (int d = 16; d; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
  return v;
}

__global__ void sum_simd(const float *x, float *sums, uint n) {
  __shared__ float part[32];
  uint threads = gridDim.x * blockDim.x, lane = threadIdx.x % 32,
       simd = threadIdx.x / 32;
  uint simds = (blockDim.x + 31) / 32;
  float sum = 0;
  for (uint j = GX; j < n; j += threads) sum += x[j];
  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  __syncthreads();
  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}

__global__ void transpose_naive(const float *a, float *b, uint rows,
                                uint columns) {
  uint x = GX, y = GY;
  if (x >= columns || y >= rows) return;
  b[x * rows + y] = a[y * columns + x];
}

template <int PAD>
__device__ void transpose(const float *a, float *b, uint rows, uint columns) {
  __shared__ float tile[16][16 + PAD];
  uint lx = threadIdx.x, ly = threadIdx.y;
  uint x = blockIdx.x * 16 + lx, y = blockIdx.y * 16 + ly;
  if (x < columns && y < rows) tile[ly][lx] = a[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + lx, y = blockIdx.x * 16 + ly;
  if (x < rows && y < columns) b[y * rows + x] = tile[lx][ly];
}
__global__ void transpose_tiled(const float *a, float *b, uint rows,
                                uint columns) {
  transpose<0>(a, b, rows, columns);
}
__global__ void transpose_padded(const float *a, float *b, uint rows,
                                 uint columns) {
  transpose<1>(a, b, rows, columns);
}

__global__ void matmul_naive(const float *a, const float *b, float *c, uint m,
                             uint n, uint k) {
  uint column = GX, row = GY;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (uint i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

template <int TILE>
__device__ void tiled(const float *a, const float *b, float *c, uint m, uint n,
                      uint k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  uint x = threadIdx.x, y = threadIdx.y;
  uint row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    uint i = first + x, j = first + y;
    tile_a[y][x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[y][x] = j < k && column < n ? b[j * n + column] : 0;
    __syncthreads();
    for (uint t = 0; t < TILE; t++) sum += tile_a[y][t] * tile_b[t][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
__global__ void matmul_tiled(const float *a, const float *b, float *c, uint m,
                             uint n, uint k) {
  tiled<16>(a, b, c, m, n, k);
}
__global__ void matmul_tiled32(const float *a, const float *b, float *c, uint m,
                               uint n, uint k) {
  tiled<32>(a, b, c, m, n, k);
}

__global__ void mandelbrot(uint *counts, uint rows, uint columns, float2 corner,
                           float pixel, uint steps) {
  uint px = GX, py = GY;
  if (px >= columns || py >= rows) return;
  float cx = corner.x + (float)px * pixel, cy = corner.y + (float)py * pixel;
  float x = 0, y = 0;
  uint count = 0;
  while (count < steps && x * x + y * y <= 4) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    count++;
  }
  counts[py * columns + px] = count;
}

__device__ float normal_below(float x) {
  float z = fabsf(x);
  float t = 1 / (1 + 0.2316419f * z);
  float p = ((((1.330274429f * t - 1.821255978f) * t + 1.781477937f) * t -
              0.356563782f) * t + 0.319381530f) * t;
  float above = 0.39894228f * expf(-0.5f * z * z) * p;
  return x < 0 ? above : 1 - above;
}

__global__ void blackscholes(const float *price, const float *strike,
                             const float *years, float *call, float *put,
                             float rate, float volatility, uint n) {
  uint i = GX;
  if (i >= n) return;
  float s = price[i], x = strike[i], y = years[i];
  float spread = volatility * sqrtf(y);
  float d1 =
      (logf(s / x) + (rate + 0.5f * volatility * volatility) * y) / spread;
  float d2 = d1 - spread;
  float later = x * expf(-rate * y);
  call[i] = s * normal_below(d1) - later * normal_below(d2);
  put[i] = later * normal_below(-d2) - s * normal_below(-d1);
}

__global__ void conv2d(const float *x, const float *w, float *y, uint rows,
                       uint columns, uint size) {
  uint cx = GX, cy = GY, out_rows = rows - size + 1,
       out_columns = columns - size + 1;
  if (cx >= out_columns || cy >= out_rows) return;
  float sum = 0;
  for (uint i = 0; i < size; i++)
    for (uint j = 0; j < size; j++)
      sum += w[i * size + j] * x[(cy + i) * columns + cx + j];
  y[cy * out_columns + cx] = sum;
}

__global__ void histogram(const uchar *x, uint *bins, uint n) {
  __shared__ uint own[256];
  uint t = threadIdx.x, size = blockDim.x, threads = gridDim.x * blockDim.x;
  for (uint b = t; b < 256; b += size) own[b] = 0;
  __syncthreads();
  for (uint j = GX; j < n; j += threads) atomicAdd(&own[x[j]], 1);
  __syncthreads();
  for (uint b = t; b < 256; b += size) {
    uint count = own[b];
    if (count) atomicAdd(&bins[b], count);
  }
}

__global__ void life(const uchar *cells, uchar *next, uint rows, uint columns) {
  uint x = GX, y = GY;
  if (x >= columns || y >= rows) return;
  uint up = (y == 0 ? rows : y) - 1, down = y + 1 == rows ? 0 : y + 1;
  uint left = (x == 0 ? columns : x) - 1, right = x + 1 == columns ? 0 : x + 1;
  uint neighbours = cells[up * columns + left] + cells[up * columns + x] +
                    cells[up * columns + right] + cells[y * columns + left] +
                    cells[y * columns + right] + cells[down * columns + left] +
                    cells[down * columns + x] + cells[down * columns + right];
  uchar alive = cells[y * columns + x];
  next[y * columns + x] = neighbours == 3 || (alive && neighbours == 2);
}

__global__ void nbody(const float4 *bodies, const float4 *velocities,
                      float4 *bodies2, float4 *velocities2, uint n, float dt,
                      float softening) {
  __shared__ float4 tile[256];
  uint i = GX, t = threadIdx.x;
  float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float px = 0, py = 0, pz = 0;
  for (uint first = 0; first < n; first += 256) {
    tile[t] = first + t < n ? bodies[first + t] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (uint j = 0; j < 256; j++) {
      float x = tile[j].x - me.x, y = tile[j].y - me.y, z = tile[j].z - me.z;
      float near = rsqrtf(x * x + y * y + z * z + softening * softening);
      float pull = tile[j].w * near * near * near;
      px += x * pull, py += y * pull, pz += z * pull;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 speed = velocities[i];
  speed.x += dt * px, speed.y += dt * py, speed.z += dt * pz;
  velocities2[i] = speed;
  bodies2[i] = make_float4(me.x + dt * speed.x, me.y + dt * speed.y,
                           me.z + dt * speed.z, me.w);
}

__device__ float group_of(float v, float *part, bool largest) {
  uint lane = threadIdx.x % 32, simd = threadIdx.x / 32,
       simds = (blockDim.x + 31) / 32;
  v = largest ? simd_max(v) : simd_sum(v);
  if (lane == 0) part[simd] = v;
  __syncthreads();
  v = lane < simds ? part[lane] : largest ? -INFINITY : 0.0f;
  v = largest ? simd_max(v) : simd_sum(v);
  __syncthreads();
  return v;
}

__global__ void softmax(const float *x, float *y, uint columns) {
  __shared__ float part[32];
  uint t = threadIdx.x, size = blockDim.x, row = blockIdx.x;
  const float *from = x + row * columns;
  float *to = y + row * columns;
  float largest = -INFINITY;
  for (uint j = t; j < columns; j += size) largest = fmaxf(largest, from[j]);
  largest = group_of(largest, part, true);
  float sum = 0;
  for (uint j = t; j < columns; j += size) {
    float e = expf(from[j] - largest);
    to[j] = e;
    sum += e;
  }
  sum = group_of(sum, part, false);
  float scale = 1 / sum;
  for (uint j = t; j < columns; j += size) to[j] *= scale;
}

struct Known {
  const char *name;
  const void *kernel;
};
#define KERNEL(name) {#name, (const void *)name}
static const Known known[] = {
    KERNEL(empty), KERNEL(copy), KERNEL(saxpy), KERNEL(triad), KERNEL(sum_simd),
    KERNEL(transpose_naive), KERNEL(transpose_tiled), KERNEL(transpose_padded),
    KERNEL(matmul_naive), KERNEL(matmul_tiled), KERNEL(matmul_tiled32),
    KERNEL(mandelbrot), KERNEL(blackscholes), KERNEL(conv2d),
    KERNEL(histogram), KERNEL(life), KERNEL(nbody), KERNEL(softmax),
};

// The kernels of the benchmarks in OpenCL C: each the same as the one of its
// name in kernels/, line by line, with the same arguments in the same order.

kernel void saxpy(float k, global const float *x, global const float *y,
                  global float *z, uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  z[i] = k * x[i] + y[i];
}

kernel void matmul_naive(global const float *a, global const float *b,
                         global float *c, uint m, uint n, uint k) {
  uint column = get_global_id(0), row = get_global_id(1);
  if (row >= m || column >= n) return;
  float sum = 0;
  for (uint i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

#ifdef TILE
kernel void matmul_tiled(global const float *a, global const float *b,
                         global float *c, uint m, uint n, uint k) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  uint x = get_local_id(0), y = get_local_id(1);
  uint row = get_group_id(1) * TILE + y, column = get_group_id(0) * TILE + x;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    uint i = first + x, j = first + y;
    tile_a[y][x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[y][x] = j < k && column < n ? b[j * n + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = 0; t < TILE; t++) sum += tile_a[y][t] * tile_b[t][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
#endif

kernel void sum_tree(global const float *x, global float *sums, uint n) {
  local float part[1024];
  uint t = get_local_id(0), size = get_local_size(0);
  float sum = 0;
  for (uint j = get_global_id(0); j < n; j += get_global_size(0)) sum += x[j];
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint left = size; left > 1;) {
    uint half_way = (left + 1) / 2;
    if (t < left / 2) part[t] += part[t + half_way];
    barrier(CLK_LOCAL_MEM_FENCE);
    left = half_way;
  }
  if (t == 0) sums[get_group_id(0)] = part[0];
}

kernel void tree(global const float *x, global float *sums) {
  local float part[256];
  uint t = get_local_id(0);
  part[t] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 128; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = part[0];
}

kernel void mandelbrot(global uint *counts, uint rows, uint columns,
                       float2 corner, float pixel, uint steps) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= columns || y >= rows) return;
  float2 c = corner + (float2)(x, y) * pixel;
  float2 z = 0;
  uint count = 0;
  while (count < steps && z.x * z.x + z.y * z.y <= 4) {
    z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    count++;
  }
  counts[y * columns + x] = count;
}

float normal_below(float x) {
  float z = fabs(x);
  float t = 1 / (1 + 0.2316419f * z);
  float p = ((((1.330274429f * t - 1.821255978f) * t + 1.781477937f) * t -
              0.356563782f) * t + 0.319381530f) * t;
  float above = 0.39894228f * exp(-0.5f * z * z) * p;
  return x < 0 ? above : 1 - above;
}

kernel void blackscholes(global const float *price, global const float *strike,
                         global const float *years, global float *call,
                         global float *put, float rate, float volatility,
                         uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  float s = price[i], x = strike[i], y = years[i];
  float spread = volatility * sqrt(y);
  float d1 =
      (log(s / x) + (rate + 0.5f * volatility * volatility) * y) / spread;
  float d2 = d1 - spread;
  float later = x * exp(-rate * y);
  call[i] = s * normal_below(d1) - later * normal_below(d2);
  put[i] = later * normal_below(-d2) - s * normal_below(-d1);
}

kernel void conv2d(global const float *x, constant float *w, global float *y,
                   uint rows, uint columns, uint size) {
  uint cx = get_global_id(0), cy = get_global_id(1);
  uint out_rows = rows - size + 1, out_columns = columns - size + 1;
  if (cx >= out_columns || cy >= out_rows) return;
  float sum = 0;
  for (uint i = 0; i < size; i++)
    for (uint j = 0; j < size; j++)
      sum += w[i * size + j] * x[(cy + i) * columns + cx + j];
  y[cy * out_columns + cx] = sum;
}

kernel void histogram(global const uchar *x, global uint *bins, uint n) {
  local uint own[256];
  uint t = get_local_id(0), size = get_local_size(0);
  for (uint b = t; b < 256; b += size) own[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = get_global_id(0); j < n; j += get_global_size(0))
    atomic_inc(&own[x[j]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = t; b < 256; b += size) {
    uint count = own[b];
    if (count) atomic_add(&bins[b], count);
  }
}

kernel void nbody(global const float4 *bodies, global const float4 *velocities,
                  global float4 *bodies2, global float4 *velocities2, uint n,
                  float dt, float softening) {
  local float4 tile[256];
  uint i = get_global_id(0), t = get_local_id(0);
  float4 me = i < n ? bodies[i] : (float4)(0);
  float3 pull = 0;
  for (uint first = 0; first < n; first += 256) {
    tile[t] = first + t < n ? bodies[first + t] : (float4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 256; j++) {
      float3 d = tile[j].xyz - me.xyz;
      float near = rsqrt(dot(d, d) + softening * softening);
      pull += d * (tile[j].w * near * near * near);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i >= n) return;
  float4 speed = velocities[i];
  speed.xyz += dt * pull;
  velocities2[i] = speed;
  bodies2[i] = (float4)(me.xyz + dt * speed.xyz, me.w);
}

// PoCL on a CPU has no SIMD-groups to add over: the tree in their place.
float group_of(float v, local float *part, int largest) {
  uint t = get_local_id(0);
  part[t] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] = largest ? fmax(part[t], part[t + s]) : part[t] + part[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  v = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}

kernel void softmax(global const float *x, global float *y, uint columns) {
  local float part[1024];
  uint t = get_local_id(0), size = get_local_size(0), row = get_group_id(0);
  global const float *from = x + row * columns;
  global float *to = y + row * columns;
  float largest = -INFINITY;
  for (uint j = t; j < columns; j += size) largest = fmax(largest, from[j]);
  largest = group_of(largest, part, 1);
  float sum = 0;
  for (uint j = t; j < columns; j += size) {
    float e = exp(from[j] - largest);
    to[j] = e;
    sum += e;
  }
  sum = group_of(sum, part, 0);
  float scale = 1 / sum;
  for (uint j = t; j < columns; j += size) to[j] *= scale;
}

// samples.metal - kernels of the kinds that textbooks and samples have, for
// bench_samples.lua. They keep to what MSL and OpenCL C have in common, and are
// turned into OpenCL by replacing words.
//
// Before each stands a line: its name, the grid (as whole threads), the group,
// and what its buffers hold: a letter (f floats, u uints, b bytes, c chars, z
// zeros, s sorted uints, r the rows of a sparse matrix and n the numbers of
// columns in it, v floats taken four at a time), and how many.

//@ scan_hs 1048576 256 | f:1048576 f:1048576
kernel void scan_hs(device const float *x, device float *y,
                    uint i [[thread_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[2][256];
  uint from = 0;
  s[0][t] = x[i];
  BARRIER
  for (uint d = 1; d < 256; d <<= 1) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    BARRIER
  }
  y[i] = s[from][t];
}
//@ scan_blelloch 524288 256 | f:1048576 f:1048576
kernel void scan_blelloch(device const float *x, device float *y,
                          uint g [[threadgroup_position_in_grid]],
                          uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[512];
  s[2 * t] = x[g * 512 + 2 * t];
  s[2 * t + 1] = x[g * 512 + 2 * t + 1];
  uint off = 1;
  for (uint d = 256; d > 0; d >>= 1) {
    BARRIER
    if (t < d) {
      uint a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    off *= 2;
  }
  if (t == 0) s[511] = 0;
  for (uint d = 1; d < 512; d *= 2) {
    off >>= 1;
    BARRIER
    if (t < d) {
      uint a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  BARRIER
  y[g * 512 + 2 * t] = s[2 * t];
  y[g * 512 + 2 * t + 1] = s[2 * t + 1];
}
//@ bitonic_local 524288 512 | u:1048576
kernel void bitonic_local(device uint *x,
                          uint g [[threadgroup_position_in_grid]],
                          uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint s[1024];
  s[t] = x[g * 1024 + t];
  s[t + 512] = x[g * 1024 + t + 512];
  for (uint k = 2; k <= 1024; k <<= 1)
    for (uint j = k >> 1; j > 0; j >>= 1) {
      BARRIER
      uint a = 2 * t - (t & (j - 1)), b = a + j;
      bool up = (a & k) == 0;
      uint u = s[a], v = s[b];
      if ((u > v) == up) {
        s[a] = v;
        s[b] = u;
      }
    }
  BARRIER
  x[g * 1024 + t] = s[t];
  x[g * 1024 + t + 512] = s[t + 512];
}
//@ bitonic_global 1048576 256 | u:1048576
kernel void bitonic_global(device uint *x, uint i [[thread_position_in_grid]]) {
  uint j = 64, k = 4096;
  uint p = i ^ j;
  if (p > i) {
    uint a = x[i], b = x[p];
    if ((i & k) == 0 ? a > b : a < b) {
      x[i] = b;
      x[p] = a;
    }
  }
}
//@ transpose_naive 2048x2048 16x16 | f:4194304 f:4194304
kernel void transpose_naive(device const float *x, device float *y,
                            uint2 p [[thread_position_in_grid]]) {
  y[p.x * 2048 + p.y] = x[p.y * 2048 + p.x];
}
//@ transpose_tiled 2048x512 32x8 | f:4194304 f:4194304
kernel void transpose_tiled(device const float *x, device float *y,
                            uint2 t [[thread_position_in_threadgroup]],
                            uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float s[32][33];
  for (uint j = 0; j < 32; j += 8)
    s[t.y + j][t.x] = x[(g.y * 32 + t.y + j) * 2048 + g.x * 32 + t.x];
  BARRIER
  for (uint j = 0; j < 32; j += 8)
    y[(g.x * 32 + t.y + j) * 2048 + g.y * 32 + t.x] = s[t.x][t.y + j];
}
//@ spmv_csr 262144 256 | r:262145 n:2097152 f:2097152 f:262144 f:262144
kernel void spmv_csr(device const uint *row, device const uint *col,
                     device const float *v, device const float *x,
                     device float *y, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint j = row[i]; j < row[i + 1]; j++) sum += v[j] * x[col[j]];
  y[i] = sum;
}
//@ stencil5 2048x2048 32x8 | f:4194304 f:4194304
kernel void stencil5(device const float *x, device float *y,
                     uint2 p [[thread_position_in_grid]]) {
  if (p.x == 0 || p.y == 0 || p.x >= 2047 || p.y >= 2047) return;
  uint i = p.y * 2048 + p.x;
  y[i] = 0.2f * (x[i] + x[i - 1] + x[i + 1] + x[i - 2048] + x[i + 2048]);
}
//@ heat3d 128x128x128 8x8x4 | f:2097152 f:2097152
kernel void heat3d(device const float *x, device float *y,
                   uint3 p [[thread_position_in_grid]]) {
  if (p.x == 0 || p.y == 0 || p.z == 0 || p.x == 127 || p.y == 127 ||
      p.z == 127)
    return;
  uint i = (p.z * 128 + p.y) * 128 + p.x;
  y[i] = x[i] + 0.1f * (x[i - 1] + x[i + 1] + x[i - 128] + x[i + 128] +
                        x[i - 16384] + x[i + 16384] - 6 * x[i]);
}
//@ sobel8 2048x2048 16x16 | b:4194304 b:4194304
kernel void sobel8(device const uchar *x, device uchar *y,
                   uint2 p [[thread_position_in_grid]]) {
  if (p.x < 1 || p.y < 1 || p.x > 2046 || p.y > 2046) return;
  int i = p.y * 2048 + p.x;
  int gx = -x[i - 2049] + x[i - 2047] - 2 * x[i - 1] + 2 * x[i + 1] -
           x[i + 2047] + x[i + 2049];
  int gy = -x[i - 2049] - 2 * x[i - 2048] - x[i - 2047] + x[i + 2047] +
           2 * x[i + 2048] + x[i + 2049];
  int m = abs(gx) + abs(gy);
  y[i] = (uchar)(m > 255 ? 255 : m);
}
//@ life_wrap 2048x2048 16x16 | u:4194304 u:4194304
kernel void life_wrap(device const uint *x, device uint *y,
                      uint2 p [[thread_position_in_grid]]) {
  uint n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        n +=
            x[((p.y + dy + 2048) % 2048) * 2048 + (p.x + dx + 2048) % 2048] & 1;
  uint alive = x[p.y * 2048 + p.x] & 1;
  y[p.y * 2048 + p.x] = n == 3 || (alive && n == 2) ? 1 : 0;
}
//@ kmeans 1048576 256 | f:3145728 f:48 u:1048576
kernel void kmeans(device const float *x, device const float *c, device uint *y,
                   uint i [[thread_position_in_grid]]) {
  float a = x[3 * i], b = x[3 * i + 1], d = x[3 * i + 2];
  float best = 1e30f;
  uint which = 0;
  for (uint k = 0; k < 16; k++) {
    float u = a - c[3 * k], v = b - c[3 * k + 1], w = d - c[3 * k + 2];
    float q = u * u + v * v + w * w;
    if (q < best) {
      best = q;
      which = k;
    }
  }
  y[i] = which;
}
//@ matvec_row 4096 64 | f:16777216 f:4096 f:4096
kernel void matvec_row(device const float *a, device const float *x,
                       device float *y, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint j = 0; j < 4096; j++) sum += a[i * 4096 + j] * x[j];
  y[i] = sum;
}
//@ matvec_group 1048576 256 | f:16777216 f:4096 f:4096
kernel void matvec_group(device const float *a, device const float *x,
                         device float *y,
                         uint g [[threadgroup_position_in_grid]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[256];
  float sum = 0;
  for (uint j = t; j < 4096; j += 256) sum += a[g * 4096 + j] * x[j];
  s[t] = sum;
  BARRIER
  for (uint d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    BARRIER
  }
  if (t == 0) y[g] = s[0];
}
//@ layernorm_tg 1048576 256 | f:4194304 f:1024 f:1024 f:4194304
kernel void layernorm_tg(device const float *x, device const float *w,
                         device const float *b, device float *y,
                         uint g [[threadgroup_position_in_grid]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[256], q[256];
  float a = 0, c = 0;
  for (uint j = t; j < 1024; j += 256) {
    float v = x[g * 1024 + j];
    a += v;
    c += v * v;
  }
  s[t] = a;
  q[t] = c;
  BARRIER
  for (uint d = 128; d > 0; d >>= 1) {
    if (t < d) {
      s[t] += s[t + d];
      q[t] += q[t + d];
    }
    BARRIER
  }
  float mean = s[0] / 1024, var = q[0] / 1024 - mean * mean,
        r = rsqrt(var + 1e-5f);
  for (uint j = t; j < 1024; j += 256)
    y[g * 1024 + j] = (x[g * 1024 + j] - mean) * r * w[j] + b[j];
}
//@ rope 2048x64 32x4 | f:262144 f:262144
kernel void rope(device const float *x, device float *y,
                 uint2 p [[thread_position_in_grid]]) {
  uint d = p.x % 64, i = (p.y * 32 + p.x / 64) * 128 + 2 * d;
  float theta = (float)p.y * pow(10000.0f, -2.0f * (float)d / 128.0f);
  float c = cos(theta), s = sin(theta), a = x[i], b = x[i + 1];
  y[i] = a * c - b * s;
  y[i + 1] = a * s + b * c;
}
//@ q8dot 524288 128 | c:4194304 f:131072 f:1024 f:4096
kernel void q8dot(device const char *q, device const float *d,
                  device const float *x, device float *y,
                  uint g [[threadgroup_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[128];
  float sum = 0;
  for (uint b = t; b < 32; b += 128) {
    float part = 0;
    for (uint k = 0; k < 32; k++)
      part += (float)q[(g * 32 + b) * 32 + k] * x[b * 32 + k];
    sum += part * d[g * 32 + b];
  }
  s[t] = sum;
  BARRIER
  for (uint e = 64; e > 0; e >>= 1) {
    if (t < e) s[t] += s[t + e];
    BARRIER
  }
  if (t == 0) y[g] = s[0];
}
//@ q4row 4096 64 | b:2097152 f:131072 f:1024 f:4096
kernel void q4row(device const uchar *q, device const float *d,
                  device const float *x, device float *y,
                  uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint b = 0; b < 32; b++) {
    float part = 0;
    for (uint k = 0; k < 16; k++) {
      uchar v = q[(i * 32 + b) * 16 + k];
      part += (float)((int)(v & 15) - 8) * x[b * 32 + k] +
              (float)((int)(v >> 4) - 8) * x[b * 32 + k + 16];
    }
    sum += part * d[i * 32 + b];
  }
  y[i] = sum;
}
//@ sha256 65536 64 | u:1048576 u:524288
constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
kernel void sha256(device const uint *x, device uint *y,
                   uint i [[thread_position_in_grid]]) {
  uint w[64];
  for (uint t = 0; t < 16; t++) w[t] = x[i * 16 + t];
  for (uint t = 16; t < 64; t++) {
    uint s0 = ROR(w[t - 15], 7) ^ ROR(w[t - 15], 18) ^ (w[t - 15] >> 3),
         s1 = ROR(w[t - 2], 17) ^ ROR(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6],
       hh = h[7];
  for (uint t = 0; t < 64; t++) {
    uint t1 = hh + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) +
              ((e & f) ^ (~e & g)) + K[t] + w[t];
    uint t2 =
        (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    hh = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  y[i * 8] = h[0] + a;
  y[i * 8 + 1] = h[1] + b;
  y[i * 8 + 2] = h[2] + c;
  y[i * 8 + 3] = h[3] + d;
  y[i * 8 + 4] = h[4] + e;
  y[i * 8 + 5] = h[5] + f;
  y[i * 8 + 6] = h[6] + g;
  y[i * 8 + 7] = h[7] + hh;
}
//@ pi_mc 65536 256 | u:65536
kernel void pi_mc(device uint *y, uint i [[thread_position_in_grid]]) {
  uint s = i * 747796405u + 2891336453u, in = 0;
  for (uint k = 0; k < 256; k++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    float a = (float)(s >> 8) * 5.9604645e-8f;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    float b = (float)(s >> 8) * 5.9604645e-8f;
    if (a * a + b * b < 1.0f) in++;
  }
  y[i] = in;
}
//@ bsearch 1048576 256 | s:1048576 u:1048576 u:1048576
kernel void bsearch(device const uint *t, device const uint *k, device uint *y,
                    uint i [[thread_position_in_grid]]) {
  uint lo = 0, hi = 1048576, key = k[i];
  while (lo < hi) {
    uint m = (lo + hi) / 2;
    if (t[m] < key)
      lo = m + 1;
    else
      hi = m;
  }
  y[i] = lo;
}
//@ gray 2048x2048 16x16 | b:16777216 b:4194304
kernel void gray(device const uchar *x, device uchar *y,
                 uint2 p [[thread_position_in_grid]]) {
  uint i = p.y * 2048 + p.x;
  y[i] = (uchar)(0.299f * x[4 * i] + 0.587f * x[4 * i + 1] +
                 0.114f * x[4 * i + 2]);
}
//@ median3 1024x1024 16x16 | f:1048576 f:1048576
#define SW(a,b) if (v[a] > v[b]) { float z = v[a]; v[a] = v[b]; v[b] = z; }
kernel void median3(device const float *x, device float *y,
                    uint2 p [[thread_position_in_grid]]) {
  float v[9];
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int a = clamp((int)p.x + dx, 0, 1023), b = clamp((int)p.y + dy, 0, 1023);
      v[(dy + 1) * 3 + dx + 1] = x[b * 1024 + a];
    }
  SW(1, 2) SW(4, 5) SW(7, 8) SW(0, 1) SW(3, 4) SW(6, 7)
  SW(1, 2) SW(4, 5) SW(7, 8) SW(0, 3) SW(5, 8) SW(4, 7)
  SW(3, 6) SW(1, 4) SW(2, 5) SW(4, 7) SW(4, 2) SW(6, 4)
  SW(4, 2)
  y[p.y * 1024 + p.x] = v[4];
}
//@ primes 262144 256 | u:262144
kernel void primes(device uint *y, uint i [[thread_position_in_grid]]) {
  uint p = 1;
  if (i < 2 || (i > 2 && i % 2 == 0))
    p = 0;
  else
    for (uint d = 3; d * d <= i; d += 2)
      if (i % d == 0) {
        p = 0;
        break;
      }
  y[i] = p;
}
//@ compact 1048576 256 | f:1048576 f:1048576 z:1
kernel void compact(device const float *x, device float *y,
                    device ATOMIC *count, uint i [[thread_position_in_grid]]) {
  if (x[i] > 0.5f) {
    uint at = ATOMIC_ADD(&count[0], 1u);
    y[at & 1048575] = x[i];
  }
}
//@ hist_dev 1048576 256 | u:1048576 z:256
kernel void hist_dev(device const uint *x, device ATOMIC *bins,
                     uint i [[thread_position_in_grid]]) {
  ATOMIC_ADD(&bins[x[i] & 255], 1u);
}
//@ floyd 1024x1024 16x16 | f:1048576
kernel void floyd(device float *d, uint2 p [[thread_position_in_grid]]) {
  float a = d[p.y * 1024 + 7] + d[7 * 1024 + p.x], b = d[p.y * 1024 + p.x];
  if (a < b) d[p.y * 1024 + p.x] = a;
}
//@ edit 65536 64 | b:1048576 b:1048576 u:65536
kernel void edit(device const uchar *a, device const uchar *c, device uint *y,
                 uint i [[thread_position_in_grid]]) {
  uint row[17];
  for (uint j = 0; j <= 16; j++) row[j] = j;
  for (uint k = 0; k < 16; k++) {
    uint diag = row[0];
    row[0] = k + 1;
    uchar ch = a[i * 16 + k] & 3;
    for (uint j = 0; j < 16; j++) {
      uint cost = diag + (ch != (c[i * 16 + j] & 3) ? 1 : 0);
      diag = row[j + 1];
      uint m = min(row[j], row[j + 1]) + 1;
      row[j + 1] = min(m, cost);
    }
  }
  y[i] = row[16];
}
//@ lut 1048576 256 | u:1048576 f:65536 f:1048576
kernel void lut(device const uint *x, device const float *t, device float *y,
                uint i [[thread_position_in_grid]]) {
  y[i] = t[x[i] & 65535];
}
//@ gauss1d 2048x2048 64x4 | f:4194304 f:4194304 f:17
kernel void gauss1d(device const float *x, device float *y,
                    device const float *w,
                    uint2 p [[thread_position_in_grid]]) {
  float s = 0;
  for (int k = -8; k <= 8; k++) {
    int c = clamp((int)p.x + k, 0, 2047);
    s += w[k + 8] * x[p.y * 2048 + c];
  }
  y[p.y * 2048 + p.x] = s;
}
//@ gauss_v 2048x2048 64x4 | f:4194304 f:4194304 f:17
kernel void gauss_v(device const float *x, device float *y,
                    device const float *w,
                    uint2 p [[thread_position_in_grid]]) {
  float s = 0;
  for (int k = -8; k <= 8; k++) {
    int c = clamp((int)p.y + k, 0, 2047);
    s += w[k + 8] * x[c * 2048 + p.x];
  }
  y[p.y * 2048 + p.x] = s;
}
//@ maxpool2 1024x1024 16x16 | f:4194304 f:1048576
kernel void maxpool2(device const float *x, device float *y,
                     uint2 p [[thread_position_in_grid]]) {
  uint i = 2 * p.y * 2048 + 2 * p.x;
  y[p.y * 1024 + p.x] = max(max(x[i], x[i + 1]), max(x[i + 2048], x[i + 2049]));
}
//@ saxpy4 1048576 256 | v:4194304 v:4194304
kernel void saxpy4(device const float4 *x, device float4 *y,
                   uint i [[thread_position_in_grid]]) {
  y[i] = 2.5f * x[i] + y[i];
}
//@ aos 1048576 256 | f:8388608
typedef struct {
  float x, y, z, w, vx, vy, vz, vw;
} Body;
kernel void aos(device Body *p, uint i [[thread_position_in_grid]]) {
  Body b = p[i];
  b.x += 0.1f * b.vx;
  b.y += 0.1f * b.vy;
  b.z += 0.1f * b.vz;
  if (b.x > 1) b.vx = -b.vx;
  p[i] = b;
}
//@ julia_iter 1024x1024 16x16 | u:1048576
kernel void julia_iter(device uint *y, uint2 p [[thread_position_in_grid]]) {
  float a = (float)p.x / 512.0f - 1.0f, b = (float)p.y / 512.0f - 1.0f;
  uint n = 0;
  for (; n < 100; n++) {
    float u = a * a - b * b - 0.8f, v = 2 * a * b + 0.156f;
    if (u * u + v * v > 4.0f) break;
    a = u;
    b = v;
  }
  y[p.y * 1024 + p.x] = n;
}
//@ collatz 1048576 256 | u:1048576
kernel void collatz(device uint *y, uint i [[thread_position_in_grid]]) {
  uint x = i + 1, n = 0;
  while (x != 1 && n < 300) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    n++;
  }
  y[i] = n;
}
//@ lcg64 262144 256 | u:262144
kernel void lcg64(device uint *y, uint i [[thread_position_in_grid]]) {
  ulong s = i;
  for (uint k = 0; k < 64; k++)
    s = s * 6364136223846793005ul + 1442695040888963407ul;
  y[i] = (uint)(s >> 33);
}
//@ softmax_row 4096 64 | f:1048576 f:1048576
kernel void softmax_row(device const float *x, device float *y,
                        uint i [[thread_position_in_grid]]) {
  float m = x[i * 256];
  for (uint j = 1; j < 256; j++) m = max(m, x[i * 256 + j]);
  float s = 0;
  for (uint j = 0; j < 256; j++) {
    float e = exp(x[i * 256 + j] - m);
    y[i * 256 + j] = e;
    s += e;
  }
  for (uint j = 0; j < 256; j++) y[i * 256 + j] /= s;
}
//@ gelu 4194304 256 | f:4194304 f:4194304
kernel void gelu(device const float *x, device float *y,
                 uint i [[thread_position_in_grid]]) {
  float v = x[i];
  y[i] = 0.5f * v * (1.0f + tanh(0.79788456f * (v + 0.044715f * v * v * v)));
}
//@ bilinear 1024x1024 16x16 | f:1048576 f:1048576
kernel void bilinear(device const float *x, device float *y,
                     uint2 p [[thread_position_in_grid]]) {
  float fx = (float)p.x * 0.77f, fy = (float)p.y * 0.77f;
  int ix = (int)fx, iy = (int)fy;
  float u = fx - ix, v = fy - iy;
  float a = x[iy * 1024 + ix], b = x[iy * 1024 + ix + 1],
        c = x[(iy + 1) * 1024 + ix], d = x[(iy + 1) * 1024 + ix + 1];
  y[p.y * 1024 + p.x] =
      (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
}
//@ conv3ch 512x512 16x16 | f:786432 f:216 f:2097152
kernel void conv3ch(device const float *x, device const float *w,
                    device float *y, uint2 p [[thread_position_in_grid]]) {
  if (p.x >= 510 || p.y >= 510) return;
  for (uint o = 0; o < 8; o++) {
    float s = 0;
    for (uint c = 0; c < 3; c++)
      for (uint ky = 0; ky < 3; ky++)
        for (uint kx = 0; kx < 3; kx++)
          s += w[((o * 3 + c) * 3 + ky) * 3 + kx] *
               x[(c * 512 + p.y + ky) * 512 + p.x + kx];
    y[(o * 512 + p.y) * 512 + p.x] = s;
  }
}
//@ matmul_bt 256x256 16x16 | f:65536 f:65536 f:65536
kernel void matmul_bt(device const float *a, device const float *b,
                      device float *c, uint2 p [[thread_position_in_grid]]) {
  float s = 0;
  for (uint k = 0; k < 256; k++) s += a[p.y * 256 + k] * b[p.x * 256 + k];
  c[p.y * 256 + p.x] = s;
}
//@ chunk_sum 16384 64 | f:1048576 f:16384
kernel void chunk_sum(device const float *x, device float *y,
                      uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (uint j = i * 64; j < i * 64 + 64; j++) s += x[j];
  y[i] = s;
}
//@ rmsnorm_row 2048 64 | f:1048576 f:512 f:1048576
kernel void rmsnorm_row(device const float *x, device const float *w,
                        device float *y, uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (uint j = 0; j < 512; j++) s += x[i * 512 + j] * x[i * 512 + j];
  s = rsqrt(s / 512.0f + 1e-5f);
  for (uint j = 0; j < 512; j++) y[i * 512 + j] = x[i * 512 + j] * s * w[j];
}
//@ prefix_row 4096 64 | f:1048576 f:1048576
kernel void prefix_row(device const float *x, device float *y,
                       uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (uint j = 0; j < 256; j++) {
    s += x[i * 256 + j];
    y[i * 256 + j] = s;
  }
}
//@ transpose_n 2048x2048 16x16 | f:4194304 f:4194304 z:1
kernel void transpose_n(device const float *x, device float *y,
                        device const uint *m,
                        uint2 p [[thread_position_in_grid]]) {
  uint n = 2048 + m[0];
  if (p.x < n && p.y < n) y[p.x * n + p.y] = x[p.y * n + p.x];
}
//@ flip 1024x1024 16x16 | f:1048576 f:1048576
kernel void flip(device const float *x, device float *y,
                 uint2 p [[thread_position_in_grid]]) {
  y[p.y * 1024 + 1023 - p.x] = x[p.y * 1024 + p.x];
}
//@ queens 16384 64 | u:16384
kernel void queens(device uint *y, uint i [[thread_position_in_grid]]) {
  uint n = 9, all = 511, cols[10], d1[10], d2[10], free_[10], depth = 2,
       count = 0;
  uint a = i % 9, b = (i / 9) % 9;
  cols[2] = (1u << a) | (1u << b);
  d1[2] = ((1u << a) << 2) | ((1u << b) << 1);
  d2[2] = ((1u << a) >> 2) | ((1u << b) >> 1);
  bool ok =
      a != b && (1u << b) != ((1u << a) << 1) && (1u << b) != ((1u << a) >> 1);
  free_[2] = ok && i < 81 * 8 ? all & ~(cols[2] | d1[2] | d2[2]) : 0;
  while (depth >= 2) {
    uint f = free_[depth];
    if (f == 0) {
      depth--;
      continue;
    }
    uint bit = f & (0u - f);
    free_[depth] = f ^ bit;
    if (depth == n - 1) {
      count++;
      continue;
    }
    cols[depth + 1] = cols[depth] | bit;
    d1[depth + 1] = (d1[depth] | bit) << 1;
    d2[depth + 1] = (d2[depth] | bit) >> 1;
    depth++;
    free_[depth] = all & ~(cols[depth] | d1[depth] | d2[depth]);
  }
  y[i] = count;
}
//@ gcd 1048576 256 | u:1048576 u:1048576 u:1048576
kernel void gcd(device const uint *a, device const uint *b, device uint *y,
                uint i [[thread_position_in_grid]]) {
  uint u = a[i] & 0xffff, v = (b[i] & 0xffff) | 1;
  while (v) {
    uint r = u % v;
    u = v;
    v = r;
  }
  y[i] = u;
}
//@ bfs 262144 256 | r:262145 n:2097152 z:262144 n:262144
kernel void bfs(device const uint *row, device const uint *col,
                device uint *mark, device const uint *level,
                uint i [[thread_position_in_grid]]) {
  if ((level[i] & 7) != 0) return;
  for (uint j = row[i]; j < row[i + 1]; j++) mark[col[j]] = 1;
}
//@ insertion 65536 64 | u:1048576
kernel void insertion(device uint *x, uint i [[thread_position_in_grid]]) {
  for (uint a = 1; a < 16; a++) {
    uint v = x[i * 16 + a];
    uint b = a;
    while (b > 0 && x[i * 16 + b - 1] > v) {
      x[i * 16 + b] = x[i * 16 + b - 1];
      b--;
    }
    x[i * 16 + b] = v;
  }
}
//@ sum100 16384 64 | f:1638400 f:16384 z:1
kernel void sum100(device const float *x, device float *y, device const uint *z,
                   uint i [[thread_position_in_grid]]) {
  uint n = 100 + z[0];
  float s = 0;
  for (uint j = 0; j < n; j++) s += x[i * n + j];
  y[i] = s;
}
//@ dot8 4096 64 | c:2097152 c:512 u:4096
kernel void dot8(device const char *x, device const char *w, device uint *y,
                 uint i [[thread_position_in_grid]]) {
  int s = 0;
  for (uint j = 0; j < 512; j++) s += (int)x[i * 512 + j] * (int)w[j];
  y[i] = s;
}
//@ popc 1048576 256 | u:1048576 u:1048576
kernel void popc(device const uint *x, device uint *y,
                 uint i [[thread_position_in_grid]]) {
  uint v = x[i], n = 0;
  while (v) {
    v &= v - 1;
    n++;
  }
  y[i] = n;
}
//@ kmeans16 262144 256 | f:4194304 f:512 u:262144
kernel void kmeans16(device const float *x, device const float *c,
                     device uint *y, uint i [[thread_position_in_grid]]) {
  float best = 1e30f;
  uint w = 0;
  for (uint k = 0; k < 32; k++) {
    float q = 0;
    for (uint d = 0; d < 16; d++) {
      float u = x[i * 16 + d] - c[k * 16 + d];
      q += u * u;
    }
    if (q < best) {
      best = q;
      w = k;
    }
  }
  y[i] = w;
}
//@ bfs_front 262144 256 | r:262145 n:2097152 z:262144 n:262144 z:1
kernel void bfs_front(device const uint *row, device const uint *col,
                      device uint *dist, device const uint *level,
                      device ATOMIC *count,
                      uint i [[thread_position_in_grid]]) {
  if ((level[i] & 15) != 3) return;
  for (uint j = row[i]; j < row[i + 1]; j++) {
    uint v = col[j];
    if (dist[v] == 0) {
      dist[v] = 4;
      ATOMIC_ADD(&count[0], 1u);
    }
  }
}
//@ fft_stage 524288 256 | f:2097152 f:2097152 z:1
kernel void fft_stage(device const float *x, device float *y,
                      device const uint *z,
                      uint t [[thread_position_in_grid]]) {
  uint h = 1024 + z[0];
  uint k = t & (h - 1), i = ((t - k) << 1) + k, j = i + h;
  float a = (float)k * (-3.14159265f / (float)h);
  float c = cos(a), s = sin(a);
  float ur = x[2 * i], ui = x[2 * i + 1], vr = x[2 * j], vi = x[2 * j + 1];
  float tr = vr * c - vi * s, ti = vr * s + vi * c;
  y[2 * i] = ur + tr;
  y[2 * i + 1] = ui + ti;
  y[2 * j] = ur - tr;
  y[2 * j + 1] = ui - ti;
}
//@ rgb2yuv 1048576 256 | b:3145728 b:3145728
kernel void rgb2yuv(device const uchar *x, device uchar *y,
                    uint i [[thread_position_in_grid]]) {
  int r = x[3 * i], g = x[3 * i + 1], b = x[3 * i + 2];
  y[3 * i] = (uchar)((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
  y[3 * i + 1] = (uchar)(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
  y[3 * i + 2] = (uchar)(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
}
//@ logsumexp 65536 64 | r:65537 f:524288 f:65536
kernel void logsumexp(device const uint *row, device const float *x,
                      device float *y, uint i [[thread_position_in_grid]]) {
  float m = -1e30f, s = 0;
  for (uint j = row[i]; j < row[i + 1]; j++) m = max(m, x[j]);
  for (uint j = row[i]; j < row[i + 1]; j++) s += exp(x[j] - m);
  y[i] = m + log(s);
}
//@ inv4 262144 256 | b:1048576 b:1048576
kernel void inv4(device const uchar *x, device uchar *y,
                 uint i [[thread_position_in_grid]]) {
  y[4 * i] = 255 - x[4 * i];
  y[4 * i + 1] = 255 - x[4 * i + 1];
  y[4 * i + 2] = 255 - x[4 * i + 2];
  y[4 * i + 3] = x[4 * i + 3];
}

/*
** simple.h - kernels as they stand in books: some lines over the position
** alone, without a question for lane or SIMD-group. These are what the engine
** runs more than one SIMD-group of at once, turns over in registers or holds
** back (width.c, turn.c, walk_write.c), and any use of the lane's number would
** keep it from that.
*/
#ifndef RANDOM_SIMPLE_H
#define RANDOM_SIMPLE_H

#include "tests/random/shapes.h"

/* From one place to another, without a loop. */
static const Text moves[] = {
    {0, "plane[turned] = rin[place] + %cu;"},
    {0, "plane[place] = rin[turned] ^ %cu;"},
    {0, "plane[turned] = rin[place];"},
    {0, "plane[turned] = rin[i] * %cu + gid.x;"},
    {0, "((device float *)plane)[turned] = "
        "small[gid.x & 127u] + small[gid.y & 127u];"},
    {0, "if (gid.x < grid.x - 1u) plane[turned] = rin[place] * 3u;"},
    {0, "{ uint q = rin[turned]; if (q % 3u) plane[place] = q + %cu; }"},
    {0, "((device float *)plane)[turned] = float(rin[place] & 1023u) * 0.5f;"},
    {0, "((device int *)plane)[place] = max(int(rin[turned]), -%c);"},
    {0, "{ uint2 q = ((device const uint2 *)rin)[place]; "
        "plane[turned] = q.x ^ q.y; }"},
    {0, "plane[place] = rin[place] + rin[place + 1u] * %cu + rin[place + "
        "pitch];"},
    {0, "((device uint4 *)more)[i * 2u] = "
        "((device const uint4 *)rin)[i] + %cu; "
        "((device uint4 *)more)[i * 2u + 1u] = "
        "((device const uint4 *)rin)[i + 1u];"},
    {0, "more[i * 8u] = rin[i]; more[i * 8u + 1u] = rin[i + 1u] + 1u; "
        "more[i * 8u + 2u] = %cu; more[i * 8u + 3u] = rin[i * 2u]; "
        "more[i * 8u + 4u] = i; more[i * 8u + 5u] = rin[i] * 3u; "
        "more[i * 8u + 6u] = 0u; more[i * 8u + 7u] = rin[i + 7u];"},
    {0, "((device ushort *)flat)[i * 3u] = ushort(rin[i]); "
        "((device ushort *)flat)[i * 3u + 1u] = ushort(rin[i] >> 16); "
        "((device ushort *)flat)[i * 3u + 2u] = %cu;"},
    {0, "((device uint4 *)more)[i * 2u].xz = "
        "((device const uint4 *)rin)[i].yw + %cu;"},
    {0, "{ uint l = (gid.x == 0u ? grid.x : gid.x) - 1u, r = gid.x + 1u == "
        "grid.x ? 0u : gid.x + 1u; plane[place] = "
        "rin[gid.y * pitch + l] * 3u + rin[gid.y * pitch + r] + ((device const "
        "uchar *)rin)[gid.y * pitch + l]; }"},
    {0, "out[i] = rin[i] > rin[i + 1u] ? rin[i] : %cu;"},
    {0, "out[i] = popcount(rin[i * 2u]) + clz(rin[i * 2u + 1u]);"},
};

/* Sums of products, and what else is made along a row or a column. */
static const Text sums[] = {
    {0, "{ float sum = 0.0f; for (uint q = 0; q < wide; q++) "
        "sum += float(rin[gid.y * wide + q] & 15u) * float(rin[q * pitch + "
        "gid.x] & 7u); plane[place] = uint(sum); }"},
    {0, "{ float sum = 0.0f; for (uint q = 0; q < wide; q++) "
        "sum += small[q] * small[(gid.x & 15u) + q * 2u]; "
        "plane[place] = uint(sum) + %cu; }"},
    {0, "{ float sum = 0.0f; for (uint q = 0; q < 16u; q++) "
        "sum += small[lp.y * 16u % 128u + q] * small[q * 8u + (lp.x & 7u)]; "
        "plane[turned] = uint(sum); }"},
    {0, "{ float sum = %c.0f, other = 1.0f; "
        "for (uint q = 0; q < wide; q++) { float s = small[q]; "
        "sum += s * float(rin[q * pitch + gid.x] & 7u); "
        "other = fma(s, float(rin[q * pitch + gid.x + 1u] & 3u), other); "
        "} plane[place] = uint(sum) * 3u + uint(other); }"},
    {0, "{ uint sum = 0; for (uint q = 0; q < wide; q++) "
        "sum += rin[gid.y * wide + q] * rin[q * pitch + gid.x]; "
        "plane[place] = sum; }"},
    {0, "{ uint sum = 0; for (uint q = 0; q < wide; q++) { "
        "sum += rin[i * wide + q]; rows[i * wide + q] = sum; } }"},
    {0, "for (uint q = 0; q < wide; q++) "
        "rows[i * wide + q] = rin[q * pitch + gid.x] ^ q;"},
    {0, "{ uint last = %cu; for (uint q = 0; q < wide; q++) { "
        "last = last * 3u + rin[i * wide + q]; rows[i * wide + q] = last; "
        "} out[i] = last; }"},
    {0, "for (uint q = 0; q < wide; q++) "
        "rows[i * wide + q] = rows[i * wide + q] * 5u + %cu;"},
    {0, "for (uint q = 1; q < wide; q++) "
        "rows[i * wide + q] += rows[i * wide + q - 1u];"},
    {0, "{ float most = 0.0f; for (uint q = 0; q < wide; q++) "
        "most = max(most, float(rin[i * wide + q] & 4095u)); "
        "out[i] = uint(most); }"},
    {0, "{ uint sum = 0; for (uint q = i; q < 8192u; q += threads) "
        "sum += rin[q]; out[i] = sum; }"},
    /* a few numbers of each thread's own */
    {0, "{ uint h = %cu; for (uint q = 0; q < 8u; q++) "
        "h = h * 31u + rin[i * 8u + q]; out[i] = h; }"},
    {0, "for (uint q = 0; q < 8u; q++) rows[i * wide + q] = "
        "rin[i * 8u + q] ^ %cu;"},
    {0, "for (uint q = 0; q < 4u; q++) { "
        "rows[i * wide + q] = rin[i * 5u + q] + %cu; "
        "out[i] ^= rin[i * 5u + q + 1u]; }"},
    {0, "for (int q = 6; q > 0; q--) rows[i * wide + uint(q)] += "
        "rows[i * wide + uint(q) - 1u];"},
    {0, "{ uint best = 0, most = 0; for (uint r = 0; r < wide; r++) { "
        "uint d = 0; for (uint q = 0; q < 6u; q++) "
        "d += rin[i * 6u + q] ^ rin[r * 6u + q]; "
        "if (d > most) most = d, best = r; } out[i] = best; }"},
    {0, "{ float4 sum = 0.0f; for (uint q = 0; q < wide; q++) "
        "sum += float4(((device const uint4 *)rin)[q * 8u + (gid.x & 7u)] & "
        "15u) * small[q]; out[i] = uint(dot(sum, "
        "float4(1.0f, 2.0f, 3.0f, 4.0f))); }"},
    {0, "for (uint q = 0; q < wide; q++) "
        "((device float *)rows)[i * wide + q] = "
        "float(rin[i * wide + q] & 255u) * small[q];"},
    {0, "for (uint q = 0; q < wide / 2u; q++) "
        "((device uint2 *)rows)[i * (wide / 2u) + q] = "
        "uint2(rin[q], rin[i] + q);"},
};

/* The same through threadgroup memory; 'square' has 16 rows of 17. */
static const Text tiles[] = {
    {0, "for (uint z = t; z < 256u; z += n) "
        "square[z / 16u][z % 16u] = rin[tg * 256u + z];\n" BARRIER
        "if (tg < 64u) for (uint z = t; z < 256u; z += n) "
        "swap[tg * 256u + z] = square[z % 16u][z / 16u];"},
    {0, "{ float sum = 0.0f; for (uint k0 = 0; k0 < wide; k0 += 16u) { "
        "for (uint z = t; z < 256u; z += n) "
        "square[z / 16u][z % 16u] = rin[k0 * 16u + z] & 15u; " BARRIER
        " for (uint z = 0; z < 16u; z++) "
        "sum += float(square[lp.y & 15u][z]) * float(square[z][lp.x & 15u]); "
        BARRIER " } plane[place] = uint(sum); }"},
    {0, "tile[t] = rin[i];\n" BARRIER
        "for (uint s = n / 2u; s > 0u; s /= 2u) { if (t < s) "
        "tile[t] += tile[t + s]; " BARRIER
        " }\nif (t == 0u) flat[tg] = tile[0];\nout[i] = tile[0];"},
};

static void simple_body(Generator *g) {
  static const char *const guards[] = {
      "gid.x >= grid.x - 1u", "gid.y >= par[6] % 40u", "i >= uni.n % 3000u"};
  if (g->barriers && chance(g, 40)) {
    line(g, "threadgroup uint tile[1024];");
    OF(g, tiles, 2);
    return;
  }
  if (chance(g, 30)) {
    const char *guard = ANY(g, guards);
    mt_str_addf(g->out, "  if (%s) return;\n", guard);
  }
  indent(g);
  if (chance(g, 55)) OF(g, moves, 2);
  else OF(g, sums, 2);
}

#endif

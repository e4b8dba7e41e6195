/*
** bound.h - buffers that come to a kernel in other ways: the same one as two
** parameters, and by the pointers of a struct.
**
** 'also' may be 'more' and 'rows2' may be 'rows', or they may be buffers of
** their own: the launch decides (test_random.c), and the compiler does not
** know. So may job.own be 'more'. As there, each thread has a row of its own.
*/
#ifndef RANDOM_BOUND_H
#define RANDOM_BOUND_H

#include "tests/random/generate.h"

static const Text bound[] = {
    {TWINS, "also[i * 8u + (%U & 7u)] ^= %U;"},
    {TWINS, "%v += also[i * 8u + (%U & 7u)];"},
    {TWINS, "for (uint z = 0; z < 8u; z++) "
            "more[i * 8u + z] = also[i * 8u + z] * 3u + %v;"},
    {TWINS, "for (uint z = 1; z < 8u; z++) "
            "more[i * 8u + z] = also[i * 8u + z - 1u] + z;"},
    {TWINS, "for (uint z = 0; z < 8u; z++) "
            "also[i * 8u + 7u - z] = more[i * 8u + z] ^ %v;"},
    {TWINS, "for (uint z = 0; z < 8u; z++) { also[i * 8u + z] = %v; "
            "%v = %v * 5u + more[i * 8u + z]; }"},
    {TWINS, "{ device uint *q = also + i * 8u, *r = more + i * 8u; "
            "q[0] = r[7] + 1u; q[1] = r[6] + %v; q[2] = r[5]; "
            "q[3] = r[4] ^ 7u; q[4] = r[3]; q[5] = r[2]; q[6] = r[1]; "
            "q[7] = r[0] * 3u; }"},
    {TWINS, "if (%B) { also[i * 8u] = %U; more[i * 8u + 1u] = "
            "also[i * 8u] + more[i * 8u]; }"},
    {TWINS | VECTORS, "((device uint4 *)also)[i * 2u] = "
                      "((device uint4 *)more)[i * 2u + (%U & 1u)] + %V;"},
    {TWINS, "{ uint at = %U & 7u; more[i * 8u + at] = %U; "
            "%v ^= also[i * 8u + at] + also[i * 8u + %k]; }"},
    {TWINS | SHAPES, "for (uint q = 0; q < wide; q++) "
                     "rows[i * wide + q] = rows2[i * wide + q] * 3u + %v;"},
    {TWINS | SHAPES, "for (uint q = 1; q < wide; q++) "
                     "rows2[i * wide + q] ^= rows[i * wide + q - 1u] + q;"},
    {TWINS | SHAPES, "for (uint q = 0; q < wide; q++) { "
                     "rows[i * wide + q] += %v; "
                     "%v ^= rows2[i * wide + wide - 1u - q]; }"},
    {TWINS | SHAPES, "{ uint sum = 0; for (uint q = 0; q < wide; q++) "
                     "sum += rows2[i * wide + q]; rows[i * wide] = sum; "
                     "for (uint q = 0; q < wide; q++) "
                     "%v += rows2[i * wide + q] ^ sum; }"},
    {TWINS | SHAPES, "for (uint q = 0; q + 1u < wide; q++) "
                     "if (rows[i * wide + q] > rows2[i * wide + q + 1u]) { "
                     "uint keep = rows[i * wide + q]; "
                     "rows2[i * wide + q] = rows[i * wide + q + 1u]; "
                     "rows[i * wide + q + 1u] = keep; }"},
    {JOBS, "%v ^= job.x[%P];"}, {JOBS, "job.own[i * 8u + (%U & 7u)] ^= %U;"},
    {JOBS, "%v += job.own[i * 8u + (%U & 7u)];"},
    {JOBS, "for (uint z = 0; z < job.n; z++) "
           "job.own[i * 8u + z] = job.x[i * 8u + z] + %v;"},
    {JOBS, "for (uint z = 0; z < job.n; z++) "
           "%v = %v * 3u + job.own[i * 8u + z];"},
    {JOBS, "for (uint z = 0; z < 8u; z++) { job.own[i * 8u + z] = %v; "
           "%v += more[i * 8u + z] ^ z; }"},
    {JOBS, "for (uint z = 0; z < 8u; z++) { more[i * 8u + z] += %v; "
           "%v ^= job.own[i * 8u + 7u - z]; }"},
    {JOBS, "{ device uint *q = job.lists[%U & 1u]; "
           "q[i * 4u + (%U & 3u)] ^= %U; %v += q[i * 4u + (%k & 3u)]; }"},
    {JOBS, "{ device uint *q = %B ? job.own + i * 8u "
           ": job.lists[tg & 1u] + i * 4u; q[%U & 3u] = %U; }"},
    {JOBS, "for (uint z = 0; z < 4u; z++) job.lists[z & 1u][i * 4u + z] = "
           "job.lists[1u - (z & 1u)][i * 4u + z] + %v;"},
    {JOBS | FLOATS, "x += job.by * float(job.n);"},
    {JOBS | SHAPES, "for (uint q = 0; q < wide; q++) "
                    "%v += job.x[i * wide % 8192u + q] * rin[i * wide + q];"},
};

static void bound_prelude(mt_Str *out) {
  mt_str_add(out, "struct Job { device const uint *x; device uint *own; "
                  "device uint *lists[2]; uint n; float by; };\n");
}

static void bound_parameters(Generator *g) {
  if (g->has & TWINS)
    mt_str_add(g->out, "    device uint *also [[buffer(15)]],\n");
  if (g->has & TWINS && g->has & SHAPES)
    mt_str_add(g->out, "    device uint *rows2 [[buffer(16)]],\n");
  if (g->has & JOBS)
    mt_str_add(g->out, "    constant Job &job [[buffer(17)]],\n");
}

#endif

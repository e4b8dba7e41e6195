/*
** inside.h - what the files of cpu/ share.
**
** The one idea: a reference is written once, as a body that works on a piece
** [first, last) of its loop. mt_cpu_loop hands out the pieces, one after the
** other on one core, or over the pool on all. Pieces depend on sizes alone,
** never on the number of threads.
*/
#ifndef MT_CPU_INSIDE_H
#define MT_CPU_INSIDE_H

#include <stdint.h>

#include "base/cancel.h"
#include "cpu/cpu.h"
#include "cpu/vendor.h"

/*
** In front of a hot function: compiled for several generations of x86-64, the
** right one chosen when the program starts. Elsewhere the baseline has vectors
** (NEON). Sanitizers cannot run that early, so they get the baseline. (Their
** addresses are taken where they are called with; gcc 12 cannot put them into
** a table.)
*/
#if defined(__has_feature)
#define MT_HAS_FEATURE(x) __has_feature(x)
#else
#define MT_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || MT_HAS_FEATURE(thread_sanitizer)
#define MT_THREAD_SANITIZER 1
#endif
#if defined(__SANITIZE_ADDRESS__) || MT_HAS_FEATURE(address_sanitizer) || \
    defined(MT_THREAD_SANITIZER)
#define MT_SANITIZER 1
#endif
#if defined(__clang__)
#define MT_HAS_CLONES (__clang_major__ >= 18)
#else
#define MT_HAS_CLONES (__GNUC__ >= 12)
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && MT_HAS_CLONES && \
    !defined(MT_SANITIZER)
#define MT_HOT \
  __attribute__(( \
      target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MT_HOT
#endif

/* In front of a loop whose output may be one of its inputs, element by
** element: tells the compiler that it may still use vectors. */
#if defined(__clang__)
#define MT_EACH _Pragma("clang loop vectorize(assume_safety)")
#else
#define MT_EACH _Pragma("GCC ivdep")
#endif

/* Helpers of hot functions must become part of them. */
#define MT_INLINE static inline __attribute__((always_inline))

/* One piece of a loop. 'worker' is below mt_cpu_workers, distinct among those
** running at the same moment. */
typedef void (*mt_CpuBody)(void *context, size_t first, size_t last,
                           unsigned worker);

/* 'body' over 0 .. count-1 in pieces of 'grain'; gives up when cancelled. */
void mt_cpu_loop(const mt_CpuCall *call, size_t count, size_t grain,
                 mt_CpuBody body, void *context);
unsigned mt_cpu_workers(const mt_CpuCall *call);

/* The vendor's library cannot be interrupted, so it is called for a part [at,
** at + n) at a time: one that takes milliseconds. */
#define MT_PART ((size_t)1 << 22)
#define MT_PARTS(at, n, count) \
  for (size_t at = 0, n; at < (count) && !mt_cancelled() && \
       (n = (count) - at < MT_PART ? (count) - at : MT_PART, true); at += n)

/* Loaded at first use; NULL and a line if it is not to be had. */
const mt_CpuVendor *mt_cpu_vendor_load(mt_Error *err);

typedef mt_Status (*mt_CpuFunction)(mt_CpuCall *call, mt_Error *err);
typedef mt_Status (*mt_CpuVendorFunction)(mt_CpuCall *call,
                                          const mt_CpuVendor *v,
                                          mt_Error *err);

struct mt_CpuRef {
  const char *name;
  const char *about; /* one line, under 70 characters */
  unsigned types;    /* what T may be: a set */
  bool in_place;     /* an output may be one of the inputs */
  mt_CpuArg args[MT_CPU_ARGS + 1];
  mt_CpuOption options[MT_CPU_OPTIONS + 1];
  /* work out letters that the inputs do not give; may be NULL */
  mt_CpuFunction derive;
  mt_CpuFunction run; /* one core and all cores */
  mt_CpuVendorFunction vendor;
  size_t needs; /* offset in mt_CpuVendor of the primitive it stands on */
};

#define MT_DIM(call, letter) ((call)->dim[(letter) - 'a'])
#define MT_FLOATS(call, i) ((float *)(call)->array[i].data)
#define MT_UINTS(call, i) ((uint32_t *)(call)->array[i].data)

/* Memory for a call's own use, 'count' elements of 'size' bytes, zeroed. */
void *mt_cpu_scratch(const mt_CpuCall *call, size_t count, size_t size,
                     mt_Error *err);

/* One line, "cpu.name: " in front. */
mt_Status mt_cpu_error(const mt_CpuCall *call, mt_Error *err, mt_Status status,
                       const char *fmt, ...) MT_PRINTF(4, 5);

/* c[n×m] (+)= a[n×k] · b[k×m] on the calling thread; lda, ldb, ldc are the
** columns of the whole matrices. Gives up when cancelled. */
void mt_cpu_gemm(const float *a, size_t lda, const float *b, size_t ldb,
                 float *c, size_t ldc, size_t n, size_t k, size_t m);

/* Softmax of one row on the calling thread; y may be x. */
void mt_cpu_softmax_row(const float *x, float *y, size_t n);

/* b[m×n] = a[n×m] transposed, any 4-byte elements, the way 'call' runs. */
void mt_cpu_transpose(const mt_CpuCall *call, const uint32_t *a, uint32_t *b,
                      size_t n, size_t m);

/* The references, as the table names them. */
#define MT_CPU_DECLARE(name) \
  mt_Status mt_cpu_run_##name(mt_CpuCall *call, mt_Error *err)
#define MT_CPU_DECLARE_VENDOR(name) \
  mt_Status mt_cpu_vendor_##name(mt_CpuCall *call, const mt_CpuVendor *v, \
                                 mt_Error *err)

MT_CPU_DECLARE(add);
MT_CPU_DECLARE(sub);
MT_CPU_DECLARE(mul);
MT_CPU_DECLARE(saxpy);
MT_CPU_DECLARE(relu);
MT_CPU_DECLARE(exp);
MT_CPU_DECLARE(activations);
MT_CPU_DECLARE(copy);
MT_CPU_DECLARE(fill);
MT_CPU_DECLARE(sum);
MT_CPU_DECLARE(mean);
MT_CPU_DECLARE(max);
MT_CPU_DECLARE(dot);
MT_CPU_DECLARE(matmul);
MT_CPU_DECLARE(linear);
MT_CPU_DECLARE(transpose);
MT_CPU_DECLARE(scan);
MT_CPU_DECLARE(histogram);
MT_CPU_DECLARE(conv1d);
MT_CPU_DECLARE(conv2d);
MT_CPU_DECLARE(maxpool);
MT_CPU_DECLARE(softmax);
MT_CPU_DECLARE(layernorm);
MT_CPU_DECLARE(mandelbrot);
MT_CPU_DECLARE(nbody);
MT_CPU_DECLARE(blackscholes);
MT_CPU_DECLARE(attention);
MT_CPU_DECLARE(sort);
MT_CPU_DECLARE(random_uniform);
MT_CPU_DECLARE(random_normal);
MT_CPU_DECLARE(blur);
MT_CPU_DECLARE(sobel);
MT_CPU_DECLARE(life);

#define MT_CPU_DECLARE_DERIVE(name) \
  mt_Status mt_cpu_derive_##name(mt_CpuCall *call, mt_Error *err)

MT_CPU_DECLARE_DERIVE(length);
MT_CPU_DECLARE_DERIVE(random);
MT_CPU_DECLARE_DERIVE(histogram);
MT_CPU_DECLARE_DERIVE(conv1d);
MT_CPU_DECLARE_DERIVE(conv2d);
MT_CPU_DECLARE_DERIVE(maxpool);
MT_CPU_DECLARE_DERIVE(mandelbrot);

MT_CPU_DECLARE_VENDOR(add);
MT_CPU_DECLARE_VENDOR(sub);
MT_CPU_DECLARE_VENDOR(mul);
MT_CPU_DECLARE_VENDOR(saxpy);
MT_CPU_DECLARE_VENDOR(exp);
MT_CPU_DECLARE_VENDOR(sum);
MT_CPU_DECLARE_VENDOR(mean);
MT_CPU_DECLARE_VENDOR(dot);
MT_CPU_DECLARE_VENDOR(matmul);
MT_CPU_DECLARE_VENDOR(linear);
MT_CPU_DECLARE_VENDOR(transpose);
MT_CPU_DECLARE_VENDOR(conv1d);
MT_CPU_DECLARE_VENDOR(attention);

#endif

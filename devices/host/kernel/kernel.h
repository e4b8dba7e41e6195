/*
** kernel.h - libraries, kernels and their compiled code.
**
** Libraries, and what kernels keep of them, are those of every compiling device
** (service/source_library.h). Code is compiled at the first launch with a
** geometry (specialise.c), since the vectoriser relies on thread positions, and
** cached in memory and on disk (service/disk_cache.h). compile.c makes it from
** the kernel's job, in another process (compile_server.c); for a large kernel
** twice, first quickly (tier.h).
*/
#ifndef MT_HOST_KERNEL_KERNEL_H
#define MT_HOST_KERNEL_KERNEL_H

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/service/service.h"
#include "devices/host/host.h"
#include "devices/host/sites/sites.h"
#include "devices/host/native/native.h"
#include "devices/host/vectorise/vectorise.h"

/* What code is specialised for, besides the kernel. */
typedef struct mt_Variant {
  mt_Geometry geometry;
  mt_ArgumentFacts formats;
  bool scalar; /* thread by thread: METTLE_ENGINE=scalar, or a check wants it */
  bool pixels; /* instrumented: see mt_SiteTable.pixels */
  bool values; /* recorded: see mt_SiteTable.values */
  bool fibers; /* thread by thread: in fibers, even if the kernel never waits */
} mt_Variant;

/* Code for one kind of launch. */
typedef struct mt_Specialisation {
  mt_Variant kind;
  mt_Key key;      /* of the code, which is held only while it runs */
  bool simd;       /* vectorised, in the last launch */
  bool quick;      /* quick code, in the last launch */
  bool any_rows;   /* its code is that of any kind.geometry.rows */
  double group_ns; /* see mt_Runnable (run/dispatch.h) */
  uint64_t iterations; /* the same */
  struct mt_Specialisation *next;
} mt_Specialisation;

/* Instrumented machine code. */
typedef struct mt_InstrumentedCode {
  mt_SiteTable sites;
  mt_Code *code;
  size_t threadgroup_bytes, spill_bytes, stack_bytes;
  bool simd; /* vectorised; else thread by thread, and 'why' says why */
  mt_Error why;
} mt_InstrumentedCode;

/* Instrumented code for one kind of launch. */
typedef struct mt_InstrumentedVariant {
  mt_Variant kind;
  mt_InstrumentedCode code;
  struct mt_InstrumentedVariant *next;
} mt_InstrumentedVariant;

/* A job and its prepared form, which serves several requests. */
typedef struct mt_PreparedJob {
  mt_Target *target;        /* NULL: this machine */
  mt_CompileJob job; 
  mt_Prepared prepared;     /* code is generated from copies */
  mt_ArgumentFacts formats; /* that 'prepared' is for */
  mt_Unrolling unrolling;   /* and how far its loops were to be unrolled */
} mt_PreparedJob;

typedef struct mt_HostKernel {
  mt_Kernel head;
  mt_SourceKernel from;        /* its library */
  mt_PreparedJob work;         /* its job; prepared if LLVM runs here */
  size_t threadgroup_bytes;
  mt_Uses uses;
  mt_Key key;                  /* of all that code depends on but the variant */
  mt_Specialisation *specials; /* most recently used first */
  /* the checker's code, most recently used first */
  struct mt_InstrumentedVariant *instrumented;
  /* For tests, set before the first launch, and no part of cache keys. Scalar
  ** code is compiled as Clang emitted it, so that a comparison of the code
  ** generators also finds errors of mt_prepare; quick code generation, where
  ** much code runs once. */
  bool plain_scalar, hasty;
} mt_HostKernel;

mt_Status mt_host_library_new(mt_Device *dev, const char *source, size_t length,
                              const mt_CompileOptions *options,
                              mt_Library **out, mt_Str *log, mt_Error *err);
mt_Status mt_host_kernel_new(mt_Library *lib, const char *name,
                             const mt_ConstantValue *values, size_t count,
                             mt_Kernel **out, mt_Error *err);
void mt_host_kernel_free(mt_Kernel *kernel);

/* A key over all that the code depends on but the launch. */
mt_Key mt_kernel_key(const mt_HostKernel *k, const mt_Target *target);

/* Has this console or an earlier one found the kernel valid? */
bool mt_kernel_is_known(mt_HostKernel *k);
void mt_kernel_make_known(const mt_HostKernel *k);

mt_Status mt_host_launch(const mt_Launch *launch, mt_Timing *out,
                         mt_Error *err);
mt_Status mt_host_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                          mt_Error *err);

/* The checker's code; with 'counts' the profiler's. */
mt_Status mt_instrumented_new(const mt_Launch *launch, bool scalar,
                              mt_CountTable *counts, mt_InstrumentedCode *out,
                              mt_Error *err);
/* The recorder's, thread by thread; with 'values' of lines and variables, too;
** with 'fibers' in any order of threads. */
mt_Status mt_recorded_new(const mt_Launch *launch, bool values, bool fibers,
                          mt_InstrumentedCode *out, mt_Error *err);
void mt_instrumented_free(mt_InstrumentedCode *w);
/* The checker's code, cached in the kernel, which owns '*out'. */
mt_Status mt_instrumented_for(const mt_Launch *launch, bool scalar,
                              const mt_InstrumentedCode **out, mt_Error *err);

/* The compile server: start it ahead with a warm-up compile, while the user is
** idle (in parallel with Clang it would only slow Clang down); and the worker's
** main, if the worker is this program, started again; returns the exit
** status. */
void mt_compile_server_warm(void);
int mt_compile_server_serve(const char *word);

/* Map a place of the debug information to the source as typed. */
void mt_place_as_typed(const mt_Kernel *kernel, mt_SourcePlace *place);

/* The text of the kernel's file if that is not the main source; else NULL. */
const char *mt_kernel_text(const mt_Kernel *kernel, size_t *length);

#endif

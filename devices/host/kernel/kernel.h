/*
** kernel.h - libraries, kernels and the code that was made for them.
**
** A library is a compiled MSL module (library.c); a kernel is one function of
** it with the values of its function constants (kernel.c). Code is made at the
** first launch with a geometry (specialise.c), since the threads' places are
** part of what the vectoriser builds on, and kept in the kernel, in memory and
** on disk (service/disk_cache.h). It is made by compile.c of the kernel's plan,
** in another process (compile_server.c); for large kernels twice, first quickly
** (tier.h).
*/
#ifndef MT_HOST_KERNEL_KERNEL_H
#define MT_HOST_KERNEL_KERNEL_H

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/service/disk_cache.h"
#include "devices/host/host.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/native/native.h"
#include "devices/host/vectorise/vectorise.h"

/* What a library and its kernels hold together. */
typedef struct mt_HostModule {
  mt_MslModule *msl;
  char *source;
  mt_Key key;     /* of source and options */
  bool keep;      /* the key says all: no file is included */
  unsigned users;
  /* A large library has one of these without code, and those of the kernels
  ** that were taken; 'all' once they were many. */
  struct mt_HostModule *all;
  struct mt_TakenKernel *taken;
  unsigned taken_count;
} mt_HostModule;

typedef struct mt_TakenKernel {
  char *kernel;
  mt_HostModule *module;
  struct mt_TakenKernel *next;
} mt_TakenKernel;

typedef struct mt_HostLibrary {
  mt_Library head;
  mt_HostModule *module;
  const char **names;
} mt_HostLibrary;

/* What code depends on besides the kernel. */
typedef struct mt_Variant {
  mt_Geometry geometry;
  mt_ArgumentFacts formats;
  bool scalar; /* asked for, by METTLE_ENGINE */
  bool pixels; /* under watch: see mt_instrument_check */
} mt_Variant;

/* Code for one kind of launch. */
typedef struct mt_Specialisation {
  mt_Variant kind;
  mt_Key key; /* of the code, which is held while it runs */
  bool simd;  /* it runs as vectors, as last launched */
  double group_ns; /* see mt_Runnable */
  struct mt_Specialisation *next;
} mt_Specialisation;

/* Machine code with probes. */
typedef struct mt_InstrumentedCode {
  mt_SiteTable sites;
  mt_Code *code;
  size_t threadgroup_bytes, spill_bytes, stack_bytes;
  bool simd; /* as vectors; else thread by thread, 'why' says why */
  mt_Error why;
} mt_InstrumentedCode;

/* The same under watch. */
typedef struct mt_InstrumentedVariant {
  mt_Variant kind;
  mt_InstrumentedCode code;
  struct mt_InstrumentedVariant *next;
} mt_InstrumentedVariant;

/* All that is known of a kernel when its code is made. */
typedef struct mt_CompileJob {
  const mt_MslKernel *msl;
  const void *bitcode;
  size_t size;
  const char *source; /* as typed, for listings */
  const char *file;   /* of the kernel, if there are several; or NULL */
  const mt_Constant *constants; /* function constants, all there are */
  size_t constant_count;
  const mt_ConstantValue *values;
  size_t value_count;
} mt_CompileJob;

/* A plan and what was prepared of it, which serves one order after the
** other. */
typedef struct mt_PreparedJob {
  mt_Target *target;    /* NULL: this machine */
  mt_CompileJob plan;
  mt_Prepared prepared; /* copies of it become code */
  mt_ArgumentFacts formats;   /* that it is prepared for */
} mt_PreparedJob;

typedef struct mt_HostKernel {
  mt_Kernel head;
  mt_HostModule *module;
  const mt_MslKernel *msl;
  mt_ConstantValue *values; /* copies */
  size_t value_count;
  mt_PreparedJob work;        /* its plan; prepared where LLVM works here */
  size_t threadgroup_bytes;
  mt_Key key;               /* of all but the geometry */
  mt_Specialisation *specials;        /* last used first */
  /* code for the checker, last made first */
  struct mt_InstrumentedVariant *watched;
} mt_HostKernel;

void mt_module_release(mt_HostModule *m); /* NULL ok */
/* The module with the code of this kernel of 'library'; one more user. */
mt_Status mt_module_of(mt_HostModule *library, const char *kernel,
                       mt_HostModule **out, mt_Error *err);
const mt_MslKernel *mt_module_kernel(const mt_HostModule *m, const char *name);

mt_Status mt_host_library_new(mt_Device *dev, const char *source, size_t length,
                              const mt_CompileOptions *options,
                              mt_Library **out, mt_Str *log, mt_Error *err);
void mt_host_library_free(mt_Library *lib);

mt_Status mt_host_kernel_new(mt_Library *lib, const char *name,
                             const mt_ConstantValue *values, size_t count,
                             mt_Kernel **out, mt_Error *err);
void mt_host_kernel_free(mt_Kernel *kernel);

/* All that its code depends on but the launch. */
mt_Key mt_kernel_key(const mt_HostKernel *k, const mt_Target *target);

/* Was it found to be in order, by this console or an earlier one? */
bool mt_kernel_is_known(mt_HostKernel *k);
void mt_kernel_make_known(const mt_HostKernel *k);

/* specialise.c: thread by thread, kernels run as Clang left them, so that a
** suite also sees what mt_prepare does wrong. It does not change a cache's
** keys. */
extern bool mt_scalar_plain;

/* Code is made in little time and runs slower: for suites that run much code,
** each piece of it once. It does not change a cache's keys. */
extern bool mt_hasty_code;

mt_Status mt_host_launch(const mt_Launch *launch, mt_Timing *out,
                         mt_Error *err);
mt_Status mt_host_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                          mt_Error *err);

/* 'counts' NULL: under watch; else with the profiler's counters. */
mt_Status mt_instrumented_new(const mt_Launch *launch, bool scalar,
                              mt_CountTable *counts, mt_InstrumentedCode *out,
                              mt_Error *err);
void mt_instrumented_free(mt_InstrumentedCode *w);
/* The checker's, kept with the kernel. */
mt_Status mt_instrumented_for(const mt_Launch *launch, bool scalar,
                              const mt_InstrumentedCode **out, mt_Error *err);

/* A place of debug information becomes the place as typed. */
void mt_place_as_typed(const mt_Kernel *kernel, mt_SourcePlace *place);

/* The text of the kernel's file, if that is not the source itself; or NULL. */
const char *mt_kernel_text(const mt_Kernel *kernel, size_t *length);

#endif

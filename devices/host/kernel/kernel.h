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

#include "devices/compiler/service/disk_cache.h"
#include "devices/host/check/check.h"
#include "devices/host/host.h"
#include "devices/host/native/engine.h"
#include "devices/host/vectorise/vectorise.h"

/* What a library and its kernels hold together. */
typedef struct Module {
  mt_MslModule *msl;
  char *source;
  mt_Key key;     /* of source and options */
  bool keep;      /* the key says all: no file is included */
  unsigned users;
  /* A large library has one of these without code, and those of the kernels
  ** that were taken; 'all' once they were many. */
  struct Module *all;
  struct Taken *taken;
  unsigned taken_count;
} Module;

typedef struct Taken {
  char *kernel;
  Module *module;
  struct Taken *next;
} Taken;

typedef struct Library {
  mt_Library head;
  Module *module;
  const char **names;
} Library;

/* What code depends on besides the kernel. */
typedef struct LaunchKind {
  mt_Geometry geometry;
  mt_Formats formats;
  bool scalar; /* asked for, by METTLE_ENGINE */
  bool pixels; /* under watch: see mt_check_instrument */
} LaunchKind;

/* Code for one kind of launch. */
typedef struct Special {
  LaunchKind kind;
  mt_Key key; /* of the code, which is held while it runs */
  bool simd;  /* it runs as vectors, as last launched */
  double group_ns; /* see mt_Runnable */
  struct Special *next;
} Special;

/* The same under watch. */
typedef struct WatchedFor {
  LaunchKind kind;
  mt_Watched code;
  struct WatchedFor *next;
} WatchedFor;

/* All that is known of a kernel when its code is made. */
typedef struct mt_Plan {
  const mt_MslKernel *msl;
  const void *bitcode;
  size_t size;
  const char *source; /* as typed, for listings */
  const char *file;   /* of the kernel, if there are several; or NULL */
  const mt_Constant *constants; /* function constants, all there are */
  size_t constant_count;
  const mt_ConstantValue *values;
  size_t value_count;
} mt_Plan;

/* A plan and what was prepared of it, which serves one order after the
** other. */
typedef struct mt_Workpiece {
  mt_Plan plan;
  mt_Prepared prepared; /* copies of it become code */
  mt_Formats formats;   /* that it is prepared for */
} mt_Workpiece;

typedef struct Kernel {
  mt_Kernel head;
  Module *module;
  const mt_MslKernel *msl;
  mt_ConstantValue *values; /* copies */
  size_t value_count;
  mt_Workpiece work;        /* its plan; prepared where LLVM works here */
  size_t threadgroup_bytes;
  mt_Key key;               /* of all but the geometry */
  Special *specials;        /* last used first */
  struct WatchedFor *watched; /* code for the checker, last made first */
} Kernel;

void mt_module_release(Module *m); /* NULL ok */
/* The module with the code of this kernel of 'library'; one more user. */
mt_Status mt_module_of(Module *library, const char *kernel, Module **out,
                       mt_Error *err);
const mt_MslKernel *mt_module_kernel(const Module *m, const char *name);

mt_Status mt_host_kernel_new(mt_Library *lib, const char *name,
                             const mt_ConstantValue *values, size_t count,
                             mt_Kernel **out, mt_Error *err);
void mt_host_kernel_free(mt_Kernel *kernel);

/* All that its code depends on but the launch; for the machine that code is
** made for now (mt_machine_turn). */
mt_Key mt_kernel_key(const Kernel *k);

/* Was it found to be in order, by this console or an earlier one? */
bool mt_kernel_is_known(Kernel *k);
void mt_kernel_make_known(const Kernel *k);

mt_Status mt_host_launch(const mt_Launch *launch, mt_Timing *out,
                         mt_Error *err);
mt_Status mt_host_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                          mt_Error *err);

#endif

/*
** mettle.h - libmettle: Metal compute kernels from C, on whatever device there
** is. This header is its manual; docs/embedding.md has a first program.
**
** A device compiles the source of kernels to a library, a library has kernels,
** a launch is a kernel with its arguments and its grid:
**
**   mettle_device_open → mettle_library_new → mettle_kernel_new →
**   mettle_launch_new → mettle_launch_buffer … → mettle_launch_run
**
** (mettle_kernel_compile and mettle_launch_memory are shorter ways.)
**
** Failure: functions that can fail return a mettle_Status and leave a readable
** sentence in the caller's mettle_Error, which may be NULL. Results are then
** NULL. Nothing is printed, and nothing ends the program: a kernel that faults,
** never ends or does not compile is a sentence too. Only what a kernel writes
** outside memory that was wrapped (mettle_buffer_wrap) can damage the
** program, unless METTLE_GUARDED is asked for.
**
** Ownership: what a _new, _open or _wrap gives is the caller's until its _free
** or _close, which take NULL. The order does not matter: a launch keeps its
** kernel and its buffers, all keep their device. Strings belong to the object
** they came from.
**
** Threads: every function may be called on every thread. Calls that reach a
** device are carried out one at a time, on a thread of the library; others wait
** for their turn. A launch that is checked or profiled gives its turn to others
** while its kernel runs. One mettle_Launch is for one thread at a time. No
** object may be freed while another thread uses it. A process that forks can
** use the library in the child only if it had not been used before.
**
** Signals: while kernels run on the processor, the library has handlers for
** SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGURG; what is not of a kernel
** goes on to the handlers that were there. Its threads take no other signals.
**
** Versions: METTLE_ABI changes when programs must be compiled again, and is the
** number in the name of the shared library. Structs have room to grow: fill
** them with zeros first.
*/
#ifndef METTLE_H
#define METTLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define METTLE_ABI 1

const char *mettle_version(void); /* "1.0.0" */
unsigned mettle_abi(void);        /* METTLE_ABI of the library that is loaded */

/* ------------------------------------------------------------------ failure */

typedef enum mettle_Status {
  METTLE_OK = 0,
  METTLE_BADARG,    /* an argument that cannot be; nothing ran */
  METTLE_FAIL,      /* a device, compiler, kernel or allocation failed */
  METTLE_CANCELLED, /* by mettle_cancel, or by the thread's poll */
  METTLE_TIMEOUT    /* by mettle_launch_limit */
} mettle_Status;

typedef struct mettle_Error {
  char text[1024]; /* one line, without a newline */
} mettle_Error;

/* Stop all that the library does at this moment; nothing if it does nothing.
** Any thread, and signal handlers. */
void mettle_cancel(void);

/*
** While this thread waits for a device, 'poll' is called on it some fifty times
** a second; if it does not return 0, the work is stopped and the call returns
** METTLE_CANCELLED. It may free, and must call nothing else of the library.
** NULL: no poll.
*/
void mettle_poll(int (*poll)(void *context), void *context);

/* A text that a function has given, such as a log; NULL is fine. */
void mettle_text_free(char *text);

/* ------------------------------------------------------------------ devices */

typedef struct mettle_Device mettle_Device;

/* The devices that this library knows, best first: their names, and a line
** about each. NULL: there is no device of that number. */
const char *mettle_device_name(unsigned number, const char **what);

/* NULL: the device that METTLE_DEVICE names, or the best that works. */
mettle_Status mettle_device_open(const char *name, mettle_Device **out,
                                 mettle_Error *err);
void mettle_device_close(mettle_Device *dev);

typedef struct mettle_DeviceInfo {
  const char *name;       /* "host", "metal", "cuda" */
  const char *title;      /* the hardware */
  const char *how;        /* one line: what runs a kernel here */
  int is_gpu;             /* its times are a GPU's */
  int unified_memory;     /* buffers are plain memory, wrapped ones in place */
  unsigned units;         /* cores; 0 = not known */
  unsigned simd_width;    /* threads of a SIMD-group */
  uint64_t max_threads;   /* of a threadgroup */
  uint64_t max_threadgroup_memory, max_buffer, memory; /* bytes */
  uint64_t reserved[8];
} mettle_DeviceInfo;

void mettle_device_info(const mettle_Device *dev, mettle_DeviceInfo *out);

/* What kernels have logged (os_log) since the last call: lines, or "". */
mettle_Status mettle_device_messages(mettle_Device *dev, char **text,
                                     mettle_Error *err);

/* ---------------------------------------------------- libraries and kernels */

typedef struct mettle_Library mettle_Library;
typedef struct mettle_Kernel mettle_Kernel;

typedef struct mettle_CompileOptions {
  const char *file;                /* for messages and #include "…"; or NULL */
  const char *const *defines;      /* "NAME" or "NAME=VALUE", up to a NULL */
  const char *const *include_dirs; /* up to a NULL */
  int safe_math;                   /* Metal's default is fast math */
  const char *std;                 /* the version of MSL, "metal3.1"; or NULL */
  uint64_t reserved[3];
} mettle_CompileOptions;

/*
** Compile MSL, 'length' bytes of it. On failure 'err' has the first error,
** "file.metal:5:12: error: …". '*log' has all errors and warnings with their
** lines, on success too; the caller frees it. 'options' and 'log' may be NULL.
*/
mettle_Status mettle_library_new(mettle_Device *dev, const char *source,
                                 size_t length,
                                 const mettle_CompileOptions *options,
                                 mettle_Library **out, char **log,
                                 mettle_Error *err);
void mettle_library_free(mettle_Library *lib);

/* The kernels of the source, in its order. NULL: no kernel of that number. */
const char *mettle_library_kernel(const mettle_Library *lib, unsigned number);

/* The value of a function constant, in the bytes of its type. */
typedef struct mettle_Constant {
  unsigned index;
  const void *bytes;
  size_t size;
} mettle_Constant;

/* A function constant of the source. */
typedef struct mettle_ConstantInfo {
  const char *name;
  unsigned index;
  const char *type;    /* "float", "bool", "uint2" */
  size_t size;         /* of its value, bytes */
  const char *scalar;  /* of which it is made */
  unsigned components; /* 1, 2, 3 or 4 */
  uint64_t reserved[2];
} mettle_ConstantInfo;

/* They are counted from 0 on. METTLE_BADARG: there is none of that number. */
mettle_Status mettle_library_constant(const mettle_Library *lib,
                                      unsigned number,
                                      mettle_ConstantInfo *out);

/* 'name' may be NULL if the source has one kernel. A value of a constant that
** the source has not, or of another size than its type's, is refused. */
mettle_Status mettle_kernel_new(mettle_Library *lib, const char *name,
                                const mettle_Constant *values, size_t count,
                                mettle_Kernel **out, mettle_Error *err);
void mettle_kernel_free(mettle_Kernel *k);

/* Both steps in one, for a text that ends with '\0' and needs no options. */
mettle_Status mettle_kernel_compile(mettle_Device *dev, const char *source,
                                    const char *name, mettle_Kernel **out,
                                    mettle_Error *err);

typedef enum mettle_ParamKind {
  METTLE_BUFFER,      /* device or constant memory; a T& may be a value */
  METTLE_THREADGROUP, /* threadgroup memory of a size that the launch sets */
  METTLE_TEXTURE,
  METTLE_SAMPLER
} mettle_ParamKind;

/*
** A parameter. Parameters are counted from 0 on, in the order of the source,
** without those that the device fills in (thread_position_in_grid, …).
*/
typedef struct mettle_Param {
  const char *name;
  mettle_ParamKind kind;
  int is_read, is_written; /* by the kernel's code; on a device that has none,
                           ** by declaration: without const it may be both */
  int is_value;            /* it may be given as a value */
  int is_used;             /* else it may be left out */
  const char *type;        /* "float", "float4", "Particle" */
  size_t size, align;      /* of the type, bytes */
  const char *scalar;      /* of which a scalar or vector is made; or NULL */
  unsigned components;     /* 1, 2, 3 or 4; packed and padded as 'size' says */
  uint64_t reserved[4];
} mettle_Param;

const char *mettle_kernel_name(const mettle_Kernel *k);
unsigned mettle_kernel_params(const mettle_Kernel *k);
/* METTLE_BADARG: there is no parameter of that number. */
mettle_Status mettle_kernel_param(const mettle_Kernel *k, unsigned number,
                                  mettle_Param *out);
/* The number of the parameter 'name'; -1: there is none. */
int mettle_kernel_find(const mettle_Kernel *k, const char *name);

/*
** Where a field of a parameter's struct lies, of each element of the buffer:
** 'path' is as in the source, "at", "list[2].mass", and "at[0]" a component.
** "" is the struct itself.
*/
typedef struct mettle_Field {
  const char *type;    /* "float3" */
  size_t offset, size; /* from the start of the element, in bytes */
  const char *scalar;  /* of a scalar, vector or matrix; or NULL */
  unsigned components; /* of it, or of a column: 1, 2, 3 or 4 */
  unsigned columns;    /* of a matrix, each of size / columns bytes; else 1 */
  size_t count;        /* of an array's elements; else 0 */
  int has_fields;      /* it is a struct or union */
  uint64_t reserved[4];
} mettle_Field;

mettle_Status mettle_kernel_field(const mettle_Kernel *k, unsigned param,
                                  const char *path, mettle_Field *out,
                                  mettle_Error *err);
/* The names of the fields of the struct or union at 'path', in the order of the
** source. NULL: there is no field of that number. */
const char *mettle_kernel_field_name(const mettle_Kernel *k, unsigned param,
                                     const char *path, unsigned number);

/* ------------------------------------------------------------------ buffers */

typedef struct mettle_Buffer mettle_Buffer;

/* 'size' zeroed bytes, between guard regions where kernels run on the
** processor: an index that is wrong faults and is reported. */
mettle_Status mettle_buffer_new(mettle_Device *dev, size_t size,
                                mettle_Buffer **out, mettle_Error *err);

/*
** The caller's memory, which must stay where it is until mettle_buffer_free.
** On a device with unified memory kernels use it in place, without a copy; else
** it is copied to the device before each launch that uses it, and back after
** those that may write it. With METTLE_GUARDED it is copied in any case, to a
** buffer between guard regions. METTLE_READ_ONLY: no kernel may be launched
** that could write it.
*/
enum { METTLE_GUARDED = 1, METTLE_READ_ONLY = 2 };
mettle_Status mettle_buffer_wrap(mettle_Device *dev, void *memory, size_t size,
                                 unsigned flags, mettle_Buffer **out,
                                 mettle_Error *err);
void mettle_buffer_free(mettle_Buffer *buf);
size_t mettle_buffer_size(const mettle_Buffer *buf);

/* The contents, to be read, written, or both, until the next launch that uses
** the buffer. 'access' is any of METTLE_READ and METTLE_WRITE. */
enum { METTLE_READ = 1, METTLE_WRITE = 2 };
mettle_Status mettle_buffer_open(mettle_Buffer *buf, unsigned access,
                                 void **out, mettle_Error *err);

/* ----------------------------------------------------------------- textures */

typedef struct mettle_Texture mettle_Texture;

/* 'kind': "1d", "1d_array", "2d", "2d_array" or "3d"; 'format' as in Metal:
** "rgba8unorm", "r32float", "depth32float", … A side that the kind lacks is 1;
** 'depth' is that of a 3d, or the number of an array's layers. Zeroed. */
mettle_Status mettle_texture_new(mettle_Device *dev, const char *kind,
                                 const char *format, unsigned width,
                                 unsigned height, unsigned depth,
                                 mettle_Texture **out, mettle_Error *err);
void mettle_texture_free(mettle_Texture *t);
/* All pixels, rows after each other; 'size' is that of all of them. */
mettle_Status mettle_texture_write(mettle_Texture *t, const void *pixels,
                                   size_t size, mettle_Error *err);
mettle_Status mettle_texture_read(mettle_Texture *t, void *pixels, size_t size,
                                  mettle_Error *err);

/* ----------------------------------------------------------------- launches */

typedef struct mettle_Launch mettle_Launch;

/* A launch may be run any number of times, and changed in between. */
mettle_Status mettle_launch_new(mettle_Kernel *k, mettle_Launch **out,
                                mettle_Error *err);
void mettle_launch_free(mettle_Launch *l);

/* Arguments, by the parameter's number (mettle_kernel_find has it for a name).
** A buffer from byte 'offset' on; a value, of at most 4096 bytes, is copied. A
** struct with pointers, textures or samplers in it cannot be given. */
mettle_Status mettle_launch_buffer(mettle_Launch *l, unsigned param,
                                   mettle_Buffer *buf, size_t offset,
                                   mettle_Error *err);
mettle_Status mettle_launch_value(mettle_Launch *l, unsigned param,
                                  const void *bytes, size_t size,
                                  mettle_Error *err);
/* The caller's memory, as by mettle_buffer_wrap without flags, for this launch:
** it stays where it is until the argument is replaced or the launch freed. */
mettle_Status mettle_launch_memory(mettle_Launch *l, unsigned param,
                                   void *memory, size_t size,
                                   mettle_Error *err);
mettle_Status mettle_launch_texture(mettle_Launch *l, unsigned param,
                                    mettle_Texture *t, mettle_Error *err);
/* 'address': "clamp_to_edge", "clamp_to_zero", "repeat", "mirrored_repeat" */
mettle_Status mettle_launch_sampler(mettle_Launch *l, unsigned param,
                                    int linear, int pixel_coordinates,
                                    const char *address, mettle_Error *err);
/* The same, with all that a sampler has. */
typedef struct mettle_SamplerOptions {
  int linear;            /* else nearest */
  int pixel_coordinates; /* else normalised: 0 to 1 */
  const char *address;   /* as above; NULL: "clamp_to_edge" */
  const char *compare;   /* of sample_compare and gather_compare: "less",
                         ** "less_equal", "greater", "greater_equal", "equal",
                         ** "not_equal", "always", "never" or "none" (NULL) */
  uint64_t reserved[4];
} mettle_SamplerOptions;
mettle_Status mettle_launch_sampler_options(
    mettle_Launch *l, unsigned param, const mettle_SamplerOptions *options,
    mettle_Error *err);
mettle_Status mettle_launch_threadgroup(mettle_Launch *l, unsigned param,
                                        size_t bytes, mettle_Error *err);

/* The grid in threads, or in threadgroups; the last of the two calls holds. */
void mettle_launch_grid(mettle_Launch *l, uint64_t x, uint64_t y, uint64_t z);
void mettle_launch_groups(mettle_Launch *l, uint64_t x, uint64_t y,
                          uint64_t z);
/* Threads of a threadgroup; 0, 0, 0: a default that suits the grid. */
void mettle_launch_group(mettle_Launch *l, uint64_t x, uint64_t y, uint64_t z);
void mettle_launch_repeat(mettle_Launch *l, unsigned times); /* default 1 */
void mettle_launch_limit(mettle_Launch *l, double seconds);  /* 0: none */
/* Times matter: wait until the optimised code is there. */
void mettle_launch_measure(mettle_Launch *l, int on);

typedef struct mettle_Timing {
  uint64_t device_ns; /* by the device's clock, all repeats; 0: it has none */
  uint64_t wall_ns;   /* from the call to its end */
  uint64_t start_ns;  /* in a sequence: after the beginning of the first */
  int quick;          /* ran quick code: optimised code was not there yet */
  int first;          /* of its kernel: nothing was warm yet */
  uint64_t reserved[4];
} mettle_Timing;

/* Check everything that can be checked, run, and wait for the end. 'out' may be
** NULL. After METTLE_FAIL, _CANCELLED and _TIMEOUT it ran in part, and the
** device takes the next launch. */
mettle_Status mettle_launch_run(mettle_Launch *l, mettle_Timing *out,
                                mettle_Error *err);

/* Several launches of one device in one go, one after the other. 'each' has
** room for 'count' times, or is NULL. Their limits are added up; there is none
** if one has none. On failure 'err' begins with the launch that failed, "launch
** 2 of 3: …". */
mettle_Status mettle_launch_sequence(mettle_Launch *const *list, size_t count,
                                     mettle_Timing *whole, mettle_Timing *each,
                                     mettle_Error *err);

/* -------------------------------------------------------- check and profile */

/*
** Both run a launch on the processor with instrumentation, whichever device its
** kernel is of, on copies: buffers do not change. A limit of the launch, or
** mettle_cancel, ends them early: the report has what was found until then, and
** its text says so.
*/
typedef struct mettle_Report mettle_Report;

typedef struct mettle_CheckOptions {
  uint64_t seed;      /* of other orders of the threads; 0: 1 */
  int schedules;      /* runs in other orders; 0: 3; negative: none */
  double tolerance;   /* relative, of floats between orders; 0: 0.001 */
  unsigned findings;  /* the most that are reported; 0: 64 */
  uint64_t reserved[4];
} mettle_CheckOptions;

/* Find errors of the kernel: accesses out of bounds, races, barriers that not
** all threads reach, … METTLE_OK: it was checked. 'options' may be NULL. */
mettle_Status mettle_check(mettle_Launch *l, const mettle_CheckOptions *options,
                           mettle_Report **out, mettle_Error *err);

/* Count what a launch costs, by a model of a GPU. */
mettle_Status mettle_profile(mettle_Launch *l, mettle_Report **out,
                             mettle_Error *err);
void mettle_report_free(mettle_Report *r);

const char *mettle_report_text(const mettle_Report *r); /* for a person */
const char *mettle_report_json(const mettle_Report *r);

typedef struct mettle_Finding {
  const char *kind;    /* "out-of-bounds", "race", … (docs/checking.md) */
  const char *message; /* one sentence */
  const char *advice;
  const char *text;    /* all about it, in lines with the source */
  const char *file;    /* an included file; NULL: the source itself */
  unsigned line, column; /* 0 = not known */
  const char *other_file; /* the other side of a race; else line 0 */
  unsigned other_line, other_column;
  const char *buffer;  /* parameter or variable; NULL = not known */
  int64_t index;       /* element of it */
  uint64_t length;     /* number of its elements */
  uint64_t count;      /* how often it happened */
  unsigned thread_count;
  uint32_t threads[4][3]; /* positions in the grid of some threads */
  uint64_t reserved[4];
} mettle_Finding;

/* Of a check. METTLE_BADARG: there is no finding of that number. */
size_t mettle_report_findings(const mettle_Report *r);
mettle_Status mettle_report_finding(const mettle_Report *r, size_t number,
                                    mettle_Finding *out);

/* Of a check: lists to which threads append by an atomic counter, so that
** another order of the threads gives the same elements in another order, which
** is no fault: their names, "hits, ids"; NULL: there is none. */
const char *mettle_report_unordered(const mettle_Report *r);

/* Of a profile: its numbers by their names ("coalescing", "device_reads",
** "issued.float"; `help profile` has the list). METTLE_BADARG: no such name.
** The second gives the names, NULL after the last. */
mettle_Status mettle_report_number(const mettle_Report *r, const char *name,
                                   double *out);
const char *mettle_report_number_name(const mettle_Report *r, size_t number);

#ifdef __cplusplus
}
#endif

#endif

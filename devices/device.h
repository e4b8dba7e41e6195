/*
** device.h - one interface to all devices that run kernels.
**
** A device is a table of operations (mt_DeviceOps). Callers use the mt_device_,
** mt_library_, mt_kernel_, mt_buffer_, mt_texture_ and mt_launch functions
** below, which check everything that does not depend on the device and then
** call through the table. So all devices give the same errors, and a device's
** operations may rely on the conditions in their comments.
**
** Ownership: _new pairs with _free; _free(NULL) is fine. Kernels hold what they
** need and may be used after their library is freed. Everything of a device
** must be freed before the device is closed.
**
** Threads: one at a time (mt_device_take_turns), but mt_cancel_request on any.
** Launches are ordered: each is finished when mt_launch returns, those of a
** command buffer when mt_commands_run does.
*/
#ifndef MT_DEVICE_H
#define MT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_types/reflect.h"
#include "base/status.h"
#include "base/str.h"
#include "msl/include/metal/__pixel_formats"

typedef struct mt_Device mt_Device;
typedef struct mt_Library mt_Library;
typedef struct mt_Kernel mt_Kernel;
typedef struct mt_Buffer mt_Buffer;
typedef struct mt_Texture mt_Texture;

/* ---------------------------------------------------------------- devices */

typedef struct mt_DeviceInfo {
  const char *name;        /* the name that gpu.use takes: "host", "metal" */
  const char *title;       /* the hardware: "Apple M2", "AMD EPYC 7B13" */
  const char *how;         /* one line: what runs a kernel here */
  bool is_gpu;             /* its times may be called GPU times */
  bool unified_memory;     /* buffers are plain memory, no copies */
  unsigned units;          /* cores that run threadgroups; 0 = unknown */
  unsigned simd_width;     /* of a SIMD-group; 0: each kernel has its own */
  uint64_t max_threads_per_group;
  uint64_t max_group[3];   /* the same, by dimension */
  size_t max_threadgroup_memory; /* bytes */
  size_t max_buffer;       /* bytes of one buffer */
  uint64_t memory;         /* recommended limit on bytes in use */
  unsigned max_buffers;    /* bindings: 31 */
  unsigned max_textures;   /* 128 */
  unsigned max_samplers;   /* 16 */
  const char *families;    /* "Apple 9, Mac 2, Metal 3"; NULL: none */
  const char *macos;       /* whose compiler it has: "15.5"; NULL: none */
  size_t constant_align;   /* alignment of a constant buffer's offset; 0: that
                           ** of its type */
} mt_DeviceInfo;

/* An entry of the registry: available without opening the device. */
typedef struct mt_DeviceEntry {
  const char *name;
  const char *what;        /* one line for gpu.devices() and the doctor */
  const char *missing;     /* why it cannot be opened, where a glance at this
                           ** machine's files tells; NULL: they do not */
  bool is_metal;           /* Apple's Metal itself, with its own validation and
                           ** captures; the others take its place */
  bool joins_launches;     /* launches between two barriers of a concurrent
                           ** command buffer have one time together */
} mt_DeviceEntry;

/* The devices this build knows, best first. Where a machine has several of a
** kind they are "cuda", "cuda:1", … */
size_t mt_device_list(const mt_DeviceEntry **out);

/* Is Metal itself among them? */
bool mt_device_has_metal(void);

/* Does a worker process with this word (base/worker_process.h) belong to one of
** them? Then be it, until it ends with '*status'. */
bool mt_device_serve(const char *word, int *status);

/*
** Open the device called 'name'; if NULL the one that METTLE_DEVICE names, or
** the best that works. Cheap: the compiler (LLVM) is loaded by the first
** mt_library_new. On failure 'err' says why the device is not available and
** what to do.
*/
mt_Status mt_device_open(const char *name, mt_Device **out, mt_Error *err);
void mt_device_close(mt_Device *dev);
const mt_DeviceInfo *mt_device_info(const mt_Device *dev);
const mt_DeviceEntry *mt_device_entry(const mt_Device *dev);

/* The device on which kernels are instrumented (check.h, profile.h, record.h),
** to whose memory other devices' launches are copied for that: "host". */
const char *mt_device_instrumenting(void);
/* Is it 'dev'? */
bool mt_device_instruments(const mt_Device *dev);

/*
** Load the compiler now, while the program is idle: the next mt_library_new is
** faster. It takes some 20 ms the first time; further calls before a compile
** cost nothing. Failures are reported by mt_library_new.
*/
void mt_device_ready(mt_Device *dev);

/* This process is about to lose rights for good (base/files/confine.h): what
** the device would need them for later, it does now. */
void mt_device_confining(mt_Device *dev);

/*
** Of a program whose threads take turns: a launch that is checked, profiled or
** recorded calls 'leave' on its thread when its code begins to run, which takes
** long and concerns nothing but its own arguments, and 'enter' afterwards. In
** between another thread may call the devices, and check, profile or record
** other launches, too.
*/
void mt_device_take_turns(void (*leave)(void), void (*enter)(void));
void mt_device_leave(void); /* for devices/NAME/ only */
void mt_device_enter(void);

/* Append a few readable lines about it, each indented by two spaces. */
void mt_device_describe(const mt_DeviceInfo *info, mt_Str *out);

/*
** Record all launches between the two calls, for the vendor's debugger; the
** file 'path' is new and ends in ".gputrace". Only Metal supports it. One at a
** time; stop without start does nothing.
*/
mt_Status mt_capture_start(mt_Device *dev, const char *path, mt_Error *err);
void mt_capture_stop(mt_Device *dev);

/* Append the lines that kernels have logged (os_log) since the last call.
** Nothing on devices that do not return logs. */
void mt_device_messages(mt_Device *dev, mt_Str *out);

/* -------------------------------------------------------------- libraries */

typedef struct mt_Define {
  const char *name;
  const char *value; /* "" for a bare -D NAME */
} mt_Define;

typedef enum mt_MathMode { MT_MATH_FAST, MT_MATH_SAFE } mt_MathMode;

typedef struct mt_CompileOptions {
  const char *file;          /* name for #include "…" and messages; or NULL */
  const mt_Define *defines;
  size_t define_count;
  const char *const *include_dirs;
  size_t include_dir_count;
  mt_MathMode math;          /* Metal's default is fast */
  const char *std;           /* the version of MSL, "metal3.1"; NULL: newest */
  bool colour;               /* diagnostics with terminal colours */
} mt_CompileOptions;

/*
** Compile MSL. 'log' receives every diagnostic, warnings also on success, in
** the form "program_source:5:12: error: …" with line and caret; when it fails,
** 'err' has a one-line summary and the log the rest. 'options' may be NULL.
*/
mt_Status mt_library_new(mt_Device *dev, const char *source, size_t length,
                         const mt_CompileOptions *options, mt_Library **out,
                         mt_Str *log, mt_Error *err);
void mt_library_free(mt_Library *lib);
mt_Device *mt_library_device(const mt_Library *lib);

/* Names of the kernels in the order of the source; belongs to 'lib'. */
size_t mt_library_kernels(const mt_Library *lib, const char *const **out);
size_t mt_library_constants(const mt_Library *lib, const mt_Constant **out);

/* ---------------------------------------------------------------- kernels */

/* The value of one function constant, in the bytes of its declared type. */
typedef struct mt_ConstantValue {
  unsigned index;
  const void *bytes;
  size_t size;
} mt_ConstantValue;

mt_Status mt_kernel_new(mt_Library *lib, const char *name,
                        const mt_ConstantValue *values, size_t value_count,
                        mt_Kernel **out, mt_Error *err);
void mt_kernel_free(mt_Kernel *k);
const mt_KernelInfo *mt_kernel_info(const mt_Kernel *k); /* belongs to 'k' */
mt_Device *mt_kernel_device(const mt_Kernel *k);

/* The generated code as text, or some sentences about it. A device that
** generates no code itself has one sentence only. */
typedef enum mt_Listing {
  MT_LISTING_IR,
  MT_LISTING_ASM,
  MT_LISTING_WHY
} mt_Listing;
mt_Status mt_kernel_listing(mt_Kernel *k, mt_Listing what, mt_Str *out,
                            mt_Error *err);

/* Why the last launch ran thread by thread; NULL: it did not, there was none,
** or the device cannot tell. Until the next launch. */
#define MT_FALLBACK_LENGTH 160
const char *mt_kernel_fallback(const mt_Kernel *k);

/* ---------------------------------------------------------------- buffers */

/*
** 'size' zeroed bytes, page-aligned, visible to CPU and device. The address of
** the contents does not change until mt_buffer_free.
*/
mt_Status mt_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                        mt_Error *err);
void mt_buffer_free(mt_Buffer *buf);
/*
** A buffer whose contents are the caller's 'memory', which must not move or be
** freed before the buffer is. Kernels read and write it in place; there are no
** guard regions around it. Only devices with unified memory: others refuse
** (mt_buffer_wraps). A launch refuses memory that is not aligned as its
** parameter's type demands.
*/
mt_Status mt_buffer_wrap(mt_Device *dev, void *memory, size_t size,
                         mt_Buffer **out, mt_Error *err);
bool mt_buffer_wraps(const mt_Device *dev); /* can it? */
/* Before the CPU reads or writes through it: mt_buffer_access. */
void *mt_buffer_contents(const mt_Buffer *buf);
/*
** The CPU is about to read or write this range of the contents: where the
** device has memory of its own the range is copied from there, and what is
** written is copied to it before the next launch that uses the buffer. With
** MT_WRITE alone every byte of the range is to be written. Valid until the next
** launch. Nothing to do, and no cost, where memory is unified. A range outside
** of the buffer is cut.
*/
mt_Status mt_buffer_access(mt_Buffer *buf, size_t offset, size_t size,
                           mt_Access access, mt_Error *err);
size_t mt_buffer_size(const mt_Buffer *buf);
mt_Device *mt_buffer_device(const mt_Buffer *buf);

/* --------------------------------------------------------------- textures */

typedef enum mt_PixelFormat {
#define MT_PIXEL_ROW(id, ...) MT_##id,
  __MT_PIXEL_FORMATS(MT_PIXEL_ROW)
#undef MT_PIXEL_ROW
  MT_PIXEL_FORMATS
} mt_PixelFormat;

typedef struct mt_PixelRow { /* msl/include/metal/__pixel_formats */
  const char *name;      /* "rgba8unorm" */
  unsigned channels;     /* 1, 2 or 4 */
  const char *component; /* the type of one in MSL: "uchar" */
  size_t size;           /* bytes of one pixel */
  char element;          /* of the kernel's texture: 'f', 'u' or 'i' */
  bool blue_first;       /* BGRA */
  bool depth;            /* of depth textures: 2d, and kernels only read it */
} mt_PixelRow;

const mt_PixelRow *mt_pixel(mt_PixelFormat f);
static inline const char *mt_pixel_name(mt_PixelFormat f) {
  return mt_pixel(f)->name;
}
static inline size_t mt_pixel_size(mt_PixelFormat f) {
  return mt_pixel(f)->size;
}

typedef enum mt_TextureKind {
  MT_TEXTURE_1D,
  MT_TEXTURE_1D_ARRAY,
  MT_TEXTURE_2D,
  MT_TEXTURE_2D_ARRAY,
  MT_TEXTURE_3D
} mt_TextureKind;

typedef struct mt_TextureDesc {
  mt_TextureKind kind;
  mt_PixelFormat format;
  unsigned width, height, depth; /* 1 where the kind has fewer */
  unsigned layers;               /* arrays; else 1 */
} mt_TextureDesc;

typedef struct mt_SamplerDesc {
  bool linear;      /* else nearest */
  bool pixel;       /* pixel coordinates, else normalised */
  unsigned address; /* 0 clamp_to_edge, 1 clamp_to_zero, 2 repeat,
                    ** 3 mirrored_repeat */
  unsigned compare; /* MSL's compare_func: 0 none, 1 less, 2 less_equal,
                    ** 3 greater, 4 greater_equal, 5 equal, 6 not_equal,
                    ** 7 always, 8 never */
} mt_SamplerDesc;

/* MSL's words for an address and a compare, by their numbers, up to a NULL. */
extern const char *const mt_sampler_addresses[];
extern const char *const mt_sampler_compares[];

/* The number of 'word' among 'words'; else 'err' lists them. 'key' is what the
** sampler has them for: "compare". */
mt_Status mt_sampler_find(const char *key, const char *const *words,
                          const char *word, unsigned *out, mt_Error *err);

/* Zeroed. Rows of pixels; layers or slices follow each other. */
mt_Status mt_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                         mt_Texture **out, mt_Error *err);
void mt_texture_free(mt_Texture *t);
const mt_TextureDesc *mt_texture_desc(const mt_Texture *t);
mt_Device *mt_texture_device(const mt_Texture *t);
/* Copy all pixels in or out; 'size' must be that of the whole texture. */
mt_Status mt_texture_write(mt_Texture *t, const void *pixels, size_t size,
                           mt_Error *err);
mt_Status mt_texture_read(const mt_Texture *t, void *pixels, size_t size,
                          mt_Error *err);

/* --------------------------------------------------------------- launches */

typedef struct mt_Size {
  uint64_t x, y, z;
} mt_Size;

typedef enum mt_ArgKind {
  MT_ARG_NONE,       /* not given */
  MT_ARG_BUFFER,     /* 'buffer' from byte 'offset' on, 'size' bytes of it */
  MT_ARG_BYTES,      /* 'size' bytes at 'bytes', copied; at most 4096 */
  MT_ARG_THREADGROUP, /* 'size' bytes of threadgroup memory */
  MT_ARG_TEXTURE,
  MT_ARG_SAMPLER
} mt_ArgKind;

typedef struct mt_Link mt_Link;

typedef struct mt_Arg {
  mt_ArgKind kind;
  mt_Buffer *buffer;
  size_t offset;
  const void *bytes;
  size_t size;
  mt_Texture *texture;
  mt_Texture *const *textures; /* array parameter: 'texture_count' textures; */
  unsigned texture_count;      /* 'texture' is the first of them; else 0 */
  mt_SamplerDesc sampler;
  const mt_Link *links;        /* in the bytes of an argument buffer */
  unsigned link_count;
} mt_Arg;

/*
** A pointer, texture or sampler inside an argument buffer. Its 8 bytes hold the
** device's own handle, which the device writes at launch.
*/
struct mt_Link {
  size_t at;           /* offset in the bytes */
  const char *name;    /* "scene.lights", for messages */
  const mt_Type *type; /* MT_TYPE_POINTER, _TEXTURE or _SAMPLER */
  mt_Arg arg;          /* MT_ARG_BUFFER, _TEXTURE or _SAMPLER */
};

typedef struct mt_Launch {
  mt_Kernel *kernel;
  const mt_Arg *args; /* one for each of the kernel's params; builtins NONE */
  unsigned arg_count;
  mt_Size grid;       /* threads, or threadgroups if 'by_groups' */
  bool by_groups;
  mt_Size group;      /* threads of one threadgroup */
  unsigned repeats;   /* number of runs, one after the other; at least 1 */
  double time_limit;  /* seconds for all runs, without compiling; 0 = none */
  bool measured;      /* the time matters: wait for the device's optimised
                      ** code, however long that takes */
} mt_Launch;

typedef struct mt_Timing {
  uint64_t device_ns; /* the device's own clock, all repeats; 0 = no clock */
  uint64_t wall_ns;   /* from the call to its return */
  uint64_t start_ns;  /* of a launch in a command buffer: when it began, by the
                      ** same clock, after the first */
  bool quick;         /* ran quick code; optimised code was not ready */
  bool first;         /* of this kernel: nothing was warm yet */
  const char *fallback; /* see mt_kernel_fallback */
} mt_Timing;

/*
** Check 'launch' against the kernel's parameters and the device's limits
** (devices/launch.c), then run it and wait. MT_BADARG: nothing ran. MT_FAIL,
** MT_TIMEOUT, MT_CANCELLED: it ran and was stopped; 'err' says why, and the
** device is ready for the next launch.
*/
mt_Status mt_launch(const mt_Launch *launch, mt_Timing *out, mt_Error *err);

/* A reasonable threadgroup where the user gives none: 256 threads, square if
** the grid is 2-D, and whole SIMD-groups along x if it is 3-D, whose rows then
** are read in one piece; fewer where the kernel takes fewer. 'launch' has its
** kernel and its grid. */
mt_Size mt_launch_default_group(const mt_Launch *launch);

/* Only the check of mt_launch: runs nothing. */
mt_Status mt_launch_check(const mt_Launch *launch, mt_Error *err);

/* The whole grid along each side: in threads, and in threadgroups, of which
** those at the edges may have fewer threads. */
typedef struct mt_Extent {
  uint64_t threads[3], groups[3], group[3];
} mt_Extent;

static inline mt_Extent mt_launch_extent(const mt_Launch *l) {
  uint64_t grid[3] = {l->grid.x, l->grid.y, l->grid.z};
  mt_Extent e;
  e.group[0] = l->group.x, e.group[1] = l->group.y, e.group[2] = l->group.z;
  for (int d = 0; d < 3; d++) {
    e.threads[d] = l->by_groups ? grid[d] * e.group[d] : grid[d];
    e.groups[d] = l->by_groups ? grid[d]
                               : (grid[d] + e.group[d] - 1) / e.group[d];
  }
  return e;
}

/* -------------------------------------------------------- command buffers */

/*
** Several launches that the device gets in one go. They run in their order,
** each after the one before, unless 'concurrent': then only 'barrier' orders
** them, and a device may run what is between two barriers at the same time.
*/
typedef struct mt_Dispatched {
  mt_Launch launch; /* its time_limit is not used */
  bool barrier;     /* first wait for all launches before it */
} mt_Dispatched;

typedef struct mt_Commands {
  const mt_Dispatched *list; /* all of one device */
  size_t count;           /* at least 1 */
  bool concurrent;
  double time_limit; /* seconds for all of them; 0 = none */
} mt_Commands;

/*
** Run them and wait; 'each' has room for 'count' timings, in which device_ns is
** 0 where the device times the whole alone. On failure 'err' begins with the
** launch that failed ("launch 2 of 3: "), where the device can tell; launches
** after it did not run, or not to their end. As mt_launch otherwise.
*/
mt_Status mt_commands_run(const mt_Commands *commands, mt_Timing *whole,
                          mt_Timing *each, mt_Error *err);

/*
** Reserve what a launch uses, from the time it is noted for a command buffer
** until it runs: mt_buffer_access, mt_texture_read and mt_texture_write refuse
** it until mt_launch_release.
*/
void mt_launch_reserve(const mt_Launch *launch);
void mt_launch_release(const mt_Launch *launch);

/* ------------------------------------------------- for devices/<name>/ only */

struct mt_AccessMap; /* check.h, profile.h, record.h */
struct mt_CheckOptions;
struct mt_CheckReport;
struct mt_Profile;
struct mt_RecordOptions;
struct mt_Recording;

/*
** The operations of a device. Each is called with arguments that the functions
** above have checked; a NULL member means "not supported", which the caller
** turns into a message. The opaque structs are the device's own, each with the
** common head below as its first member.
*/
typedef struct mt_DeviceOps {
  mt_DeviceEntry entry;
  mt_Status (*open)(mt_Device **out, mt_Error *err);
  void (*close)(mt_Device *dev);

  mt_Status (*library_new)(mt_Device *dev, const char *source, size_t length,
                           const mt_CompileOptions *options, mt_Library **out,
                           mt_Str *log, mt_Error *err); /* options not NULL */
  void (*library_free)(mt_Library *lib);
  mt_Status (*kernel_new)(mt_Library *lib, const char *name,
                          const mt_ConstantValue *values, size_t value_count,
                          mt_Kernel **out, mt_Error *err);
  void (*kernel_free)(mt_Kernel *k);
  mt_Status (*kernel_listing)(mt_Kernel *k, mt_Listing what, mt_Str *out,
                              mt_Error *err);

  mt_Status (*buffer_new)(mt_Device *dev, size_t size, mt_Buffer **out,
                          mt_Error *err); /* 0 < size <= max_buffer */
  mt_Status (*buffer_wrap)(mt_Device *dev, void *memory, size_t size,
                           mt_Buffer **out, mt_Error *err); /* size > 0 */
  void (*buffer_free)(mt_Buffer *buf);
  mt_Status (*texture_new)(mt_Device *dev, const mt_TextureDesc *desc,
                           mt_Texture **out, mt_Error *err);
  void (*texture_free)(mt_Texture *t);
  mt_Status (*texture_write)(mt_Texture *t, const void *pixels, mt_Error *err);
  mt_Status (*texture_read)(const mt_Texture *t, void *pixels, mt_Error *err);

  mt_Status (*launch)(const mt_Launch *launch, mt_Timing *out, mt_Error *err);
  /* mt_commands_run; '*failed' is the number of the launch that failed, from 0
  ** on, or 'count' if that is not known. NULL: one by one is as good */
  mt_Status (*commands)(const mt_Commands *commands, mt_Timing *whole,
                        mt_Timing *each, size_t *failed, mt_Error *err);

  mt_Status (*capture_start)(mt_Device *dev, const char *path,
                             mt_Error *err); /* 'path' is new */
  void (*capture_stop)(mt_Device *dev);
  void (*messages)(mt_Device *dev, mt_Str *out);
  void (*ready)(mt_Device *dev);
  void (*confining)(mt_Device *dev);

  mt_Status (*buffer_access)(mt_Buffer *buf, size_t offset, size_t size,
                             mt_Access access,
                             mt_Error *err); /* size > 0, inside; NULL: unified
                                             ** memory */
  /* NAME:1, NAME:2, …, where a machine may have several; else NULL */
  mt_Status (*open_unit)(unsigned number, mt_Device **out, mt_Error *err);
  unsigned (*units)(void); /* how many to list; at least 1 */
  /* mt_DeviceEntry.missing, in microseconds; NULL: nothing can be */
  mt_Status (*find)(mt_Error *err);
  /* Its half in host.so, if library_new and the other members for libraries and
  ** kernels are those of compiler_module.h; else NULL */
  struct mt_CompilerHalf *compiler;

  /* Worker processes that the device starts of this program: is 'word' for one
  ** of them? Then be it, until it ends with '*status'. */
  bool (*serve)(const char *word, int *status);
  const struct mt_DoctorLine *doctor; /* doctor.h; NULL: nothing to say */

  /* Instrumented launches of the device's own kernels: mt_check, mt_profile_map
  ** and mt_record. One device has all three. 'map' may be NULL */
  mt_Status (*check)(const mt_Launch *launch,
                     const struct mt_CheckOptions *options,
                     struct mt_CheckReport *out, mt_Error *err);
  mt_Status (*profile)(const mt_Launch *launch, struct mt_Profile *out,
                       struct mt_AccessMap *map, mt_Error *err);
  mt_Status (*record)(const mt_Launch *launch,
                      const struct mt_RecordOptions *options,
                      struct mt_Recording *out, mt_Error *err);
} mt_DeviceOps;

/* The refusal of mt_launch_reserve. */
mt_Status mt_reserved(const char *what, mt_Error *err);

struct mt_Device {
  const mt_DeviceOps *ops;
  mt_DeviceInfo info;
};

struct mt_Library {
  mt_Device *device;
  const char *const *kernel_names;
  size_t kernel_count;
  const mt_Constant *constants;
  size_t constant_count;
};

struct mt_Kernel {
  mt_Device *device;
  mt_KernelInfo info;
  char fallback[MT_FALLBACK_LENGTH]; /* see mt_kernel_fallback; "": NULL */
  bool launched;                     /* once at least */
};

struct mt_Buffer {
  mt_Device *device;
  void *contents;
  size_t size;
  unsigned reserved; /* by launches that were noted and have not run */
  bool wrapped;      /* the contents are the caller's (mt_buffer_wrap) */
};

struct mt_Texture {
  mt_Device *device;
  mt_TextureDesc desc;
  unsigned reserved; /* as of a buffer */
};

#endif

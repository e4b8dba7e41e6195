/*
** reflect.h - reflection of a compiled kernel: its types, its parameters, its
** limits.
**
** The front end (msl/) and each device fill these in; the launch check and the
** Lua API read them. Everything here is plain data that belongs to the library
** or kernel it came from and lives as long as that.
*/
#ifndef MT_REFLECT_H
#define MT_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_types/uses.h"
#include "msl/include/metal/__scalar_types"

/* The scalar types of MSL, which can live in a buffer: MT_FLOAT, MT_UINT … */
typedef enum mt_Scalar {
  MT_VOID,
#define X(with, id, ...) MT_##id,
  __MT_SCALARS(X, )
#undef X
} mt_Scalar;

enum { /* MT_VOID included */
#define X(...) +1
  MT_SCALARS = 1 __MT_SCALARS(X, )
#undef X
};

typedef enum mt_TypeKind {
  MT_TYPE_SCALAR,
  MT_TYPE_VECTOR,  /* float3: 16 bytes */
  MT_TYPE_PACKED,  /* packed_float3: 12 bytes */
  MT_TYPE_MATRIX,  /* 'columns' vectors of 'rows' */
  MT_TYPE_ATOMIC,  /* an atomic 'scalar' */
  MT_TYPE_STRUCT,  /* 'fields' */
  MT_TYPE_UNION,   /* 'fields', which share their bytes */
  MT_TYPE_ARRAY,   /* 'count' of 'element' */
  MT_TYPE_POINTER, /* to 'element'; inside argument buffers */
  MT_TYPE_TEXTURE,
  MT_TYPE_SAMPLER,
  MT_TYPE_OTHER /* only its name and size are known */
} mt_TypeKind;

typedef struct mt_Type mt_Type;

typedef struct mt_Field {
  const char *name; /* "": an unnamed union, whose fields are the struct's */
  size_t offset;    /* bytes from the start of the struct */
  const mt_Type *type;
} mt_Field;

struct mt_Type {
  mt_TypeKind kind;
  const char *name; /* as MSL spells it: "float4", "Params", "atomic_uint" */
  size_t size;      /* bytes, padding included: what sizeof gives */
  size_t align;
  mt_Scalar scalar;      /* scalar, vector, packed, matrix, atomic */
  unsigned rows;         /* components of a vector; rows of a matrix; else 1 */
  unsigned columns;      /* columns of a matrix; else 1 */
  const mt_Type *element; /* array, pointer */
  size_t count;           /* array */
  const mt_Field *fields; /* struct, in order of offset; union */
  unsigned field_count;
};

/* How a parameter is bound at launch. */
typedef enum mt_ParamKind {
  MT_PARAM_BUFFER,      /* device or constant memory: pointer or reference */
  MT_PARAM_THREADGROUP, /* threadgroup memory sized at launch */
  MT_PARAM_TEXTURE,
  MT_PARAM_SAMPLER,
  MT_PARAM_BUILTIN /* such as thread_position_in_grid: nothing to bind */
} mt_ParamKind;

typedef enum mt_Access {
  MT_READ = 1,
  MT_WRITE = 2,
  MT_READ_WRITE = 3
} mt_Access;

typedef struct mt_Param {
  const char *name;
  mt_ParamKind kind;
  unsigned index;      /* in the table of its kind: buffer(2) has 2 */
  mt_Access access;    /* buffers and textures, as declared; what the kernel
                       ** does with them: mt_param_uses */
  bool constant;       /* 'constant' address space, not 'device' */
  bool reference;      /* T&: one element, may be given as a plain value */
  bool used;           /* false where the compiler knows it is never read, or a
                       ** function constant may leave it out */
  const mt_Type *type; /* what is pointed at, or the value's own type */
  unsigned array_count; /* array<texture2d<…>, N>: N; else 1 */
  bool handle;         /* an object at a buffer index, not memory:
                       ** acceleration_structure<…> */
  const char *builtin; /* MT_PARAM_BUILTIN: "thread_position_in_grid" */
} mt_Param;

/* A function constant of a library. */
typedef struct mt_Constant {
  const char *name;
  unsigned index;
  const mt_Type *type;
  bool required; /* no default: a kernel that uses it needs a value */
} mt_Constant;

typedef struct mt_KernelInfo {
  const char *name;       /* host_name where given */
  const mt_Param *params; /* in the order of the source */
  unsigned param_count;
  bool unordered; /* source order is unknown: arguments must be given by name */
  unsigned max_threads;       /* limit of threads per threadgroup */
  unsigned simd_width;        /* threads per SIMD-group */
  size_t threadgroup_static;  /* bytes of threadgroup variables */
  unsigned required_group[3]; /* size that the source requires; 0 = free */
  const char *file;           /* the included file that defines it; or NULL */
  mt_Uses uses;               /* what it reads and writes: mt_param_uses */
} mt_KernelInfo;

/* "float", "uint"; size in bytes. MT_VOID: "void", 0. */
const char *mt_scalar_name(mt_Scalar s);
size_t mt_scalar_size(mt_Scalar s);

/* The scalar type of this name, of 'length' characters; MT_VOID: none. The
** second one takes its other names too ("uint32_t", "size_t"). */
mt_Scalar mt_scalar_named(const char *name, size_t length);
mt_Scalar mt_scalar_known(const char *name, size_t length);

/* Is it a pointer, texture or sampler, which refers to another object? */
static inline bool mt_type_is_link(const mt_Type *t) {
  return t->kind == MT_TYPE_POINTER || t->kind == MT_TYPE_TEXTURE ||
         t->kind == MT_TYPE_SAMPLER;
}

/*
** Find a scalar or a vector of 2 to 4 by its MSL name ("half", "float3",
** "packed_float3", "size_t", "uint32_t"). NULL if there is none. The result
** is constant and lives as long as the program.
*/
const mt_Type *mt_type_named(const char *name);

/* The bits of mt_Access for parameter 'i'; 0: the kernel leaves its memory
** alone. By declaration where nothing better is known. */
unsigned mt_param_uses(const mt_KernelInfo *info, unsigned i);

/* The same for the pointer at byte 'offset' of an argument buffer. */
unsigned mt_link_uses(const mt_KernelInfo *info, unsigned i,
                      size_t offset);

#endif

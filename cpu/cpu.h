/*
** cpu.h - what kernels are compared with: the same computations on the CPU.
**
** A reference (matmul, softmax, …) is one line of a table: its name, what it
** computes, its arguments with their roles, types and shapes, its options,
** and the code that runs it. Checks, messages, the Lua binding and its help
** come from that table; there are no hand-written wrappers.
**
** Each reference runs in up to three ways:
**   one core   plain C, the loop one would write, compiled well
**   all cores  the same loop, its pieces spread over base/pool.h
**   vendor     Accelerate on macOS, OpenBLAS elsewhere, where it has one
**
** A call goes in two steps, so that the caller can allocate in between:
**
**   mt_CpuCall call;
**   mt_cpu_call_init(&call, mt_cpu_find("matmul"));
**   call.array[0] = …; call.array[1] = …;      inputs; outputs where given
**   mt_cpu_check(&call, &err)                  shapes, types; plans outputs
**   …allocate call.array[i] whose data is NULL and whose role is out…
**   mt_cpu_run(&call, &seconds, &err)
**
** Numerics. Sums of floats are taken in double, or in float by blocks of 256
** that are then added (matmul, linear, attention, conv1d, conv2d, nbody). The
** pieces a loop is cut into depend on the sizes alone, so an answer is the
** same to the last bit with any number of threads, on one core or on all.
** Vendor ways are as accurate as the vendor's float sums. NaN and infinity
** behave as IEEE arithmetic has it; where it leaves a choice:
**   relu(NaN) is NaN (and relu(-0) is -0); max and maxpool of anything with a
**   NaN is NaN; max of nothing is the least value of the type (-inf, INT_MIN,
**   0), its sum 0, its mean NaN; integers wrap as in MSL, except that sums are
**   held in 64 bits.
**
** Console thread only. Everything polls mt_cancelled and then ends within
** milliseconds with MT_CANCELLED; outputs are then half written.
*/
#ifndef MT_CPU_H
#define MT_CPU_H

#include <stdbool.h>
#include <stddef.h>

#include "base/kernel_types/reflect.h"
#include "base/status.h"

#define MT_CPU_DIMS 4    /* most dimensions of an array */
#define MT_CPU_ARGS 5    /* most arguments of a reference */
#define MT_CPU_OPTIONS 6 /* most options of a reference */

typedef enum mt_CpuWay {
  MT_CPU_ONE_CORE,
  MT_CPU_ALL_CORES,
  MT_CPU_VENDOR,
  MT_CPU_WAYS
} mt_CpuWay;

/* ----------------------------------------------------- the table of them */

typedef enum mt_CpuRole {
  MT_CPU_END, /* after the last argument */
  MT_CPU_IN,
  MT_CPU_OUT,   /* may be omitted: the caller allocates what check planned */
  MT_CPU_NUMBER /* a plain number */
} mt_CpuRole;

/*
** Types are sets of mt_Scalar. MT_CPU_T stands for the reference's own: one
** of 'types', the same for all arguments that say so. MT_CPU_T_WIDE is T or,
** for int and uint, the 64-bit type that holds every sum.
*/
#define MT_CPU_SET(scalar) (1u << (scalar))
#define MT_CPU_T (1u << 30)
#define MT_CPU_T_WIDE (1u << 31)

/*
** A shape is written as in the manual of a matrix library: "n k" is two
** dimensions, and an n elsewhere must be the same number; "*" stands for any
** dimensions in front ("*" alone: any shape), the same wherever it is used;
** "4" is just that. A buffer of float4 is one of floats with a last
** dimension of 4.
*/
typedef struct mt_CpuArg {
  const char *name;
  mt_CpuRole role;
  const char *shape; /* arrays only */
  unsigned types;    /* arrays only */
} mt_CpuArg;

typedef enum mt_CpuOptionKind {
  MT_CPU_REAL,  /* any finite number */
  MT_CPU_COUNT, /* a whole number from 'least' on */
  MT_CPU_FLAG   /* false or true, kept as 0 or 1 */
} mt_CpuOptionKind;

typedef struct mt_CpuOption {
  const char *name; /* NULL after the last */
  mt_CpuOptionKind kind;
  double standard; /* when not given */
  double least;    /* smallest allowed */
  const char *about; /* a few words */
} mt_CpuOption;

typedef struct mt_CpuRef mt_CpuRef; /* a line of the table; constant */

const mt_CpuRef *mt_cpu_at(size_t index); /* 0, 1, …; NULL past the last */
const mt_CpuRef *mt_cpu_find(const char *name); /* NULL if there is none */

const char *mt_cpu_name(const mt_CpuRef *ref);
const char *mt_cpu_about(const mt_CpuRef *ref); /* "c = a · b, matrices" */
unsigned mt_cpu_types(const mt_CpuRef *ref);    /* what T may be */
const mt_CpuArg *mt_cpu_args(const mt_CpuRef *ref);       /* up to END */
const mt_CpuOption *mt_cpu_options(const mt_CpuRef *ref); /* up to NULL */

/* ------------------------------------------------------------------- ways */

const char *mt_cpu_way_name(mt_CpuWay way); /* "one core", … */
bool mt_cpu_way_find(const char *name, mt_CpuWay *out);

/*
** Can 'ref' run in this way here? Asking for the vendor's loads its module
** (tens of milliseconds, once). If not, the line says what is missing:
** MT_BADARG when there is no such way, MT_FAIL when it could not be loaded.
*/
mt_Status mt_cpu_can(const mt_CpuRef *ref, mt_CpuWay way, mt_Error *err);

/* "OpenBLAS 0.3.21", "Accelerate"; loads it. NULL if it is not to be had. */
const char *mt_cpu_vendor_name(mt_Error *err);

/* ------------------------------------------------------------------ calls */

typedef struct mt_CpuArray {
  void *data; /* NULL while not given, or where there are no elements */
  mt_Scalar type; /* MT_VOID while not given */
  unsigned dims;
  size_t shape[MT_CPU_DIMS]; /* slowest first: rows, columns */
} mt_CpuArray;

typedef struct mt_CpuCall {
  const mt_CpuRef *ref;
  mt_CpuWay way;                  /* all cores unless set */
  mt_CpuArray array[MT_CPU_ARGS]; /* by position among the arguments */
  double number[MT_CPU_ARGS];     /* where the role is NUMBER */
  double option[MT_CPU_OPTIONS];  /* by position; standard unless set */
  bool chosen[MT_CPU_OPTIONS];    /* set by the caller, not the standard */
  mt_Scalar type;                 /* T; by mt_cpu_check */
  size_t dim[26];                 /* value of each letter; by mt_cpu_check */
  size_t count;                   /* elements of "*"; by mt_cpu_check */
} mt_CpuCall;

void mt_cpu_call_init(mt_CpuCall *call, const mt_CpuRef *ref);

/* Elements of an array: the product of its shape. */
size_t mt_cpu_count(const mt_CpuArray *array);

/*
** Are the arguments such that 'ref' can run on them? Outputs not given (type
** MT_VOID) get the type and shape they must have. The line of an error says
** what was expected and what was given, after "cpu.name: ".
*/
mt_Status mt_cpu_check(mt_CpuCall *call, mt_Error *err);

/*
** Run a checked call whose outputs are all there. '*seconds' is the time of
** the computation alone, without loading or allocating.
*/
mt_Status mt_cpu_run(mt_CpuCall *call, double *seconds, mt_Error *err);

#endif

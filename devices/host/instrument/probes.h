/*
** probes.h - the calls that this room inserts into kernels and lowers.
*/
#ifndef MT_HOST_INSTRUMENT_PROBES_H
#define MT_HOST_INSTRUMENT_PROBES_H

#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/instrument.h"

/* The checker's. */
#define MT_PROBE_ACCESS "__mt_probe_at" /* ptr (site, base, p, info[, value]) */
#define MT_PROBE_IF "__mt_probe_if"        /* void (site, i1 bad, i64 value) */
#define MT_PROBE_WAIT "__mt_probe_wait"    /* void (site), before a barrier */
#define MT_PROBE_GO "__mt_probe_go"        /* void (site), after it */
/* Around a value read from another lane: void (site, i32 from, i32 flag, i1
** named), before; the same after, which gives the value's shadow flag. */
#define MT_PROBE_LANE "__mt_probe_lane"
#define MT_PROBE_ASKED "__mt_probe_asked"
#define MT_PROBE_TOGETHER "__mt_probe_together" /* void (site) */
/* void (site, i1 bad, view, x, y, z, slices, level) */
#define MT_PROBE_TEXEL "__mt_probe_texel"
/* ptr (site, base, p, i64 stride, i1 transpose): the pointer to use */
#define MT_PROBE_MATRIX "__mt_probe_matrix"

/* Operands of an access. 'info' holds what lowering needs to know of the
** site. */
enum { MT_PROBE_INFO = 3, MT_PROBE_VALUE = 4 };
#define MT_INFO_SIZE(x) ((uint32_t)(x))               /* bytes */
#define MT_INFO_ALIGN(x) ((unsigned)((x) >> 32) & 255) /* log2 */
#define MT_INFO_KIND(x) ((mt_SiteKind)((x) >> 40 & 255))
#define MT_INFO_TILE(x) ((x) >> 48 & 1) /* threadgroup memory */

/* The recorder's: void (site, i32 instance, …). Thread by thread they become
** calls of mt_record_… with the thread's index in front. */
#define MT_RECORD MT_PROBE "_record_"
#define MT_RECORD_AT MT_RECORD "at"         /* …, p), after an access */
#define MT_RECORD_OLD MT_RECORD "old"       /* …, p), before an atomic */
#define MT_RECORD_WAIT MT_RECORD "wait"     /* …), before a barrier */
#define MT_RECORD_PASS MT_RECORD "pass"     /* …), after it */
#define MT_RECORD_LANES MT_RECORD "lanes"   /* …, i32 from, i64 value) */
#define MT_RECORD_MATRIX MT_RECORD "matrix" /* …, p, i64 stride, i32 turned) */
#define MT_RECORD_LINE MT_RECORD "line"     /* …) */
/* …, i32 offset, i64 a, b, c, d): a variable's new value, by words */
#define MT_RECORD_VALUE MT_RECORD "value"
/* …, i32 offset, p): the same, in memory, and a pointer's */
#define MT_RECORD_COPY MT_RECORD "copy"
#define MT_RECORD_POINTER MT_RECORD "pointer"
#define MT_RECORD_BASE MT_RECORD "base"     /* void (i32 root, p) */

/* The profiler's. */
#define MT_COUNT_BLOCK MT_PROBE "_count_block"   /* void (block) */
#define MT_COUNT_SPLIT MT_PROBE "_count_split"   /* void (site, i1) */
#define MT_COUNT_ACCESS MT_PROBE "_count_at"     /* void (site, p) */

/* live_registers.c: about how many registers of 32 bits a thread of the
** function needs on a GPU; 0: not known. */
uint32_t mt_live_registers(LLVMValueRef function, LLVMTargetDataRef layout);

#endif

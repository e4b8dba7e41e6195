/*
** probes.h - the calls that this room inserts into kernels and lowers.
*/
#ifndef MT_HOST_INSTRUMENT_PROBES_H
#define MT_HOST_INSTRUMENT_PROBES_H

#include "devices/compiler/ir/call.h"
#include "devices/host/instrument/instrument.h"

/* The checker's. */
#define MT_PROBE_ACCESS "__mt_probe_at" /* ptr (site, base, p, info[, value]) */
#define MT_PROBE_IF "__mt_probe_if"        /* void (site, i1 bad, i64 value) */
#define MT_PROBE_WAIT "__mt_probe_wait"    /* void (site), before a barrier */
#define MT_PROBE_GO "__mt_probe_go"        /* void (site), after it */
#define MT_PROBE_LANE "__mt_probe_lane"    /* void (site, i32 from) */
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

/* The profiler's. */
#define MT_COUNT_BLOCK MT_PROBE "_count_block"   /* void (block) */
#define MT_COUNT_SPLIT MT_PROBE "_count_split"   /* void (site, i1) */
#define MT_COUNT_ACCESS MT_PROBE "_count_at"     /* void (site, p) */

#endif

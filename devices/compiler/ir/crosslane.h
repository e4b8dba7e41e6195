/*
** crosslane.h - the cross-lane builtins: operation, scope and type by name.
**
** The table is msl/include/metal/__crosslane, which also declares the builtins
** for kernels. Code generators switch over mt_CrosslaneOp without a default, so
** that the compiler names the places which a new row needs; what follows from
** its columns (uniformity, operands, values of inactive lanes) needs no code.
*/
#ifndef MT_COMPILER_IR_CROSSLANE_H
#define MT_COMPILER_IR_CROSSLANE_H

#include <stdbool.h>

#include "msl/include/metal/__crosslane"

#define MT_HOLD "__mt_simd_hold_" /* suffix u32 or u64: (cell, value) */
#define MT_LANE_NUMBER "__mt_simd_lane"

typedef enum mt_CrosslaneOp {
  MT_CROSSLANE_NONE,
#define X(op, ...) MT_CROSSLANE_##op,
  __MT_CROSSLANE(X)
#undef X
  MT_CROSSLANE_COUNT
} mt_CrosslaneOp;

typedef enum mt_CrosslaneClass {
  MT_LANES_POSITION = 1, /* of the thread in its SIMD-group */
  MT_LANES_VOTE,
  MT_LANES_FIRST,     /* the first active lane's value */
  MT_LANES_MOVE,      /* a value of the lane that a number gives */
  MT_LANES_REDUCE,
  MT_LANES_SCAN,      /* inclusive */
  MT_LANES_EXCLUSIVE, /* a scan of the lanes below */
  MT_LANES_CELL,      /* prepare/inactive_lanes.h */
  MT_LANES_MATRIX,
  MT_LANES_BARRIER
} mt_CrosslaneClass;

typedef enum mt_CrosslaneResult { /* within a SIMD-group */
  MT_LANES_VARYING,
  MT_LANES_UNIFORM,
  MT_LANES_BY_LANE /* uniform if the lane's number is */
} mt_CrosslaneResult;

typedef enum mt_CrosslaneScope {
  MT_SCOPE_SIMD,
  MT_SCOPE_QUAD,
  MT_SCOPE_MATRIX,
  MT_SCOPE_BARRIER
} mt_CrosslaneScope;

typedef enum mt_CrosslaneType {
  MT_LANES_NO_TYPE,
  MT_LANES_F32,
  MT_LANES_S32,
  MT_LANES_U32,
  MT_LANES_S64,
  MT_LANES_U64,
  MT_LANES_F16,
  MT_LANES_BF16
} mt_CrosslaneType;

typedef struct mt_CrosslaneRow {
  const char *name; /* in the builtin's name */
  unsigned scopes;  /* 1 << mt_CrosslaneScope */
  unsigned types;   /* 1 << mt_CrosslaneType */
  unsigned operands;
  mt_CrosslaneClass class;
  mt_CrosslaneResult result;
  mt_CrosslaneOp combines; /* of a reduction or scan; else NONE */
} mt_CrosslaneRow;

typedef struct mt_Crosslane {
  mt_CrosslaneOp op;
  mt_CrosslaneScope scope;
  mt_CrosslaneType type;
  const mt_CrosslaneRow *row;
} mt_Crosslane;

/* The operation that a builtin's name ("__mt_simd_sum_f32") says; false, and
** '*out' has MT_CROSSLANE_NONE, if it is none of the table. */
bool mt_crosslane_find(const char *name, mt_Crosslane *out);

/* The row of an operation other than MT_CROSSLANE_NONE. */
const mt_CrosslaneRow *mt_crosslane_row(mt_CrosslaneOp op);

/* How many leading operands a MOVE takes from other lanes: 1, or 2 with a fill.
** The next one is the lane's number or a distance. */
static inline unsigned mt_crosslane_moved(const mt_CrosslaneRow *row) {
  return row->operands > 2 ? 2 : 1;
}

static inline bool mt_crosslane_is_signed(mt_CrosslaneType t) {
  return t == MT_LANES_S32 || t == MT_LANES_S64;
}

#endif

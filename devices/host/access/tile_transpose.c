/*
** tile_transpose.c - a tile of lanes whose columns are contiguous in memory.
**
** The one idea: a naive transpose, y[x * n + y], stores to columns. But a tile
** of lanes, several rows of a group in one vector (plan/vector_width.c),
** has in each column several elements that are contiguous in memory: after a
** transpose in registers each column is one short contiguous access. Loads work
** the same way.
*/
#include "devices/host/access/parts.h"

#define WORD 4 /* bytes */
/* elements that are contiguous in a column: a fourth of a register */
#define MIN_COLUMN 4

/* Lane w * columns + c is w words after lane c. */
static bool is_tile(const mt_Spmd *s, const mt_Shape *h, int columns) {
  for (int l = columns; l < s->lanes; l++)
    if (!mt_same_class(h, l, l % columns) ||
        h->offset[l] - h->offset[l % columns] != WORD * (l / columns))
      return false;
  return true;
}

int mt_transposed_columns(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t) {
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  if (h->kind != MT_SHAPE_AFFINE || mt_type_size(s, t) != WORD ||
      LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return 0;
  for (int columns = 4; columns <= s->lanes / MIN_COLUMN; columns *= 2)
    if (is_tile(s, h, columns)) return columns;
  return 0;
}

/* ----------------------------------------------------------------- shuffles */

LLVMValueRef mt_concat(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  int from[4 * MT_MAX_LANES], n = 2 * (int)LLVMGetVectorSize(LLVMTypeOf(a));
  for (int i = 0; i < n; i++) from[i] = i;
  return mt_shuffle_two(s, a, b, from, n);
}

LLVMValueRef mt_extract_lanes(mt_Spmd *s, LLVMValueRef x, int first,
                              int count) {
  int from[4 * MT_MAX_LANES];
  for (int i = 0; i < count; i++) from[i] = first + i;
  return mt_shuffle_two(s, x, NULL, from, count);
}

/* In every four elements of a and b: groups of 'unit' words, alternately from a
** and b, of their lower or upper half. */
static LLVMValueRef weave(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b, int unit,
                          int upper) {
  int from[MT_MAX_LANES], n = (int)LLVMGetVectorSize(LLVMTypeOf(a));
  for (int i = 0; i < n; i++) {
    int in = i % 4, second = in / unit % 2;
    int of = unit == 1 ? in / 2 : in % 2;
    from[i] = i - in + of + 2 * upper + second * n;
  }
  return mt_shuffle_two(s, a, b, from, n);
}

void mt_transpose_4x4(mt_Spmd *s, LLVMValueRef *x) {
  LLVMValueRef a = weave(s, x[0], x[1], 1, 0), b = weave(s, x[0], x[1], 1, 1);
  LLVMValueRef c = weave(s, x[2], x[3], 1, 0), d = weave(s, x[2], x[3], 1, 1);
  x[0] = weave(s, a, c, 2, 0), x[1] = weave(s, a, c, 2, 1);
  x[2] = weave(s, b, d, 2, 0), x[3] = weave(s, b, d, 2, 1);
}

/* ----------------------------------------------------------------- accesses */

#define MAX_BLOCK 16 /* columns that are transposed together */

typedef struct Tile {
  LLVMValueRef at[MT_MAX_LANES]; /* address of each column */
  LLVMTypeRef t;
  int columns, rows, block; /* block: columns per block */
  unsigned align;
} Tile;

static Tile tile_of(mt_Spmd *s, const mt_LaneAccess *a, int columns) {
  Tile k = {.t = a->type, .columns = columns, .rows = s->lanes / columns};
  const mt_Part *p = mt_affine(s, a->pointer, 0);
  k.block = columns < MAX_BLOCK ? columns : MAX_BLOCK;
  k.align = a->align;
  for (int c = 0; c < columns; c++)
    k.at[c] = mt_byte_offset(s, mt_affine_lane(s, p, (unsigned)c), a->offset);
  return k;
}

/* Rows 'row' to 'row' + 3 of columns first, first + 4, …, concatenated. */
static LLVMValueRef read_fours(mt_Spmd *s, const Tile *k, int first, int row) {
  LLVMValueRef x[MAX_BLOCK / 4] = {NULL};
  int n = k->block / 4; /* 1, 2 or 4 */
  for (int i = 0; i < n; i++) {
    LLVMValueRef at = mt_byte_offset(s, k->at[first + 4 * i], WORD * row);
    x[i] = LLVMBuildLoad2(s->b, LLVMVectorType(k->t, 4), at, "");
    LLVMSetAlignment(x[i], k->align);
  }
  for (; n > 1; n /= 2)
    for (int i = 0; i < n / 2; i++) x[i] = mt_concat(s, x[2 * i], x[2 * i + 1]);
  return x[0];
}

static LLVMValueRef load_tile(mt_Spmd *s, const mt_LaneAccess *a,
                                int columns) {
  Tile k = tile_of(s, a, columns);
  LLVMValueRef piece[MT_MAX_LANES]; /* by row, then by block */
  int blocks = columns / k.block, n = k.rows * blocks;
  for (int b = 0; b < blocks; b++)
    for (int row = 0; row < k.rows; row += 4) {
      LLVMValueRef x[4];
      for (int i = 0; i < 4; i++)
        x[i] = read_fours(s, &k, b * k.block + i, row);
      mt_transpose_4x4(s, x);
      for (int i = 0; i < 4; i++) piece[(row + i) * blocks + b] = x[i];
    }
  for (; n > 1; n /= 2)
    for (int i = 0; i < n / 2; i++)
      piece[i] = mt_concat(s, piece[2 * i], piece[2 * i + 1]);
  return piece[0];
}

/* Rows 'row' to 'row' + 3 of a block, transposed: four elements per column. */
static void turn_fours(mt_Spmd *s, const Tile *k, LLVMValueRef x, int block,
                       int row, LLVMValueRef *out) {
  for (int i = 0; i < 4; i++)
    out[i] = mt_extract_lanes(s, x, (row + i) * k->columns + block * k->block,
                              k->block);
  mt_transpose_4x4(s, out);
}

static void write_at(mt_Spmd *s, const Tile *k, LLVMValueRef x, int column,
                     int row) {
  LLVMValueRef at = mt_byte_offset(s, k->at[column], WORD * row);
  LLVMSetAlignment(LLVMBuildStore(s->b, x, at), k->align);
}

static void store_tile(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x,
                         int columns) {
  Tile k = tile_of(s, a, columns);
  bool eight = k.rows % 8 == 0;
  for (int b = 0; b < columns / k.block; b++)
    for (int row = 0; row < k.rows; row += eight ? 8 : 4) {
      LLVMValueRef low[4], high[4];
      turn_fours(s, &k, x, b, row, low);
      if (eight) turn_fours(s, &k, x, b, row + 4, high);
      for (int c = 0; c < k.block; c++) {
        LLVMValueRef y = mt_extract_lanes(s, low[c % 4], c / 4 * 4, 4);
        if (eight)
          y = mt_concat(s, y, mt_extract_lanes(s, high[c % 4], c / 4 * 4, 4));
        write_at(s, &k, y, b * k.block + c, row);
      }
    }
}

static bool tile_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                        mt_PartPlan *plan) {
  (void)write;
  plan->columns = s->full ? mt_transposed_columns(s, a->pointer, a->type) : 0;
  if (!plan->columns) return false;
  plan->how = MT_ACCESS_TRANSPOSED;
  plan->why = mt_access_reason(s, a);
  return true;
}

static mt_LaneValue tile_read(mt_Spmd *s, const mt_LaneAccess *a,
                              const mt_PartPlan *plan) {
  return mt_lanes(load_tile(s, a, plan->columns));
}

static void tile_write(mt_Spmd *s, const mt_LaneAccess *a,
                       const mt_PartPlan *plan, mt_LaneValue g) {
  store_tile(s, a, mt_lane_vector(s, g), plan->columns);
}

const mt_PartStrategy mt_part_tile = {tile_choose, tile_read, tile_write};

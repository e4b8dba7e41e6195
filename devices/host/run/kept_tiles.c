/*
** kept_tiles.c - which tiles a worker keeps, see kept_tiles.h.
*/
#include "devices/host/run/kept_tiles.h"

#include <string.h>

#include "devices/compiler/target/target.h"

#define BY_X 1u
#define BY_Y 2u
/* Bytes of the panels that are in use at one time, one for each column of a
** strip: they stay in a second-level cache, beside what is read once. */
#define STRIP MT_CACHE_SECOND
/* And with what a panel may have to spare. */
#define COLUMNS (4 * STRIP)

uint32_t mt_panels_for(uint64_t bytes, uint64_t iterations) {
  uint64_t n = iterations > STRIP / bytes ? 1 : STRIP / (bytes * iterations);
  return n > MT_PANELS ? MT_PANELS : (uint32_t)n;
}

static uint64_t panel_bytes(const mt_KeptTiles *k, uint32_t key) {
  return key & BY_X ? k->column_bytes : k->row_bytes;
}

/* As many rows as have room, if it is known how much they need. */
static uint32_t rows_for(uint64_t bytes, uint64_t iterations) {
  if (!iterations || iterations > MT_KEPT_BYTES / bytes) return 1;
  uint64_t n = MT_KEPT_BYTES / (bytes * iterations);
  return n > MT_PANELS ? MT_PANELS : (uint32_t)n;
}

static void divide(mt_KeptTiles *k, uint64_t bytes) {
  k->divided = true;
  k->rows = rows_for(bytes, k->expected);
  k->column_bytes = COLUMNS / k->panels / 128 * 128;
  k->row_bytes = MT_KEPT_BYTES / k->rows / 128 * 128;
  k->slots = (k->column_bytes < k->row_bytes ? k->column_bytes : k->row_bytes) /
             bytes;
}

uint64_t mt_tile_slots(mt_Group *g, uint64_t bytes) {
  if (!g->kept->divided) divide(g->kept, bytes);
  return g->kept->slots;
}

void mt_kept_start(mt_KeptTiles *k, uint64_t run, uint32_t panels,
                   uint64_t expected) {
  k->run = run;
  k->panels = panels;
  k->expected = expected;
  k->divided = false;
}

/* Of a group's panel. The last rows of groups share one if there are more rows
** than panels: so the first ones stay. */
static uint32_t number_of(const mt_Group *g, uint32_t key) {
  uint32_t last = g->kept->rows - 1;
  if (key & BY_X) return g->position[0] % g->kept->panels;
  if (!(key & BY_Y)) return 0;
  return g->position[1] < last ? g->position[1] : last;
}

/* Threads that are missing at a ragged edge fill nothing. */
static bool is_whole(const mt_Group *g) {
  return !memcmp(g->actual, g->size, sizeof g->actual);
}

uint64_t mt_tile_enter(mt_Group *g, uint32_t tile, uint32_t key) {
  uint32_t n = number_of(g, key);
  mt_Panel *p = &g->kept->panel[tile][n];
  bool there = is_whole(g) && p->run == g->kept->run;
  for (int d = 0; d < 3; d++)
    there &= !(key >> d & 1) || p->position[d] == g->position[d];
  /* else it is overwritten, by all SIMD-groups of the group */
  if (!there) p->run = 0;
  g->kept->left[tile] = false;
  return n * panel_bytes(g->kept, key) + there;
}

void mt_tile_keep(mt_Group *g, uint32_t tile, uint32_t key,
                  uint64_t iterations) {
  mt_Panel *p = &g->kept->panel[tile][number_of(g, key)];
  g->kept->iterations = iterations;
  if (!iterations || !is_whole(g)) return;
  p->run = g->kept->run;
  memcpy(p->position, g->position, sizeof p->position);
}

void mt_tile_leave(mt_Group *g, uint32_t tile, char *variable,
                   const char *slots, uint64_t from, uint64_t slot,
                   uint64_t bytes) {
  if (g->kept->left[tile]) return; /* by another SIMD-group */
  g->kept->left[tile] = true;
  memcpy(variable + from, slots + slot + from, bytes);
}

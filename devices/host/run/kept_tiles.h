/*
** kept_tiles.h - which tiles a worker keeps from threadgroup to threadgroup
** (transform/keep_tiles.c); called by generated code.
**
** A tile has MT_KEPT_BYTES for its slots, one for each iteration of a loop.
** They are divided into panels, so that the tiles of several columns of groups
** are there at once, or of several rows. The groups of a launch come in strips
** of columns (dispatch.c): the panels of a strip's columns are in a cache,
** those of its rows are for the next strip. What is kept is valid in one run
** of a launch, since buffers may change in between.
*/
#ifndef MT_HOST_RUN_KEPT_TILES_H
#define MT_HOST_RUN_KEPT_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/host/abi/abi.h"

/* What is in a panel: nothing if it was filled in another run. */
typedef struct mt_Panel {
  uint64_t run;
  uint32_t position[3]; /* of the group that filled it */
} mt_Panel;

typedef struct mt_KeptTiles {
  uint32_t panels;     /* for so many columns of groups */
  uint32_t rows;       /* and for so many rows */
  uint64_t column_bytes, row_bytes, slots; /* of a panel */
  bool divided;        /* all of these are known: mt_tile_slots */
  uint64_t expected;   /* iterations; 0: not known */
  uint64_t run;        /* its number; not 0 */
  uint64_t iterations; /* slots that were filled last; 0: there were too few */
  mt_Panel panel[MT_TILES][MT_PANELS];
  bool left[MT_TILES]; /* by this group: mt_tile_leave has done its work */
} mt_KeptTiles;

/* The panels for tiles of 'bytes' an iteration, if there are so many
** iterations. */
uint32_t mt_panels_for(uint64_t bytes, uint64_t iterations);

/* Before a worker runs groups of the launch's run 'run'. */
void mt_kept_start(mt_KeptTiles *kept, uint64_t run, uint32_t panels,
                   uint64_t expected);

/* How many slots of 'bytes', those of the largest tile, a panel has. */
uint64_t mt_tile_slots(mt_Group *group, uint64_t bytes);
/* The panel of this group, in bytes from the first one; plus 1 if the group's
** tiles are there already. 'key': a bit for each coordinate that matters. The
** answer is the same until mt_tile_keep. */
uint64_t mt_tile_enter(mt_Group *group, uint32_t tile, uint32_t key);
/* All is filled, 'iterations' slots; 0: there were too few. */
void mt_tile_keep(mt_Group *group, uint32_t tile, uint32_t key,
                  uint64_t iterations);
/* Give a part of a variable, 'bytes' at 'from', what the last iteration has
** left in its slot. */
void mt_tile_leave(mt_Group *group, uint32_t tile, char *variable,
                   const char *slots,
                   uint64_t from, uint64_t slot, uint64_t bytes);

#endif

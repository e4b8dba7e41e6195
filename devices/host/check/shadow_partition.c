/*
** shadow_partition.c - a limit for the memory of the shadow.
**
** The one idea: a checked launch is deterministic, so it can be run several
** times, each run tracking its own part of every buffer: findings in one part
** of the memory do not depend on the others. That is needed where the shadow
** would outgrow the buffers, as with single bytes that scattered lanes read and
** write. It is not known in advance, since untouched cells take no memory. So
** the first run starts with everything, counts pages of cells, and drops all
** but its part when there are too many.
**
** Findings that do not come from shadow cells are reported by the first run.
*/
#include <string.h>

#include "devices/host/check/check.h"
#include "devices/host/run/run.h"

#define TIMES 6        /* the shadow may take so many times the buffers'
                       ** bytes */
#define PARTS_MAX 16
#define PAGE 4096      /* bytes; the unit of counting, whatever the system's
                       ** pages are */
#define PAGE_CELLS (PAGE / sizeof(uint64_t))

/* ----------------------------------------------------------------- how much */

static size_t line_bytes(const mt_Region *r) {
  return (r->cells >> MT_LINE) * sizeof *r->line_writes;
}

static size_t cell_bytes(const mt_Region *r) {
  return r->cells * sizeof *r->writes;
}

/* Bytes that the shadow may take, less the epochs and the copies that
** mt_check_snapshot makes of buffers that the caller does not keep. */
static size_t allowed(const mt_Check *c) {
  size_t given = 0, taken = mt_epochs_bytes(c);
  for (size_t i = 0; i < c->regions; i++) {
    const mt_Region *r = &c->region[i];
    given += r->size;
    if (r->tracked && !r->kept) taken += r->size;
  }
  return TIMES * given > taken ? TIMES * given - taken : 0;
}

static unsigned parts_for(size_t all, size_t room) {
  if (room < all / PARTS_MAX) return PARTS_MAX;
  return (unsigned)((all + room - 1) / room);
}

mt_Status mt_partition_new(mt_Check *c, mt_Error *err) {
  size_t lines = 0, all = 0, room = allowed(c);
  for (size_t i = 0; i < c->regions; i++) {
    const mt_Region *r = &c->region[i];
    lines += 2 * line_bytes(r);
    all += 2 * (line_bytes(r) + cell_bytes(r));
  }
  c->parts_most = parts_for(all, room ? room : 1);
  if (c->parts_most <= 1) return MT_OK;
  c->room = room > lines ? (room - lines) / PAGE : 1;
  c->counting = true;
  mt_Status status = mt_findings_new(c, true, err);
  if (status != MT_OK) return status;
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!r->tracked) continue;
    r->first = (r->cells >> MT_LINE) / c->parts_most << MT_LINE;
    r->opened = mt_shadow_pages_new(2 * (r->cells / PAGE_CELLS + 1));
    r->set = mt_shadow_pages_new(r->cells / 8 + 1);
    if (!r->opened || !r->set)
      return mt_error(err, MT_FAIL, "no memory to check %zu MB of buffers",
                      r->size >> 20);
    mt_shadow_pages_small(r->writes, cell_bytes(r));
    mt_shadow_pages_small(r->reads, cell_bytes(r));
  }
  return MT_OK;
}

void mt_partition_free(mt_Region *r) {
  if (r->opened)
    mt_shadow_pages_free(r->opened, 2 * (r->cells / PAGE_CELLS + 1));
  if (r->set) mt_shadow_pages_free(r->set, r->cells / 8 + 1);
  r->opened = r->set = NULL;
}

/* -------------------------------------------------------------------- parts */

/* The cells of this part: whole lines. */
static void take_part(const mt_Check *c, mt_Region *r) {
  size_t lines = r->cells >> MT_LINE;
  r->low = lines * c->part / c->parts << MT_LINE;
  r->high = lines * (c->part + 1) / c->parts << MT_LINE;
}

/* Cells and lines from cell 'from' on become zero: never accessed. */
static void forget(mt_Region *r, size_t from) {
  size_t line = from >> MT_LINE;
  mt_shadow_pages_clear(r->writes, from * sizeof *r->writes, cell_bytes(r));
  mt_shadow_pages_clear(r->reads, from * sizeof *r->reads, cell_bytes(r));
  mt_shadow_pages_clear(r->line_writes, line * sizeof *r->line_writes,
                        line_bytes(r));
  mt_shadow_pages_clear(r->line_reads, line * sizeof *r->line_reads,
                        line_bytes(r));
}

/* In the middle of the first run: from now on it tracks only its part. */
static void split(mt_Check *c) {
  c->parts = c->parts_most;
  c->counting = false;
  mt_findings_later(c, false);
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!r->tracked) continue;
    take_part(c, r);
    forget(r, r->high);
    r->again[1] = 0;
  }
}

void mt_partition_opened(mt_Check *c, mt_Region *r, bool reads, size_t line) {
  size_t page = (line << MT_LINE) / PAGE_CELLS;
  uint8_t *opened = r->opened + 2 * page + reads;
  if (*opened) return;
  *opened = 1;
  if (++c->pages >= c->room) split(c);
}

/* Which cells the finished part has written, as bits. */
static void note_written(mt_Region *r) {
  for (size_t i = r->low; i < r->high; i++)
    if (mt_cell_is_set(r, i)) r->set[i / 8] |= (uint8_t)(1u << i % 8);
}

static void next_part(mt_Check *c) {
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!r->tracked) continue;
    note_written(r);
    forget(r, 0);
  }
  c->part++;
  for (size_t i = 0; i < c->regions; i++)
    if (c->region[i].tracked && c->part < c->parts) take_part(c, &c->region[i]);
}

mt_Status mt_partition_run_rest(mt_Check *c, const mt_InstrumentedCode *w,
                                mt_Error *err) {
  mt_Status status = MT_OK;
  c->counting = false;
  if (c->parts == 1) return MT_OK;
  for (next_part(c); c->part < c->parts && status == MT_OK; next_part(c)) {
    mt_progress_part(&c->progress, c->part + 1, c->parts, c->group_total);
    mt_check_restore(c, false);
    c->group_count = 0;
    status = mt_check_once(c, w, NULL, err);
  }
  for (size_t i = 0; i < c->regions; i++)
    c->region[i].gathered = c->region[i].set != NULL;
  c->part = 0;
  return status;
}

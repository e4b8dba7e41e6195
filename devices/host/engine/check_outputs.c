/*
** check_outputs.c - which buffers are outputs, if nobody says.
**
** A kernel's answer is what it writes and never reads. That it should be written
** all over is a guess: a kernel may write where its data says so. So a guess
** counts only if what is missing looks like the grid's fault: the end, the
** beginning, or gaps of one size at equal distances.
*/
#include <string.h>

#include "devices/host/engine/checker.h"

#define FEW 16 /* elements: fewer may look regular by chance */

/* Written plainly, never read; and nothing in the kernel is drawn from a
** counter, which makes a list that need not be full. */
static bool only_written(const mt_Check *c, int root) {
  bool written = false;
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    if (s->kind == MT_SITE_ATOMIC) return false;
    if (s->kind == MT_SITE_READ &&
        (s->root == root || s->root == MT_ROOT_UNKNOWN))
      return false;
    if (s->root == root) written |= s->kind == MT_SITE_WRITE;
  }
  return written;
}

static bool is_written(const mt_Region *r, size_t at, size_t size) {
  for (size_t i = at >> r->shift; i <= (at + size - 1) >> r->shift; i++)
    if (!mt_cell_is_set(r, i)) return false;
  return true;
}

/* Runs of written and of missing elements. */
typedef struct Runs {
  size_t length[2];      /* of a run: missing, written; 0: none yet */
  size_t count[2];
  size_t far;            /* of a missing run behind a slice of such rows */
  size_t rows, each;     /* in this slice, and in every one; 0: none yet */
  size_t slices;
} Runs;

/* Behind every so many rows that lack their ends, whole rows may be missing. */
static bool ends_slice(Runs *r, size_t run) {
  if (run < r->length[0] || (r->far && run != r->far)) return false;
  if (r->each && r->rows != r->each) return false;
  r->far = run;
  r->each = r->rows;
  r->rows = 0;
  r->slices++;
  return true;
}

static bool is_like_others(Runs *r, bool written, size_t run, bool end) {
  size_t *length = &r->length[written];
  r->count[written]++;
  if (*length == 0) *length = run;
  if (run == *length) {
    r->rows += !written;
    return true;
  }
  if (end && (run < *length || (!written && r->count[1] > 2))) return true;
  return !written && ends_slice(r, run);
}

/* Are all of a kind equally long? The last may be cut, or, behind a few rows that
** lack their ends, whole rows may be missing. One of each is an end or a
** beginning; but who writes less than half, at the end, is putting something
** behind what is there. */
static bool regular(const mt_Region *r, size_t offset, size_t element,
                    size_t count) {
  Runs runs = {.slices = 0};
  size_t run = 0;
  bool last = is_written(r, offset, element), behind = !last;
  for (size_t k = 0; k <= count; k++) {
    bool now = k < count && is_written(r, offset + k * element, element);
    if (k < count && now == last) {
      run++;
      continue;
    }
    if (!is_like_others(&runs, last, run, k == count)) return false;
    last = now;
    run = 1;
  }
  if (behind && runs.count[0] == 1 && runs.count[1] == 1 &&
      runs.length[0] > count / 2)
    return false;
  return runs.length[1] > 0 && runs.slices != 1;
}

static bool is_output(const mt_Check *c, unsigned i) {
  const mt_Arg *a = &c->launch->args[i];
  const mt_Root *root = &c->sites->root[i];
  if (a->kind != MT_ARG_BUFFER || c->root_region[i] < 0) return false;
  const mt_Region *r = &c->region[c->root_region[i]];
  size_t element = root->element ? root->element : 1;
  size_t count = a->size / element;
  if (!r->tracked || !only_written(c, (int)i)) return false;
  if (mt_shadow_covers(r, a->offset, a->size)) return count > 0;
  for (size_t k = 0; k < count; k++)
    if (!is_written(r, a->offset + k * element, element))
      return count >= FEW && regular(r, a->offset, element, count);
  return count > 0;
}

uint64_t mt_check_outputs(const mt_Check *c) {
  uint64_t found = 0;
  for (unsigned i = 0; i < c->launch->arg_count && i < 64; i++)
    if (is_output(c, i)) found |= (uint64_t)1 << i;
  return found;
}

/*
** coverage.c - which buffers and textures are outputs, and whether they were
** fully written.
**
** The one idea: infer outputs, but report only gaps that look like a mistake.
** An output is written and never read. That all of it should be written is only
** inferred unless options->outputs says so: a kernel may scatter by its data,
** or leave a border on purpose. So a gap in an inferred output is a finding
** only if it looks like a wrong grid: the end, the beginning, or gaps of one
** size at equal distances. Other gaps are listed as not checked.
*/
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "devices/host/check/check.h"
#include "devices/host/host.h"
#include "msl/texture_view.h"

#define FEW 16 /* elements: fewer may look regular by chance */

/* The elements of an argument. */
typedef struct Extent {
  mt_Region *r;
  size_t first, element; /* bytes */
  size_t count;
  size_t row, row_bytes; /* elements of a row, and bytes to the next row */
  uint32_t sides[3];     /* of a texture; 0: a buffer */
} Extent;

/* ------------------------------------------------------------------ extents */

static bool buffer_extent(const mt_Check *c, unsigned i, Extent *out) {
  const mt_Arg *a = &c->launch->args[i];
  const mt_Root *root = &c->sites->root[i];
  if (c->root_region[i] < 0) return false;
  *out = (Extent){.r = &c->region[c->root_region[i]], .first = a->offset,
                  .element = root->element ? root->element : 1};
  out->count = out->row = a->size / out->element;
  return out->count > 0;
}

static bool texture_extent(const mt_Check *c, unsigned i, Extent *out) {
  const mt_Arg *a = &c->launch->args[i];
  const mt_TextureView *v = mt_host_texture_view(a->texture);
  size_t slices = (size_t)v->depth * v->layers;
  if (a->texture_count > 1 || v->slice_bytes != v->row_bytes * v->height)
    return false;
  *out = (Extent){.element = mt_pixel_size(a->texture->desc.format),
                  .row = v->width, .row_bytes = v->row_bytes,
                  .count = v->width * (size_t)v->height * slices,
                  .sides = {v->width, v->height, (uint32_t)slices}};
  for (size_t k = 0; k < c->regions; k++)
    if (c->region[k].start == (char *)v->pixels) out->r = &c->region[k];
  return out->r && out->count > 0;
}

static bool extent_of(const mt_Check *c, unsigned i, Extent *out) {
  switch (c->launch->args[i].kind) {
    case MT_ARG_BUFFER: return buffer_extent(c, i, out);
    case MT_ARG_TEXTURE: return texture_extent(c, i, out);
    default: return false;
  }
}

static bool is_written(const Extent *e, size_t k) {
  size_t at = e->first + k / e->row * e->row_bytes + k % e->row * e->element;
  const mt_Region *r = e->r;
  for (size_t i = at >> r->shift; i <= (at + e->element - 1) >> r->shift; i++)
    if (!mt_cell_is_set(r, i)) return false;
  return true;
}

/* How many elements are not written, and the first of them. */
static size_t missing(const Extent *e, size_t *first) {
  size_t n = 0;
  *first = 0;
  if (!e->r->tracked) return e->count; /* the kernel never writes it */
  if (!e->sides[0] &&
      mt_shadow_covers(e->r, e->first, e->count * e->element))
    return 0;
  for (size_t k = 0; k < e->count && !mt_check_is_over(k); k++)
    if (!is_written(e, k) && n++ == 0) *first = k;
  return n;
}

/* -------------------------------------------------------------- candidates */

static bool is_write(mt_SiteKind k) {
  return k == MT_SITE_WRITE || k == MT_SITE_ATOMIC_WRITE || k == MT_SITE_ATOMIC;
}

mt_SourcePlace mt_check_first_write(const mt_Check *c, int root) {
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    bool texel = s->kind == MT_SITE_TEXEL && s->write;
    if (s->root == root && (texel || is_write(s->kind))) return s->place;
  }
  return (mt_SourcePlace){0};
}

/* Is the buffer read, or updated atomically? */
static bool is_read(const mt_Check *c, int root) {
  for (size_t i = 1; i < c->sites->count; i++)
    if (c->sites->site[i].root == root &&
        (c->sites->site[i].kind == MT_SITE_READ ||
         c->sites->site[i].kind == MT_SITE_ATOMIC_READ ||
         c->sites->site[i].kind == MT_SITE_ATOMIC))
      return true;
  return false;
}

/* Does the kernel use an atomic counter? It may append to a list that need not
** be full. */
static bool has_counters(const mt_Check *c) {
  for (size_t i = 1; i < c->sites->count; i++)
    if (c->sites->site[i].kind == MT_SITE_ATOMIC) return true;
  return false;
}

/* Is the same texture bound under another name, by which it may be read? */
static bool is_bound_twice(const mt_Check *c, unsigned i) {
  for (unsigned k = 0; k < c->launch->arg_count; k++)
    if (k != i && c->launch->args[k].kind == MT_ARG_TEXTURE &&
        c->launch->args[k].texture == c->launch->args[i].texture)
      return true;
  return false;
}

/* An output: written and never read. */
static bool is_answer(const mt_Check *c, unsigned i, const Extent *e) {
  if (e->r->looked_at && !e->sides[0]) return false;
  if (e->sides[0])
    return mt_param_uses(&c->launch->kernel->info, i) == MT_WRITE &&
           !is_bound_twice(c, i) && mt_check_first_write(c, (int)i).line;
  return !is_read(c, (int)i) && mt_check_first_write(c, (int)i).line;
}

/* --------------------------------------------------------------------- gaps */

/* Alternating runs of missing and written elements. */
typedef struct Runs {
  size_t length[2];      /* of a run: missing, written; 0: none yet */
  size_t count[2];
  size_t far;            /* of the longer missing run that ends a slice */
  size_t rows, each;     /* in this slice, and in each slice; 0: none yet */
  size_t slices;
} Runs;

/* A longer gap after a fixed number of rows that lack their ends: the missing
** rows of a slice. */
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

/* Do all runs of a kind have one length? The last may be cut, and after rows
** that lack their ends whole rows may be missing. One run of each kind is a
** missing end or beginning; but a kernel that writes less than half, at the
** end, appends to existing data. */
static bool is_regular(const Extent *e) {
  Runs runs = {.slices = 0};
  size_t run = 0;
  bool last = is_written(e, 0), behind = !last;
  for (size_t k = 0; k <= e->count; k++) {
    if (mt_check_is_over(k)) return false;
    bool now = k < e->count && is_written(e, k);
    if (k < e->count && now == last) {
      run++;
      continue;
    }
    if (!is_like_others(&runs, last, run, k == e->count)) return false;
    last = now;
    run = 1;
  }
  if (behind && runs.count[0] == 1 && runs.count[1] == 1 &&
      runs.length[0] > e->count / 2)
    return false;
  return runs.length[1] > 0 && runs.slices != 1;
}

/* A gap that may be intended: no finding, but reported as not checked. */
static void tell_gap(mt_Check *c, unsigned i, const Extent *e, size_t n,
                     size_t first) {
  const char *name = c->sites->root[i].name;
  char at[96], remedy[300];
  snprintf(remedy, sizeof remedy, mt_advice()->outputs, name);
  snprintf(at, sizeof at, "[%zu]", first);
  if (e->sides[0])
    snprintf(at, sizeof at, " at (%zu, %zu)", first % e->row, first / e->row);
  mt_findings_unchecked(
      c,
      "whether %s should be written all over: %zu of %zu elements "
      "are not, the first is %s%s%s",
      name, n, e->count, name, at, remedy);
}

static bool is_output(mt_Check *c, unsigned i, bool counters) {
  Extent e;
  size_t first;
  if (!extent_of(c, i, &e) || !is_answer(c, i, &e)) return false;
  size_t n = missing(&e, &first);
  if (n == 0) return !counters;
  if (!counters && e.count >= FEW && is_regular(&e)) return true;
  tell_gap(c, i, &e, n, first);
  return false;
}

uint64_t mt_check_outputs(mt_Check *c) {
  uint64_t found = 0;
  bool counters = has_counters(c);
  for (unsigned i = 0; i < c->launch->arg_count && i < 64; i++)
    if (is_output(c, i, counters)) found |= (uint64_t)1 << i;
  return found;
}

/* ----------------------------------------------------------------- coverage */

static void find_gap(mt_Check *c, mt_Finding *f, const Extent *e, size_t n,
                     size_t first) {
  f->count = n;
  f->index = (int64_t)first;
  if (e->sides[0]) {
    f->texel[0] = (uint32_t)(first % e->row);
    f->texel[1] = (uint32_t)(first / e->row % e->sides[1]);
    f->texel[2] = (uint32_t)(first / e->row / e->sides[1]);
    memcpy(f->extent, e->sides, sizeof f->extent);
  }
  snprintf(f->detail, sizeof f->detail, "%zu of %zu element%s never written",
           n, e->count, e->count == 1 ? " is" : n == 1 ? "s is" : "s are");
  mt_finding_add_global(c, f);
}

static void cover(mt_Check *c, unsigned i) {
  const mt_Root *root = &c->sites->root[i];
  Extent e;
  size_t first;
  if (!extent_of(c, i, &e)) return;
  mt_Finding f = {.kind = MT_FIND_COVERAGE,
                  .place = mt_check_first_write(c, (int)i),
                  .how = MT_HOW_WRITE,
                  .space = e.sides[0] ? MT_SPACE_TEXTURE : MT_SPACE_DEVICE,
                  .name = root->name, .type = root->type, .length = e.count,
                  .index = -1};
  size_t n = missing(&e, &first);
  uint64_t again = e.sides[0] ? 0 : e.r->again[0] + e.r->again[1];
  if (n) {
    find_gap(c, &f, &e, n, first);
  } else if (again > 1 && again >= e.count / 2) {
    f.index = e.r->again_first[e.r->again[0] == 0];
    f.count = again;
    snprintf(f.detail, sizeof f.detail,
             "written by more than one thread, with the same value");
    mt_finding_add_global(c, &f);
  }
}

void mt_check_coverage(mt_Check *c) {
  for (unsigned i = 0; c->options->outputs && i < c->launch->arg_count; i++)
    if (c->options->outputs[i] && !is_read(c, (int)i)) cover(c, i);
}

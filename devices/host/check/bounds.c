/*
** bounds.c - the memory of a checked launch, and out-of-bounds accesses.
**
** The one idea: a pointer belongs to its underlying object, the root. a[-1] is
** wrong even if another buffer lies there, so an access is compared with the
** bounds of the root that the site names. Only where the root is not known (a
** pointer loaded from memory, or one of too many) is the address looked up.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/check/check.h"
#include "devices/host/host.h"
#include "devices/host/run/run.h"
#include "msl/texture_view.h"

/* ----------------------------------------------------------------- regions */

static mt_Region *region_at(mt_Check *c, const char *start, size_t size,
                            mt_Space space, int root) {
  for (size_t i = 0; i < c->regions; i++)
    if (c->region[i].start == start) return &c->region[i];
  mt_Region *r = &c->region[c->regions++];
  *r = (mt_Region){.start = (char *)start, .size = size, .space = space,
                   .root = root};
  return r;
}

static void map_texture(mt_Check *c, mt_Texture *t, bool written, unsigned i) {
  const mt_TextureView *v = mt_host_texture_view(t);
  size_t size = (size_t)v->slice_bytes * v->depth * v->layers;
  mt_Region *r = region_at(c, v->pixels, size, MT_SPACE_TEXTURE, (int)i);
  if (written) r->open = true;
  region_at(c, (const char *)v, sizeof *v, MT_SPACE_CONSTANT, (int)i);
}

static bool is_unwritten(const mt_Check *c, const char *name) {
  const char *const *list = c->options->unwritten;
  while (list && *list && strcmp(*list, name)) list++;
  return list && *list;
}

/* Memory that an argument buffer points to has no static root: accesses find it
** by address. */
static void map_link(mt_Check *c, const mt_Link *link, unsigned i) {
  const mt_Buffer *b = link->arg.buffer;
  size_t known = c->regions;
  if (link->arg.kind == MT_ARG_TEXTURE)
    map_texture(c, link->arg.texture, link->type->count & MT_WRITE, i);
  else if (link->arg.kind == MT_ARG_BUFFER)
    region_at(c, b->contents, b->size, MT_SPACE_DEVICE, (int)i)->space =
        MT_SPACE_DEVICE;
  for (; known < c->regions; known++) {
    c->region[known].link = link;
    c->region[known].blank = is_unwritten(c, link->name);
  }
}

static void map_arg(mt_Check *c, unsigned i) {
  const mt_Arg *a = &c->launch->args[i];
  const mt_Param *p = &c->launch->kernel->info.params[i];
  c->root_region[i] = -1;
  c->root_size[i] = SIZE_MAX;
  switch (a->kind) {
    case MT_ARG_BUFFER: {
      mt_Region *r = region_at(
          c, a->buffer->contents, a->buffer->size,
          p->constant ? MT_SPACE_CONSTANT : MT_SPACE_DEVICE, (int)i);
      if (!p->constant) r->space = MT_SPACE_DEVICE;
      if (c->options->written && !c->options->written[i]) r->blank = true;
      c->root_region[i] = (int)(r - c->region);
      c->root_size[i] = a->size;
      break;
    }
    case MT_ARG_BYTES:
      c->root_size[i] = a->size;
      for (unsigned k = 0; k < a->link_count; k++) map_link(c, &a->links[k], i);
      break;
    case MT_ARG_THREADGROUP:
      c->root_size[i] = a->size;
      break;
    case MT_ARG_TEXTURE:
      map_texture(c, a->texture, p->access & MT_WRITE, i);
      for (unsigned k = 1; k < a->texture_count; k++)
        map_texture(c, a->textures[k], p->access & MT_WRITE, i);
      break;
    default:
      break;
  }
}

/* Every member that options->unwritten names must exist. */
static mt_Status find_unwritten(const mt_Check *c, mt_Error *err) {
  const char *const *name = c->options->unwritten;
  for (; name && *name; name++) {
    size_t i = 0;
    while (i < c->regions && !(c->region[i].link && c->region[i].blank &&
                               !strcmp(c->region[i].link->name, *name)))
      i++;
    if (i == c->regions)
      return mt_error(err, MT_BADARG, "undefined: '%s' is no buffer of %s",
                      *name, c->launch->kernel->info.name);
  }
  return MT_OK;
}

static void find_kept(mt_Check *c) {
  const mt_CheckOptions *o = c->options;
  for (size_t i = 0; i < c->regions; i++)
    for (size_t k = 0; k < o->kept_count; k++)
      if (o->kept[k].buffer->contents == c->region[i].start)
        c->region[i].kept = o->kept[k].contents;
}

static bool writes(mt_SiteKind k) {
  return k == MT_SITE_WRITE || k == MT_SITE_ATOMIC_WRITE || k == MT_SITE_ATOMIC;
}

static bool only_writes(mt_SiteKind k) {
  return k == MT_SITE_WRITE || k == MT_SITE_ATOMIC_WRITE;
}

static bool is_access(mt_SiteKind k) { return k <= MT_SITE_ATOMIC; }

/* In a packed struct a float may begin at any byte. */
static unsigned shift_for(const mt_Site *s) {
  uint32_t steps = s->size | s->align;
  return steps % 4 == 0 ? 2 : steps % 2 == 0 ? 1 : 0;
}

/* May the site touch the region? */
static bool may_touch(const mt_Check *c, const mt_Site *s, const mt_Region *r) {
  if (!is_access(s->kind)) return false;
  if (r->space == MT_SPACE_TEXTURE && writes(s->kind) && !r->open) return false;
  if (s->root == MT_ROOT_UNKNOWN) return true;
  const mt_Root *root = &c->sites->root[s->root];
  if (r == &c->group_memory)
    return root->kind == MT_ROOT_VARIABLE ||
           (root->kind == MT_ROOT_PARAM &&
            c->launch->args[s->root].kind == MT_ARG_THREADGROUP);
  return root->kind == MT_ROOT_PARAM && c->root_region[s->root] >= 0 &&
         &c->region[c->root_region[s->root]] == r;
}

/* The granularity of the shadow, and whether one is needed. */
static void look_at_sites(const mt_Check *c, mt_Region *r) {
  r->shift = 2;
  r->tracked = r == &c->group_memory || r->blank;
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    if (!may_touch(c, s, r)) continue;
    unsigned shift = shift_for(s);
    if (shift < r->shift) r->shift = shift;
    if (writes(s->kind) && r->space != MT_SPACE_CONSTANT) r->tracked = true;
  }
}

static size_t line_bytes(const mt_Region *r) {
  return (r->cells >> MT_LINE) * sizeof *r->line_writes;
}

/* Threadgroup memory is small and accessed often: cells only, no lines. */
static mt_Status make_shadow(mt_Region *r, mt_Error *err) {
  if (!r->tracked) return MT_OK;
  size_t line = (size_t)1 << MT_LINE;
  bool lines = r->space != MT_SPACE_THREADGROUP;
  r->cells = ((r->size >> r->shift) + 2 + line - 1) / line * line;
  r->high = r->cells;
  r->writes = mt_shadow_pages_new(r->cells * sizeof *r->writes);
  r->reads = mt_shadow_pages_new(r->cells * sizeof *r->reads);
  if (lines) {
    r->line_writes = mt_shadow_pages_new(line_bytes(r));
    r->line_reads = mt_shadow_pages_new(line_bytes(r));
    lines = !r->line_writes || !r->line_reads;
  }
  if (r->writes && r->reads && !lines) return MT_OK;
  return mt_error(err, MT_FAIL,
                  "no memory to check %zu MB of buffers: check a smaller grid",
                  r->size >> 20);
}

static void drop_shadow(mt_Region *r) {
  bool zero = r->line_writes && !r->touched;
  mt_shadow_pages_return(r->writes, r->cells * sizeof *r->writes, zero);
  mt_shadow_pages_return(r->reads, r->cells * sizeof *r->reads, zero);
  mt_shadow_pages_free(r->line_writes, line_bytes(r));
  mt_shadow_pages_free(r->line_reads, line_bytes(r));
  mt_partition_free(r);
  r->writes = r->reads = r->line_writes = r->line_reads = NULL;
}

void mt_check_drop_shadow(mt_Check *c) {
  for (size_t i = 0; i < c->regions; i++) drop_shadow(&c->region[i]);
  drop_shadow(&c->group_memory);
}

static void drop_copies(mt_Region *r) {
  mt_shadow_pages_free(r->before, r->size);
  for (int i = 0; i < 2; i++) mt_shadow_pages_free(r->answer[i], r->size);
}

mt_Status mt_check_map(mt_Check *c, mt_Error *err) {
  unsigned n = c->launch->arg_count;
  size_t group = 0;
  size_t places = 2 * (size_t)n + 1;
  for (unsigned i = 0; i < n; i++)
    places += 2 * ((size_t)c->launch->args[i].texture_count +
                   c->launch->args[i].link_count);
  c->region = calloc(places, sizeof *c->region);
  c->root_region = calloc(c->sites->roots + n + 1, sizeof *c->root_region);
  c->root_size = calloc(c->sites->roots + n + 1, sizeof *c->root_size);
  if (!c->region || !c->root_region || !c->root_size)
    return mt_error(err, MT_FAIL, "out of memory");
  for (unsigned i = 0; i < n; i++) map_arg(c, i);
  find_kept(c);
  mt_Status status = find_unwritten(c, err);
  if (status != MT_OK) return status;
  for (size_t i = n; i < c->sites->roots; i++) {
    c->root_region[i] = -1;
    c->root_size[i] = c->sites->root[i].size;
  }
  for (unsigned i = 0; i < n; i++)
    if (c->launch->args[i].kind == MT_ARG_THREADGROUP)
      group += mt_align16(c->launch->args[i].size);
  c->group_memory.size += group; /* after the kernel's own variables */
  c->group_memory.space = MT_SPACE_THREADGROUP;
  c->group_memory.root = -1;
  c->group_memory.blank = true;
  look_at_sites(c, &c->group_memory);
  status = make_shadow(&c->group_memory, err);
  for (size_t i = 0; i < c->regions && status == MT_OK; i++) {
    look_at_sites(c, &c->region[i]);
    status = make_shadow(&c->region[i], err);
  }
  return status;
}

void mt_check_unmap(mt_Check *c) {
  mt_check_drop_shadow(c);
  for (size_t i = 0; i < c->regions; i++) drop_copies(&c->region[i]);
  free(c->region);
  free(c->root_region);
  free(c->root_size);
}

/* ------------------------------------------------------------------ naming */

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

static mt_Space space_of_root(const mt_Check *c, int root) {
  const mt_Root *r = &c->sites->root[root];
  switch (r->kind) {
    case MT_ROOT_VARIABLE: return MT_SPACE_THREADGROUP;
    case MT_ROOT_PRIVATE: return MT_SPACE_PRIVATE;
    case MT_ROOT_GLOBAL: return MT_SPACE_CONSTANT;
    default: break;
  }
  const mt_Param *p = &c->launch->kernel->info.params[root];
  if (p->kind == MT_PARAM_THREADGROUP) return MT_SPACE_THREADGROUP;
  if (p->kind == MT_PARAM_TEXTURE) return MT_SPACE_TEXTURE;
  return p->constant ? MT_SPACE_CONSTANT : MT_SPACE_DEVICE;
}

/* The start of the memory bound to parameter 'root'. */
static const char *start_of(const mt_Check *c, int root) {
  const mt_Arg *a = &c->launch->args[root];
  return a->kind == MT_ARG_BUFFER ? (char *)a->buffer->contents + a->offset
                                  : NULL;
}

/* The threadgroup parameter at address 'p'. */
static int root_in_group(const mt_Check *c, const char *p, const char **base) {
  for (unsigned i = 0; i < c->launch->arg_count; i++) {
    if (c->launch->args[i].kind != MT_ARG_THREADGROUP) continue;
    const char *start = (const char *)(uintptr_t)c->group->args[i];
    if (p < start || p >= start + c->root_size[i]) continue;
    *base = start;
    return (int)i;
  }
  return MT_ROOT_UNKNOWN;
}

/* An element of memory that an argument buffer points to. */
static void name_link(const mt_Region *r, const char *p, mt_Finding *f) {
  const mt_Arg *a = &r->link->arg;
  bool texture = a->kind == MT_ARG_TEXTURE;
  size_t element = texture ? mt_pixel_size(a->texture->desc.format) : 1;
  f->space = r->space;
  f->name = r->link->name;
  f->type = r->link->type->element;
  if (f->type && f->type->size) element = f->type->size;
  f->index = floor_div(p - (r->start + a->offset), (int64_t)element);
  f->length = (texture ? r->size : a->size) / element;
}

void mt_check_name(const mt_Check *c, const mt_Site *s, const mt_Region *r,
                   const char *base, const char *p, mt_Finding *f) {
  int root = s->root;
  if (root == MT_ROOT_UNKNOWN && r && r->link) {
    f->bytes = s->size;
    name_link(r, p, f);
    return;
  }
  if (root == MT_ROOT_UNKNOWN && r) {
    root = r->root;
    base = root >= 0 ? start_of(c, root) : NULL;
    if (r == &c->group_memory) root = root_in_group(c, p, &base);
    if (r->space == MT_SPACE_TEXTURE) base = r->start;
  }
  f->space = r && root == MT_ROOT_UNKNOWN ? r->space : MT_SPACE_WILD;
  f->bytes = s->size;
  if (root == MT_ROOT_UNKNOWN || !base) return;
  const mt_Root *of = &c->sites->root[root];
  size_t element = of->element ? of->element : 1, size = c->root_size[root];
  if (r && r->space == MT_SPACE_TEXTURE)
    size = r->size,
    element = mt_pixel_size(c->launch->args[root].texture->desc.format);
  f->space = r && r->space == MT_SPACE_TEXTURE ? MT_SPACE_TEXTURE
                                               : space_of_root(c, root);
  f->name = of->name[0] ? of->name : NULL;
  f->type = of->type;
  f->index = floor_div(p - base, (int64_t)element);
  memcpy(f->rows, of->rows, sizeof f->rows);
  f->length = size == SIZE_MAX ? 0 : size / element;
}

/* ------------------------------------------------------------------ bounds */

static mt_AccessHow how_of(const mt_Site *s) {
  return s->kind == MT_SITE_READ ? MT_HOW_READ
         : s->kind == MT_SITE_WRITE ? MT_HOW_WRITE : MT_HOW_ATOMIC;
}

static void out_of_bounds(mt_Check *c, const mt_Site *s, const mt_Region *r,
                          uint32_t thread, const char *base, const char *p) {
  mt_Finding f = {.kind = MT_FIND_OUT_OF_BOUNDS, .place = s->place,
                  .how = how_of(s)};
  mt_check_name(c, s, r, base, p, &f);
  if (f.space == MT_SPACE_WILD && (uintptr_t)p < MT_NEAR_NULL)
    snprintf(f.detail, sizeof f.detail, "through a null pointer");
  mt_finding_add(c, &f, thread, NULL);
}

static bool holds(const mt_Region *r, const char *p, size_t size) {
  return p >= r->start && (size_t)(p - r->start) < r->size &&
         r->size - (size_t)(p - r->start) >= size;
}

/* The nearest region, for the message. */
static mt_Region *nearest(mt_Check *c, const char *p) {
  mt_Region *best = NULL;
  size_t least = (size_t)64 << 20; /* farther than this is a wild pointer */
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    size_t d = p < r->start ? (size_t)(r->start - p)
               : p >= r->start + r->size ? (size_t)(p - r->start - r->size)
                                         : 0;
    if (d < least) least = d, best = r;
  }
  return best;
}

/* Private memory: this OS thread's stack, or spilled values? */
static bool is_own(const mt_Check *c, const char *p) {
  char here;
  const mt_Worker *w = c->group->worker;
  if (w && w->spill && p >= w->spill && p < w->spill + w->spill_size)
    return true;
  ptrdiff_t far = p - &here;
  return far > -((ptrdiff_t)8 << 20) && far < (ptrdiff_t)8 << 20;
}

/* The region that holds these bytes; NULL: none. */
static mt_Region *holder(mt_Check *c, const char *p, size_t size) {
  for (size_t i = 0; i < c->regions; i++)
    if (holds(&c->region[i], p, size)) return &c->region[i];
  return holds(&c->group_memory, p, size) ? &c->group_memory : NULL;
}

/* The same for a site of unknown root. Recorded, since it cannot tell two
** threadgroup arrays apart, and since such a read may read an output. */
static mt_Region *found_at(mt_Check *c, const mt_Site *s, const char *p) {
  mt_Region *r = holder(c, p, s->size);
  if (r == &c->group_memory) c->strayed[s - c->sites->site] |= MT_STRAY_TILE;
  if (r && !only_writes(s->kind)) r->looked_at = true;
  return r;
}

static mt_Region *look_up(mt_Check *c, const mt_Site *s, uint32_t thread,
                          char *p) {
  mt_Region *r = found_at(c, s, p);
  if (r) return r;
  if (is_own(c, p)) {
    c->strayed[s - c->sites->site] |= MT_STRAY_OWN;
    return &c->plain;
  }
  const mt_Region *near = nearest(c, p);
  out_of_bounds(c, s, near, thread, NULL, p);
  return NULL;
}

mt_Region *mt_check_region(mt_Check *c, int root) {
  const mt_Root *r = &c->sites->root[root];
  if (r->kind == MT_ROOT_VARIABLE) return &c->group_memory;
  if (r->kind != MT_ROOT_PARAM) return &c->plain;
  if (c->launch->args[root].kind == MT_ARG_THREADGROUP)
    return &c->group_memory;
  return c->root_region[root] >= 0 ? &c->region[c->root_region[root]]
                                   : &c->plain;
}

mt_Region *mt_check_where(mt_Check *c, const mt_Site *s, uint32_t thread,
                          char *base, char *p) {
  if (s->root == MT_ROOT_UNKNOWN) return look_up(c, s, thread, p);
  size_t size = c->root_size[s->root];
  mt_Region *r = mt_check_region(c, s->root);
  if (size == SIZE_MAX) return r;
  if (s->size <= size && (uint64_t)(p - base) <= size - s->size) return r;
  out_of_bounds(c, s, r, thread, base, p);
  return NULL;
}

/* ----------------------------------------------------------------- helpers */

/* Where bad lanes are redirected. */
static char *away_of(mt_Check *c, const mt_Site *s) {
  return writes(s->kind) ? c->sink : c->zeros;
}

static bool aligned(const mt_Site *s, const char *p) {
  return s->align <= 1 || (uintptr_t)p % s->align == 0;
}

static void misaligned(mt_Check *c, const mt_Site *s, uint32_t thread,
                       const mt_Region *r, const char *base, const char *p) {
  mt_Finding f = {.kind = MT_FIND_MISALIGNED, .place = s->place,
                  .how = how_of(s)};
  mt_check_name(c, s, r, base, p, &f);
  f.bytes = s->align;
  mt_finding_add(c, &f, thread, NULL);
}

/* Checks one lane; false: it must not be executed. */
static bool check_lane(mt_Check *c, const mt_Touch *t, unsigned lane,
                       char *base) {
  char *p = mt_touch_at(t, lane);
  uint32_t thread = t->sg * MT_LANES + lane;
  mt_Region *r = mt_check_where(c, t->s, thread, base, p);
  if (!r) return false;
  bool straight = aligned(t->s, p); /* a misaligned access may trap */
  if (!straight) misaligned(c, t->s, thread, r, base, p);
  if (mt_is_shadowed(c, r)) mt_shadow_touch(c, r, t, lane, base);
  return straight;
}

/* The lanes that the fast path has found correct. */
static uint32_t check_quickly(mt_Check *c, const mt_Touch *t, char *base) {
  int root = t->s->root;
  if (root != MT_ROOT_UNKNOWN)
    return mt_fast_path(c, t, base, mt_check_region(c, root),
                        c->root_size[root]);
  if (!t->mask) return 0;
  const char *p = mt_touch_at(t, (unsigned)__builtin_ctz(t->mask));
  mt_Region *r = found_at(c, t->s, p);
  if (!r) return 0;
  uint32_t done = mt_fast_path(c, t, r->start, r, r->size);
  if (done == t->mask) mt_fast_path_seen(c, t, r);
  return done;
}

/* May the site write threadgroup memory? */
static bool writes_tile(mt_Check *c, const mt_Site *s) {
  return writes(s->kind) &&
         (s->root == MT_ROOT_UNKNOWN ||
          mt_check_region(c, s->root) == &c->group_memory);
}

static uint32_t check_all(mt_Check *c, const mt_Touch *t, char *base) {
  bool tile = writes_tile(c, t->s);
  if (tile ? c->tables.listed : c->tables.listed > MT_TILE_READS - MT_LANES)
    mt_tile_flush(c);
  uint32_t good = t->mask, done = check_quickly(c, t, base);
  for (uint32_t left = t->mask & ~done; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    if (!check_lane(c, t, lane, base)) good &= ~(1u << lane);
  }
  if (tile) mt_tile_wrote(c, t, good);
  return good;
}

void *mt_check_one(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   char *base, char *p, const void *values, uint32_t stride) {
  mt_Touch t = {.s = &c->sites->site[site], .site = site, .sg = sg,
                .mask = mask, .first = p, .values = values, .stride = stride};
  if (check_all(c, &t, base) == mask) return p;
  if (t.s->root >= 0 && c->sites->root[t.s->root].kind == MT_ROOT_PRIVATE)
    return base; /* redirect within private memory */
  return away_of(c, t.s);
}

void mt_check_lanes(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                    char *base, char **at, const void *values) {
  mt_Touch t = {.s = &c->sites->site[site], .site = site, .sg = sg,
                .mask = mask, .at = at, .values = values, .stride = MT_LANES};
  uint32_t bad = mask & ~check_all(c, &t, base);
  for (; bad; bad &= bad - 1) at[__builtin_ctz(bad)] = away_of(c, t.s);
}

/* --------------------------------------------------------------- the stage */

/* Executes the good lanes: reads copy into the stage, writes go to memory. */
static void act(mt_Check *c, const mt_Touch *t, uint32_t good,
                const int32_t *place) {
  const mt_Site *s = t->s;
  bool write = writes(s->kind);
  if (!write) memset(c->stage, 0, sizeof c->stage);
  for (; good; good &= good - 1) {
    unsigned lane = (unsigned)__builtin_ctz(good);
    char *p = mt_touch_at(t, lane);
    if (!write) memcpy(c->stage + place[lane], p, s->size);
    for (uint32_t k = 0; write && k < s->parts; k++)
      memcpy(p + k * s->part_size,
             t->values + ((size_t)k * t->stride + lane) * s->part_size,
             s->part_size);
  }
}

char *mt_check_row(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   char *base, char *first, int64_t step, const void *values) {
  mt_Touch t = {.s = &c->sites->site[site], .site = site, .sg = sg,
                .mask = mask, .first = first, .step = step, .values = values,
                .stride = MT_LANES};
  uint32_t good = check_all(c, &t, base);
  if (good == mask) return first;
  int32_t place[MT_LANES];
  int64_t zero = step < 0 ? -step * (MT_LANES - 1) : 0;
  for (int l = 0; l < MT_LANES; l++) place[l] = (int32_t)(zero + l * step);
  act(c, &t, good, place);
  return c->stage + zero;
}

/* A list whose runs of lanes are known, run by run. */
static uint32_t check_rows(mt_Check *c, const mt_Touch *list, char *base,
                           const int32_t *run, int32_t runs) {
  uint32_t good = 0;
  for (; runs; runs--, run += 3) {
    mt_Touch t = *list;
    t.mask &= ((1u << run[1]) - 1) << run[0]; /* fewer than 32 */
    if (!t.mask) continue;
    int lane = __builtin_ctz(t.mask); /* an active lane: inactive ones have no
                                      ** address */
    t.at = NULL;
    t.step = run[2];
    t.first = list->at[lane] - t.step * lane;
    good |= check_all(c, &t, base);
  }
  return good;
}

char *mt_check_spread(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                      char *base, char *const *at, const void *values,
                      const int32_t *plan) {
  mt_Touch t = {.s = &c->sites->site[site], .site = site, .sg = sg,
                .mask = mask, .at = at, .values = values, .stride = MT_LANES};
  int32_t runs = plan[MT_LANES];
  uint32_t good = runs ? check_rows(c, &t, base, plan + MT_LANES + 1, runs)
                       : check_all(c, &t, base);
  if (good == mask) return NULL;
  act(c, &t, good, plan);
  return c->stage;
}

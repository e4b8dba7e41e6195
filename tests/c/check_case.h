/*
** check_case.h - a checked launch without code of a kernel: its sites, memory
** and groups are made by hand, so that a suite can call the helpers of
** devices/host/check one by one, as generated code does.
**
** Parameters of every launch: 0 the buffer 'out', 1 the constant buffer 'in',
** 2 threadgroup memory 'tile'. The variable 'shared' comes before the tile.
** Site n is on line n.
*/
#ifndef CHECK_CASE_H
#define CHECK_CASE_H

#include "devices/host/check/check.h"
#include "tests/c/host_case.h"

enum { OUT, IN, TILE, SHARED, OWN, ROOTS };
#define MOST_SITES 96
#define TILE_BYTES 1024
#define SHARED_BYTES 1024

typedef struct CheckCase {
  mt_Check *c;
  mt_Launch launch;
  mt_Arg args[8]; /* after the first three: none */
  mt_SiteTable sites;
  mt_Site site[MOST_SITES];
  mt_Root root[ROOTS];
  mt_CheckOptions options;
  mt_Group group;
  uint64_t group_args[3];
  char tile[TILE_BYTES + SHARED_BYTES] __attribute__((aligned(128)));
} CheckCase;

static mt_Kernel *check_kernel; /* what the parameters belong to */

static int open_check(void **state) {
  char source[512];
  if (open_host(state)) return -1;
  snprintf(source, sizeof source,
           "kernel void k(device uint *out [[buffer(0)]], constant uint *in "
           "[[buffer(1)]], threadgroup uint *tile [[threadgroup(0)]]) {\n"
           "  out[0] = in[0] + tile[0];\n}\n");
  check_kernel = host_kernel(source, "k");
  return 0;
}

static int close_check(void **state) {
  mt_kernel_free(check_kernel);
  return close_host(state);
}

/* Add a site; gives its number. Four bytes of 'root', unless said otherwise. */
static uint32_t add_site(CheckCase *k, mt_Site s) {
  assert_true(k->sites.count < MOST_SITES);
  if (!s.size) s.size = 4;
  if (!s.align) s.align = s.size < 4 ? s.size : 4;
  s.place.line = (unsigned)k->sites.count;
  k->site[k->sites.count] = s;
  return (uint32_t)k->sites.count++;
}

__attribute__((unused))
static uint32_t add_access(CheckCase *k, mt_SiteKind kind, int root,
                           uint32_t size) {
  return add_site(k, (mt_Site){.kind = kind, .root = root, .size = size});
}

/* The launch, still without a shadow: sites may be added. */
static void begin_check(CheckCase *k, size_t out_bytes, size_t in_bytes) {
  memset(k, 0, sizeof *k);
  k->root[OUT] = (mt_Root){MT_ROOT_PARAM, "out", .element = 4};
  k->root[IN] = (mt_Root){MT_ROOT_PARAM, "in", .element = 4};
  k->root[TILE] = (mt_Root){MT_ROOT_PARAM, "tile", .element = 4};
  k->root[SHARED] = (mt_Root){MT_ROOT_VARIABLE, "shared", .element = 4,
                              .size = SHARED_BYTES};
  k->root[OWN] = (mt_Root){MT_ROOT_PRIVATE, "own", .element = 4, .size = 64};
  k->sites = (mt_SiteTable){.site = k->site, .count = 1, .root = k->root,
                            .roots = ROOTS};
  mt_Buffer *out = host_buffer(out_bytes), *in = host_buffer(in_bytes);
  k->args[OUT] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = out,
                          .size = out_bytes};
  k->args[IN] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = in,
                         .size = in_bytes};
  k->args[TILE] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = TILE_BYTES};
  k->launch = (mt_Launch){.kernel = check_kernel, .args = k->args,
                          .arg_count = 3, .grid = {128 * 64, 1, 1},
                          .group = {128, 1, 1}, .repeats = 1};
  k->c = mt_shadow_pages_new(sizeof *k->c);
  k->c->launch = &k->launch;
  k->c->options = &k->options;
  k->c->sites = &k->sites;
  k->c->parts = 1;
  k->c->group_memory.size = SHARED_BYTES;
  assert_int_equal(mt_findings_new(k->c, false, &error), MT_OK);
}

/* Its memory gets a shadow. */
static void map_check(CheckCase *k) {
  assert_int_equal(mt_check_map(k->c, &error), MT_OK);
  assert_int_equal(mt_epochs_new(k->c, &error), MT_OK);
}

/* The next threadgroup, of 'threads', starts. */
static void start_group(CheckCase *k, uint32_t threads) {
  mt_Group *g = &k->group;
  mt_Extent e = mt_launch_extent(&k->launch);
  for (int d = 0; d < 3; d++) {
    g->grid[d] = (uint32_t)e.threads[d];
    g->groups[d] = (uint32_t)e.groups[d];
    g->size[d] = (uint32_t)e.group[d];
    g->actual[d] = d == 0 ? threads : 1;
  }
  g->threadgroup = k->tile;
  k->group_args[TILE] = (uint64_t)(uintptr_t)(k->tile + SHARED_BYTES);
  g->args = k->group_args;
  g->observer = k->c;
  mt_check_group(g, k->c->group_count);
}

static char *start_of(CheckCase *k, int root) {
  if (root == TILE) return k->tile + SHARED_BYTES;
  if (root == SHARED) return k->tile;
  return k->args[root].buffer->contents;
}

/* All threads of a group of 'threads' execute the barrier. */
__attribute__((unused))
static void all_wait(CheckCase *k, uint32_t barrier, uint32_t threads) {
  for (uint32_t sg = 0; sg * 32 < threads; sg++)
    mt_check_wait(k->c, sg, ~0u, barrier);
  for (uint32_t sg = 0; sg * 32 < threads; sg++)
    mt_check_go(k->c, sg, ~0u, barrier);
}

/* One thread accesses 'byte' of the memory; gives whether it may. */
__attribute__((unused))
static bool touch_one(CheckCase *k, uint32_t site, uint32_t thread,
                      int64_t byte) {
  int root = k->site[site].root;
  char *base = root == MT_ROOT_UNKNOWN ? NULL : start_of(k, root);
  char *p = (base ? base : start_of(k, OUT)) + byte;
  return mt_check_one(k->c, thread / 32, 1u << thread % 32, site, base, p, p,
                      1) == (void *)p;
}

static void report_check(CheckCase *k, mt_CheckReport *r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(mt_findings_report(k->c, r, &error), MT_OK);
}

/* How many findings of the kind on that line; 0: any. */
__attribute__((unused))
static uint64_t found(const mt_CheckReport *r, mt_FindingKind kind,
                      unsigned line) {
  uint64_t n = 0;
  for (size_t i = 0; i < r->count; i++)
    if (r->findings[i].kind == kind &&
        (!line || r->findings[i].place.line == line))
      n += r->findings[i].count;
  return n;
}

static void end_check(CheckCase *k) {
  mt_check_unmap(k->c);
  mt_epochs_free(k->c);
  mt_findings_free(k->c);
  mt_shadow_pages_free(k->c, sizeof *k->c);
  mt_buffer_free(k->args[OUT].buffer);
  mt_buffer_free(k->args[IN].buffer);
}

#endif

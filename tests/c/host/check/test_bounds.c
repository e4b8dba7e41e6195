/*
** test_bounds.c - the memory of a checked launch: what is inside it, what a
** wrong place is called, where its access goes instead.
**
** Guards: devices/host/check/bounds.c: each condition on both of its sides;
** devices/host/check/texture_bounds.c: the texels of 32 lanes
*/
#include <sys/mman.h>

#include "devices/host/check/check.h"
#include "msl/texture_view.h"
#include "tests/c/check_case.h"

#define OUT_BYTES 256
#define IN_BYTES 64

static CheckCase k;
static mt_CheckReport report;

static void begin(void) { begin_check(&k, OUT_BYTES, IN_BYTES); }

static void map_and_start(void) {
  map_check(&k);
  start_group(&k, 128);
}

static const mt_Finding *only(mt_FindingKind kind) {
  report_check(&k, &report);
  assert_int_equal(report.count, 1);
  assert_int_equal(report.findings[0].kind, kind);
  return &report.findings[0];
}

static void nothing(void) {
  report_check(&k, &report);
  assert_int_equal(report.count, 0);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

/* ------------------------------------------------------------------ bounds */

static void touch(mt_SiteKind kind, int root, uint32_t size, int64_t byte) {
  begin();
  uint32_t s = add_access(&k, kind, root, size);
  map_and_start();
  touch_one(&k, s, 5, byte);
}

static void test_inside(void **state) {
  (void)state;
  static const struct { int root; uint32_t size; int64_t last; } cases[] = {
      {OUT, 4, 252}, {OUT, 1, 255}, {OUT, 16, 240}, {IN, 4, 60},
      {TILE, 4, TILE_BYTES - 4}, {SHARED, 4, SHARED_BYTES - 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    touch(MT_SITE_ATOMIC_WRITE, cases[i].root, cases[i].size, cases[i].last);
    nothing();
    end();
    touch(MT_SITE_ATOMIC_WRITE, cases[i].root, cases[i].size, 0);
    nothing();
    end();
  }
}

static void test_outside(void **state) {
  (void)state;
  static const struct {
    int root;
    uint32_t size;
    int64_t at, index;
    uint64_t length;
    mt_Space space;
    const char *name;
  } cases[] = {
      {OUT, 4, 256, 64, 64, MT_SPACE_DEVICE, "out"},
      {OUT, 4, -4, -1, 64, MT_SPACE_DEVICE, "out"},
      {OUT, 4, -8, -2, 64, MT_SPACE_DEVICE, "out"},
      {OUT, 16, 244, 61, 64, MT_SPACE_DEVICE, "out"},
      {IN, 4, 64, 16, 16, MT_SPACE_CONSTANT, "in"},
      {TILE, 4, TILE_BYTES, TILE_BYTES / 4, TILE_BYTES / 4,
       MT_SPACE_THREADGROUP, "tile"},
      {TILE, 4, -4, -1, TILE_BYTES / 4, MT_SPACE_THREADGROUP, "tile"},
      {SHARED, 4, SHARED_BYTES, SHARED_BYTES / 4, SHARED_BYTES / 4,
       MT_SPACE_THREADGROUP, "shared"},
  };
  static const struct { mt_SiteKind kind; mt_AccessHow how; } kinds[] = {
      {MT_SITE_READ, MT_HOW_READ}, {MT_SITE_WRITE, MT_HOW_WRITE},
      {MT_SITE_ATOMIC_READ, MT_HOW_ATOMIC}, {MT_SITE_ATOMIC, MT_HOW_ATOMIC},
      {MT_SITE_ATOMIC_WRITE, MT_HOW_ATOMIC}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
      touch(kinds[n].kind, cases[i].root, cases[i].size, cases[i].at);
      const mt_Finding *f = only(MT_FIND_OUT_OF_BOUNDS);
      assert_int_equal(f->index, cases[i].index);
      assert_int_equal(f->length, cases[i].length);
      assert_int_equal(f->space, cases[i].space);
      assert_string_equal(f->name, cases[i].name);
      assert_int_equal(f->how, kinds[n].how);
      assert_int_equal(f->bytes, cases[i].size);
      assert_int_equal(f->threads[0].local[0], 5);
      assert_string_equal(f->detail, "");
      end();
    }
}

/* Elements of a type with more than a byte, and a part of a buffer. */
static void test_part_of_a_buffer(void **state) {
  (void)state;
  begin();
  uint32_t s = add_access(&k, MT_SITE_WRITE, OUT, 4);
  k.args[OUT].offset = 64, k.args[OUT].size = 100;
  k.root[OUT].element = 12, k.root[OUT].rows[0] = 3;
  map_and_start();
  char *base = start_of(&k, OUT) + 64;
  assert_ptr_equal(mt_check_one(k.c, 0, 1, s, base, base + 96, base, 1),
                   base + 96);
  assert_ptr_equal(mt_check_one(k.c, 0, 1, s, base, base + 100, base, 1),
                   k.c->sink);
  const mt_Finding *f = only(MT_FIND_OUT_OF_BOUNDS);
  assert_int_equal(f->index, 8);
  assert_int_equal(f->length, 8);
  assert_int_equal(f->rows[0], 3);
  end();
}

static void *one(mt_SiteKind kind, int root, char *base, char *p) {
  begin();
  uint32_t s = add_access(&k, kind, root, 4);
  map_and_start();
  return mt_check_one(k.c, 0, 1, s, base, p, base, 1);
}

/* Writes are lost, reads find zeros; a private array is redirected into
** itself. */
static void test_away(void **state) {
  (void)state;
  char own[64];
  for (int kind = MT_SITE_READ; kind <= MT_SITE_ATOMIC; kind++) {
    bool reads = kind == MT_SITE_READ || kind == MT_SITE_ATOMIC_READ;
    void *to = one((mt_SiteKind)kind, OUT, own, own + 256);
    assert_ptr_equal(to, reads ? k.c->zeros : k.c->sink);
    end();
    assert_ptr_equal(one((mt_SiteKind)kind, OWN, own, own + 64), own);
    const mt_Finding *f = only(MT_FIND_OUT_OF_BOUNDS);
    assert_int_equal(f->space, MT_SPACE_PRIVATE);
    assert_string_equal(f->name, "own");
    assert_int_equal(f->index, 16);
    end();
  }
}

static void test_misaligned(void **state) {
  (void)state;
  static const struct { uint32_t align; int64_t at; bool bad; } cases[] = {
      {16, 16, false}, {16, 8, true}, {8, 8, false}, {8, 4, true},
      {2, 2, false}, {2, 3, true}, {1, 3, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int tracked = 0; tracked < 2; tracked++) {
      begin();
      uint32_t s = add_site(&k, (mt_Site){
          .kind = tracked ? MT_SITE_WRITE : MT_SITE_READ, .root = OUT,
          .size = 16, .align = cases[i].align});
      map_and_start();
      assert_int_equal(touch_one(&k, s, 0, cases[i].at), !cases[i].bad);
      if (!cases[i].bad) {
        nothing();
      } else {
        const mt_Finding *f = only(MT_FIND_MISALIGNED);
        assert_int_equal(f->bytes, cases[i].align);
        assert_int_equal(f->index, cases[i].at / 4);
        assert_int_equal(f->how, tracked ? MT_HOW_WRITE : MT_HOW_READ);
      }
      end();
    }
}

/* ------------------------------------------------ pointers of unknown root */

static uint32_t find(mt_SiteKind kind, const char *p) {
  uint32_t s = add_access(&k, kind, MT_ROOT_UNKNOWN, 4);
  map_and_start();
  mt_check_one(k.c, 0, 1, s, NULL, (char *)p, p, 1);
  return s;
}

static void test_looked_up(void **state) {
  (void)state;
  begin();
  uint32_t s = find(MT_SITE_READ, start_of(&k, OUT) + OUT_BYTES - 4);
  assert_true(k.c->region[0].looked_at);
  assert_false(k.c->region[1].looked_at);
  assert_int_equal(k.c->strayed[s], 0);
  nothing();
  end();
  for (int kind = MT_SITE_READ; kind <= MT_SITE_ATOMIC; kind++) {
    bool reads = kind != MT_SITE_WRITE && kind != MT_SITE_ATOMIC_WRITE;
    begin();
    find((mt_SiteKind)kind, start_of(&k, IN));
    assert_int_equal(k.c->region[1].looked_at, reads);
    end();
  }
  begin();
  s = find(MT_SITE_WRITE, k.tile + 8);
  assert_int_equal(k.c->strayed[s], MT_STRAY_TILE);
  nothing();
  end();
  begin();
  char own[4] = {0};
  s = find(MT_SITE_READ, own);
  assert_int_equal(k.c->strayed[s], MT_STRAY_OWN);
  nothing();
  end();
}

/* Spilled values are a thread's own, too. */
static void test_spilled(void **state) {
  (void)state;
  size_t size = 4096;
  char *far = mmap(NULL, 3 * size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mt_Worker w = {.spill = far + size, .spill_size = size};
  static const struct { int64_t at; bool own; } cases[] = {
      {0, true}, {4095, true}, {-1, false}, {4096, false}};
  for (size_t i = 0; i < 4; i++) {
    begin();
    uint32_t s = add_access(&k, MT_SITE_READ, MT_ROOT_UNKNOWN, 1);
    map_check(&k);
    k.group.worker = &w;
    start_group(&k, 128);
    char *p = w.spill + cases[i].at;
    mt_check_one(k.c, 0, 1, s, NULL, p, p, 1);
    assert_int_equal(k.c->strayed[s], cases[i].own ? MT_STRAY_OWN : 0);
    report_check(&k, &report);
    assert_int_equal(report.count, !cases[i].own);
    end();
  }
  munmap(far, 3 * size);
}

/* A place near memory is called by that memory; what is far is wild. */
static void test_near_and_wild(void **state) {
  (void)state;
  begin();
  find(MT_SITE_WRITE, start_of(&k, OUT) + OUT_BYTES);
  const mt_Finding *f = only(MT_FIND_OUT_OF_BOUNDS);
  assert_string_equal(f->name, "out");
  assert_int_equal(f->index, OUT_BYTES / 4);
  assert_int_equal(f->length, OUT_BYTES / 4);
  assert_int_equal(f->space, MT_SPACE_DEVICE);
  end();
  begin();
  find(MT_SITE_WRITE, start_of(&k, IN) - 8);
  f = only(MT_FIND_OUT_OF_BOUNDS);
  assert_string_equal(f->name, "in");
  assert_int_equal(f->index, -2);
  end();
  begin(); /* it straddles the end */
  find(MT_SITE_WRITE, start_of(&k, OUT) + OUT_BYTES - 2);
  f = only(MT_FIND_OUT_OF_BOUNDS);
  assert_int_equal(f->index, OUT_BYTES / 4 - 1);
  end();
  static const struct { uintptr_t at; const char *detail; } wild[] = {
      {0, "through a null pointer"},
      {MT_NEAR_NULL - 1, "through a null pointer"},
      {MT_NEAR_NULL, ""}};
  for (size_t i = 0; i < 3; i++) {
    begin();
    find(MT_SITE_READ, (const char *)wild[i].at);
    f = only(MT_FIND_OUT_OF_BOUNDS);
    assert_int_equal(f->space, MT_SPACE_WILD);
    assert_null(f->name);
    assert_string_equal(f->detail, wild[i].detail);
    end();
  }
}

/* A place in threadgroup memory is in one of its arrays. */
static void test_name_in_tile(void **state) {
  (void)state;
  mt_Finding f = {0};
  begin();
  uint32_t s = add_access(&k, MT_SITE_READ, MT_ROOT_UNKNOWN, 4);
  map_and_start();
  const mt_Region *r = &k.c->group_memory;
  char *tile = start_of(&k, TILE);
  mt_check_name(k.c, &k.site[s], r, NULL, tile + 8, &f);
  assert_string_equal(f.name, "tile");
  assert_int_equal(f.index, 2);
  assert_int_equal(f.space, MT_SPACE_THREADGROUP);
  f = (mt_Finding){0};
  mt_check_name(k.c, &k.site[s], r, NULL, tile + TILE_BYTES - 1, &f);
  assert_int_equal(f.index, TILE_BYTES / 4 - 1);
  f = (mt_Finding){0};
  mt_check_name(k.c, &k.site[s], r, NULL, tile + TILE_BYTES, &f);
  assert_null(f.name);
  mt_check_name(k.c, &k.site[s], r, NULL, tile - 1, &f);
  assert_null(f.name);
  assert_int_equal(f.space, MT_SPACE_THREADGROUP);
  nothing();
  end();
}

/* ----------------------------------------------------------------- regions */

static void test_regions(void **state) {
  (void)state;
  static const bool written[] = {false, true, true};
  char copy[IN_BYTES];
  begin();
  mt_Kept kept = {k.args[IN].buffer, copy};
  k.options.written = written;
  k.options.kept = &kept, k.options.kept_count = 1;
  map_and_start();
  const mt_Region *out = &k.c->region[0], *in = &k.c->region[1];
  assert_int_equal(k.c->regions, 2);
  assert_int_equal(out->space, MT_SPACE_DEVICE);
  assert_int_equal(in->space, MT_SPACE_CONSTANT);
  assert_true(out->blank && out->tracked);
  assert_false(in->blank || in->tracked);
  assert_null(out->kept);
  assert_ptr_equal(in->kept, copy);
  assert_int_equal(k.c->group_memory.size, SHARED_BYTES + TILE_BYTES);
  assert_true(k.c->group_memory.tracked && k.c->group_memory.blank);
  assert_ptr_equal(mt_check_region(k.c, OUT), out);
  assert_ptr_equal(mt_check_region(k.c, IN), in);
  assert_ptr_equal(mt_check_region(k.c, TILE), &k.c->group_memory);
  assert_ptr_equal(mt_check_region(k.c, SHARED), &k.c->group_memory);
  assert_ptr_equal(mt_check_region(k.c, OWN), &k.c->plain);
  nothing();
  end();
}

/* One buffer for two parameters is one region, which can be written if either
** can. */
static void test_two_names(void **state) {
  (void)state;
  begin();
  mt_Buffer *own = k.args[IN].buffer;
  k.args[IN].buffer = k.args[OUT].buffer, k.args[IN].size = OUT_BYTES;
  map_and_start();
  assert_int_equal(k.c->regions, 1);
  assert_int_equal(k.c->region[0].space, MT_SPACE_DEVICE);
  assert_ptr_equal(mt_check_region(k.c, IN), mt_check_region(k.c, OUT));
  k.args[IN].buffer = own;
  nothing();
  end();
}

/* Cells are as small as the accesses to their memory; only what is written has
** some. */
static void test_cells(void **state) {
  (void)state;
  static const struct { uint32_t size, align; unsigned shift; } cases[] = {
      {4, 4, 2}, {16, 16, 2}, {12, 4, 2}, {2, 2, 1}, {6, 2, 1}, {4, 2, 1},
      {1, 1, 0}, {4, 1, 0}, {3, 4, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int root = OUT; root < OWN; root++) {
      begin();
      add_access(&k, MT_SITE_WRITE, root, 8);
      add_site(&k, (mt_Site){.kind = MT_SITE_READ, .root = root,
                             .size = cases[i].size, .align = cases[i].align});
      add_site(&k, (mt_Site){.kind = MT_SITE_ALIGN, .root = root, .size = 1});
      map_and_start();
      for (int other = OUT; other < TILE; other++) {
        const mt_Region *r = &k.c->region[other];
        bool tracked = other == root && root == OUT;
        assert_int_equal(r->shift, other == root ? cases[i].shift : 2);
        assert_int_equal(r->tracked, tracked);
        assert_int_equal(r->writes != NULL, tracked);
        assert_int_equal(r->line_reads != NULL, tracked);
        if (!tracked) continue;
        assert_int_equal(r->cells % 8, 0);
        assert_true(r->cells >= (r->size >> r->shift) + 2);
        assert_true(r->cells < (r->size >> r->shift) + 2 + 8);
        assert_int_equal(r->high, r->cells);
      }
      bool tile = root == TILE || root == SHARED;
      assert_int_equal(k.c->group_memory.shift, tile ? cases[i].shift : 2);
      assert_null(k.c->group_memory.line_writes);
      assert_non_null(k.c->group_memory.writes);
      nothing();
      end();
    }
}

static void test_written_through(void **state) {
  (void)state;
  for (int kind = MT_SITE_READ; kind <= MT_SITE_ATOMIC; kind++) {
    bool writes = kind != MT_SITE_READ && kind != MT_SITE_ATOMIC_READ;
    begin();
    add_access(&k, (mt_SiteKind)kind, MT_ROOT_UNKNOWN, 2);
    map_and_start();
    assert_int_equal(k.c->region[0].tracked, writes);
    assert_int_equal(k.c->region[1].tracked, false); /* it is constant */
    assert_int_equal(k.c->region[1].shift, 1);
    nothing();
    end();
  }
}

/* ----------------------------------------------------------------- texels */

/* Places at the end of mapped memory: no more of them are read than there
** are. Of the texture itself no parameter is known. */
static void test_texels(void **state) {
  (void)state;
  enum { WORDS = MT_TEXEL * MT_LANES };
  size_t page = 65536;
  char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(map + page, page, PROT_NONE);
  uint32_t *places = (uint32_t *)(void *)(map + page) - WORDS;
  mt_TextureView view = {.width = 8, .height = 4, .levels = 1};
  const void *views[MT_LANES];
  for (unsigned l = 0; l < MT_LANES; l++) {
    views[l] = &view;
    places[l] = 8 + l, places[MT_LANES + l] = 1, places[2 * MT_LANES + l] = 0;
    places[3 * MT_LANES + l] = 1, places[4 * MT_LANES + l] = 0;
  }
  for (int is_known = 0; is_known < 2; is_known++) {
    begin();
    uint32_t s = add_site(&k, (mt_Site){.kind = MT_SITE_TEXEL, .write = true});
    map_and_start();
    mt_Region was = k.c->region[1];
    if (is_known) k.c->region[1].start = (char *)&view;
    k.c->region[1].root = -1;
    mt_check_texel(k.c, 2, 1u << 31 | 1u << 9, s, places, views);
    const mt_Finding *f = only(MT_FIND_OUT_OF_BOUNDS);
    assert_int_equal(f->count, 2);
    assert_int_equal(f->how, MT_HOW_WRITE);
    assert_int_equal(f->space, MT_SPACE_TEXTURE);
    assert_null(f->name);
    assert_int_equal(f->texel[0], 17);
    assert_int_equal(f->texel[1], 1);
    assert_int_equal(f->extent[0], 8);
    assert_int_equal(f->extent[1], 4);
    assert_int_equal(f->extent[2], 1);
    assert_int_equal(f->index, 17);
    assert_int_equal(f->length, 8);
    assert_false(f->level);
    assert_int_equal(f->threads[0].local[0], 73);
    assert_int_equal(f->threads[1].local[0], 95);
    k.c->region[1] = was;
    end();
  }
  munmap(map, 2 * page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inside),
      cmocka_unit_test(test_outside),
      cmocka_unit_test(test_part_of_a_buffer),
      cmocka_unit_test(test_away),
      cmocka_unit_test(test_misaligned),
      cmocka_unit_test(test_looked_up),
      cmocka_unit_test(test_spilled),
      cmocka_unit_test(test_near_and_wild),
      cmocka_unit_test(test_name_in_tile),
      cmocka_unit_test(test_regions),
      cmocka_unit_test(test_two_names),
      cmocka_unit_test(test_cells),
      cmocka_unit_test(test_written_through),
      cmocka_unit_test(test_texels),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}

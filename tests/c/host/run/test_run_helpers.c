/*
** test_run_helpers.c - what generated code calls while a launch runs, each
** beside a plain way to the same answer: transposed rows, tiles that are kept,
** the elements of a simdgroup matrix, what groups log, threads for which there
** is no memory.
**
** Guards: devices/host/run/{transpose, kept_tiles, crosslane_reference,
** kernel_log, fiber}.c: rows of every count and length, which panel a group has
** and when it is filled, loads, stores and products of matrices, messages in
** the order of their groups, no memory for stacks
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_types/half.h"
#include "devices/compiler/target/target.h"
#include "base/str.h"
#include "devices/host/run/crosslane_reference.h"
#include "devices/host/run/fault_guard.h"
#include "devices/host/run/kept_tiles.h"
#include "devices/host/run/kernel_log.h"
#include "devices/host/run/transpose.h"

static uint32_t drawn = 1;
static uint32_t draw(uint32_t below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (drawn >> 8) % below;
}

/* -------------------------------------------------------------------- rows */

enum { MOST_ROWS = 40, MOST_WORDS = 48, ROW = 4 * MOST_WORDS + 96 };
static char memory[MOST_ROWS * ROW];
static char *at[MOST_ROWS];
static uint32_t words_there[MOST_ROWS * MOST_WORDS + 32];

static uint32_t word_of(uint32_t l, uint32_t w) { return l * 1000 + w + 7; }

/* Rows in any order, at any multiple of four bytes. */
static void place_rows(uint32_t count) {
  for (uint32_t l = 0; l < count; l++)
    at[l] = memory + (l * 7 + 3) % count * ROW + 16 + 4 * draw(8);
}

static void test_rows(void **state) {
  (void)state;
  static const uint32_t lengths[] = {4, 8, 12, 16, 32, 48};
  mt_Group g = {.caller = 0};
  for (uint32_t count = 4; count <= MOST_ROWS; count += 4) {
    if (count % 7 == 0) continue; /* then places would be the same */
    for (int k = 0; k < 6; k++) {
      uint32_t words = lengths[k], w, l;
      place_rows(count);
      memset(memory, 1, sizeof memory);
      for (l = 0; l < count; l++)
        for (w = 0; w < words; w++) {
          uint32_t v = word_of(l, w);
          memcpy(at[l] + 4 * w, &v, 4);
        }
      memset(words_there, 0xee, sizeof words_there);
      mt_transpose_in(&g, (const char *const *)at, count, words, words_there);
      for (w = 0; w < words; w++)
        for (l = 0; l < count; l++)
          assert_int_equal(words_there[w * count + l], word_of(l, w));
      assert_int_equal(words_there[words * count], 0xeeeeeeeeu);
      memset(memory, 1, sizeof memory);
      mt_transpose_out(&g, at, count, words, words_there);
      size_t same = 0;
      for (l = 0; l < count; l++)
        for (w = 0; w < words; w++) {
          uint32_t v;
          memcpy(&v, at[l] + 4 * w, 4);
          assert_int_equal(v, word_of(l, w));
          memset(at[l] + 4 * w, 1, 4);
        }
      for (size_t i = 0; i < sizeof memory; i++) same += memory[i] == 1;
      assert_int_equal(same, sizeof memory); /* and nothing else */
      assert_int_equal(g.caller, 0);
    }
  }
}

/* ------------------------------------------------------------------- tiles */

static void test_panels(void **state) {
  (void)state;
  for (uint64_t bytes = 512; bytes <= 1 << 20; bytes *= 2)
    for (uint64_t n = 1; n < 3000; n = n * 3 / 2 + 1) {
      uint32_t panels = mt_panels_for(bytes, n);
      assert_true(panels >= 1 && panels <= MT_PANELS);
      assert_true(panels == 1 || panels * bytes * n <= MT_CACHE_SECOND);
      assert_true(panels == MT_PANELS ||
                  (panels + 1) * bytes * n > MT_CACHE_SECOND);
    }
}

/* Panels lie in the tile's memory, and the slots in their panel. */
static void test_slots(void **state) {
  (void)state;
  mt_KeptTiles kept = {.run = 0};
  mt_Group g = {.kept = &kept};
  for (uint64_t bytes = 128; bytes <= 65536; bytes *= 2)
    for (uint64_t expected = 0; expected < 40000;
         expected = expected * 3 + 1)
      for (uint32_t panels = 1; panels <= MT_PANELS; panels += 21) {
        mt_kept_start(&kept, 1, panels, expected);
        uint64_t slots = mt_tile_slots(&g, bytes);
        assert_int_equal(kept.column_bytes % 128, 0);
        assert_int_equal(kept.row_bytes % 128, 0);
        assert_true(kept.rows >= 1 && kept.rows <= MT_PANELS);
        assert_true(kept.rows * kept.row_bytes <= MT_KEPT_BYTES);
        assert_true(panels * kept.column_bytes <= 4 * MT_CACHE_SECOND);
        assert_true((panels + 1) * (kept.column_bytes + 128) >
                    4 * MT_CACHE_SECOND);
        assert_true(slots * bytes <= kept.row_bytes &&
                    slots * bytes <= kept.column_bytes);
        assert_true((slots + 1) * bytes > kept.row_bytes ||
                    (slots + 1) * bytes > kept.column_bytes);
        bool fits = expected && bytes * expected <= MT_KEPT_BYTES;
        assert_true(fits ? kept.rows == MT_PANELS ||
                               (kept.rows + 1) * bytes * expected >
                                   MT_KEPT_BYTES
                         : kept.rows == 1);
        assert_true(!fits || kept.rows * bytes * expected <= MT_KEPT_BYTES);
      }
}

typedef struct Filled { /* by whom, and in which run; 0: not at all */
  uint64_t run, offset;
  uint32_t tile, position[3];
} Filled;

static Filled filled[MT_TILES * MT_PANELS * 2];
static size_t filled_count;

static Filled *find(uint32_t tile, uint64_t offset) {
  for (size_t i = 0; i < filled_count; i++)
    if (filled[i].tile == tile && filled[i].offset == offset)
      return &filled[i];
  filled[filled_count] = (Filled){.tile = tile, .offset = offset};
  return &filled[filled_count++];
}

static bool same_place(const Filled *f, const mt_Group *g, uint32_t key) {
  for (int d = 0; d < 3; d++)
    if (key >> d & 1 && f->position[d] != g->position[d]) return false;
  return true;
}

/* One group after the other, in any order, of several runs. A tile is there if
** the last that was filled in the same panel is one of the same place. */
static void test_tiles(void **state) {
  (void)state;
  static mt_KeptTiles kept;
  mt_Group g = {.kept = &kept, .size = {8, 8, 1}};
  uint64_t theirs = 0, yes = 0;
  for (uint64_t run = 1; run < 30; run++) {
    uint32_t panels = 1 + draw(3);
    mt_kept_start(&kept, run, panels, 1 + draw(4000));
    mt_tile_slots(&g, 2048);
    filled_count = 0;
    for (int i = 0; i < 200; i++) {
      uint32_t tile = draw(3), key = tile == 0 ? 1 : tile == 1 ? 2 : 6;
      for (int d = 0; d < 3; d++)
        g.position[d] = draw(3), g.actual[d] = g.size[d];
      g.position[1] += draw(4) == 0 ? kept.rows : 0;
      bool whole = draw(5) > 0;
      if (!whole) g.actual[draw(2)] -= 1;
      uint64_t answer = mt_tile_enter(&g, tile, key), offset = answer & ~1ull;
      uint32_t x = g.position[0] % panels, y = g.position[1];
      if (y > kept.rows - 1) y = kept.rows - 1;
      assert_int_equal(offset, key & 1 ? x * kept.column_bytes
                                       : y * kept.row_bytes);
      Filled *f = find(tile, offset);
      bool there = whole && f->run == run && same_place(f, &g, key);
      assert_int_equal(answer & 1, there);
      yes += there, theirs++;
      if (!there) f->run = 0;
      uint64_t slots = draw(4);
      mt_tile_keep(&g, tile, key, there ? 3 : slots);
      assert_int_equal(kept.iterations, there ? 3 : slots);
      if (whole && (there || slots)) {
        f->run = run;
        memcpy(f->position, g.position, sizeof f->position);
      }
    }
  }
  assert_true(yes > theirs / 10 && yes < theirs);
}

/* The first SIMD-group of a group that leaves copies the slot, no other. */
static void test_leave(void **state) {
  (void)state;
  static mt_KeptTiles kept;
  mt_Group g = {.kept = &kept, .size = {1, 1, 1}, .actual = {1, 1, 1}};
  char variable[16] = "................", slots[64];
  for (int i = 0; i < 64; i++) slots[i] = (char)('A' + i);
  mt_kept_start(&kept, 1, 1, 1);
  mt_tile_slots(&g, 64);
  mt_tile_enter(&g, 2, 1);
  mt_tile_leave(&g, 2, variable, slots, 4, 16, 8);
  assert_memory_equal(variable, "....UVWXYZ[\\....", 16);
  mt_tile_leave(&g, 2, variable, slots, 0, 0, 8);
  assert_memory_equal(variable, "....UVWXYZ[\\....", 16);
  mt_tile_enter(&g, 2, 1);
  mt_tile_leave(&g, 2, variable, slots, 0, 0, 2);
  assert_memory_equal(variable, "AB..UVWXYZ[\\....", 16);
}

/* ---------------------------------------------------------------- matrices */

static const char *const types[] = {"f32", "f16", "bf16"};

static float read_element(int type, const char *p) {
  float f;
  uint16_t h;
  memcpy(&f, p, type ? 2 : 4);
  memcpy(&h, p, 2);
  if (type == 0) return f;
  return type == 1 ? mt_half_to_float(h) : mt_bfloat_to_float(h);
}

static void write_element(int type, char *p, float f) {
  uint16_t h = type == 1 ? mt_half_from_float(f) : mt_bfloat_from_float(f);
  if (type) memcpy(p, &h, 2);
  else memcpy(p, &f, 4);
}

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

static void test_matrices(void **state) {
  (void)state;
  static const uint64_t strides[] = {8, 9, 20};
  char name[64], place[4 * 8 * 20 + 8];
  for (int type = 0; type < 3; type++)
    for (int k = 0; k < 6; k++) {
      uint64_t stride = strides[k / 2], turn = k % 2, size = type ? 2 : 4;
      snprintf(name, sizeof name, "__mt_matrix_load_%s", types[type]);
      uint32_t load = mt_lane_op(name);
      snprintf(name, sizeof name, "__mt_matrix_store_%s", types[type]);
      uint32_t store = mt_lane_op(name);
      assert_true(mt_lane_is_local(load) && mt_lane_is_local(store));
      assert_false(mt_lane_is_hold(load));
      memset(place, 0, sizeof place);
      for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 8; c++)
          write_element(type, place + (r * stride + c) * size,
                        (float)(10 * r + c));
      unsigned seen[8][8] = {{0}};
      for (unsigned lane = 0; lane < 32; lane++) {
        unsigned r = mt_lane_row(lane), c = mt_lane_column(lane);
        assert_true(r < 8 && c < 7 && c % 2 == 0);
        seen[r][c]++, seen[r][c + 1]++;
        float x = turn ? (float)(10 * c + r) : (float)(10 * r + c),
              y = turn ? x + 10 : x + 1;
        uint64_t arg[4] = {(uintptr_t)place, stride, turn};
        uint64_t both = bits(x) | (uint64_t)bits(y) << 32;
        assert_int_equal(mt_lane_local(load, lane, arg), both);
        uint64_t to[4] = {bits(x + 0.5f) | (uint64_t)bits(y + 0.5f) << 32,
                          (uintptr_t)place, stride, turn};
        assert_int_equal(mt_lane_local(store, lane, to), 0);
      }
      for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 8; c++) {
          assert_int_equal(seen[r][c], 1);
          float is = read_element(type, place + (r * stride + c) * size);
          assert_true(is == (float)(10 * r + c) + 0.5f);
        }
    }
}

/* A product whose elements say where they come from, and one that starts from
** other numbers. */
static void test_product(void **state) {
  (void)state;
  uint32_t op = mt_lane_op("__mt_matrix_multiply_add");
  uint64_t arg[MT_LANES][4], result[MT_LANES];
  float m[3][8][8], want[8][8];
  assert_int_not_equal(op, MT_OP_NONE);
  for (int round = 0; round < 20; round++) {
    for (int k = 0; k < 3; k++)
      for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++) m[k][r][c] = (float)draw(2000) - 1000;
    for (int r = 0; r < 8; r++)
      for (int c = 0; c < 8; c++) {
        want[r][c] = m[2][r][c]; /* whole numbers: no sum is rounded */
        for (int k = 0; k < 8; k++) want[r][c] += m[0][r][k] * m[1][k][c];
      }
    for (unsigned l = 0; l < MT_LANES; l++)
      for (int k = 0; k < 3; k++) {
        const float *two = &m[k][mt_lane_row(l)][mt_lane_column(l)];
        arg[l][k] = bits(two[0]) | (uint64_t)bits(two[1]) << 32;
      }
    mt_crosslane_apply(op, ~0u, arg, result);
    for (unsigned l = 0; l < MT_LANES; l++) {
      const float *two = &want[mt_lane_row(l)][mt_lane_column(l)];
      assert_int_equal(result[l], bits(two[0]) | (uint64_t)bits(two[1]) << 32);
    }
  }
}

/* ---------------------------------------------------------------- messages */

static mt_Worker worker;
static const mt_Runnable code = {.quiet = false};

/* One group after the other, in an order of its own; each says who it is. */
static void log_all(void *unused) {
  (void)unused;
  mt_Group *g = &worker.group;
  for (uint32_t i = 0; i < 24; i++) {
    uint32_t n = i * 7 % 24;
    char text[32];
    const char *format = text;
    g->position[0] = n % 2, g->position[1] = n / 2 % 3, g->position[2] = n / 6;
    snprintf(text, sizeof text, "<%u>", n);
    mt_log_end(0, 1, 1, &format, 0);
  }
}

static void test_messages(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, want = MT_STR_INIT;
  worker = (mt_Worker){.what = &code, .group = {.groups = {2, 3, 4}}};
  mt_guard_ready();
  assert_true(mt_guard_run(&worker, log_all, NULL));
  mt_log_take(&out);
  for (unsigned n = 0; n < 24; n++) mt_str_addf(&want, "kernel: <%u>\n", n);
  assert_string_equal(mt_str_text(&out), mt_str_text(&want));
  mt_str_free(&out);
  mt_str_free(&want);
}

/* ------------------------------------------------------------------ fibers */

static unsigned threads_run;

static void one_thread(mt_Group *g, mt_Fiber *self, uint32_t x, uint32_t y,
                       uint32_t z) {
  (void)g, (void)self, (void)x, (void)y, (void)z;
  threads_run++;
}

static void run_fibers(void *bytes) {
  mt_fibers_run(&worker.group, one_thread, *(uint64_t *)bytes, 0, 0);
}

/* Stacks for which no system has addresses: the run faults, and the next one
** has what it needs. */
static void test_no_stacks(void **state) {
  (void)state;
  static const uint64_t bytes[] = {64, (uint64_t)1 << 50, 64};
  mt_Fibers *kept = NULL;
  for (int i = 0; i < 3; i++) {
    uint64_t own = bytes[i];
    worker = (mt_Worker){.what = &code, .fibers = kept,
                         .group = {.actual = {32, 2, 1}, .worker = &worker}};
    threads_run = 0;
    assert_int_equal(mt_guard_run(&worker, run_fibers, &own), i != 1);
    kept = worker.fibers;
    assert_int_equal(worker.fault.kind, i == 1 ? MT_FAULT_MEMORY
                                               : MT_FAULT_NONE);
    assert_int_equal(threads_run, i == 1 ? 0 : 64);
  }
  mt_fibers_free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),  cmocka_unit_test(test_panels),
      cmocka_unit_test(test_slots), cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_leave), cmocka_unit_test(test_matrices),
      cmocka_unit_test(test_product), cmocka_unit_test(test_messages),
      cmocka_unit_test(test_no_stacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
** test_record.c - the recorder: small kernels whose events are known exactly,
** and the steps of SIMD-groups with their costs.
**
** Guards: devices/record.h, devices/recording/steps.c,
** devices/host/instrument/record.c, devices/host/record: the events of small
** kernels, exactly; the steps of SIMD-groups, their lines and banks, by hand
** and beside the profiler's; limits, faults, Ctrl-C; devices/record.c,
** devices/host/record/{objects, record, recorder}.c,
** devices/host/instrument/{record_variables, record_work}.c,
** devices/host/probe/roots.c
*/
#include "devices/profile.h"
#include "devices/record.h"
#include "tests/c/cancel_after.h"
#include "tests/c/host_case.h"

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "struct Pair { float a; int b; float4 c; };\n"                              \
  "kernel void k(device float *x [[buffer(0)]], device float *y "             \
  "[[buffer(1)]],"                                                            \
  " device atomic_uint *count [[buffer(2)]], constant uint &n [[buffer(3)]]," \
  " device Pair *pairs [[buffer(4)]],"                                        \
  " uint i [[thread_position_in_grid]],"                                      \
  " uint t [[thread_index_in_threadgroup]],"                                  \
  " uint lane [[thread_index_in_simdgroup]]) {\n"
#define FIRST 5 /* line of a body's first line */
#define LENGTH 4096
#define BUFFERS 4

typedef struct Case {
  mt_Kernel *kernel;
  mt_Buffer *buffer[BUFFERS];
  mt_Recording r;
  mt_Steps s;
  mt_Status status;
} Case;

static void fill(Case *c) {
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < LENGTH; i++)
      ((float *)mt_buffer_contents(c->buffer[b]))[i] =
          (float)(b ? 2 * i : i);
}

static double limit = 20; /* seconds */

/* Record 'body' for 'threads' in groups of 'group'. */
static Case record_with(const char *body, unsigned threads, unsigned group,
                        const mt_RecordOptions *options) {
  char source[4096];
  Case c = {.kernel = NULL};
  uint32_t n = LENGTH;
  mt_Arg args[16];
  snprintf(source, sizeof source, "%s%s }\n", HEAD, body);
  c.kernel = host_kernel(source, "k");
  for (int i = 0; i < BUFFERS; i++) c.buffer[i] = host_buffer(LENGTH * 4);
  fill(&c);
  memset(args, 0, sizeof args);
  for (unsigned i = 0; i < BUFFERS; i++)
    args[i < 3 ? i : 4] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = c.buffer[i],
                                   .size = LENGTH * 4};
  args[3] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = sizeof n};
  mt_Launch l = {.kernel = c.kernel, .args = args,
                 .arg_count = mt_kernel_info(c.kernel)->param_count,
                 .grid = {threads, 1, 1}, .group = {group, 1, 1}, .repeats = 1,
                 .time_limit = limit};
  error.text[0] = 0;
  c.status = mt_record(&l, options, &c.r, &error);
  if (mt_steps_new(&c.r, &c.s, &error) != MT_OK) fail_msg("%s", error.text);
  return c;
}

static Case record_of(const char *body, unsigned threads, unsigned group) {
  mt_RecordOptions o = {.group = -1};
  Case c = record_with(body, threads, group, &o);
  if (c.status != MT_OK) fail_msg("%s\n%s", error.text, body);
  assert_true(c.r.compared);
  assert_int_equal(c.r.difference_count, 0);
  assert_int_equal(c.r.left_out, 0);
  assert_int_equal(c.r.unplaced, 0);
  return c;
}

static void drop(Case *c) {
  mt_steps_free(&c->s);
  mt_recording_free(&c->r);
  for (int i = 0; i < BUFFERS; i++) mt_buffer_free(c->buffer[i]);
  mt_kernel_free(c->kernel);
}

/* An event as text: "t0 6 read x[3]=1.5". */
static const char *told(const Case *c, size_t i) {
  static char line[160];
  const mt_Event *e = &c->r.events[i];
  const mt_RecordSite *s = &c->r.sites[e->site];
  int n = snprintf(line, sizeof line, "g%u t%u e%u line %u %s", e->group,
                   e->thread, e->epoch, s->place.line,
                   mt_event_name(s->kind));
  if (mt_event_object(e) == MT_NO_OBJECT) return line;
  const mt_RecordObject *o = &c->r.objects[mt_event_object(e)];
  snprintf(line + n, sizeof line - (size_t)n, " %s[%g]", o->name,
           (double)mt_event_offset(e) / o->element);
  return line;
}

static float float_of(const Case *c, size_t i) {
  float f;
  memcpy(&f, mt_event_value(&c->r, &c->r.events[i]), 4);
  return f;
}

#define assert_told(c, i, text) assert_string_equal(told(c, i), text)

/* Steps of a kind of event on one object, and the sums of their costs. */
typedef struct Sum {
  unsigned steps, units, ideal, queue, lanes;
} Sum;

static Sum sum_of(const Case *c, mt_EventKind kind, const char *name) {
  Sum sum = {0};
  for (size_t i = 0; i < c->s.count; i++) {
    const mt_Step *s = &c->s.step[i];
    const mt_Event *e = &c->r.events[c->s.order[s->first]];
    unsigned o = mt_event_object(e);
    if (c->r.sites[s->site].kind != kind || o == MT_NO_OBJECT ||
        strcmp(c->r.objects[o].name, name))
      continue;
    sum.steps++;
    sum.units += s->units;
    sum.ideal += s->ideal;
    sum.queue += s->queue;
    sum.lanes += (unsigned)__builtin_popcount(s->mask);
    assert_int_equal(__builtin_popcount(s->mask), s->count);
  }
  return sum;
}

/* ------------------------------------------------------------------- events */

static void events_of_saxpy(void **state) {
  (void)state;
  Case c = record_of("float v = x[i];\n y[i] = 2 * v + y[i];", 40, 32);
  assert_int_equal(c.r.count, 3 * 40);
  assert_told(&c, 0, "g0 t0 e0 line 5 read x[0]");
  assert_told(&c, 1, "g0 t0 e0 line 6 read y[0]");
  assert_told(&c, 2, "g0 t0 e0 line 6 write y[0]");
  assert_told(&c, 3 * 33 + 2, "g1 t1 e0 line 6 write y[33]");
  assert_true(float_of(&c, 3 * 33) == 33 && float_of(&c, 3 * 33 + 1) == 66);
  assert_true(float_of(&c, 3 * 33 + 2) == 132);
  assert_true(((float *)mt_buffer_contents(c.buffer[1]))[33] == 132);
  mt_ThreadAt at = mt_event_thread(&c.r, &c.r.events[3 * 33]);
  assert_int_equal(at.grid[0], 33);
  assert_int_equal(at.group[0], 1);
  assert_int_equal(at.local[0], 1);
  assert_int_equal(c.s.count, 3 * 2);
  drop(&c);
}

static void tile_between_barriers(void **state) {
  (void)state;
  Case c = record_of("threadgroup float tile[64];\n tile[t] = x[i];\n"
                     "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                     "y[i] = tile[63 - t];", 64, 64);
  assert_int_equal(c.r.count, 64 * 5);
  assert_told(&c, 0, "g0 t0 e0 line 6 read x[0]");
  assert_told(&c, 1, "g0 t0 e0 line 6 write tile[0]");
  assert_told(&c, 2, "g0 t0 e0 line 7 barrier");
  assert_told(&c, 3, "g0 t1 e0 line 6 read x[1]");
  assert_told(&c, 3 * 64, "g0 t0 e1 line 8 read tile[63]");
  assert_told(&c, 3 * 64 + 1, "g0 t0 e1 line 8 write y[0]");
  assert_true(float_of(&c, 3 * 64 + 1) == 63);
  /* steps: all of the first epoch, both SIMD-groups, before the second */
  assert_int_equal(c.s.count, 2 * 5);
  assert_int_equal(c.s.step[5].epoch, 0);
  assert_int_equal(c.s.step[5].simdgroup, 1);
  assert_int_equal(c.s.step[6].epoch, 1);
  drop(&c);
}

static void divergent_if(void **state) {
  (void)state;
  Case c = record_of("if (lane < 8) y[i] = 1;\n else y[i] = x[i];", 32, 32);
  assert_int_equal(c.r.count, 8 + 2 * 24);
  assert_int_equal(c.s.count, 3);
  uint32_t masks[3] = {0};
  for (int i = 0; i < 3; i++) masks[i] = c.s.step[i].mask;
  assert_int_equal(masks[0] | masks[1] | masks[2], ~0u);
  for (int i = 0; i < 3; i++)
    assert_true(masks[i] == 0xffu || masks[i] == ~0xffu);
  drop(&c);
}

/* Lane l runs l % 4 + 1 times; in every second iteration only even lanes
** write: they must not be taken for each other's. */
static void loops_keep_lanes_in_step(void **state) {
  (void)state;
  Case c = record_of("for (uint j = 0; j < lane % 4 + 1; j++) {\n"
                     "y[32 * j + lane] = x[lane];\n"
                     "if ((j + lane) % 2 == 0) y[512 + 32 * j + lane] = 1; }",
                     32, 32);
  Sum reads = sum_of(&c, MT_EVENT_READ, "x");
  assert_int_equal(reads.steps, 4);
  assert_int_equal(reads.lanes, 8 * (1 + 2 + 3 + 4));
  Sum writes = sum_of(&c, MT_EVENT_WRITE, "y");
  assert_int_equal(writes.steps, 4 + 4);
  assert_int_equal(writes.units, 8); /* a line each: all are in step */
  for (size_t i = 1; i < c.s.count; i++) { /* iterations in their order */
    const mt_Event *a = &c.r.events[c.s.order[c.s.step[i - 1].first]];
    const mt_Event *b = &c.r.events[c.s.order[c.s.step[i].first]];
    assert_true(a->instance <= b->instance);
  }
  drop(&c);
}

static void nested_loops_with_barriers(void **state) {
  (void)state;
  Case c = record_of("threadgroup float tile[64];\n"
                     "for (uint a = 0; a < 3; a++) {\n"
                     "for (uint b = 0; b < 2; b++) tile[t] = x[i] + b;\n"
                     "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                     "y[i] = tile[t ^ 1];\n"
                     "threadgroup_barrier(mem_flags::mem_threadgroup); }",
                     64, 64);
  assert_int_equal(sum_of(&c, MT_EVENT_WRITE, "tile").steps, 2 * 3 * 2);
  assert_int_equal(sum_of(&c, MT_EVENT_READ, "tile").steps, 2 * 3);
  assert_int_equal(c.r.events[c.r.count - 1].epoch, 5);
  drop(&c);
}

static void atomics_before_and_after(void **state) {
  (void)state;
  Case c = record_of("atomic_fetch_add_explicit(&count[i / 16], 3, "
                     "memory_order_relaxed);", 32, 32);
  assert_int_equal(c.r.count, 32);
  assert_told(&c, 17, "g0 t17 e0 line 5 atomic count[1]");
  uint32_t both[2];
  memcpy(both, mt_event_value(&c.r, &c.r.events[17]), 8);
  assert_int_equal(both[0], 3);
  assert_int_equal(both[1], 6);
  Sum a = sum_of(&c, MT_EVENT_ATOMIC, "count");
  assert_int_equal(a.steps, 1);
  assert_int_equal(a.queue, 16);
  drop(&c);
}

static void vectors_and_structs(void **state) {
  (void)state;
  Case c = record_of("device float4 *v = (device float4 *)x;\n"
                     "v[i + 64] = v[i] + 1;\n"
                     "Pair p = pairs[i];\n"
                     "pairs[i + 32].c.y = p.a + v[i].z;\n"
                     "pairs[i + 64] = p;", 32, 32);
  assert_told(&c, 0, "g0 t0 e0 line 6 read x[0]");
  float f[4];
  const mt_Event *e = &c.r.events[1];
  assert_told(&c, 1, "g0 t0 e0 line 6 write x[256]");
  assert_int_equal(c.r.sites[e->site].bytes, 16);
  memcpy(f, mt_event_value(&c.r, e), 16);
  assert_true(f[0] == 1 && f[3] == 4);
  Sum v = sum_of(&c, MT_EVENT_WRITE, "x");
  assert_int_equal(v.units, 4); /* 512 bytes */
  assert_int_equal(v.ideal, 4);
  bool component = false, whole = false;
  for (size_t i = 0; i < c.r.count; i++) {
    component |= !strcmp(told(&c, i), "g0 t1 e0 line 8 write pairs[33.625]");
    whole |= strstr(told(&c, i), "g0 t1 e0 line 9 write pairs[65]") != NULL;
  }
  assert_true(component);
  assert_true(whole);
  drop(&c);
}

static void lanes_give_to_lanes(void **state) {
  (void)state;
  Case c = record_of("float v = x[i];\n"
                     "v += simd_shuffle_xor(v, 1);\n"
                     "y[i] = simd_sum(v);", 32, 32);
  assert_int_equal(c.r.count, 32 * 4);
  unsigned moves = 0, sums = 0;
  for (size_t i = 0; i < c.r.count; i++) {
    const mt_Event *e = &c.r.events[i];
    const mt_RecordSite *s = &c.r.sites[e->site];
    if (s->kind != MT_EVENT_LANES) continue;
    float v = float_of(&c, i);
    if (!strcmp(s->name, "simd_shuffle_xor")) {
      assert_int_equal(mt_event_offset(e), e->thread ^ 1);
      assert_true(v == (float)(e->thread ^ 1));
      moves++;
    } else {
      assert_string_equal(s->name, "simd_sum");
      assert_string_equal(s->type, "f32");
      assert_int_equal(mt_event_offset(e), MT_SEVERAL_LANES);
      assert_true(v == 2 * 496);
      sums++;
    }
  }
  assert_int_equal(moves, 32);
  assert_int_equal(sums, 32);
  drop(&c);
}

/* A function that is called twice, from one line and from another. */
static void functions_and_pointers(void **state) {
  (void)state;
  char source[] = MSL(
      constant float weights[3] = {0.25f, 0.5f, 0.25f};
      float at(device const float *p, uint i) { return p[i]; }
      kernel void k(device const float *x, device float *y, device float *z,
                    uint i [[thread_position_in_grid]]) {
        threadgroup float a[32]; threadgroup float b[32];
        threadgroup float *to = i % 2 ? a : b;
        to[i] = at(x, i) * weights[i % 3];
        device float *out = i % 2 ? y : z;
        out[i] = to[i]; });
  mt_Kernel *k = host_kernel(source, "k");
  mt_Buffer *buffer[3];
  mt_Arg args[4] = {{.kind = MT_ARG_NONE}};
  for (int i = 0; i < 3; i++) {
    buffer[i] = host_buffer(128);
    args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffer[i], .size = 128};
  }
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 4,
                 .grid = {32, 1, 1}, .group = {32, 1, 1}, .repeats = 1};
  mt_RecordOptions o = {.group = -1};
  Case c = {.kernel = k};
  if (mt_record(&l, &o, &c.r, &error) != MT_OK) fail_msg("%s", error.text);
  unsigned in[7] = {0};
  static const char *const names[] = {"x", "y", "z", "a", "b", "weights"};
  for (size_t i = 0; i < c.r.count; i++) {
    const char *name = c.r.objects[mt_event_object(&c.r.events[i])].name;
    int n = 0;
    while (n < 6 && strcmp(name, names[n])) n++;
    in[n]++;
  }
  assert_int_equal(c.r.unplaced, 0);
  assert_int_equal(in[0], 32);
  assert_int_equal(in[1], 16);
  assert_int_equal(in[2], 16);
  assert_int_equal(in[3], 2 * 16);
  assert_int_equal(in[4], 2 * 16);
  assert_int_equal(in[5], 32);
  assert_int_equal(in[6], 0);
  mt_recording_free(&c.r);
  for (int i = 0; i < 3; i++) mt_buffer_free(buffer[i]);
  mt_kernel_free(k);
}

static void textures(void **state) {
  (void)state;
  char source[] = MSL(
      kernel void k(texture2d<float> from [[texture(0)]],
                    texture2d<float, access::write> to [[texture(1)]],
                    uint2 p [[thread_position_in_grid]]) {
        to.write(from.read(p.yx), p); });
  mt_Kernel *k = host_kernel(source, "k");
  mt_TextureDesc d = {.kind = MT_TEXTURE_2D, .format = MT_RGBA8UNORM,
                      .width = 4, .height = 4, .depth = 1, .layers = 1};
  mt_Texture *t[2];
  unsigned char pixels[64];
  for (int i = 0; i < 64; i++) pixels[i] = (unsigned char)i;
  mt_Arg args[3] = {{.kind = MT_ARG_NONE}};
  for (int i = 0; i < 2; i++) {
    if (mt_texture_new(host, &d, &t[i], &error) != MT_OK)
      fail_msg("%s", error.text);
    mt_texture_write(t[i], pixels, 64, &error);
    args[i] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = t[i]};
  }
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 3, .grid = {4, 4, 1},
                 .group = {4, 4, 1}, .repeats = 1};
  mt_RecordOptions o = {.group = -1};
  Case c = {.kernel = k};
  if (mt_record(&l, &o, &c.r, &error) != MT_OK) fail_msg("%s", error.text);
  assert_true(c.r.compared && !c.r.difference_count);
  unsigned char seen[2][16] = {{0}};
  for (size_t i = 0; i < c.r.count; i++) {
    const mt_Event *e = &c.r.events[i];
    const mt_RecordObject *x = &c.r.objects[mt_event_object(e)];
    bool to = !strcmp(x->name, "to");
    assert_int_equal(x->space, MT_SPACE_TEXTURE);
    assert_int_equal(c.r.sites[e->site].kind,
                     to ? MT_EVENT_WRITE : MT_EVENT_READ);
    uint64_t texel = (uint64_t)mt_event_offset(e) / x->element;
    unsigned thread = e->thread;
    assert_int_equal(texel, to ? thread : thread % 4 * 4 + thread / 4);
    seen[to][texel] = 1;
  }
  for (int i = 0; i < 16; i++) assert_true(seen[0][i] && seen[1][i]);
  mt_recording_free(&c.r);
  for (int i = 0; i < 2; i++) mt_texture_free(t[i]);
  mt_kernel_free(k);
}

static void matrices(void **state) {
  (void)state;
  Case c = record_of("simdgroup_float8x8 m;\n"
                     "simdgroup_load(m, x, 16);\n"
                     "simdgroup_store(m, y, 8);", 32, 32);
  assert_int_equal(c.r.count, 4 * 32);
  bool read[128] = {false}, wrote[64] = {false};
  for (size_t i = 0; i < c.r.count; i++) {
    const mt_Event *e = &c.r.events[i];
    int64_t at = mt_event_offset(e) / 4;
    bool write = c.r.sites[e->site].kind == MT_EVENT_WRITE;
    assert_true(at >= 0 && at < (write ? 64 : 128));
    (write ? wrote : read)[at] = true;
    assert_true(float_of(&c, i) == (float)(write ? at / 8 * 16 + at % 8 : at));
  }
  for (int i = 0; i < 64; i++)
    assert_true(wrote[i] && read[i / 8 * 16 + i % 8]);
  drop(&c);
}

/* A variable's events as text: "5 v=3; 6 v=4; ". */
static void variables_get_values(void **state) {
  (void)state;
  mt_RecordOptions o = {.group = -1, .values = true};
  Case c = record_with("float v = x[i];\nfor (int j = 0; j < 2; j++)\n"
                       "v += j + 1;\ny[i] = v;", 32, 32, &o);
  if (c.status != MT_OK) fail_msg("%s", error.text);
  char story[512] = "", lines[256] = "";
  for (size_t i = 0; i < c.r.count; i++) {
    const mt_Event *e = &c.r.events[i];
    const mt_RecordSite *s = &c.r.sites[e->site];
    size_t n = strlen(story), l = strlen(lines);
    if (e->thread != 3) continue;
    if (s->kind == MT_EVENT_LINE)
      snprintf(lines + l, sizeof lines - l, "%u ", s->place.line);
    if (s->kind != MT_EVENT_VALUE) continue;
    const char *name = c.r.variables[mt_event_object(e)].name;
    assert_int_equal(s->variable, mt_event_object(e));
    if (!strcmp(s->type, "f32"))
      snprintf(story + n, sizeof story - n, "%u %s=%g; ", s->place.line,
               name, (double)float_of(&c, i));
    else if (!strcmp(name, "j"))
      snprintf(story + n, sizeof story - n, "%u j=%u; ", s->place.line,
               (unsigned)e->value);
  }
  assert_string_equal(story, "5 v=3; 6 j=0; 7 v=4; 6 j=1; 7 v=6; 6 j=2; ");
  assert_non_null(strstr(lines, "5 6 "));
  assert_non_null(strstr(lines, "7 6 "));
  assert_non_null(strstr(lines, "8 "));
  assert_true(((float *)mt_buffer_contents(c.buffer[1]))[3] == 6);
  drop(&c);
}

/* -------------------------------------------------------------------- costs */

static void lines_by_hand(void **state) {
  (void)state;
  static const struct {
    const char *body;
    unsigned units, ideal;
  } cases[] = {
      {"y[i] = x[i];", 2, 2},            /* two SIMD-groups, a line each */
      {"y[i] = x[i + 1];", 4, 2},        /* across a line's end */
      {"y[i] = x[i * 2];", 4, 2},
      {"y[i] = x[i * 32];", 64, 2},      /* a line for each thread */
      {"y[i] = x[i / 32];", 2, 2},       /* all the same word */
      {"y[i] = x[(i % 8) * 32 + i / 8];", 16, 2}, /* columns of a row of 32 */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Case c = record_of(cases[k].body, 64, 64);
    Sum s = sum_of(&c, MT_EVENT_READ, "x");
    assert_int_equal(s.units, cases[k].units);
    assert_int_equal(s.ideal, cases[k].ideal);
    drop(&c);
  }
}

static void banks_by_hand(void **state) {
  (void)state;
  static const struct {
    const char *index;
    unsigned units;
  } cases[] = {{"t", 1}, {"t * 2", 2}, {"t * 32", 32}, {"t * 33", 1},
               {"t / 2", 1}, {"0", 1}, {"t * 4", 4}, {"31 - t", 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char body[256];
    snprintf(body, sizeof body,
             "threadgroup float tile[1100];\n"
             "tile[%s] = x[i];\n"
             "threadgroup_barrier(mem_flags::mem_threadgroup);\n"
             "y[i] = tile[t];", cases[k].index);
    Case c = record_of(body, 32, 32);
    assert_int_equal(sum_of(&c, MT_EVENT_WRITE, "tile").units, cases[k].units);
    drop(&c);
  }
}

/* The profiler counts optimised code of vectors: for kernels without a repeated
** access the numbers agree. */
static void as_the_profiler(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "y[i] = x[i * 3];",
      "if (lane % 3 == 0) y[i] = x[i ^ 5];",
      "float s = 0; for (uint j = 0; j < lane + 1; j++) s += x[i * 16 + j];"
      " y[i] = s;",
      "threadgroup float a[1024]; a[t * 7 % 1024] = x[i];"
      " threadgroup_barrier(mem_flags::mem_threadgroup); y[i] = a[t * 5];"};
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
    Case c = record_of(bodies[k], 96, 96);
    mt_Arg args[16];
    uint32_t n = LENGTH;
    memset(args, 0, sizeof args);
    for (unsigned i = 0; i < BUFFERS; i++)
      args[i < 3 ? i : 4] = (mt_Arg){.kind = MT_ARG_BUFFER,
                                     .buffer = c.buffer[i], .size = LENGTH * 4};
    args[3] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = sizeof n};
    mt_Launch l = {.kernel = c.kernel, .args = args,
                   .arg_count = mt_kernel_info(c.kernel)->param_count,
                   .grid = {96, 1, 1}, .group = {96, 1, 1}, .repeats = 1};
    mt_Profile p;
    if (mt_profile(&l, &p, &error) != MT_OK) fail_msg("%s", error.text);
    assert_int_equal(p.total.lines, sum_of(&c, MT_EVENT_READ, "x").units +
                                        sum_of(&c, MT_EVENT_WRITE, "y").units);
    assert_int_equal(p.total.banks, sum_of(&c, MT_EVENT_READ, "a").units +
                                        sum_of(&c, MT_EVENT_WRITE, "a").units);
    mt_profile_free(&p);
    drop(&c);
  }
}

/* ------------------------------------------------------------------- limits */

static void only_what_is_asked(void **state) {
  (void)state;
  mt_RecordOptions o = {.group = 2};
  Case c = record_with("y[i] = x[i];", 200, 64, &o);
  assert_int_equal(c.r.count, 2 * 64);
  assert_told(&c, 0, "g2 t0 e0 line 5 read x[128]");
  assert_true(((float *)mt_buffer_contents(c.buffer[1]))[199] == 199);
  drop(&c);
  uint32_t threads[] = {5, 70, 199};
  o = (mt_RecordOptions){.group = -1, .threads = threads, .thread_count = 3};
  c = record_with("y[i] = x[i];", 200, 64, &o);
  assert_int_equal(c.r.count, 6);
  assert_told(&c, 2, "g1 t6 e0 line 5 read x[70]");
  assert_told(&c, 5, "g3 t7 e0 line 5 write y[199]");
  drop(&c);
}

static void keeps_to_its_limits(void **state) {
  (void)state;
  mt_RecordOptions o = {.group = -1, .events = 100};
  Case c = record_with("y[i] = x[i];", 200, 64, &o);
  assert_int_equal(c.status, MT_OK);
  assert_int_equal(c.r.count, 100);
  assert_int_equal(c.r.left_out, 300);
  assert_true(((float *)mt_buffer_contents(c.buffer[1]))[199] == 199);
  drop(&c);
  o = (mt_RecordOptions){.group = -1, .bytes = 480};
  c = record_with("device float4 *v = (device float4 *)x; v[i] = v[i + 64];",
                  64, 64, &o);
  assert_int_equal(c.r.count, 10); /* 32 bytes and 16 of value each */
  assert_int_equal(c.r.left_out, 2 * 64 - 10);
  drop(&c);
}

static void faults_and_limits_end_it(void **state) {
  (void)state;
  mt_RecordOptions o = {.group = -1};
  Case c = record_with("y[i] = x[i];\n if (i == 7) y[100000000000] = 1;", 64,
                       64, &o);
  assert_int_equal(c.status, MT_FAIL);
  assert_non_null(strstr(error.text, "line 6"));
  assert_int_equal(c.r.count, 2 * 8);
  drop(&c);
  c = record_with("if (i == 9) atomic_fetch_add_explicit("
                  "&count[0x3fffffff0ul + i], 1, memory_order_relaxed);",
                  64, 64, &o);
  assert_int_equal(c.status, MT_FAIL);
  assert_non_null(strstr(error.text, "line 5"));
  drop(&c);
  o.events = 1000;
  limit = 0.3;
  c = record_with("volatile device float *v = y; while (v[0] >= 0) v[1] = 1;",
                  64, 64, &o);
  limit = 20;
  assert_int_equal(c.status, MT_TIMEOUT);
  assert_int_equal(c.r.count, 1000);
  drop(&c);
  pthread_t thread = cancel_after(300);
  c = record_with("volatile device float *v = y; while (v[0] >= 0) v[1] = 1;",
                  64, 64, &o);
  cancel_over(thread);
  assert_int_equal(c.status, MT_CANCELLED);
  drop(&c);
}

/* The recorded order is one of many: thread 0 is first here, and the answer of
** a race may be another in the plain launch. */
static void says_that_answers_differ(void **state) {
  (void)state;
  mt_RecordOptions o = {.group = -1};
  Case c = record_with("y[i] = i ? y[i - 1] + 1 : 0;", 64, 64, &o);
  assert_int_equal(c.status, MT_OK);
  assert_true(c.r.compared);
  assert_int_equal(c.r.difference_count, 1);
  assert_string_equal(c.r.differences[0].name, "y");
  assert_true(c.r.differences[0].elements > 0);
  drop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_of_saxpy),
      cmocka_unit_test(tile_between_barriers),
      cmocka_unit_test(divergent_if),
      cmocka_unit_test(loops_keep_lanes_in_step),
      cmocka_unit_test(nested_loops_with_barriers),
      cmocka_unit_test(atomics_before_and_after),
      cmocka_unit_test(vectors_and_structs),
      cmocka_unit_test(lanes_give_to_lanes),
      cmocka_unit_test(functions_and_pointers),
      cmocka_unit_test(textures),
      cmocka_unit_test(matrices),
      cmocka_unit_test(variables_get_values),
      cmocka_unit_test(lines_by_hand),
      cmocka_unit_test(banks_by_hand),
      cmocka_unit_test(as_the_profiler),
      cmocka_unit_test(only_what_is_asked),
      cmocka_unit_test(keeps_to_its_limits),
      cmocka_unit_test(faults_and_limits_end_it),
      cmocka_unit_test(says_that_answers_differ),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}

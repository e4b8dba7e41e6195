/*
** launch.h - random kernels on a device: geometries, contents of buffers and
** textures, launches, and whether two ways left the same answers. For suites
** that include it once, after tests/c/host_case.h.
*/
#ifndef RANDOM_LAUNCH_H
#define RANDOM_LAUNCH_H

#include "base/files/file.h"
#include "devices/device.h"
#include "tests/random/workers.h"

#define INPUTS 2 /* for each geometry of a kernel */

static const unsigned groups[][3] = {
    {1, 1, 1},   {2, 1, 1},    {31, 1, 1},   {32, 1, 1},  {33, 1, 1},
    {64, 1, 1},  {100, 1, 1},  {256, 1, 1},  {1000, 1, 1}, {1024, 1, 1},
    {8, 8, 1},   {16, 16, 1},  {31, 3, 1},   {5, 7, 1},   {2, 2, 1},
    {32, 4, 1},  {64, 2, 1},   {4, 4, 4},    {8, 4, 2},   {3, 5, 7},
    {100, 5, 1}, {40, 3, 1},   {248, 4, 1},  {72, 3, 2},
    {1, 32, 1},  {1, 1, 40},   {16, 4, 2},   {20, 3, 1},  {32, 32, 1},
};
#define GROUPS (sizeof groups / sizeof *groups)
#define LINES 10 /* of them, of one dimension */

typedef struct Shape {
  mt_Size grid, group;
  bool by_groups; /* launched as so many groups, not threads */
  bool twins;     /* one buffer is given as two parameters */
} Shape;

/* Where kernels run: a device with its copy of what they are given. */
typedef struct Stage {
  mt_Device *device;
  mt_Buffer *buffers[BUFFERS];
  mt_Texture *textures[TEXTURE_COUNT];
} Stage;

static Stage *on;
static uint32_t *contents[INPUTS][BUFFERS]; /* before a launch */
static uint32_t *plain[BUFFERS];  /* what came out, the plain way */
static char *plain_pixels[TEXTURE_COUNT], *pixels; /* the same, and now */
static const char *instead; /* a file to take the kernel from */
static bool instead_line;   /* it is one of a line */

/* ---------------------------------------------------------------- geometry */

/* Few groups in each direction, the last ones often cut. */
static Shape shape_of(uint64_t seed, unsigned number) {
  Generator g = {.random = seed * 77 + number};
  bool full = needs_full_groups(seed);
  bool line = instead ? instead_line : needs_line(seed);
  unsigned grid[3];
  const unsigned *group;
  /* plan/vector_width.c */
  bool wide = !instead && is_simple(seed) && chance(&g, 60);
  do {
    group = groups[pick(&g, line ? LINES : GROUPS)];
  } while (group[0] * group[1] * group[2] % (wide ? 128 : full ? 32 : 1) != 0);
  do
    for (int d = 0; d < 3; d++) {
      bool more = d == 0 || (!line && (group[d] > 1 || chance(&g, 30)));
      unsigned n = more ? 1 + pick(&g, 3) : 1;
      grid[d] = n * group[d];
      if (!full && chance(&g, 40)) grid[d] -= pick(&g, group[d]);
    }
  while (grid[0] * grid[1] * grid[2] > GRID);
  Shape s = {.grid = {grid[0], grid[1], grid[2]},
             .group = {group[0], group[1], group[2]}};
  s.by_groups = chance(&g, 50);
  for (int d = 0; d < 3; d++) s.by_groups &= grid[d] % group[d] == 0;
  s.twins = chance(&g, 70);
  return s;
}

/* ----------------------------------------------------------------- running */

static void make_contents(unsigned input) {
  static const uint32_t numbers[] = {0, 0x3f800000, 0x40000000, 0x40400000,
                                     0x40800000, 0x40a00000, 0x3f800000, 0};
  uint32_t x = 12345 + input * 999;
  for (int b = 0; b < BUFFERS; b++) {
    uint32_t *w = contents[input][b];
    for (unsigned i = 0; i < words[b]; i++) {
      x = x * 1664525u + 1013904223u;
      w[i] = b == IN || b == PAR || b == RIN ? x >> (i + input) % 3 * 8
             : b == UNI || b == MORE ? x >> i % 5 * 6
             : b == SMALL        ? numbers[x >> 29]
             /* min, and */
             : b == ACC && (i / 8 == 3 || i / 8 == 5) ? UINT32_MAX
             : b == EXT || b >= ROWS ? i : 0;
    }
  }
}

/* The contents of a buffer, to be read or written. */
static uint32_t *words_of(int b, mt_Access access) {
  if (mt_buffer_access(on->buffers[b], 0, words[b] * 4, access, &error) !=
      MT_OK)
    return NULL;
  return mt_buffer_contents(on->buffers[b]);
}

static void fill_buffers(unsigned input) {
  for (int b = 0; b < BUFFERS; b++) {
    uint32_t *w = words_of(b, MT_WRITE);
    if (w) memcpy(w, contents[input][b], words[b] * 4);
  }
}

static size_t texture_bytes(int t) {
  const mt_TextureDesc *d = &texture_of[t];
  return mt_pixel_size(d->format) * d->width * d->height * d->depth * d->layers;
}

/* Whole numbers that a half has room for, or bytes; what is written,
** cleared. */
static void fill_textures(unsigned input) {
  uint32_t x = 777 + input;
  for (int t = 0; t < TEXTURE_COUNT; t++) {
    size_t size = texture_bytes(t);
    for (size_t i = 0; i < size; i++) {
      x = x * 1664525u + 1013904223u;
      pixels[i] = (char)(t >= TW            ? 0
                         : t == TH && i % 2 ? 0x40 + (x >> 29)
                                            : x >> 24);
    }
    mt_texture_write(on->textures[t], pixels, size, &error);
  }
}

static mt_Arg buffer_arg(int b, size_t offset) {
  return (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = on->buffers[b],
                  .offset = offset, .size = words[b] * 4 - offset};
}

/* struct Job of bound.h. */
static mt_Arg job_arg(const mt_Type *job, const Shape *shape) {
  static struct { uint64_t pointers[4]; uint32_t n; float by; } bytes = {
      .n = 6, .by = 1.5f};
  static mt_Link links[4];
  const mt_Type *pointer = job->fields[0].type;
  links[0] = (mt_Link){0, "x", pointer, buffer_arg(IN, 0)};
  links[1] = (mt_Link){8, "own", pointer,
                       buffer_arg(shape->twins ? MORE : OWN8, 0)};
  for (size_t n = 0; n < 2; n++)
    links[2 + n] = (mt_Link){16 + 8 * n, "lists", pointer,
                             buffer_arg(LISTS, n * GRID * 16)};
  return (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &bytes, .size = sizeof bytes,
                  .links = links, .link_count = 4};
}

static mt_Arg argument(const mt_Param *p, const Shape *shape) {
  switch (p->index) {
    case 15: return buffer_arg(shape->twins ? MORE : ALSO, 0);
    case 16: return buffer_arg(shape->twins ? ROWS : ROWS2, 0);
    case 17: return job_arg(p->type, shape);
    default: return buffer_arg((int)p->index, 0);
  }
}

/* The launch of a kernel; its arguments are there until the next. */
static mt_Launch launch_of(mt_Kernel *k, const Shape *shape) {
  const mt_KernelInfo *info = mt_kernel_info(k);
  static mt_Arg args[40];
  memset(args, 0, sizeof args);
  int t = 0;
  for (unsigned i = 0; i < info->param_count; i++)
    if (info->params[i].kind == MT_PARAM_THREADGROUP) {
      args[i] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = 4096};
    } else if (info->params[i].kind == MT_PARAM_BUFFER) {
      args[i] = argument(&info->params[i], shape);
    } else if (info->params[i].kind == MT_PARAM_TEXTURE) {
      args[i] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = on->textures[t++]};
    }
  mt_Size grid = shape->grid, group = shape->group;
  if (shape->by_groups)
    grid = (mt_Size){grid.x / group.x, grid.y / group.y, grid.z / group.z};
  return (mt_Launch){.kernel = k, .args = args, .arg_count = info->param_count,
                     .grid = grid, .group = group, .repeats = 1,
                     .by_groups = shape->by_groups, .time_limit = 60};
}

static mt_Status launch(mt_Kernel *k, const Shape *shape) {
  mt_Launch l = launch_of(k, shape);
  mt_Timing timing;
  error.text[0] = 0;
  return mt_launch(&l, &timing, &error);
}

static bool complain(uint64_t seed, const Shape *s, const char *what) {
  print_error("seed %llu, grid %ux%ux%u, group %ux%ux%u: %s\n",
              (unsigned long long)seed, (unsigned)s->grid.x,
              (unsigned)s->grid.y, (unsigned)s->grid.z, (unsigned)s->group.x,
              (unsigned)s->group.y, (unsigned)s->group.z, what);
  return false;
}

/* Is it as the plain way had it, too? */
static bool compare(uint64_t seed, const Shape *s, unsigned input,
                    const char *way) {
  static const char *const names[] = {"in", "out", "acc", "own", "ext",
                                      "par", "small", "facc", "uni", "more",
                                      "rin", "rows", "flat", "plane", "swap",
                                      "also", "rows2", "job.own", "job.lists"};
  for (int b = 0; b < BUFFERS; b++) {
    const uint32_t *w = words_of(b, MT_READ);
    if (!w) return complain(seed, s, error.text);
    if (memcmp(w, plain[b], words[b] * 4) == 0) continue;
    unsigned i = 0;
    while (w[i] == plain[b][i]) i++;
    char what[160];
    snprintf(what, sizeof what, "%s[%u] is %u thread by thread, %u %s "
             "(input %u)", names[b], i, plain[b][i], w[i], way, input);
    return complain(seed, s, what);
  }
  for (int t = TW; t < TEXTURE_COUNT; t++) {
    mt_texture_read(on->textures[t], pixels, texture_bytes(t), &error);
    if (memcmp(pixels, plain_pixels[t], texture_bytes(t)) != 0)
      return complain(seed, s,
                      t == TW ? "other pixels in tw" : "other pixels in tr");
  }
  return true;
}

static void keep_answers(void) {
  for (int b = 0; b < BUFFERS; b++)
    memcpy(plain[b], words_of(b, MT_READ), words[b] * 4);
  for (int t = TW; t < TEXTURE_COUNT; t++)
    mt_texture_read(on->textures[t], plain_pixels[t], texture_bytes(t), &error);
}

/* ------------------------------------------------------------------ stages */

static bool open_contents(void) {
  for (int b = 0; b < BUFFERS; b++) {
    plain[b] = malloc(words[b] * 4);
    for (int n = 0; n < INPUTS; n++) contents[n][b] = malloc(words[b] * 4);
  }
  for (unsigned n = 0; n < INPUTS; n++) make_contents(n);
  for (int t = 0; t < TEXTURE_COUNT; t++)
    plain_pixels[t] = malloc(texture_bytes(t));
  pixels = malloc(texture_bytes(TW)); /* the largest */
  return pixels != NULL;
}

static void close_contents(void) {
  for (int b = 0; b < BUFFERS; b++) {
    free(plain[b]);
    for (int n = 0; n < INPUTS; n++) free(contents[n][b]);
  }
  for (int t = 0; t < TEXTURE_COUNT; t++) free(plain_pixels[t]);
  free(pixels);
}

/* Kernels run there from now on. */
static bool open_stage(Stage *s, mt_Device *device) {
  *s = (Stage){.device = device};
  on = s;
  for (int b = 0; b < BUFFERS; b++)
    if (mt_buffer_new(device, words[b] * 4, &s->buffers[b], &error) != MT_OK)
      return false;
  for (int t = 0; t < TEXTURE_COUNT; t++)
    if (mt_texture_new(device, &texture_of[t], &s->textures[t], &error) !=
        MT_OK)
      return false;
  return true;
}

static void close_stage(Stage *s) {
  for (int b = 0; b < BUFFERS; b++) mt_buffer_free(s->buffers[b]);
  for (int t = 0; t < TEXTURE_COUNT; t++) mt_texture_free(s->textures[t]);
}

/* ----------------------------------------------------------------- sources */

#define FAST "// with fast math\n"

static void source_for(uint64_t first, unsigned n, mt_Str *s) {
  if (instead) {
    mt_file_read(instead, 1 << 20, s, &error);
    instead_line = strstr(mt_str_text(s), "gid_ [[") != NULL;
    return;
  }
  if (is_fast(first)) mt_str_add(s, FAST);
  source_prelude(s);
  for (unsigned i = 0; i < n; i++) source_kernel(s, first + i, i);
}

#endif

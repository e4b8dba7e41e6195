/*
** test_launch.c - what the checks above the devices let through, and what not.
**
** The device here is the test's own: it counts launches and does nothing else,
** so a launch that is refused can be told from one that is not.
**
** Guards: devices/launch.c: every launch that must be refused, on a device that
** only counts; base/advice.c, devices/{device, reserve, texture}.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "devices/device.h"

static int launches;

static mt_Status count_launch(const mt_Launch *l, mt_Timing *out,
                              mt_Error *err) {
  (void)l, (void)err;
  launches++;
  out->wall_ns = 1000;
  return MT_OK;
}

static const mt_DeviceOps ops = {.entry = {.name = "fake", .what = "counts"},
                                 .launch = count_launch};
static const mt_DeviceOps other_ops = {
    .entry = {.name = "other", .what = "is not it"}};

static mt_Device device = {
    &ops,
    {.name = "fake", .simd_width = 32, .max_threads_per_group = 1024,
     .max_group = {1024, 1024, 64}, .max_threadgroup_memory = 32768,
     .max_buffer = 1 << 30, .max_buffers = 31}};
static mt_Device other = {&other_ops, {.name = "other"}};

/* kernel k(device const float *in, device float *out, constant uint &n,
**          threadgroup float *tile, uint i [[thread_position_in_grid]],
**          device float *spare)   where spare is never used */
enum { IN, OUT, N, TILE, I, SPARE, PARAMS };
static mt_Param params[PARAMS];
static mt_Kernel kernel;
static mt_Buffer buffer, foreign;
static mt_Arg args[PARAMS];
static uint32_t n;

static mt_Launch good_launch(void) {
  const mt_Type *f = mt_type_named("float"), *u = mt_type_named("uint");
  params[IN] = (mt_Param){.name = "in",
                          .kind = MT_PARAM_BUFFER,
                          .access = MT_READ,
                          .used = true,
                          .type = f};
  params[OUT] = (mt_Param){.name = "out",
                           .kind = MT_PARAM_BUFFER,
                           .index = 1,
                           .access = MT_READ_WRITE,
                           .used = true,
                           .type = f};
  params[N] = (mt_Param){.name = "n",
                         .kind = MT_PARAM_BUFFER,
                         .index = 2,
                         .access = MT_READ,
                         .constant = true,
                         .reference = true,
                         .used = true,
                         .type = u};
  params[TILE] = (mt_Param){
      .name = "tile", .kind = MT_PARAM_THREADGROUP, .used = true, .type = f};
  params[I] = (mt_Param){.name = "i",
                         .kind = MT_PARAM_BUILTIN,
                         .used = true,
                         .type = u,
                         .builtin = "thread_position_in_grid"};
  params[SPARE] = (mt_Param){.name = "spare",
                             .kind = MT_PARAM_BUFFER,
                             .index = 3,
                             .access = MT_READ,
                             .used = false,
                             .type = f};
  kernel = (mt_Kernel){.device = &device,
                       .info = {.name = "k",
                                .params = params,
                                .param_count = PARAMS,
                                .max_threads = 512,
                                .simd_width = 32,
                                .threadgroup_static = 1024}};
  buffer = (mt_Buffer){.device = &device, .contents = &n, .size = 4096};
  foreign = (mt_Buffer){.device = &other, .contents = &n, .size = 4096};
  memset(args, 0, sizeof args);
  args[IN] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = &buffer, .size = 4096};
  args[OUT] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = &buffer, .size = 4096};
  args[N] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = 4};
  args[TILE] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = 1024};
  return (mt_Launch){.kernel = &kernel,
                     .args = args,
                     .arg_count = PARAMS,
                     .grid = {1000, 1, 1},
                     .group = {256, 1, 1},
                     .repeats = 1};
}

static void passes(const mt_Launch *l) {
  mt_Timing t;
  mt_Error err = {""};
  launches = 0;
  if (mt_launch(l, &t, &err) != MT_OK) fail_msg("refused: %s", err.text);
  assert_int_equal(launches, 1);
  assert_int_equal(t.wall_ns, 1000);
}

static void refuses(const mt_Launch *l, const char *words) {
  mt_Timing t;
  mt_Error err = {""};
  launches = 0;
  assert_int_equal(mt_launch(l, &t, &err), MT_BADARG);
  assert_int_equal(launches, 0);
  if (strstr(err.text, words) == NULL)
    fail_msg("expected '%s' in '%s'", words, err.text);
  assert_null(strchr(err.text, '\n'));
}

static void a_good_launch_runs(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  passes(&l);
  l.group = (mt_Size){512, 1, 1};
  passes(&l);
  l.by_groups = true;
  passes(&l);
  l.grid = (mt_Size){UINT32_MAX, 1, 1};
  l.by_groups = false;
  passes(&l);
}

static void group_sizes(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  l.group = (mt_Size){0, 1, 1};
  refuses(&l, "no threads in x");
  l.group = (mt_Size){1, 1, 0};
  refuses(&l, "no threads in z");
  l.group = (mt_Size){1, 1, 65};
  refuses(&l, "limit of this device is 64");
  l.group = (mt_Size){32, 17, 1};
  refuses(&l, "at most 512");
  l.group = (mt_Size){UINT64_MAX, 1, 1};
  refuses(&l, "too large");
  l = good_launch();
  kernel.info.required_group[0] = 64;
  kernel.info.required_group[1] = kernel.info.required_group[2] = 1;
  refuses(&l, "64 × 1 × 1");
  l.group = (mt_Size){64, 1, 1};
  passes(&l);
}

static void grid_sizes(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  l.grid = (mt_Size){0, 1, 1};
  refuses(&l, "nothing would run");
  l.grid = (mt_Size){1, 0, 1};
  refuses(&l, "empty in y");
  l.grid = (mt_Size){(uint64_t)1 << 32, 1, 1};
  refuses(&l, "32 bits");
  l.grid = (mt_Size){1 << 24, 1, 1};
  l.by_groups = true;
  refuses(&l, "32 bits");
  l.grid = (mt_Size){UINT64_MAX, 1, 1};
  refuses(&l, "32 bits");
  l = good_launch();
  l.repeats = 0;
  refuses(&l, "repeats");
  l = good_launch();
  l.time_limit = -1;
  refuses(&l, "time limit");
}

static void buffers(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  args[OUT].kind = MT_ARG_NONE;
  refuses(&l, "argument 2, 'out' (device float *) is missing");
  l = good_launch();
  args[N].kind = MT_ARG_NONE;
  refuses(&l, "give it a value or a buffer");
  l = good_launch();
  args[IN].buffer = &foreign;
  refuses(&l, "buffer of the other device");
  l = good_launch();
  args[IN].offset = 6;
  refuses(&l, "not a multiple of 4");
  l = good_launch();
  args[N] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = &buffer, .size = 2};
  refuses(&l, "at least 4 bytes");
  args[N].size = 4;
  passes(&l);
  device.info.constant_align = 256;
  args[N].offset = 32;
  refuses(&l, "starts at multiples of 256");
  args[N].offset = 256;
  passes(&l);
  device.info.constant_align = 0;
  args[OUT].size = 3; /* not one float */
  refuses(&l, "at least 4 bytes, the buffer has 3");
  args[OUT].size = 4;
  args[SPARE] = (mt_Arg){.kind = MT_ARG_TEXTURE};
  refuses(&l, "takes a buffer");
  l.arg_count = 2;
  refuses(&l, "2 arguments for 6 parameters");
}

static void values(void **state) {
  (void)state;
  static char many[4100];
  mt_Launch l = good_launch();
  args[OUT] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &n, .size = 4};
  refuses(&l, "needs a buffer, not a value");
  l = good_launch();
  args[IN] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = many, .size = 4096};
  passes(&l);
  args[IN].size = 4100;
  refuses(&l, "the limit is 4096");
  l = good_launch();
  args[N].size = 2;
  refuses(&l, "needs 4 bytes, got 2");
}

static void threadgroup_memory(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  args[TILE].kind = MT_ARG_NONE;
  refuses(&l, "its size in bytes");
  l = good_launch();
  args[TILE].size = 0;
  refuses(&l, "needs its size");
  for (size_t bytes = 1; bytes <= 64; bytes++) {
    args[TILE].size = bytes;
    if (bytes % 16 == 0) passes(&l);
    else refuses(&l, "multiples of 16");
  }
  args[TILE].size = 32768 - 1024;
  passes(&l);
  args[TILE].size += 16;
  refuses(&l, "the limit is 32768");
  l = good_launch();
  args[I] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = &buffer, .size = 4};
  passes(&l); /* what is given for a builtin is not looked at */
}

static void textures_and_samplers(void **state) {
  (void)state;
  mt_Launch l = good_launch();
  mt_Type type = {.kind = MT_TYPE_TEXTURE,
                  .name = "texture2d<float, access::read>"};
  mt_Texture image = {.device = &device,
                      .desc = {MT_TEXTURE_2D, MT_RGBA8UNORM, 4, 4, 1, 1}};
  params[SPARE] = (mt_Param){.name = "image",
                             .kind = MT_PARAM_TEXTURE,
                             .used = true,
                             .access = MT_READ,
                             .type = &type};
  refuses(&l, "give it a texture");
  args[SPARE].kind = MT_ARG_SAMPLER;
  refuses(&l, "takes a texture");
  args[SPARE] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = &image};
  passes(&l);
  image.desc.kind = MT_TEXTURE_2D_ARRAY;
  refuses(&l, "another kind, texture2d_array");
  type.name = "texture2d_array<float>";
  passes(&l);
  image.desc.format = MT_RGBA8UINT;
  refuses(&l, "format rgba8uint: it needs a float or unorm format");
  type.name = "texture2d_array<ushort, access::read_write>";
  passes(&l);
  type.name = "texture2d_array<int>";
  refuses(&l, "needs a sint format");
  type.name = "depth2d<float>";
  image.desc.format = MT_R32FLOAT;
  refuses(&l, "another kind, texture2d_array");
  type.name = "depth2d_array<float>";
  passes(&l);
  type.name = "depthcube<float>"; /* its kind is not known by name */
  passes(&l);
  image.desc.format = MT_DEPTH32FLOAT;
  passes(&l);
  params[SPARE].access = MT_READ_WRITE;
  refuses(&l, "depth32float, which kernels can only read");
  params[SPARE].access = MT_READ;
  image.device = &other;
  refuses(&l, "a texture of the other device");
  params[SPARE].kind = MT_PARAM_SAMPLER;
  refuses(&l, "takes a sampler");
  args[SPARE] = (mt_Arg){.kind = MT_ARG_SAMPLER,
                         .sampler = {.pixel = true, .address = 2}};
  refuses(&l, "then Metal cannot repeat");
  args[SPARE].sampler.address = 1;
  passes(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_launch_runs),
      cmocka_unit_test(group_sizes),
      cmocka_unit_test(grid_sizes),
      cmocka_unit_test(buffers),
      cmocka_unit_test(values),
      cmocka_unit_test(threadgroup_memory),
      cmocka_unit_test(textures_and_samplers),
  };
  return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}

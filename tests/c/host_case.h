/*
** host_case.h - a kernel on the host device in a few lines, for the suites of
** the host engine. Everything fails the running test if it fails, but for
** host_run, whose status is the point.
*/
#ifndef HOST_CASE_H
#define HOST_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "devices/device.h"

#define MSL(...) \
  "#include <metal_stdlib>\nusing namespace metal;\n" #__VA_ARGS__

static mt_Device *host;
static mt_Error error;

static int open_host(void **state) {
  (void)state;
  return mt_device_open("host", &host, &error) == MT_OK ? 0 : -1;
}

static int close_host(void **state) {
  (void)state;
  mt_device_close(host);
  return 0;
}

__attribute__((unused)) static mt_Library *host_library(const char *source) {
  mt_Library *lib = NULL;
  mt_Str log = MT_STR_INIT;
  if (mt_library_new(host, source, strlen(source), NULL, &lib, &log, &error) !=
      MT_OK)
    fail_msg("%s\n%s", error.text, mt_str_text(&log));
  mt_str_free(&log);
  return lib;
}

__attribute__((unused)) static mt_Kernel *
host_kernel_with(const char *source, const char *name,
                 const mt_ConstantValue *values, size_t count) {
  mt_Library *lib = host_library(source);
  mt_Kernel *k = NULL;
  if (mt_kernel_new(lib, name, values, count, &k, &error) != MT_OK)
    fail_msg("%s", error.text);
  mt_library_free(lib);
  return k;
}

__attribute__((unused)) static mt_Kernel *host_kernel(const char *source,
                                                      const char *name) {
  return host_kernel_with(source, name, NULL, 0);
}

__attribute__((unused)) static mt_Buffer *host_buffer(size_t size) {
  mt_Buffer *b = NULL;
  if (mt_buffer_new(host, size, &b, &error) != MT_OK)
    fail_msg("%s", error.text);
  return b;
}

/* Give 'buffers' to the kernel's buffer parameters in their order, and run. */
__attribute__((unused)) static mt_Status
host_run(mt_Kernel *k, mt_Size grid, mt_Size group, double limit,
         mt_Buffer *const *buffers) {
  mt_Arg args[40];
  memset(args, 0, sizeof args);
  const mt_KernelInfo *info = mt_kernel_info(k);
  for (unsigned i = 0; i < info->param_count; i++)
    if (info->params[i].kind == MT_PARAM_BUFFER) {
      args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = *buffers,
                         .size = (*buffers)->size};
      buffers++;
    }
  mt_Launch l = {.kernel = k, .args = args, .arg_count = info->param_count,
                 .grid = grid, .group = group, .repeats = 1,
                 .time_limit = limit};
  mt_Timing t;
  error.text[0] = 0;
  return mt_launch(&l, &t, &error);
}

__attribute__((unused)) static void host_must_run(mt_Kernel *k, mt_Size grid,
                                                  mt_Size group,
                                                  mt_Buffer *const *buffers) {
  if (host_run(k, grid, group, 60, buffers) != MT_OK)
    fail_msg("%s", error.text);
}

/* Each way of making code, in turn: for (way = 0; host_way(way); way++). */
__attribute__((unused)) static bool host_way(int way) {
  static const char *const ways[] = {"scalar", "simd"};
  if (way > 1) return false;
  setenv("METTLE_ENGINE", ways[way], 1);
  return true;
}

#endif

/*
** saxpy.c - compiles a kernel and launches it on whatever device there is:
**
**   cc saxpy.c $(pkg-config --cflags --libs mettle) && ./a.out
*/
#include <mettle/mettle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void saxpy(device const float *x, device float *y,\n"
    "                  constant float &a,\n"
    "                  uint i [[thread_position_in_grid]]) {\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n";

static mettle_Error err;
static void need(mettle_Status status) {
  if (status == METTLE_OK) return;
  fprintf(stderr, "saxpy: %s\n", err.text);
  exit(1);
}

int main(void) {
  enum { N = 1000 };
  static float x[N], y[N];
  float a = 2;
  for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 1;

  mettle_Device *dev;
  mettle_DeviceInfo info;
  need(mettle_device_open(NULL, &dev, &err));
  mettle_device_info(dev, &info);
  mettle_Library *lib;
  mettle_Kernel *saxpy;
  need(mettle_library_new(dev, source, strlen(source), NULL, &lib, NULL, &err));
  need(mettle_kernel_new(lib, "saxpy", NULL, 0, &saxpy, &err));
  mettle_Buffer *bx, *by; /* x and y themselves, where the device can */
  need(mettle_buffer_wrap(dev, x, sizeof x, METTLE_READ_ONLY, &bx, &err));
  need(mettle_buffer_wrap(dev, y, sizeof y, 0, &by, &err));

  mettle_Launch *launch;
  mettle_Timing time;
  need(mettle_launch_new(saxpy, &launch, &err));
  need(mettle_launch_buffer(launch, 0, bx, 0, &err));
  need(mettle_launch_buffer(launch, 1, by, 0, &err));
  need(mettle_launch_value(launch, 2, &a, sizeof a, &err));
  mettle_launch_grid(launch, N, 1, 1);
  need(mettle_launch_run(launch, &time, &err));
  printf("%s, %s: y[999] = %g in %.1f µs\n", info.name, info.title, y[999],
         (double)time.wall_ns / 1000);

  mettle_launch_free(launch);
  mettle_buffer_free(by);
  mettle_buffer_free(bx);
  mettle_kernel_free(saxpy);
  mettle_library_free(lib);
  mettle_device_close(dev);
  return 0;
}

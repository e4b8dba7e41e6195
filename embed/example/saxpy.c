/*
** saxpy.c - compiles a kernel and launches it on whatever device there is:
**
**   cc saxpy.c $(pkg-config --cflags --libs mettle) && ./a.out
*/
#include <mettle/mettle.h>
#include <stdio.h>

static const char source[] =
    "kernel void saxpy(device const float *x, device float *y,\n"
    "                  constant float &a, uint i [[thread_position_in_grid]])\n"
    "{ y[i] += a * x[i]; }\n";

int main(void) {
  enum { N = 1000 };
  static float x[N], y[N];
  float a = 2;
  for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 1;

  mettle_Device *dev = NULL;
  mettle_Kernel *saxpy = NULL;
  mettle_Launch *launch = NULL;
  mettle_Error err;
  int failed = mettle_device_open(NULL, &dev, &err) ||
               mettle_kernel_compile(dev, source, "saxpy", &saxpy, &err) ||
               mettle_launch_new(saxpy, &launch, &err) ||
               mettle_launch_memory(launch, 0, x, sizeof x, &err) ||
               mettle_launch_memory(launch, 1, y, sizeof y, &err) ||
               mettle_launch_value(launch, 2, &a, sizeof a, &err);
  mettle_launch_grid(launch, N, 1, 1);
  failed = failed || mettle_launch_run(launch, NULL, &err);
  if (failed) fprintf(stderr, "saxpy: %s\n", err.text);
  else printf("y[999] = %g\n", y[999]);

  mettle_launch_free(launch);
  mettle_kernel_free(saxpy);
  mettle_device_close(dev);
  return failed;
}

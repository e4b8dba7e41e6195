/*
** command_devices.c - mettle devices: what can run kernels here.
*/
#include <stdio.h>
#include <unistd.h>

#include "devices/device.h"
#include "repl/commands.h"
#include "repl/style.h"

static void print_device(const mt_DeviceInfo *i) {
  printf("  %s\n  %s\n", i->title, i->how);
  if (i->units)
    printf("  %u cores, ", i->units);
  else
    printf("  ");
  printf("SIMD-groups of %u, up to %llu threads per threadgroup\n",
         i->simd_width, (unsigned long long)i->max_threads_per_group);
  printf("  %zu KB threadgroup memory, buffers up to %zu MB\n",
         i->max_threadgroup_memory >> 10, i->max_buffer >> 20);
}

int mt_command_devices(int argc, char **argv) {
  (void)argc, (void)argv;
  const mt_DeviceEntry *entries;
  size_t n = mt_device_list(&entries), working = 0;
  for (size_t i = 0; i < n; i++) {
    mt_Device *dev = NULL;
    mt_Error err;
    printf("%s%s%s - %s\n", mt_style(STDOUT_FILENO, MT_STYLE_BOLD),
           entries[i].name, mt_style(STDOUT_FILENO, MT_STYLE_PLAIN),
           entries[i].what);
    if (mt_device_open(entries[i].name, &dev, &err) == MT_OK) {
      print_device(mt_device_info(dev));
      working++;
      mt_device_close(dev);
    } else {
      printf("  not available: %s\n", err.text);
    }
  }
  if (working == 0) printf("no device works here; mettle doctor says why\n");
  return working ? 0 : 1;
}

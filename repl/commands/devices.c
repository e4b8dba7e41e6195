/*
** devices.c - mettle devices: lists the devices of this machine.
*/
#include <stdio.h>
#include <unistd.h>

#include "devices/device.h"
#include "repl/commands/commands.h"
#include "repl/lua/run.h"
#include "repl/terminal/style.h"
#include "repl/lua/report.h"

static void print_device(const mt_DeviceInfo *i) {
  mt_Str text = MT_STR_INIT;
  mt_device_describe(i, &text);
  fputs(mt_str_text(&text), stdout);
  mt_str_free(&text);
}

int mt_command_devices(int argc, char **argv) {
  if (argc > 1) {
    mt_complain("devices takes no %s", argv[1]);
    return MT_EXIT_USAGE;
  }
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

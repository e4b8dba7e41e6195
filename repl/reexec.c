/*
** reexec.c - sets Metal's variables and starts the program again.
*/
#include "repl/reexec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/folders.h"
#include "devices/device.h"
#include "repl/terminal/prose.h"

typedef struct Variable {
  const char *name, *value;
} Variable;

/* The API layer logs its errors instead of aborting the program; launches that
** it would still abort on were refused before (devices/launch.c). */
static const Variable validation[] = {
    {"MTL_DEBUG_LAYER", "1"},
    {"MTL_DEBUG_LAYER_ERROR_MODE", "nslog"},
    {"MTL_DEBUG_LAYER_WARNING_MODE", "nslog"},
    {"MTL_SHADER_VALIDATION", "1"},
    {"MTL_SHADER_VALIDATION_REPORT_TO_STDERR", "1"},
    {NULL, NULL}};

/* The names before macOS 14 and since. */
static const Variable capturing[] = {
    {"METAL_CAPTURE_ENABLED", "1"}, {"MTL_CAPTURE_ENABLED", "1"}, {NULL, NULL}};

/* Set the variables that are not set; the user's values stay. True: any was. */
static bool set_all(const Variable *v) {
  bool changed = false;
  for (; v->name; v++)
    if (getenv(v->name) == NULL && setenv(v->name, v->value, 0) == 0)
      changed = true;
  return changed;
}

bool mt_reexec_with(bool validate, bool capture, char **argv) {
  if (!validate && !capture) return true;
  if (!mt_device_has_metal()) {
    mt_prose_error(
        "mettle: ",
        validate
            ? "--validate switches on Metal's own validation, and there is no "
              "Metal here; check{…} finds the same mistakes on the host device"
            : "--capture allows Metal's captures, and there is no Metal here; "
              "profile{…} looks into kernels on the host device");
    return false;
  }
  bool changed = validate && set_all(validation);
  if (capture && set_all(capturing)) changed = true;
  if (!changed) return true;
  const char *program = mt_program_path();
  if (program) execv(program, argv);
  fprintf(stderr, "mettle: the program could not be started again: %s\n",
          program ? strerror(errno) : "its path is not known");
  return false;
}

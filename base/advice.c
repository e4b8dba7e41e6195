/*
** advice.c - remedies in the words of a language, see advice.h.
*/
#include "base/advice.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const mt_Advice of_headers = {
    .copy_buffer = "copy it to one of that device (mt_buffer_new)",
    .new_texture = "make one of that device (mt_texture_new)",
    .threadgroup = "MT_ARG_THREADGROUP",
    .new_buffer = "mt_buffer_new",
    .free_buffer = "mt_buffer_free",
    .use_host = "mt_device_open",
    .commands = "mt_commands_run",
    .check = "mt_check",
    .profile = "mt_profile",
    .capture = "mt_capture_start",
    .validate = "MTL_SHADER_VALIDATION=1",
    .include = "mt_CompileOptions",
    .folders = "mt_CompileOptions",
    .no_schedules = "",
    .outputs = "",
};

static const mt_Advice *advice = &of_headers;

void mt_advice_set(const mt_Advice *words) { advice = words; }
const mt_Advice *mt_advice(void) { return advice; }

typedef struct Remedy {
  const char *name;
  size_t offset; /* of the member */
} Remedy;

#define REMEDY(name) {#name, offsetof(mt_Advice, name)}
static const Remedy remedies[] = {
    REMEDY(copy_buffer), REMEDY(new_texture), REMEDY(threadgroup),
    REMEDY(new_buffer),  REMEDY(free_buffer), REMEDY(use_host),
    REMEDY(commands),    REMEDY(check),       REMEDY(profile),
    REMEDY(capture),     REMEDY(validate),    REMEDY(include),
    REMEDY(folders)};

/* The remedy whose name, of 'n' letters, is at 's'; NULL: there is none. */
static const char *named(const char *s, size_t n) {
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++) {
    const char *words, *name = remedies[i].name;
    if (strlen(name) != n || memcmp(name, s, n) != 0) continue;
    memcpy(&words, (const char *)advice + remedies[i].offset, sizeof words);
    return words;
  }
  return NULL;
}

const char *mt_advice_in(const char *text, char *out, size_t size) {
  const char *open = strchr(text, '{');
  const char *close = open ? strchr(open, '}') : NULL;
  const char *words =
      close ? named(open + 1, (size_t)(close - open - 1)) : NULL;
  if (words)
    snprintf(out, size, "%.*s%s%s", (int)(open - text), text, words, close + 1);
  else
    snprintf(out, size, "%s", text);
  return out;
}

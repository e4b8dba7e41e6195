/*
** error_advice.c - from a GPU's error to a sentence.
**
** The description carries the driver's own name for what happened
** (kIOGPUCommandBufferCallbackErrorHang), which tells more than Metal's number:
** those were renumbered, and several reasons share one. So names come first.
*/
#include "devices/metal/error_advice.h"

#include <string.h>

#include "base/advice.h"

#define TOO_LONG                                                               \
  "it ran too long and macOS stopped it: look for an endless loop, or launch " \
  "less at a time"
#define STRAY                                                             \
  "it touched memory outside its buffers: check its indices; {validate} " \
  "names the place"
#define NO_MEMORY                                                          \
  "the GPU has no memory left: free buffers ({free_buffer}), or use less " \
  "at a time"
#define REFUSED                                                               \
  "macOS takes nothing more from this program after earlier failures: start " \
  "it again"
#define FREED                                                               \
  "a buffer or texture that the kernel uses is not there any more: please " \
  "report this"

static const struct {
  const char *name;    /* in the description */
  const char *meaning; /* as mt_advice_in reads it */
} by_name[] = {
    {"ErrorHang",
     "it ran too long and the GPU was reset: look for an endless loop, a "
     "barrier that not all threads reach, or launch less at a time"},
    {"ErrorTimeout", TOO_LONG},
    {"ImpactingInteractivity",
     "it kept the screen waiting and macOS stopped it: launch less at a time"},
    {"SubmissionsIgnored", REFUSED},
    {"InnocentVictim",
     "another program's kernel made the GPU start again: run it once more"},
    {"PageFault", STRAY},
    {"OutOfMemory", NO_MEMORY},
    {"InvalidResource", FREED},
    {"StackOverflow",
     "its functions call too deep: unroll the recursion, or use smaller "
     "private arrays"},
};

/* MTLCommandBufferError, for descriptions that carry no name. */
static const struct {
  long code;
  const char *meaning;
} by_code[] = {
    {1,
     "an error inside the driver or the GPU: run it once more; if it stays, "
     "{validate} may name the place"},
    {2, TOO_LONG},
    {3, STRAY},
    {4, REFUSED},
    {7,
     "macOS does not let this program use the GPU now: is it in the "
     "background?"},
    {8, NO_MEMORY},
    {9, FREED},
    {11,
     "the GPU was unplugged or switched off: {use_host} goes on without it"},
    {12,
     "its functions call too deep: unroll the recursion, or use smaller "
     "private arrays"},
};

const char *mt_metal_error_advice(long code, const char *text, char *out,
                                  size_t size) {
  for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
    if (strstr(text, by_name[i].name))
      return mt_advice_in(by_name[i].meaning, out, size);
  for (size_t i = 0; i < sizeof by_code / sizeof *by_code; i++)
    if (by_code[i].code == code)
      return mt_advice_in(by_code[i].meaning, out, size);
  return mt_advice_in("the GPU gave up", out, size);
}

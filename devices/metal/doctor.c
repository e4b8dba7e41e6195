/*
** doctor.c - the Mac's GPU and Apple's tools, for mettle doctor.
*/
#include "devices/metal/doctor.h"

#include <stdio.h>
#include <string.h>

static void look_at_gpu(mt_Device *dev, const mt_Error *why,
                        mt_Diagnosis *out) {
  if (!dev) {
    mt_doctor_note(out, MT_KNOW, "%s", why->text);
    snprintf(out->remedy, sizeof out->remedy,
             "kernels run on the host device meanwhile");
    return;
  }
  const mt_DeviceInfo *i = mt_device_info(dev);
  mt_doctor_note(out, MT_GOOD, "%s (%s)%s", i->title,
                 i->families ? i->families : "of no family",
                 i->simd_width
                     ? ""
                     : "; each kernel has its own size of SIMD-groups");
}

#ifdef __APPLE__
/* The first line that a command prints; false if it fails. */
static bool first_line(const char *command, char *out, size_t size) {
  char rest[512];
  FILE *pipe = popen(command, "r");
  if (pipe == NULL) return false;
  bool got = fgets(out, (int)size, pipe) != NULL;
  while (fgets(rest, sizeof rest, pipe) != NULL) continue; /* drain it */
  if (got) out[strcspn(out, "\n")] = '\0';
  return pclose(pipe) == 0 && got;
}

/* A frequent report: `xcrun metal` fails with "missing Metal Toolchain". That
** is for compiling ahead of time; macOS itself compiles at run time. */
static void look_at_tools(mt_Device *dev, const mt_Error *why,
                          mt_Diagnosis *out) {
  char line[256];
  bool xcode = first_line("xcode-select -p 2>/dev/null", line, sizeof line);
  bool metal = first_line("xcrun -f metal 2>/dev/null", line, sizeof line);
  (void)dev, (void)why;
  mt_doctor_note(
      out, MT_GOOD,
      "%s, %s; neither is needed: macOS compiles kernels at run time (for "
      "`xcrun metal`: xcodebuild -downloadComponent MetalToolchain)",
      xcode ? "developer tools are there" : "no Xcode",
      metal ? "Metal toolchain is there" : "no Metal toolchain");
}
#endif

const mt_DoctorLine mt_metal_doctor[] = {
    {"Metal", look_at_gpu},
#ifdef __APPLE__
    {"Metal tools", look_at_tools},
#endif
    {NULL, NULL}};

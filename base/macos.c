/*
** macos.c - which macOS Mettle needs.
*/
#include "base/macos.h"

#include <stdlib.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)

const char mt_macos_advice[] = "update macOS: Mettle needs " TEXT_OF(
    MT_MACOS_OLDEST) " or newer (Metal's bindings and GPU addresses)";

bool mt_macos_is_old(const char *version) {
  long major = strtol(version, NULL, 10);
  return major > 0 && major < MT_MACOS_OLDEST;
}

bool mt_macos_version(char *out, size_t size) {
#ifdef __APPLE__
  return sysctlbyname("kern.osproductversion", out, &size, NULL, 0) == 0;
#else
  (void)out, (void)size;
  return false;
#endif
}

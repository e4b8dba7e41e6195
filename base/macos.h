/*
** macos.h - which macOS Mettle needs.
*/
#ifndef MT_MACOS_H
#define MT_MACOS_H

#include <stdbool.h>
#include <stddef.h>

/* The first with MTLBinding, gpuAddress and gpuResourceID. */
#define MT_MACOS_OLDEST 13

/* Is a version such as "12.7.6" too old? False for one that cannot be read. */
bool mt_macos_is_old(const char *version);

extern const char mt_macos_advice[]; /* what to do then */

/* This system's version, "15.5"; false where it is no macOS. */
bool mt_macos_version(char *out, size_t size);

#endif

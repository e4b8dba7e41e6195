/*
** include.h - a source with the person's headers put in place.
**
** Metal's run-time compiler takes one string and knows no folders, so that
** #include "mine.h" could not be found. What the person's folders hold is put
** into the text here, between line markers, so that every message still
** names the file and the line it is about.
**
** Only text is moved: macros and conditions are the compiler's business. So a
** header is put in place wherever it is asked for, also below an #if 0; one
** that is meant to be read once (#pragma once, or the usual #ifndef) keeps a
** guard. What is not found is left as it stands, for the compiler to know
** (<metal_stdlib>) or to complain about.
*/
#ifndef MT_METAL_INCLUDE_H
#define MT_METAL_INCLUDE_H

#include "devices/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
** Append 'source' to 'out' with its headers in place. Quoted names are looked
** for beside the file that asks (the working folder for typed text), then in
** the options' folders; names in angle brackets only in the latter. Fails for
** a header that includes itself without end, or that cannot be read.
*/
mt_Status mt_metal_include(const char *source, size_t length,
                           const mt_CompileOptions *options, mt_Str *out,
                           mt_Error *err);

#ifdef __cplusplus
}
#endif
#endif

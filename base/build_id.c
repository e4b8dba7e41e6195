/*
** build_id.c - the text of build_id.h.
*/
#include "base/build_id.h"
#include "base/version.h"

#ifndef MT_BUILD_ID /* compiled without the Makefile */
#define MT_BUILD_ID MT_VERSION
#endif

const char mt_build_id[] = MT_BUILD_ID;

/*
** missing_features.h - what a GPU lacks, for callers without a Lua state.
*/
#ifndef MT_LUA_MISSING_FEATURES_H
#define MT_LUA_MISSING_FEATURES_H

#include "base/str.h"
#include "devices/device.h"

/* Append the features that a GPU lacks by Apple's tables, and the limits in
** which it takes less than these promise, with commas. */
void mt_lua_missing_features(const mt_DeviceInfo *gpu, mt_Str *lacks,
                             mt_Str *falls_short);

#endif

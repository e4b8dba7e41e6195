/*
** host.h - the two halves of the host device.
**
** The part that every prompt needs (memory, the machine's name and limits) is
** linked into the program: host.c, memory.c, texture.c. The part that compiles
** and runs kernels needs LLVM and is the module host.so (the other folders
** here), loaded with the first library. The module exports one table,
** mt_host_engine, beside that of the front end (msl/msl.h).
*/
#ifndef MT_HOST_H
#define MT_HOST_H

#include "devices/check.h"
#include "devices/compiler_module.h"
#include "devices/device.h"
#include "devices/profile.h"
#include "devices/record.h"

typedef struct mt_HostEngine {
  mt_CompilerEngine head;
  void (*ready)(void); /* prepares for compiles, see mt_device_ready */
  mt_Status (*launch)(const mt_Launch *launch, mt_Timing *out, mt_Error *err);
  mt_Status (*check)(const mt_Launch *launch, const mt_CheckOptions *options,
                     mt_CheckReport *out, mt_Error *err);
  mt_Status (*profile)(const mt_Launch *launch, mt_Profile *out,
                       mt_AccessMap *map, /* or NULL */
                       mt_Error *err);
  mt_Status (*record)(const mt_Launch *launch, const mt_RecordOptions *options,
                      mt_Recording *out, mt_Error *err);
  void (*messages)(mt_Str *out);
} mt_HostEngine;

/* memory.c: 'size' zeroed bytes, page-aligned, with MT_HOST_MOAT bytes of
** inaccessible memory on each side. NULL if out of memory. Any thread. */
#define MT_HOST_MOAT ((size_t)64 << 20)
void *mt_host_memory_new(size_t size);
void mt_host_memory_free(void *at, size_t size);

/* texture.c: the textures of the host device. */
mt_Status mt_host_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                              mt_Texture **out, mt_Error *err);
void mt_host_texture_free(mt_Texture *t);
mt_Status mt_host_texture_write(mt_Texture *t, const void *pixels,
                                mt_Error *err);
mt_Status mt_host_texture_read(const mt_Texture *t, void *pixels,
                               mt_Error *err);
const void *mt_host_texture_view(const mt_Texture *t);
uint64_t mt_host_sampler(const mt_SamplerDesc *s);

#endif

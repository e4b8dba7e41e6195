/*
** pack.h - kernels and constants with their types as bytes, for another process
** of the same build (base/serialise.h).
*/
#ifndef MT_MSL_PACK_H
#define MT_MSL_PACK_H

#include "base/serialise.h"
#include "msl/msl.h"

void mt_msl_pack(mt_Str *out, const mt_MslKernel *kernels, size_t kernel_count,
                 const mt_Constant *constants, size_t constant_count);

/* What was packed; its texts are in the packed bytes. */
typedef struct mt_MslUnpacked {
  mt_MslKernel *kernels;
  size_t kernel_count;
  mt_Constant *constants;
  size_t constant_count;
  mt_Param *params; /* of all kernels */
  mt_Type *types;
  size_t type_count;
  mt_Field *fields; /* of all types */
} mt_MslUnpacked;

/* Where it fails, 'p' says so. To be freed in any case. */
void mt_msl_unpack(mt_Unpacker *p, mt_MslUnpacked *out);
void mt_msl_unpacked_free(mt_MslUnpacked *u);

#endif

/*
** compile_job.c - a compile job as bytes, see compile_job.h.
**
** The one idea: everything is serialised in the order of the struct
** (base/serialise.h, msl/pack.h). Unpacked strings and bitcode point into the
** bytes.
*/
#include "devices/compiler/service/compile_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/serialise.h"
#include "msl/pack.h"

/* ------------------------------------------------------------------ packing */

void mt_compile_job_pack(const mt_CompileJob *p, mt_Str *out) {
  mt_msl_pack(out, p->msl, 1, p->constants, p->constant_count);
  mt_pack_list(out, p->values, p->value_count, sizeof *p->values);
  for (size_t i = 0; i < p->value_count; i++)
    mt_pack_list(out, p->values[i].bytes, p->values[i].size, 1);
  mt_pack_list(out, p->bitcode, p->size, 1);
  mt_pack_text(out, p->source);
  mt_pack_text(out, p->file);
}

/* ---------------------------------------------------------------- unpacking */

struct mt_CompileJobCopy {
  mt_MslUnpacked kernel;
  mt_ConstantValue *values;
};

static void get_values(mt_Unpacker *p, mt_CompileJobCopy *c,
                       mt_CompileJob *out) {
  out->values = c->values =
      mt_unpack_list(p, &out->value_count, sizeof *c->values);
  for (size_t i = 0; i < out->value_count; i++) {
    c->values[i].size = mt_unpack_count(p, 1);
    c->values[i].bytes = mt_unpack_bytes(p, c->values[i].size);
  }
}

mt_CompileJobCopy *mt_compile_job_unpack(const char *bytes, size_t size,
                                         mt_CompileJob *out) {
  mt_Unpacker p = {bytes, bytes + size, false};
  mt_CompileJobCopy *c = calloc(1, sizeof *c);
  memset(out, 0, sizeof *out);
  if (!c) return NULL;
  mt_msl_unpack(&p, &c->kernel);
  out->msl = c->kernel.kernels;
  out->constants = c->kernel.constants;
  out->constant_count = c->kernel.constant_count;
  get_values(&p, c, out);
  out->size = mt_unpack_count(&p, 1);
  out->bitcode = mt_unpack_bytes(&p, out->size);
  out->source = mt_unpack_text(&p);
  out->file = mt_unpack_text(&p);
  if (!p.failed && p.at == p.end && c->kernel.kernel_count == 1) return c;
  mt_compile_job_free(c);
  return NULL;
}

void mt_compile_job_free(mt_CompileJobCopy *c) {
  if (!c) return;
  mt_msl_unpacked_free(&c->kernel);
  free(c->values);
  free(c);
}

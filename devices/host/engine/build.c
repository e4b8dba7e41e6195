/*
** build.c - what is made of a kernel by LLVM, see build.h.
**
** The one idea: vectors first. What the vectoriser cannot take runs thread by
** thread, prepared anew, since the attempt has used up the first copy.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/host/engine/build.h"
#include "devices/host/engine/list.h"
#include "devices/host/engine/scalar.h"

/* A build without the vectoriser runs all kernels thread by thread. */
extern mt_Status mt_spmd_build(LLVMModuleRef, const mt_MslKernel *,
                               const mt_Geometry *, LLVMValueRef *, size_t *,
                               mt_Error *) __attribute__((weak));
extern bool mt_spmd_meets(LLVMModuleRef, const mt_MslKernel *)
    __attribute__((weak));

void mt_built_free(mt_Built *b) {
  mt_str_free(&b->bytes);
  mt_sites_free(&b->sites);
  mt_counts_free(&b->counts);
  memset(b, 0, sizeof *b);
}

/* ----------------------------------------------------------------- prepare */

bool mt_order_is_watched(const mt_Order *o) {
  return o->task == MT_TASK_WATCHED || o->task == MT_TASK_COUNTED;
}

/* Under watch nothing is kept: the tables belong to the one copy. */
static mt_Status prepare_watched(Kernel *k, const mt_Order *o, mt_Built *out,
                                 mt_Prepared *p, mt_Error *err) {
  mt_PrepareInput in = mt_kernel_input(k, &o->kind.formats);
  in.pixels = o->kind.pixels;
  mt_sites_free(&out->sites);
  mt_counts_free(&out->counts);
  if (o->task == MT_TASK_COUNTED)
    in.counts = &out->counts;
  else
    in.sites = &out->sites;
  return mt_prepare(&in, p, err);
}

/* For a second geometry nothing is prepared again, for textures of other formats
** it is. */
static mt_Status prepare(Kernel *k, const mt_Order *o, mt_Built *out,
                         mt_Prepared *p, mt_Error *err) {
  mt_prepared_free(p);
  if (mt_order_is_watched(o)) return prepare_watched(k, o, out, p, err);
  mt_PrepareInput in = mt_kernel_input(k, &o->kind.formats);
  in.plain = o->plain;
  if (in.plain) return mt_prepare(&in, p, err);
  mt_Status status = MT_OK;
  if (memcmp(&k->formats, &o->kind.formats, sizeof k->formats) != 0) {
    mt_prepared_free(&k->prepared);
    k->formats = o->kind.formats;
  }
  if (!k->prepared.module) status = mt_prepare(&in, &k->prepared, err);
  if (status == MT_OK) mt_prepared_copy(&k->prepared, p);
  return status;
}

/* -------------------------------------------------------------------- code */

/* The group function is all that is to be seen from outside. */
static void name_group(LLVMModuleRef m, LLVMValueRef group,
                       const char *symbol) {
  LLVMSetValueName2(group, symbol, strlen(symbol));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != group)
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Only threads that return may miss a barrier. */
static bool meets(const Kernel *k, const mt_Prepared *p) {
  return p->waits && mt_spmd_meets && mt_spmd_meets(p->module, k->msl);
}

/* MT_CANNOT: not as vectors; 'p' is used up. */
static mt_Status as_vectors(Kernel *k, const mt_Order *o, mt_Built *out,
                            mt_Prepared *p, LLVMValueRef *group,
                            mt_Error *err) {
  size_t spill = 0;
  if (o->kind.scalar || o->alone || !mt_spmd_build) return MT_CANNOT;
  mt_Status status = mt_spmd_build(p->module, k->msl, &o->kind.geometry, group,
                                   &spill, &out->why);
  if (status == MT_OK) {
    out->made.simd = true;
    out->made.spill_bytes = spill;
    out->why.text[0] = 0;
  } else if (status != MT_CANNOT && err) {
    *err = out->why;
  }
  return status;
}

/* Beyond so many instructions LLVM's time grows faster than they do: ten seconds
** for twice as many. Under watch such a kernel is made the quick way, which takes a
** third of that; it then runs twice as long. */
#define MANY 24000

static bool is_large(LLVMModuleRef module) {
  size_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
           i = LLVMGetNextInstruction(i))
        if (++n > MANY) return true;
  return false;
}

static mt_Status finish(const Kernel *k, const mt_Order *o,
                        const mt_Built *built, mt_Prepared *p,
                        LLVMValueRef group, mt_Error *err) {
  bool simd = built->made.simd;
  name_group(p->module, group, o->symbol);
  LLVMMetadataRef lines = simd && !mt_order_is_watched(o)
                              ? LLVMGetSubprogram(p->function) : NULL;
  mt_Status status =
      mt_verify(p->module, simd ? "vectorise" : "scalar", err);
  if (mt_order_is_watched(o) && is_large(p->module)) mt_emit_quick = true;
  if (status == MT_OK) status = mt_optimise(p->module, err);
  /* The vectors' code has the kernel's lines, and now its place. */
  if (lines && !LLVMGetNamedFunction(p->module, k->msl->function))
    LLVMSetSubprogram(group, lines);
  return status;
}

static mt_Status build(Kernel *k, const mt_Order *o, mt_Built *out,
                       mt_Prepared *p, mt_Error *err) {
  LLVMValueRef group = NULL;
  mt_Status status = prepare(k, o, out, p, err);
  if (status != MT_OK) return status;
  status = as_vectors(k, o, out, p, &group, err);
  if (status == MT_CANNOT) {
    bool used = !(o->kind.scalar || o->alone);
    status = used ? prepare(k, o, out, p, err) : MT_OK;
    if (status == MT_OK)
      status = mt_scalar_build(p, k->msl, meets(k, p), &group, err);
  }
  out->made.threadgroup_bytes = p->threadgroup_bytes;
  return status == MT_OK ? finish(k, o, out, p, group, err) : status;
}

/* ------------------------------------------------------------------ listing */

static mt_Status list(const Kernel *k, const mt_Order *o, mt_Built *out,
                      mt_Prepared *p, mt_Error *err) {
  bool ir = o->task == MT_TASK_IR, simd = out->made.simd;
  const uint32_t *size = o->kind.geometry.size;
  mt_str_addf(&out->bytes,
              "%s kernel %s, threadgroups of %u x %u x %u, %s%s%s\n",
              ir ? ";" : "#", k->msl->name, size[0], size[1], size[2],
              simd ? "32 threads as a vector" : "thread by thread",
              !simd && out->why.text[0] ? ": " : "",
              simd ? "" : out->why.text);
  if (!ir) return mt_list_asm(p->module, k->module->source, &out->bytes, err);
  mt_list_ir(p->module, k->module->source, &out->bytes);
  return MT_OK;
}

/* -------------------------------------------------------------------- orders */

static mt_Status make(Kernel *k, const mt_Order *o, mt_Built *out,
                      mt_Error *err) {
  mt_Prepared p = {0};
  mt_Status status;
  if (o->task == MT_TASK_CHECK) {
    status = prepare(k, o, out, &p, err);
    out->made.threadgroup_bytes = p.threadgroup_bytes;
  } else {
    status = build(k, o, out, &p, err);
    if (status == MT_OK && (o->task == MT_TASK_IR || o->task == MT_TASK_ASM))
      status = list(k, o, out, &p, err);
    else if (status == MT_OK)
      status = mt_emit(p.module, false, &out->bytes, err);
  }
  mt_prepared_free(&p);
  return status;
}

/* Prepared for another machine, it is of no use to this one. */
static mt_Status make_for_other(Kernel *k, const mt_Order *o, mt_Built *out,
                                mt_Error *err) {
  Kernel there = {.module = k->module, .msl = k->msl, .values = k->values,
                  .value_count = k->value_count,
                  .threadgroup_bytes = k->threadgroup_bytes};
  mt_machine_turn(true);
  mt_Status status = make(&there, o, out, err);
  mt_prepared_free(&there.prepared);
  mt_machine_turn(false);
  return status;
}

mt_Status mt_build(Kernel *k, const mt_Order *o, mt_Built *out,
                   mt_Error *err) {
  bool quick = mt_emit_quick;
  mt_emit_quick = o->quick;
  mt_Status status = o->other ? make_for_other(k, o, out, err)
                              : make(k, o, out, err);
  mt_emit_quick = quick;
  return status;
}

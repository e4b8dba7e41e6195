/*
** special.c - the code of a kernel for one kind of launch, see kernel.h.
**
** The one idea: a group's size, whether the grid has ragged edges and the formats
** of textures are constants of the code; a launch that differs in one of them
** gets code of its own. The checker and the profiler have theirs in the same way.
*/
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/engine/kernel.h"
#include "devices/host/engine/list.h"
#include "devices/host/engine/profiler.h"
#include "devices/host/engine/run.h"
#include "devices/host/engine/scalar.h"

/* A build without the vectoriser runs all kernels thread by thread. */
extern mt_Status mt_spmd_build(LLVMModuleRef, const mt_MslKernel *,
                               const mt_Geometry *, LLVMValueRef *, size_t *,
                               mt_Error *) __attribute__((weak));
extern bool mt_spmd_meets(LLVMModuleRef, const mt_MslKernel *)
    __attribute__((weak));

/* -------------------------------------------------------------------- code */

/* The prepared kernel to make code from; for a second geometry nothing is
** prepared again, for textures of other formats it is. */
static mt_Status prepared_for(Kernel *k, const Special *s, mt_Prepared *out,
                              mt_Error *err) {
  mt_PrepareInput in = mt_kernel_input(k, &s->formats);
  in.plain = s->scalar && mt_scalar_plain;
  if (in.plain) return mt_prepare(&in, out, err);
  mt_Status status = MT_OK;
  if (memcmp(&k->formats, &s->formats, sizeof k->formats) != 0) {
    mt_prepared_free(&k->prepared);
    k->formats = s->formats;
  }
  if (!k->prepared.module) status = mt_prepare(&in, &k->prepared, err);
  if (status == MT_OK) mt_prepared_copy(&k->prepared, out);
  return status;
}

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

/* Build the group function; 'p' is used up. */
static mt_Status build(Kernel *k, const Special *s, mt_Made *made,
                       mt_Prepared *p, mt_Error *err) {
  mt_Status status = prepared_for(k, s, p, err);
  if (status != MT_OK) return status;
  LLVMValueRef group = NULL;
  size_t spill = 0;
  made->threadgroup_bytes = p->threadgroup_bytes;
  made->simd = false;
  if (!s->scalar && mt_spmd_build) {
    k->why.text[0] = 0;
    status = mt_spmd_build(p->module, k->msl, &s->geometry, &group, &spill,
                           &k->why);
    if (status == MT_OK) made->simd = true;
    if (status != MT_OK && status != MT_CANNOT && err) *err = k->why;
    if (status == MT_CANNOT) {
      mt_prepared_free(p);
      status = prepared_for(k, s, p, err);
    }
  }
  if (status == MT_OK && !made->simd)
    status = mt_scalar_build(p, k->msl, meets(k, p), &group, err);
  if (status != MT_OK) return status;
  made->spill_bytes = spill;
  char symbol[40];
  mt_key_symbol(&made->key, symbol);
  name_group(p->module, group, symbol);
  LLVMMetadataRef lines = made->simd ? LLVMGetSubprogram(p->function) : NULL;
  status = mt_verify(p->module, made->simd ? "vectorise" : "scalar", err);
  if (status == MT_OK) status = mt_optimise(p->module, err);
  /* The vectors' code has the kernel's lines, and now its place. */
  if (lines && !LLVMGetNamedFunction(p->module, k->msl->function))
    LLVMSetSubprogram(group, lines);
  return status;
}

static mt_Status make_object(Kernel *k, const Special *s, mt_Made *made,
                             mt_Str *object, mt_Error *err) {
  mt_Prepared p = {0};
  mt_Status status = build(k, s, made, &p, err);
  if (status == MT_OK) status = mt_emit(p.module, false, object, err);
  mt_prepared_free(&p);
  if (status == MT_OK) mt_cache_write(made, object);
  return status;
}

static mt_Key special_key(const Kernel *k, const Special *s) {
  mt_Key key = k->key;
  uint32_t words[7] = {s->geometry.size[0], s->geometry.size[1],
                       s->geometry.size[2], s->geometry.ragged[0],
                       s->geometry.ragged[1], s->geometry.ragged[2],
                       s->scalar};
  if (s->scalar) memset(words, 0, 6 * sizeof *words); /* fits any geometry */
  mt_key_add(&key, words, sizeof words);
  mt_key_add(&key, &s->formats, sizeof s->formats);
  return key;
}

/* The same for the machine of METTLE_ALSO, if there is one: to the disk only. */
static mt_Status make_also(const Kernel *k, const Special *s, mt_Error *err) {
  if (!mt_machine_turn(true)) return MT_OK;
  Kernel other = {.module = k->module, .msl = k->msl, .values = k->values,
                  .value_count = k->value_count,
                  .threadgroup_bytes = k->threadgroup_bytes};
  mt_Status status = mt_machine(err) ? MT_OK : MT_FAIL;
  mt_Str object = MT_STR_INIT;
  if (status == MT_OK) {
    other.key = mt_kernel_key(&other);
    if (!mt_kernel_is_known(&other)) mt_kernel_make_known(&other);
    mt_Made made = {.key = special_key(&other, s)}, kept;
    if (!mt_cache_read(&made.key, &kept, &object))
      status = make_object(&other, s, &made, &object, err);
  }
  mt_str_free(&object);
  mt_prepared_free(&other.prepared);
  mt_machine_turn(false);
  return status;
}

static mt_Status make_code(Kernel *k, Special *s, mt_Error *err) {
  mt_Status also = make_also(k, s, err);
  if (also != MT_OK) return also;
  mt_Made made = {.key = special_key(k, s)};
  s->code = mt_cache_find(&made.key);
  if (s->code) return MT_OK;
  mt_Str object = MT_STR_INIT;
  mt_Status status = MT_OK;
  mt_Error ignored;
  mt_Key key = made.key;
  bool kept = mt_cache_read(&key, &made, &object) &&
              mt_cache_add(&made, &object, &s->code, &ignored) == MT_OK;
  if (!kept) {
    mt_str_clear(&object);
    made = (mt_Made){.key = key};
    status = make_object(k, s, &made, &object, err);
    if (status == MT_OK) status = mt_cache_add(&made, &object, &s->code, err);
  }
  mt_str_free(&object);
  return status;
}

static bool wants_scalar(void) {
  const char *engine = getenv("METTLE_ENGINE");
  return engine && strcmp(engine, "scalar") == 0;
}

static bool same(const Special *a, const Special *b) {
  if (a->scalar != b->scalar || a->pixels != b->pixels) return false;
  return memcmp(a->geometry.size, b->geometry.size,
                sizeof a->geometry.size) == 0 &&
         memcmp(a->geometry.ragged, b->geometry.ragged,
                sizeof a->geometry.ragged) == 0 &&
         memcmp(&a->formats, &b->formats, sizeof a->formats) == 0;
}

/* The code for this geometry; made if it is new. */
static mt_Status special_for(Kernel *k, const Special *want, Special **out,
                             mt_Error *err) {
  for (Special **at = &k->specials; *at; at = &(*at)->next) {
    Special *s = *at;
    if (!same(s, want)) continue;
    *at = s->next; /* to the front: it is the likeliest next time */
    s->next = k->specials;
    *out = k->specials = s;
    return MT_OK;
  }
  Special *s = calloc(1, sizeof *s);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  *s = *want;
  mt_Status status = make_code(k, s, err);
  if (status != MT_OK) {
    free(s);
    return status;
  }
  s->next = k->specials;
  *out = k->specials = s;
  return MT_OK;
}

static Special special_of(const mt_Launch *l) {
  Special s = {.scalar = wants_scalar()};
  uint64_t grid[3] = {l->grid.x, l->grid.y, l->grid.z};
  uint64_t size[3] = {l->group.x, l->group.y, l->group.z};
  for (int d = 0; d < 3; d++) {
    s.geometry.size[d] = (uint32_t)size[d];
    s.geometry.ragged[d] = !l->by_groups && grid[d] % size[d] != 0;
  }
  mt_formats_of(l, &s.formats);
  return s;
}

mt_Status mt_host_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  Kernel *k = (Kernel *)l->kernel;
  Special want = special_of(l), *s = NULL;
  mt_Status status = special_for(k, &want, &s, err);
  if (status != MT_OK) return status;
  mt_Runnable what = {.code = mt_code_entry(s->code->code),
                      .loaded = s->code->code,
                      .threadgroup_bytes = s->code->made.threadgroup_bytes,
                      .spill_bytes = s->code->made.spill_bytes,
                      .group_ns = &s->group_ns};
  return mt_run(l, &what, out, err);
}

/* ----------------------------------------------------------------- checked */

/* The prepared kernel with the watch or the counters in it, as vectors if that
** can be. */
static mt_Status build_watched(Kernel *k, const Special *s,
                               mt_CountTable *counts, mt_Watched *out,
                               mt_Prepared *p, LLVMValueRef *group,
                               mt_Error *err) {
  mt_PrepareInput in = mt_kernel_input(k, &s->formats);
  in.pixels = s->pixels;
  if (counts)
    in.counts = counts;
  else
    in.sites = &out->sites;
  for (int way = s->scalar || !mt_spmd_build; way < 2; way++) {
    mt_prepared_free(p);
    mt_sites_free(&out->sites);
    if (counts) mt_counts_free(counts);
    mt_Status status = mt_prepare(&in, p, err);
    if (status != MT_OK) return status;
    out->simd = way == 0;
    if (way)
      return mt_scalar_build(p, k->msl, meets(k, p), group, err);
    status = mt_spmd_build(p->module, k->msl, &s->geometry, group,
                           &out->spill_bytes, &out->why);
    if (status != MT_CANNOT && status != MT_OK && err) *err = out->why;
    if (status != MT_CANNOT) return status;
    out->spill_bytes = 0;
  }
  return MT_FAIL;
}

static bool writes_texture(const mt_Launch *l, unsigned i) {
  return l->args[i].kind == MT_ARG_TEXTURE &&
         l->kernel->info.params[i].access & MT_WRITE;
}

/* May a texture be read as one parameter and written as another? */
static bool has_texture_twice(const mt_Launch *l) {
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_Arg *a = &l->args[i];
    if (a->link_count || (a->kind == MT_ARG_TEXTURE && a->texture_count > 1))
      return true; /* it takes too long to find out */
    for (unsigned k = 0; k < l->arg_count && writes_texture(l, i); k++)
      if (k != i && l->args[k].kind == MT_ARG_TEXTURE &&
          l->args[k].texture == a->texture)
        return true;
  }
  return false;
}

static Special watched_as(const mt_Launch *l, bool scalar) {
  Special s = special_of(l);
  s.scalar |= scalar;
  s.pixels = has_texture_twice(l);
  return s;
}

/* Made once for a geometry, as a person checks again and again. */
mt_Status mt_watched_for(const mt_Launch *l, bool scalar,
                         const mt_Watched **out, mt_Error *err) {
  Kernel *k = (Kernel *)l->kernel;
  Special want = watched_as(l, scalar);
  for (WatchedFor *w = k->watched; w; w = w->next)
    if (same(&w->special, &want)) {
      *out = &w->code;
      return MT_OK;
    }
  WatchedFor *w = calloc(1, sizeof *w);
  if (!w) return mt_error(err, MT_FAIL, "out of memory");
  w->special = want;
  mt_Status status = mt_watched_new(l, scalar, NULL, &w->code, err);
  if (status != MT_OK) {
    free(w);
    return status;
  }
  w->next = k->watched;
  k->watched = w;
  *out = &w->code;
  return MT_OK;
}

/* Not kept on disk: the table of sites belongs to it. */
mt_Status mt_watched_new(const mt_Launch *l, bool scalar,
                         mt_CountTable *counts, mt_Watched *out,
                         mt_Error *err) {
  static uint64_t serial;
  Kernel *k = (Kernel *)l->kernel;
  Special s = watched_as(l, scalar);
  mt_Prepared p = {0};
  mt_Str object = MT_STR_INIT;
  LLVMValueRef group = NULL;
  memset(out, 0, sizeof *out);
  mt_Status status = build_watched(k, &s, counts, out, &p, &group, err);
  if (status == MT_OK) {
    char symbol[40];
    mt_Key key = special_key(k, &s);
    serial++;
    mt_key_add(&key, "checked", 7);
    mt_key_add(&key, &serial, sizeof serial);
    mt_key_symbol(&key, symbol);
    out->threadgroup_bytes = p.threadgroup_bytes;
    name_group(p.module, group, symbol);
    status = mt_verify(p.module, "check", err);
    if (status == MT_OK) status = mt_optimise(p.module, err);
    if (status == MT_OK) status = mt_emit(p.module, false, &object, err);
    if (status == MT_OK)
      status = mt_jit_load(object.text, object.length, symbol, &out->code, err);
  }
  mt_str_free(&object);
  mt_prepared_free(&p);
  if (status != MT_OK) mt_watched_free(out);
  return status;
}

void mt_place_typed(const mt_Kernel *kernel, mt_Place *place) {
  const Kernel *k = (const Kernel *)kernel;
  place->text = mt_msl_typed(k->module->msl, &place->file, place->line,
                             &place->column, &place->text_length);
}

const char *mt_kernel_text(const mt_Kernel *kernel, size_t *length) {
  const Kernel *k = (const Kernel *)kernel;
  *length = 0;
  if (!k->msl->file) return NULL;
  return mt_msl_text_of(k->module->msl, k->msl->file, length);
}

void mt_watched_free(mt_Watched *w) {
  if (w->code) mt_code_free(w->code);
  mt_sites_free(&w->sites);
  memset(w, 0, sizeof *w);
}

/* ----------------------------------------------------------------- listing */

/* As last launched, or for a threadgroup of 256. */
mt_Status mt_host_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                          mt_Error *err) {
  Kernel *k = (Kernel *)kernel;
  Special s = {.scalar = wants_scalar()};
  unsigned most = k->head.info.max_threads;
  s.geometry = (mt_Geometry){.size = {most < 256 ? most : 256, 1, 1}};
  for (int d = 0; d < 3; d++)
    if (k->msl->required_group[d])
      s.geometry.size[d] = k->msl->required_group[d];
  mt_formats_guess(k->msl, &s.formats);
  if (k->specials) s = *k->specials;
  mt_Made made = {.key = special_key(k, &s)};
  mt_Prepared p = {0};
  mt_Status status = build(k, &s, &made, &p, err);
  if (status == MT_OK) {
    mt_str_addf(out, "%s kernel %s, threadgroups of %u x %u x %u, %s%s%s\n",
                what == MT_LISTING_IR ? ";" : "#", k->msl->name,
                s.geometry.size[0], s.geometry.size[1], s.geometry.size[2],
                made.simd ? "32 threads as a vector" : "thread by thread",
                !made.simd && k->why.text[0] ? ": " : "",
                made.simd ? "" : k->why.text);
    if (what == MT_LISTING_IR)
      mt_list_ir(p.module, k->module->source, out);
    else
      status = mt_list_asm(p.module, k->module->source, out, err);
  }
  mt_prepared_free(&p);
  return status;
}

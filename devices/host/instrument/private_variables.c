/*
** private_variables.c - bounds and alignment of a thread's private variables.
**
** The one idea: no other thread accesses them, so they need no shadow memory:
** comparing the offset with the size, and its low bits with 0, is enough. The
** offset is arithmetic on the indices alone, which folds after unrolling. A bad
** access is redirected to an alloca made for that.
*/
#include <string.h>

#include "devices/host/instrument/checker.h"

static LLVMValueRef away(mt_Instrumenter *w, size_t size) {
  if (w->away && size <= w->away_size) return w->away;
  LLVMValueRef first =
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
  LLVMPositionBuilderBefore(b, first);
  w->away_size = size < 64 ? 64 : size;
  w->away = LLVMBuildAlloca(b, LLVMArrayType2(w->i8, w->away_size), "away");
  LLVMSetAlignment(w->away, 16);
  LLVMDisposeBuilder(b);
  return w->away;
}

/* Is 'bad' constant false? */
static bool is_never(LLVMValueRef bad) {
  return LLVMIsAConstantInt(bad) && !LLVMConstIntGetZExtValue(bad);
}

/* Is an access of root 'r', 'offset' bytes from its start, out of bounds? */
static LLVMValueRef is_outside(mt_Instrumenter *w, const mt_Site *site,
                               const mt_Root *r, LLVMValueRef offset) {
  if (site->size > r->size) return LLVMConstInt(w->i1, 1, 0);
  LLVMValueRef last = LLVMConstInt(w->i64, r->size - site->size, 0);
  return LLVMBuildICmp(w->b, LLVMIntUGT, offset, last, "");
}

static LLVMValueRef is_crooked(mt_Instrumenter *w, const mt_Site *site,
                               LLVMValueRef offset) {
  LLVMValueRef zero = LLVMConstInt(w->i64, 0, 0);
  if (site->align < 2) return LLVMConstInt(w->i1, 0, 0);
  LLVMValueRef low = LLVMConstInt(w->i64, site->align - 1, 0);
  return LLVMBuildICmp(w->b, LLVMIntNE, LLVMBuildAnd(w->b, offset, low, ""),
                       zero, "");
}

/* Probe: the access of 'r' is misaligned if 'bad'. */
static void ask_align(mt_Instrumenter *w, mt_Site site, const mt_Root *r,
                      LLVMValueRef bad, LLVMValueRef offset) {
  if (is_never(bad)) return;
  site.write = site.kind == MT_SITE_WRITE;
  site.kind = MT_SITE_ALIGN;
  site.space = MT_SPACE_PRIVATE;
  site.part_size = (uint32_t)(r->element ? r->element : 1);
  site.width = (uint32_t)(r->size / site.part_size);
  uint32_t n = mt_site_add(w->table, site);
  if (!n) return;
  w->table->site[n].name = strdup(r->name);
  mt_instrument_if(w, n, bad, offset);
}

/* Probes for one root of an access, if 'here' (NULL: always); gives whether the
** access is bad. */
static LLVMValueRef ask_private(mt_Instrumenter *w, mt_Site site,
                                LLVMValueRef offset, LLVMValueRef here) {
  mt_Root r = w->table->root[site.root];
  LLVMValueRef outside = is_outside(w, &site, &r, offset);
  LLVMValueRef crooked = is_crooked(w, &site, offset);
  if (here) {
    outside = LLVMBuildAnd(w->b, here, outside, "");
    crooked = LLVMBuildAnd(w->b, here, crooked, "");
  }
  uint32_t n = is_never(outside) ? 0 : mt_site_add(w->table, site);
  if (n) mt_instrument_if(w, n, outside, offset);
  ask_align(w, site, &r, crooked, offset);
  return LLVMBuildOr(w->b, outside, crooked, "");
}

/* The pointer to use for a private access. */
LLVMValueRef mt_instrument_private(mt_Instrumenter *w, mt_Site site,
                                   LLVMValueRef base, LLVMValueRef p) {
  LLVMValueRef offset = mt_instrument_offset(w, p, base);
  if (!offset) {
    uint32_t n = mt_site_add(w->table, site);
    return n ? mt_instrument_access(w, n, base, p, NULL) : p;
  }
  LLVMValueRef bad = ask_private(w, site, offset, NULL);
  return is_never(bad) ? p
                       : LLVMBuildSelect(w->b, bad, away(w, site.size), p, "");
}

static LLVMValueRef address_of(mt_Instrumenter *w, LLVMValueRef p) {
  return LLVMBuildPtrToInt(w->b, p, w->i64, "");
}

/* The same for a pointer to one of several variables. */
LLVMValueRef mt_instrument_private_choices(mt_Instrumenter *w, mt_Site site,
                                           const mt_PointerChoices *ways,
                                           LLVMValueRef p) {
  LLVMValueRef bad = LLVMConstInt(w->i1, 0, 0);
  for (unsigned k = 0; k < ways->count; k++) {
    LLVMValueRef offset = LLVMBuildSub(w->b, address_of(w, p),
                                       address_of(w, ways->base[k]), "");
    site.root = ways->root[k];
    LLVMValueRef one =
        ask_private(w, site, offset, mt_instrument_is_choice(w, ways, k));
    bad = LLVMBuildOr(w->b, bad, one, "");
  }
  return LLVMBuildSelect(w->b, bad, away(w, site.size), p, "");
}

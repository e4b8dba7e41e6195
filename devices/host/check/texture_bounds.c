/*
** texture_bounds.c - reads and writes beside a texture.
**
** The one idea: the library asks itself whether a place exists (metal/__texel:
** inside), since Metal says what happens outside: a read gives 0 and a write is
** dropped. So nothing breaks, but hardly anybody means it. Where the library
** asks, a watch call is put behind, before the library is inlined, and then has
** the line of the kernel. Sampling has its address modes and does not ask.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/host/instrument/work.h"
#include "msl/texture_view.h"

/* void (i1 inside, view, x, y, z, slices, level, i1 write) */
#define TEXEL "__mt_texel"
enum { PLACE = 6, WRITE = 7, ARGS = 8 };

/* ------------------------------------------------------------- in the code */

static LLVMValueRef declare(LLVMModuleRef module) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMTypeRef i1 = LLVMInt1TypeInContext(c), i32 = LLVMInt32TypeInContext(c);
  LLVMTypeRef params[ARGS] = {i1, LLVMPointerTypeInContext(c, 0), i32, i32,
                              i32, i32, i32, i1};
  LLVMValueRef f = LLVMGetNamedFunction(module, TEXEL);
  if (f) return f;
  return LLVMAddFunction(
      module, TEXEL,
      LLVMFunctionType(LLVMVoidTypeInContext(c), params, ARGS, 0));
}

static const char *caller_of(LLVMValueRef call) {
  size_t n;
  return LLVMGetValueName2(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), &n);
}

static void add_behind(LLVMModuleRef module, LLVMValueRef call) {
  const char *caller = caller_of(call);
  bool write = strstr(caller, "8write_at") != NULL;
  if (!write && !strstr(caller, "7read_at")) return;
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMValueRef f = declare(module);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(call));
  LLVMValueRef args[ARGS] = {call};
  for (unsigned i = 0; i < PLACE; i++) args[1 + i] = LLVMGetOperand(call, i);
  args[WRITE] = LLVMConstInt(LLVMInt1TypeInContext(c), write, 0);
  LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, ARGS, "");
  LLVMDisposeBuilder(b);
}

void mt_instrument_mark_texels(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    size_t n;
    next = LLVMGetNextFunction(f);
    if (!strstr(LLVMGetValueName2(f, &n), "4__mt6inside")) continue;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef call = LLVMGetUser(u);
      if (LLVMIsACallInst(call) && LLVMGetNumArgOperands(call) == PLACE)
        add_behind(module, call);
    }
  }
}

bool mt_instrument_texel(mt_Instrumenter *w, LLVMValueRef call,
                         const char *name) {
  LLVMValueRef base, a[ARGS];
  if (strcmp(name, TEXEL)) return false;
  for (unsigned i = 0; i < ARGS; i++) a[i] = LLVMGetOperand(call, i);
  int root = mt_instrument_root(w, a[1], &base, 0);
  uint32_t site = mt_site_add(
      w->table, (mt_Site){.kind = MT_SITE_TEXEL,
                          .place = mt_instrument_place(call),
                          .root = root < 0 ? MT_ROOT_UNKNOWN : root,
                          .write = LLVMConstIntGetZExtValue(a[WRITE])});
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  if (site) {
    LLVMTypeRef params[] = {w->i32, w->i1,  w->ptr, w->i32,
                            w->i32, w->i32, w->i32, w->i32};
    LLVMValueRef f = mt_instrument_declare(
        w, MT_PROBE_TEXEL, LLVMFunctionType(w->none, params, 8, 0));
    LLVMValueRef args[] = {mt_instrument_number(w, site),
                           LLVMBuildNot(w->b, a[0], ""),
                           a[1],
                           a[2],
                           a[3],
                           a[4],
                           a[5],
                           a[6]};
    mt_instrument_call(w, f, args, 8);
  }
  LLVMInstructionEraseFromParent(call);
  return true;
}

/* ------------------------------------------------------------- at run time */

/* Whose view it is: a parameter's, or a member's of an argument buffer. */
static const mt_Region *region_of(const mt_Check *c,
                                  const mt_TextureView *view) {
  for (size_t i = 0; i < c->regions; i++)
    if (c->region[i].start == (const char *)view) return &c->region[i];
  return NULL;
}

/* Which sides its coordinates have: x, y, and the slice or layer. */
static void sides_of(const mt_Texture *t, bool has[3]) {
  mt_TextureKind k = t->desc.kind;
  has[0] = true;
  has[1] = k != MT_TEXTURE_1D && k != MT_TEXTURE_1D_ARRAY;
  has[2] = k != MT_TEXTURE_1D && k != MT_TEXTURE_2D;
}

/* 'place' is x, y, z, how many slices there are, and the level. */
static void outside(mt_Check *c, uint32_t thread, const mt_Site *s,
                    const uint32_t place[MT_TEXEL], const mt_TextureView *view) {
  const mt_Region *r = region_of(c, view);
  mt_Finding f = {.kind = MT_FIND_OUT_OF_BOUNDS, .place = s->place,
                  .how = s->write ? MT_HOW_WRITE : MT_HOW_READ,
                  .space = MT_SPACE_TEXTURE};
  uint32_t extent[3] = {view->width, view->height, place[3]};
  bool has[3] = {true, true, true};
  if (r && r->link) {
    f.name = r->link->name;
    sides_of(r->link->arg.texture, has);
  } else if (r && r->root >= 0) {
    f.name = c->sites->root[r->root].name;
    sides_of(c->launch->args[r->root].texture, has);
  }
  for (int d = 2; d >= 0; d--) {
    f.texel[d] = place[d], f.extent[d] = has[d] ? extent[d] : 0;
    if (place[d] >= extent[d]) f.index = place[d], f.length = extent[d];
  }
  f.level = place[4] >= view->levels;
  if (f.level) f.index = place[4], f.length = view->levels;
  mt_finding_add(c, &f, thread, NULL);
}

void mt_check_texel(uint32_t sg, uint32_t mask, uint32_t site,
                    const uint32_t *places, const void *const *views) {
  mt_Check *c = mt_check_now;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t place[MT_TEXEL];
    for (int d = 0; d < MT_TEXEL; d++) place[d] = places[d * MT_LANES + lane];
    outside(c, sg * MT_LANES + lane, &c->sites->site[site], place, views[lane]);
  }
}

void mt_check_thread_texel(uint32_t sg, uint32_t mask, uint32_t site,
                           const uint32_t *place, const void *view) {
  mt_Check *c = mt_check_now;
  if (mask)
    outside(c, sg * MT_LANES + (uint32_t)__builtin_ctz(mask),
            &c->sites->site[site], place, view);
}

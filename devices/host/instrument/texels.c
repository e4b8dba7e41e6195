/*
** texels.c - probes of texels outside a texture.
**
** The one idea: probe the library's own test. Metal defines reads and writes
** outside a texture: a read gives 0, a write is dropped. So nothing breaks, but
** it is rarely intended. The library tests for it (metal/__texel: inside); a
** mark is put after the test before the library is inlined, and becomes a probe
** that has the line of the kernel. Sampling has address modes and makes no such
** test.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/host/instrument/checker.h"

/* void (i1 inside, view, x, y, z, slices, level, i1 write) */
#define TEXEL "__mt_texel"
enum { PLACE = 6, WRITE = 7, ARGS = 8 };

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
  int root = mt_instrument_root(w, a[1], &base);
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

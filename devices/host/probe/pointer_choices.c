/*
** pointer_choices.c - a pointer to one of several variables.
**
** The one idea: carry the root along with the pointer, as a number. Where a phi
** or select chooses the pointer, another one chooses the number. An access then
** branches on the number, so that each root is checked with its own bounds:
** p[32] past the end of one array is wrong even if the next array lies there.
*/
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"

#include "devices/host/probe/probe.h"

typedef struct Search {
  mt_Instrumenter *w;
  mt_PointerChoices *out;
} Search;

/* ------------------------------------------------------------------- roots */

static bool add_root(void *with, LLVMValueRef object) {
  Search *s = with;
  LLVMValueRef base;
  mt_PointerChoices *o = s->out;
  int root = LLVMIsUndef(object) ? MT_ROOT_UNKNOWN
                                 : mt_instrument_root(s->w, object, &base);
  if (root < 0) return o->rest = true;
  for (unsigned i = 0; i < o->count; i++)
    if (o->root[i] == root) return true;
  if (o->count == MT_CHOICES) return false;
  o->root[o->count] = root;
  o->base[o->count++] = base;
  return true;
}

/* Private memory is instrumented differently from shared memory; MSL does not
** let one pointer point to both. */
static bool is_mixed(const mt_Instrumenter *w, mt_PointerChoices *o) {
  unsigned own = 0;
  for (unsigned i = 0; i < o->count; i++)
    own += w->table->root[o->root[i]].kind == MT_ROOT_PRIVATE;
  o->own = own > 0;
  return own && own < o->count;
}

/* ------------------------------------------------------------------- number */

static LLVMValueRef number_of(mt_Instrumenter *w, LLVMValueRef v);

static LLVMValueRef *known(mt_Instrumenter *w, LLVMValueRef v) {
  for (size_t i = 0; i < w->numbers; i++)
    if (w->number[i].of == v) return &w->number[i].number;
  return NULL;
}

static void remember(mt_Instrumenter *w, LLVMValueRef v, LLVMValueRef number) {
  if (w->numbers == w->number_room) {
    size_t room = w->number_room ? 2 * w->number_room : 32;
    void *more = realloc(w->number, room * sizeof *w->number);
    if (!more) abort(); /* as LLVM does */
    w->number = more;
    w->number_room = room;
  }
  w->number[w->numbers].of = v;
  w->number[w->numbers++].number = number;
}

static LLVMValueRef number_of_choice(mt_Instrumenter *w, LLVMValueRef v) {
  LLVMValueRef *there = known(w, v);
  if (there) return *there;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(w->context);
  LLVMPositionBuilderBefore(b, v);
  LLVMValueRef n;
  if (LLVMIsAPHINode(v)) {
    n = LLVMBuildPhi(b, w->i32, "mt.way");
    remember(w, v, n); /* before the back edge asks for it */
    for (unsigned i = 0; i < mt_choices(v); i++) {
      LLVMValueRef x = number_of(w, mt_choice(v, i));
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
      LLVMAddIncoming(n, &x, &from, 1);
    }
  } else {
    LLVMValueRef yes = number_of(w, mt_choice(v, 0)),
                 no = number_of(w, mt_choice(v, 1));
    n = LLVMBuildSelect(b, LLVMGetOperand(v, 0), yes, no, "mt.way");
    remember(w, v, n);
  }
  LLVMDisposeBuilder(b);
  return n;
}

static LLVMValueRef number_of(mt_Instrumenter *w, LLVMValueRef v) {
  LLVMValueRef base;
  v = mt_underlying_object(v);
  if (mt_is_choice(v)) return number_of_choice(w, v);
  int root =
      LLVMIsUndef(v) ? MT_ROOT_UNKNOWN : mt_instrument_root(w, v, &base);
  return LLVMConstInt(w->i32, root < 0 ? ~0u : (unsigned)root, 0);
}

bool mt_instrument_choices(mt_Instrumenter *w, LLVMValueRef p,
                           mt_PointerChoices *out) {
  Search s = {.w = w, .out = out};
  memset(out, 0, sizeof *out);
  if (!mt_is_choice(mt_underlying_object(p))) return false;
  out->many = !mt_each_object(p, add_root, &s) ||
              (out->count && is_mixed(w, out));
  if (out->many || !out->count) return false;
  out->number = number_of(w, p);
  return true;
}

LLVMValueRef mt_instrument_is_choice(mt_Instrumenter *w,
                                     const mt_PointerChoices *ways,
                                     unsigned k) {
  LLVMValueRef root = mt_instrument_number(w, (uint32_t)ways->root[k]);
  return LLVMBuildICmp(w->b, LLVMIntEQ, ways->number, root, "");
}

/* ----------------------------------------------------------------- a choice */

/* The C API cannot split blocks, but a call can be inlined: a function that
** branches on the number. Its parameters: the number, the bases, 'args'. */
static LLVMValueRef chooser(mt_Instrumenter *w, const mt_PointerChoices *ways,
                            LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[1 + MT_CHOICES + MT_CHOICE_ARGS];
  unsigned at = 0;
  types[at++] = w->i32;
  for (unsigned k = 0; k < ways->count; k++) types[at++] = w->ptr;
  for (unsigned i = 0; i < n; i++) types[at++] = LLVMTypeOf(args[i]);
  LLVMValueRef f = LLVMAddFunction(w->module, "mt_way",
                                   LLVMFunctionType(w->ptr, types, at, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  mt_add_attribute(f, "alwaysinline", 0);
  w->choosers = true;
  return f;
}

/* The code of choice 'k', which returns the pointer to use. */
static void write_way(mt_Instrumenter *w, LLVMValueRef f,
                      const mt_PointerChoices *ways, unsigned k,
                      mt_ChoiceEmit *emit, void *state) {
  LLVMValueRef own[MT_CHOICE_ARGS] = {NULL};
  bool known_root = k < ways->count;
  unsigned first = 1 + ways->count, n = LLVMCountParams(f) - first;
  for (unsigned i = 0; i < n; i++) own[i] = LLVMGetParam(f, first + i);
  LLVMBuildRet(w->b, emit(w, state,
                          known_root ? ways->root[k] : MT_ROOT_UNKNOWN,
                          known_root ? LLVMGetParam(f, 1 + k) : NULL, own));
}

/* if (number == root 0) …; else if (number == root 1) …; else … */
static void write_chooser(mt_Instrumenter *w, LLVMValueRef f,
                          const mt_PointerChoices *ways, mt_ChoiceEmit *emit,
                          void *state) {
  mt_PointerChoices inside = *ways;
  inside.number = LLVMGetParam(f, 0);
  unsigned last = ways->rest ? ways->count : ways->count - 1;
  LLVMBasicBlockRef ask = LLVMAppendBasicBlockInContext(w->context, f, "");
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  for (unsigned k = 0; k < last; k++) {
    LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMBasicBlockRef no = LLVMAppendBasicBlockInContext(w->context, f, "");
    LLVMPositionBuilderAtEnd(w->b, ask);
    LLVMBuildCondBr(w->b, mt_instrument_is_choice(w, &inside, k), yes, no);
    LLVMPositionBuilderAtEnd(w->b, yes);
    write_way(w, f, ways, k, emit, state);
    ask = no;
  }
  LLVMPositionBuilderAtEnd(w->b, ask);
  write_way(w, f, ways, last, emit, state);
}

LLVMValueRef mt_instrument_choose(mt_Instrumenter *w, LLVMValueRef before,
                                  const mt_PointerChoices *ways,
                                  LLVMValueRef *args, unsigned n,
                                  mt_ChoiceEmit *emit, void *state) {
  LLVMValueRef f = chooser(w, ways, args, n);
  LLVMValueRef all[1 + MT_CHOICES + MT_CHOICE_ARGS];
  unsigned at = 0;
  write_chooser(w, f, ways, emit, state);
  LLVMPositionBuilderBefore(w->b, before);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(before));
  all[at++] = ways->number;
  for (unsigned k = 0; k < ways->count; k++) all[at++] = ways->base[k];
  for (unsigned i = 0; i < n; i++) all[at++] = args[i];
  return mt_instrument_call(w, f, all, at);
}

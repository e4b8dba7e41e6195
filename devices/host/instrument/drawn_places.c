/*
** drawn_places.c - writes to places that an atomic counter gave out.
**
** A thread appends to a list by out[atomic_fetch_add(count, 1)] = x: the order
** of such a list is that in which threads came. The one idea: mark what is
** computed from the old value of an atomic, through arithmetic, lanes and a
** group's memory, up to the addresses that are written.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/checker.h"

static const char *const mark = "mt.drawn";

static unsigned mark_kind(mt_Instrumenter *w) {
  return LLVMGetMDKindIDInContext(w->context, mark, 8);
}

static bool is_marked(mt_Instrumenter *w, LLVMValueRef v) {
  return LLVMIsAInstruction(v) && LLVMGetMetadata(v, mark_kind(w));
}

static bool set_mark(mt_Instrumenter *w, LLVMValueRef i) {
  if (is_marked(w, i)) return false;
  LLVMMetadataRef node = LLVMMDNodeInContext2(w->context, NULL, 0);
  LLVMSetMetadata(i, mark_kind(w), LLVMMetadataAsValue(w->context, node));
  return true;
}

static bool is_draw(LLVMValueRef i) {
  if (LLVMIsAAtomicCmpXchgInst(i)) return true;
  if (!LLVMIsAAtomicRMWInst(i)) return false;
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
  return op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpSub;
}

static bool any_marked(mt_Instrumenter *w, LLVMValueRef i) {
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
    if (is_marked(w, LLVMGetOperand(i, k))) return true;
  return false;
}

/* Variables of a thread or its group that hold what was drawn. */
typedef struct Held {
  LLVMValueRef object[64];
  size_t count;
} Held;

static bool is_held(const Held *held, LLVMValueRef p) {
  LLVMValueRef object = held->count ? mt_single_object(p) : NULL;
  for (size_t i = 0; object && i < held->count; i++)
    if (held->object[i] == object) return true;
  return false;
}

/* True: it is one more. */
static bool hold(Held *held, LLVMValueRef p) {
  LLVMValueRef object = mt_single_object(p);
  size_t room = sizeof held->object / sizeof *held->object;
  if (!object || LLVMIsAArgument(object) || is_held(held, p) ||
      held->count == room)
    return false;
  held->object[held->count++] = object;
  return true;
}

static bool is_lanes(LLVMValueRef i) {
  mt_Crosslane c;
  return LLVMIsACallInst(i) && mt_crosslane_find(mt_callee(i), &c);
}

static bool is_made_from(mt_Instrumenter *w, LLVMValueRef i,
                         const Held *held) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return is_held(held, LLVMGetOperand(i, 0));
    case LLVMCall: return is_lanes(i) && any_marked(w, i);
    case LLVMStore:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return false;
    default: return any_marked(w, i);
  }
}

/* Marks one more; true: there was one. */
static bool step(mt_Instrumenter *w, LLVMValueRef i, Held *held) {
  if (LLVMIsAStoreInst(i))
    return is_marked(w, LLVMGetOperand(i, 0)) &&
           hold(held, LLVMGetOperand(i, 1));
  return !is_marked(w, i) && is_made_from(w, i, held) && set_mark(w, i);
}

void mt_instrument_mark_drawn(mt_Instrumenter *w, LLVMValueRef *all, size_t n) {
  bool more = false;
  Held held = {.count = 0};
  for (size_t k = 0; k < n; k++)
    if (is_draw(all[k])) more |= set_mark(w, all[k]);
  while (more) {
    more = false;
    for (size_t k = 0; k < n; k++) more |= step(w, all[k], &held);
  }
}

bool mt_instrument_is_drawn(mt_Instrumenter *w, LLVMValueRef p) {
  return is_marked(w, p);
}

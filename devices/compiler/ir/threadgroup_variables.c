/*
** threadgroup_variables.c - threadgroup variables: from globals to offsets in
** the group's memory.
**
** The one idea: a global has one address, a threadgroup variable one for each
** group. So its uses must be instructions whose operand can be replaced, and
** LLVM's constant expressions (the address of tile[3] is a constant to LLVM)
** are first expanded into instructions at their uses.
*/
#include "devices/compiler/ir/threadgroup_variables.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "base/align.h"
#include "devices/compiler/ir/sections.h"

bool mt_is_threadgroup(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  return section && strcmp(section, MT_SECTION_THREADGROUP) == 0;
}

/* The offset of 'g': globals are laid out in the order of the module. With g
** NULL: the total size. */
static size_t place_of(LLVMModuleRef module, LLVMValueRef g) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  size_t at = 0;
  for (LLVMValueRef v = LLVMGetFirstGlobal(module); v;
       v = LLVMGetNextGlobal(v)) {
    if (!mt_is_threadgroup(v)) continue;
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    size_t align = LLVMGetAlignment(v);
    if (align < LLVMABIAlignmentOfType(layout, type))
      align = LLVMABIAlignmentOfType(layout, type);
    if (align < 16) align = 16;
    at = mt_align_up(at, align);
    if (v == g) return at;
    at += LLVMABISizeOfType(layout, type);
  }
  return mt_align_up(at, 16);
}

size_t mt_threadgroup_size(LLVMModuleRef module) {
  return place_of(module, NULL);
}

size_t mt_threadgroup_place(LLVMModuleRef module, LLVMValueRef global) {
  return place_of(module, global);
}

/* ---------------------------------------------------- constant expressions */

/* Expands one constant. LLVM's builder folds constant operands into a constant
** again, so 'frozen' stands for the variable meanwhile. */
typedef struct Writer {
  LLVMBuilderRef b;
  LLVMValueRef global;
  LLVMValueRef frozen;
  bool failed; /* an unknown kind of constant */
} Writer;

static LLVMValueRef written(Writer *w, LLVMValueRef c);

static LLVMValueRef write_expression(Writer *w, LLVMValueRef c,
                                     LLVMValueRef *ops, unsigned n) {
  LLVMOpcode op = LLVMGetConstOpcode(c);
  switch (op) {
    case LLVMGetElementPtr:
      return LLVMBuildInBoundsGEP2(w->b, LLVMGetGEPSourceElementType(c), ops[0],
                                   ops + 1, n - 1, "");
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
      return LLVMBuildCast(w->b, op, ops[0], LLVMTypeOf(c), "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
      return LLVMBuildBinOp(w->b, op, ops[0], ops[1], "");
    default:
      w->failed = true;
      return c;
  }
}

/* A constant vector, array or struct that holds the address: element by
** element. */
static LLVMValueRef write_parts(Writer *w, LLVMValueRef c, LLVMValueRef *ops,
                                unsigned n) {
  LLVMTypeRef type = LLVMTypeOf(c);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef all = LLVMGetPoison(type);
  for (unsigned i = 0; i < n; i++)
    all = LLVMGetTypeKind(type) == LLVMVectorTypeKind
              ? LLVMBuildInsertElement(w->b, all, ops[i],
                                       LLVMConstInt(i32, i, 0), "")
              : LLVMBuildInsertValue(w->b, all, ops[i], i, "");
  return all;
}

static bool has_parts(LLVMValueRef c) {
  return LLVMIsAConstantExpr(c) || LLVMIsAConstantVector(c) ||
         LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c);
}

static bool depends_on(LLVMValueRef c, LLVMValueRef global) {
  if (c == global) return true;
  if (!has_parts(c)) return false;
  for (int i = 0; i < LLVMGetNumOperands(c); i++)
    if (depends_on(LLVMGetOperand(c, (unsigned)i), global)) return true;
  return false;
}

/* Constant 'c', expanded into instructions if it depends on the variable. */
static LLVMValueRef written(Writer *w, LLVMValueRef c) {
  enum { MOST = 64 };
  LLVMValueRef ops[MOST];
  if (c == w->global) return w->frozen;
  if (!depends_on(c, w->global)) return c;
  int n = LLVMGetNumOperands(c);
  if (n > MOST) {
    w->failed = true;
    return c;
  }
  for (int i = 0; i < n; i++)
    ops[i] = written(w, LLVMGetOperand(c, (unsigned)i));
  return LLVMIsAConstantExpr(c) ? write_expression(w, c, ops, (unsigned)n)
                                : write_parts(w, c, ops, (unsigned)n);
}

/* Position the builder where operand i of 'user' must be computed. Of a phi,
** entries for the same block must be the same value: return the earlier
** entry's. */
static LLVMValueRef go_before(LLVMBuilderRef b, LLVMValueRef user, int i) {
  if (!LLVMIsAPHINode(user)) {
    LLVMPositionBuilderBefore(b, user);
    return NULL;
  }
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, (unsigned)i);
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
  for (int j = 0; j < i; j++)
    if (LLVMGetIncomingBlock(user, (unsigned)j) == from)
      return LLVMGetIncomingValue(user, (unsigned)j);
  return NULL;
}

static void write_operands(Writer *w, LLVMValueRef user) {
  for (int i = 0; i < LLVMGetNumOperands(user); i++) {
    LLVMValueRef c = LLVMGetOperand(user, (unsigned)i);
    if (!has_parts(c) || !depends_on(c, w->global)) continue;
    LLVMValueRef value = go_before(w->b, user, i);
    LLVMSetOperand(user, (unsigned)i, value ? value : written(w, c));
  }
}

static bool free_uses(LLVMBuilderRef b, LLVMValueRef global, LLVMValueRef f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
  LLVMValueRef frozen = LLVMBuildFreeze(b, global, "");
  Writer w = {b, global, frozen, false};
  for (LLVMBasicBlockRef block = entry; block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (i != frozen) write_operands(&w, i);
  LLVMReplaceAllUsesWith(frozen, global);
  LLVMInstructionEraseFromParent(frozen);
  return !w.failed;
}

/* ------------------------------------------------------ tables of addresses */

static bool is_in(LLVMValueRef instruction, LLVMValueRef function) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(instruction);
  return LLVMGetBasicBlockParent(b) == function;
}

static void bind_one(LLVMValueRef g, LLVMValueRef function, LLVMValueRef where);

static bool holds_address(LLVMModuleRef module, LLVMValueRef value) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (mt_is_threadgroup(g) && depends_on(value, g)) return true;
  return false;
}

/* threadgroup float *both[] = {a, b}: Clang emits the table as a constant
** global, but its addresses differ by group, so each thread gets a copy. */
static bool own_list(LLVMBuilderRef b, LLVMValueRef list, LLVMValueRef f) {
  if (!free_uses(b, list, f)) return false;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
  LLVMValueRef own =
      LLVMBuildAlloca(b, LLVMGlobalGetValueType(list), "mt.list");
  LLVMSetAlignment(own, 16);
  LLVMBuildStore(b, LLVMGetInitializer(list), own);
  bind_one(list, f, own);
  LLVMSetInitializer(list, LLVMConstNull(LLVMGlobalGetValueType(list)));
  return true;
}

static bool own_lists(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef f) {
  bool good = true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
    if (!mt_is_threadgroup(g) && LLVMGetInitializer(g) && LLVMGetFirstUse(g) &&
        holds_address(m, LLVMGetInitializer(g)))
      good &= own_list(b, g, f);
  return good;
}

mt_Status mt_threadgroup_lists(LLVMValueRef function, mt_Error *err) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool good = own_lists(b, module, function);
  LLVMDisposeBuilder(b);
  return good ? MT_OK
              : mt_error(err, MT_FAIL,
                         "a list of threadgroup variables is used "
                         "in a way the host device cannot follow");
}

mt_Status mt_threadgroup_free_uses(LLVMValueRef function, mt_Error *err) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  mt_Status status = MT_OK;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && status == MT_OK;
       g = LLVMGetNextGlobal(g))
    if (mt_is_threadgroup(g) && !free_uses(b, g, function)) {
      size_t length;
      status = mt_error(err, MT_FAIL,
                        "the address of threadgroup variable '%s' is used in "
                        "a way the host device cannot follow",
                        LLVMGetValueName2(g, &length));
    }
  LLVMDisposeBuilder(b);
  return status;
}

/* -------------------------------------------------------------------- bind */

static void bind_one(LLVMValueRef g, LLVMValueRef function,
                     LLVMValueRef where) {
  LLVMUseRef next;
  for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = next) {
    next = LLVMGetNextUse(u);
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAInstruction(user) || !is_in(user, function)) continue;
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == g)
        LLVMSetOperand(user, (unsigned)i, where);
    next = LLVMGetFirstUse(g); /* the use list has changed: restart */
    while (next && (!LLVMIsAInstruction(LLVMGetUser(next)) ||
                    !is_in(LLVMGetUser(next), function)))
      next = LLVMGetNextUse(next);
  }
}

void mt_threadgroup_bind(LLVMValueRef function, LLVMValueRef base,
                         LLVMValueRef before) {
  LLVMModuleRef m = LLVMGetGlobalParent(function);
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMValueRef last = LLVMGetPreviousInstruction(before);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(before);
  mt_threadgroup_free_uses(function, NULL); /* inlining has folded them again */
  /* before the uses that this has made, too */
  LLVMPositionBuilderBefore(b, last ? LLVMGetNextInstruction(last)
                                    : LLVMGetFirstInstruction(block));
  LLVMTypeRef i8 = LLVMInt8TypeInContext(c), i64 = LLVMInt64TypeInContext(c);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    if (!mt_is_threadgroup(g) || !LLVMGetFirstUse(g)) continue;
    LLVMValueRef at = LLVMConstInt(i64, place_of(m, g), 0);
    bind_one(g, function, LLVMBuildInBoundsGEP2(b, i8, base, &at, 1, ""));
  }
  LLVMDisposeBuilder(b);
}

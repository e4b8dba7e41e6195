/*
** global_initialisers.c - program-scope constants with a dynamic initialiser.
**
** Clang calls the initialisers of all variables from one function. Listed one
** by one, those that depend on nothing unknown can be evaluated while others
** wait for the values of function constants. LLVM's evaluator (globalopt)
** follows calls and branches, but neither loops nor memcpy; so everything is
** inlined, local variables are promoted to registers and loops unrolled first.
** All other functions are excluded from these passes.
*/
#include "msl/passes/global_initialisers.h"

#include <stdlib.h>
#include <string.h>

#include "msl/passes/passes.h"

#define LIST "llvm.global_ctors"
#define FUNCTION_CONSTANT ".msl.constant."

static const char SIMPLIFY[] =
    "always-inline,function(sroa<modify-cfg>,early-cse,simplifycfg,instcombine<"
    "no-verify-fixpoint>,"
    "loop(loop-rotate),loop(indvars,loop-unroll-full),sroa<modify-cfg>,sccp,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

static bool starts(LLVMValueRef v, const char *prefix) {
  size_t n;
  return strncmp(LLVMGetValueName2(v, &n), prefix, strlen(prefix)) == 0;
}

bool mt_global_initialisers_any(LLVMModuleRef module) {
  return LLVMGetNamedGlobal(module, LIST) != NULL;
}

static const char *section_of(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  return section ? section : "";
}

static bool is_function_constant(LLVMValueRef g) {
  return strncmp(section_of(g), FUNCTION_CONSTANT, strlen(FUNCTION_CONSTANT)) ==
         0;
}

/* A program-scope constant that has no value yet. */
static bool is_open(LLVMValueRef g) {
  return !LLVMIsGlobalConstant(g) && !LLVMIsDeclaration(g) &&
         section_of(g)[0] == '\0' && !starts(g, "llvm.");
}

/* ----------------------------------------------------------------- the list */

static void add_calls(LLVMValueRef f, mt_Functions *out) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef g =
          LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
      if (g && !LLVMIsDeclaration(g)) mt_functions_add(out, g);
    }
}

/* The functions of llvm.global_ctors in order; Clang's own function is replaced
** by the functions that it calls. */
static void read_list(LLVMModuleRef module, mt_Functions *out) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, LIST),
               all = list ? LLVMGetInitializer(list) : NULL;
  if (all == NULL || LLVMIsNull(all)) return;
  for (int i = 0; i < LLVMGetNumOperands(all); i++) {
    LLVMValueRef f =
        LLVMIsAFunction(LLVMGetOperand(LLVMGetOperand(all, (unsigned)i), 1));
    if (f && starts(f, "_GLOBAL__sub_I")) add_calls(f, out);
    else if (f) mt_functions_add(out, f);
  }
}

/* Each has its own priority: LLVM stops at the first one that it cannot
** evaluate, since later ones may depend on it. */
static void write_list(LLVMModuleRef module, LLVMValueRef *functions,
                       size_t count) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMTypeRef number = LLVMInt32TypeInContext(c),
              pointer = LLVMPointerTypeInContext(c, 0);
  LLVMTypeRef entry = LLVMStructTypeInContext(
      c, (LLVMTypeRef[]){number, pointer, pointer}, 3, false);
  LLVMValueRef *all = calloc(count + 1, sizeof *all),
               old = LLVMGetNamedGlobal(module, LIST);
  if (old) LLVMDeleteGlobal(old);
  for (size_t i = 0; all && i < count; i++) {
    LLVMValueRef parts[] = {LLVMConstInt(number, i + 1, false), functions[i],
                            LLVMConstNull(pointer)};
    all[i] = LLVMConstStructInContext(c, parts, 3, false);
  }
  if (all && count) {
    LLVMValueRef list =
        LLVMAddGlobal(module, LLVMArrayType2(entry, count), LIST);
    LLVMSetInitializer(list, LLVMConstArray2(entry, all, count));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
  }
  free(all);
}

/* --------------------------------------------------------------- evaluation */

/* 'on': keeps the passes away from functions that are not in 'but'; off: marks
** every function but kernels to be inlined again. */
static void keep_out(LLVMModuleRef module, const mt_Functions *but, bool on) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    bool out = on && !mt_functions_has(but, f),
         kernel = LLVMGetLinkage(f) != LLVMInternalLinkage;
    if (LLVMIsDeclaration(f)) continue;
    mt_pass_mark(f, "optnone", out);
    mt_pass_mark(f, "noinline", out);
    mt_pass_mark(f, "alwaysinline", !out && !kernel);
  }
}

/* Clang stores a float3 as four floats; the evaluator needs a store of the
** variable's own type. */
static void store_three(LLVMValueRef f) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef v = LLVMIsAStoreInst(i)
                           ? LLVMIsAConstant(LLVMGetOperand(i, 0))
                           : NULL,
                   part[4] = {NULL};
      if (v == NULL || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind ||
          LLVMGetVectorSize(LLVMTypeOf(v)) != 4)
        continue;
      for (unsigned k = 0; k < 4; k++) part[k] = LLVMGetAggregateElement(v, k);
      if (part[3] == NULL || !LLVMIsUndef(part[3]) || part[0] == NULL) continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMBuildStore(builder, LLVMConstVector(part, 3), LLVMGetOperand(i, 1));
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(builder);
}

/* Evaluate these functions in order; returns the first that could not be, or
** NULL. It and those after it stay in llvm.global_ctors. */
static LLVMValueRef evaluate(LLVMModuleRef module, LLVMValueRef *functions,
                             size_t count) {
  mt_Functions reached = {0}, left = {0};
  write_list(module, functions, count);
  for (size_t i = 0; i < count; i++) mt_functions_reach(functions[i], &reached);
  keep_out(module, &reached, true);
  if (count) mt_pass_run(module, SIMPLIFY);
  for (size_t i = 0; i < count; i++) store_three(functions[i]);
  if (count) mt_pass_run(module, "globalopt");
  keep_out(module, &reached, false);
  read_list(module, &left);
  LLVMValueRef first = left.count ? left.items[0] : NULL;
  mt_functions_free(&reached);
  mt_functions_free(&left);
  return first;
}

/* ------------------------------------------------------------------- early */

typedef bool Test(LLVMValueRef global, void *context);

/* A global among 'v' and its operands for which 'test' is true; or NULL. */
static LLVMValueRef find_operand(LLVMValueRef v, Test *test, void *context) {
  LLVMValueRef g = LLVMIsAGlobalVariable(v);
  if (g) return test(g, context) ? g : NULL;
  for (int k = 0; LLVMIsAConstantExpr(v) && k < LLVMGetNumOperands(v); k++)
    if ((g = find_operand(LLVMGetOperand(v, (unsigned)k), test, context)) !=
        NULL)
      return g;
  return NULL;
}

/* The same in 'function' and the functions reachable from it. */
static LLVMValueRef find_global(LLVMValueRef function, Test *test,
                                void *context) {
  mt_Functions reached = {0};
  LLVMValueRef found = NULL;
  mt_functions_reach(function, &reached);
  for (size_t f = 0; f < reached.count; f++)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(reached.items[f]);
         b && !found; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !found;
           i = LLVMGetNextInstruction(i))
        for (int k = 0; k < LLVMGetNumOperands(i) && !found; k++)
          found = find_operand(LLVMGetOperand(i, (unsigned)k), test, context);
  mt_functions_free(&reached);
  return found;
}

static bool waits(LLVMValueRef g, void *context) {
  return is_function_constant(g) || mt_functions_has(context, g);
}

static bool note_open(LLVMValueRef g, void *context) {
  /* used as a set of any values */
  if (is_open(g)) mt_functions_add(context, g);
  return false;
}

void mt_global_initialisers_early(
    LLVMModuleRef module,
    void (*refuse)(LLVMValueRef function, void *context), void *context) {
  mt_Functions all = {0}, waiting = {0}, ready = {0}, later = {0};
  read_list(module, &all);
  for (size_t i = 0; i < all.count; i++) {
    bool wait = find_global(all.items[i], waits, &waiting) != NULL;
    /* so that readers wait too */
    if (wait) find_global(all.items[i], note_open, &waiting);
    mt_functions_add(wait ? &later : &ready, all.items[i]);
  }
  /* the rest is appended, or it would be deleted as unused */
  size_t ends = ready.count;
  for (size_t i = 0; i < later.count; i++)
    mt_functions_add(&ready, later.items[i]);
  for (size_t from = 0; from < ends;) {
    LLVMValueRef bad = evaluate(module, ready.items + from, ready.count - from);
    size_t at = bad ? mt_functions_index(&ready, bad) : ends;
    if (at < ends) refuse(bad, context);
    from = at + 1;
  }
  mt_functions_free(&all);
  mt_functions_free(&waiting);
  mt_functions_free(&ready);
  mt_functions_free(&later);
}

/* -------------------------------------------------------------------- late */

static bool is_constant(LLVMValueRef g, void *context) {
  (void)context;
  return is_function_constant(g);
}

/* A variable that cannot be computed is treated like the function constant that
** it needs: without a value. Only the variables that 'function' writes are
** still open. */
static void give_up(LLVMValueRef function) {
  mt_Functions open = {0};
  LLVMValueRef constant = find_global(function, is_constant, NULL);
  find_global(function, note_open, &open);
  for (size_t i = 0; i < open.count; i++) {
    LLVMValueRef g = open.items[i];
    LLVMSetInitializer(g, NULL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetSection(
        g, constant ? LLVMGetSection(constant) : FUNCTION_CONSTANT "65535");
  }
  mt_functions_free(&open);
}

void mt_global_initialisers_late(LLVMModuleRef module) {
  mt_Functions all = {0};
  read_list(module, &all);
  for (size_t from = 0; from < all.count;) {
    LLVMValueRef bad = evaluate(module, all.items + from, all.count - from);
    if (bad) give_up(bad);
    from = bad ? mt_functions_index(&all, bad) + 1 : all.count;
  }
  write_list(module, NULL, 0);
  mt_functions_free(&all);
}

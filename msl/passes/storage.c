/*
** storage.c - moves variables that the reader annotated into their
** storage.
**
** The one idea: an annotation "space|threadgroup|…" (reader/storage.c) is on
** the alloca that Clang made of the declarator. A variable that is not a
** pointer is in the address space itself, and becomes a global in the section
** of threadgroup variables; every thread executes the store of its initialiser.
** A constant becomes a global with the value that its initialiser stores. A
** variable that cannot be placed is an error.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msl/passes/passes.h"
#include "msl/types.h"

#define SECTION ".msl.threadgroup"

typedef struct Mark { /* "space|threadgroup|own|123", parsed */
  char space[32];
  bool own;      /* pointers are in the space too */
  unsigned bare; /* number of declarators in the space; 0: unknown */
  uint32_t at;   /* offset in the reader's text */
} Mark;

static const char *value_name(LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2(v, &n);
}

static bool read_mark(LLVMValueRef text, Mark *out) {
  LLVMValueRef g = LLVMIsAGlobalVariable(text),
               init = g ? LLVMGetInitializer(g) : NULL;
  char which[16];
  size_t n;
  if (init == NULL || !LLVMIsConstantString(init)) return false;
  if (sscanf(LLVMGetAsString(init, &n), "space|%31[^|]|%15[^|]|%u", out->space,
             which, &out->at) != 3)
    return false;
  out->own = strcmp(which, "own") == 0;
  out->bare = out->own ? 0 : (unsigned)strtoul(which, NULL, 10);
  return true;
}

/* A pointer or a reference, or an array of them. */
static bool is_pointer(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static void refuse(mt_MslModule *m, const Mark *mark, const char *message,
                   const char *help) {
  mt_diagnose(m, MT_ERROR_SEVERITY, mt_map_offset(m, mark->at), message, help);
}

static void refuse_variable(mt_MslModule *m, const Mark *mark) {
  refuse(m, mark,
         mt_scrap_text(
             m, "a variable in a function cannot be in the %s address space",
             mark->space),
         "Leave the word out for a thread's own variable; device memory comes "
         "in as a parameter.");
}

/* ---------------------------------------------------------------- variables */

/* Globals have no lifetime markers. */
static void forget_lifetime(LLVMValueRef variable) {
  for (LLVMUseRef u = LLVMGetFirstUse(variable), next; u; u = next) {
    next = LLVMGetNextUse(u);
    LLVMValueRef call = LLVMIsACallInst(LLVMGetUser(u)),
                 f = call ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
    if (f && strncmp(value_name(f), "llvm.lifetime.", 14) == 0)
      LLVMInstructionEraseFromParent(call);
  }
}

/* The mangled name of a function's static variable, from which messages take
** the name as written. */
static const char *static_name(mt_MslModule *m, LLVMValueRef variable) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable));
  const char *name = value_name(variable), *outer = value_name(f);
  return mt_scrap_text(m, "_ZZ%sE%zu%s",
                       strncmp(outer, "_Z", 2) == 0 ? outer + 2 : outer,
                       strlen(name), name);
}

static void share(mt_MslModule *m, LLVMModuleRef module,
                  LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  LLVMValueRef g = LLVMAddGlobal(module, type, static_name(m, variable));
  LLVMSetInitializer(g, LLVMConstNull(type));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, SECTION);
  LLVMSetAlignment(g, LLVMGetAlignment(variable));
  forget_lifetime(variable);
  LLVMReplaceAllUsesWith(variable, g);
  LLVMInstructionEraseFromParent(variable);
}

/* The constant that instruction 'user' stores into all of 'variable';
** NULL: it is not such a store. */
static LLVMValueRef stored_constant(LLVMValueRef user, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  LLVMValueRef call = LLVMIsACallInst(user),
               f = call ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  LLVMValueRef value = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 0)
                       : f                    ? LLVMGetOperand(call, 1)
                                              : NULL;
  if (LLVMIsAStoreInst(user))
    return LLVMIsConstant(value) && LLVMTypeOf(value) == type ? value : NULL;
  if (f == NULL || LLVMGetOperand(call, 0) != variable) return NULL;
  if (strncmp(value_name(f), "llvm.memset.", 12) == 0)
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0
               ? LLVMConstNull(type)
               : NULL;
  LLVMValueRef from = strncmp(value_name(f), "llvm.memcpy.", 12) == 0
                          ? LLVMIsAGlobalVariable(value)
                          : NULL;
  bool whole = from && LLVMIsGlobalConstant(from) &&
               LLVMGlobalGetValueType(from) == type;
  return whole ? LLVMGetInitializer(from) : NULL;
}

/* constant float *p = x, c = 2; where 'variable' is c, initialised by a single
** store of a constant. */
static void make_constant(mt_MslModule *m, LLVMModuleRef module,
                          LLVMValueRef variable, const Mark *mark) {
  LLVMValueRef value = NULL, by = NULL;
  forget_lifetime(variable);
  for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u),
                 stored = stored_constant(user, variable);
    if (stored) value = by ? NULL : stored, by = user;
  }
  if (value == NULL) {
    refuse(m, mark, "a constant must be initialized by a constant expression",
           "Leave constant out for a value that each thread computes.");
    return;
  }
  LLVMValueRef g =
      LLVMAddGlobal(module, LLVMTypeOf(value), static_name(m, variable));
  LLVMSetInitializer(g, value);
  LLVMSetGlobalConstant(g, true);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetAlignment(g, LLVMGetAlignment(variable));
  LLVMInstructionEraseFromParent(by);
  LLVMReplaceAllUsesWith(variable, g);
  LLVMInstructionEraseFromParent(variable);
}

/* Places the annotated 'variable'; true: it is in the address space. */
static bool place(mt_MslModule *m, LLVMModuleRef module, LLVMValueRef variable,
                  const Mark *mark) {
  LLVMValueRef local = LLVMIsAAllocaInst(variable);
  if (local && !mark->own && is_pointer(LLVMGetAllocatedType(local)))
    return false;
  const char *name = value_name(variable);
  size_t n = strlen(name);
  bool parameter = local && n > 5 && strcmp(name + n - 5, ".addr") == 0;
  if (parameter)
    refuse(
        m, mark,
        mt_scrap_text(m, "parameter '%.*s' cannot be in the %s address space",
                      (int)n - 5, name, mark->space),
        "Leave the word out: it says where the pointer itself lies.");
  else if (local && strcmp(mark->space, "constant") == 0)
    make_constant(m, module, local, mark);
  else if (strcmp(mark->space, "threadgroup") != 0)
    refuse_variable(m, mark);
  else if (local && LLVMIsConstant(LLVMGetOperand(local, 0)))
    share(m, module, local);
  else
    refuse(m, mark, "this threadgroup variable cannot be placed",
           "Declare it on a line of its own, as threadgroup T name[N];");
  return true;
}

typedef struct Group { /* the variables of one declaration */
  LLVMValueRef text;
  Mark mark;
  unsigned found;
} Group;

static void end_group(mt_MslModule *m, const Group *g) {
  if (g->text && g->mark.bare && g->found != g->mark.bare)
    refuse(m, &g->mark,
           mt_scrap_text(m,
                         "it cannot be told which of these variables are in "
                         "the %s address space",
                         g->mark.space),
           "Declare each on a line of its own.");
}

static void place_all(mt_MslModule *m, LLVMModuleRef module, LLVMValueRef f) {
  Group group = {.text = NULL};
  Mark mark;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef callee =
          LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
      if (callee == NULL ||
          strncmp(value_name(callee), "llvm.var.annotation", 19) != 0)
        continue;
      LLVMValueRef text = LLVMGetOperand(i, 1), variable = LLVMGetOperand(i, 0);
      if (!read_mark(text, &mark)) continue;
      if (text != group.text) {
        end_group(m, &group);
        group = (Group){text, mark, 0};
      }
      group.found += place(m, module, variable, &mark);
      next = LLVMGetNextInstruction(i); /* the previous 'next' may be erased */
      LLVMInstructionEraseFromParent(i);
    }
  end_group(m, &group);
}

/* ------------------------------------------------------------------ statics */

static bool is_shared(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  return section && strcmp(section, SECTION) == 0;
}

/* Replaces loads of 'v' by 'value' and removes stores into it. */
static void fold(LLVMValueRef v, LLVMValueRef value) {
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    next = LLVMGetNextUse(u);
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user)) LLVMReplaceAllUsesWith(user, value);
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user))
      LLVMInstructionEraseFromParent(user);
  }
}

static LLVMValueRef first_user(LLVMValueRef v) {
  LLVMUseRef u = LLVMGetFirstUse(v);
  return u ? LLVMIsAInstruction(LLVMGetUser(u)) : NULL;
}

/* C++ runs the constructor of a static once, under a guard variable. A
** threadgroup variable is constructed by every thread, so its guard is folded
** away; a constant with a guard has no constant initialiser and is an error. */
static void open_guards(mt_MslModule *m, LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
       g = LLVMGetNextGlobal(g)) {
    if (strncmp(value_name(g), "_ZGV", 4) != 0 ||
        LLVMGetTypeKind(LLVMGlobalGetValueType(g)) != LLVMIntegerTypeKind)
      continue;
    LLVMValueRef guarded = LLVMGetNamedGlobal(
                     module, mt_scrap_text(m, "_Z%s", value_name(g) + 4)),
                 at = first_user(g);
    if (guarded && is_shared(guarded))
      fold(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
    else if (at)
      mt_diagnose(m, MT_ERROR_SEVERITY, mt_pass_place(m, at),
                  "a constant must be initialized by a constant expression",
                  "Leave constant and static out for a value that each thread "
                  "computes.");
  }
}

/* static int n; in a function, and int n; at program scope where the reader did
** not recognise the declaration. */
static void refuse_mutable(mt_MslModule *m, mt_TypeReader *types,
                           LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
       g = LLVMGetNextGlobal(g)) {
    mt_Place where;
    const char *section = LLVMGetSection(g), *name;
    if (LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g) ||
        (section && section[0]))
      continue;
    if (!mt_types_is_mutable(types, g, &name, &where)) continue;
    mt_diagnose(m, MT_ERROR_SEVERITY, where,
                mt_scrap_text(m,
                              "variable '%s' outlives its thread and must "
                              "reside in constant address space",
                              name),
                "Write constant before it, or leave static out for a variable "
                "of each thread; threadgroup memory is declared in a kernel.");
  }
}

void mt_pass_storage(mt_MslModule *m, mt_TypeReader *types,
                     LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    place_all(m, module, f);
  open_guards(m, module);
  refuse_mutable(m, types, module);
}

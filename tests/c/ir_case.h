/*
** ir_case.h - a text of LLVM IR as a module, for suites of functions that ask
** about one.
*/
#ifndef MT_TESTS_C_IR_CASE_H
#define MT_TESTS_C_IR_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

/* The caller's, to dispose of; the case fails where the text is wrong. */
static inline LLVMModuleRef ir_parse(LLVMContextRef context, const char *text) {
  LLVMModuleRef m = NULL;
  char *why = NULL;
  LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      text, strlen(text), "test");
  if (LLVMParseIRInContext(context, b, &m, &why))
    fail_msg("%s in\n%s", why, text);
  return m;
}

/* The first function with a body. */
static inline LLVMValueRef ir_function(LLVMModuleRef m) {
  LLVMValueRef f = LLVMGetFirstFunction(m);
  while (LLVMIsDeclaration(f)) f = LLVMGetNextFunction(f);
  return f;
}

/* The instruction of that function with this name; the case fails if there is
** none. */
static inline LLVMValueRef ir_named(LLVMModuleRef m, const char *name) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ir_function(m)); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v;
         v = LLVMGetNextInstruction(v)) {
      size_t n;
      if (strcmp(LLVMGetValueName2(v, &n), name) == 0) return v;
    }
  fail_msg("no %%%s", name);
  return NULL;
}

#endif

/*
** unit.c - a text of LLVM IR as a module with a kernel, see unit.h.
*/
#include "devices/opt/unit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- names */

void mt_opt_add_block(mt_Str *out, LLVMBasicBlockRef b) {
  const char *name = LLVMGetBasicBlockName(b);
  LLVMValueRef f = LLVMGetBasicBlockParent(b);
  int number = 0;
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k != b;
       k = LLVMGetNextBasicBlock(k))
    number++;
  if (*name) mt_str_addf(out, "%%%s", name);
  else mt_str_addf(out, "block %d", number);
}

/* Of "  %3 = add i32 %1, 2" the name; of "store i32 0, ptr %p" all of it; of
** "i32 7" or "ptr @g" what follows the type. */
static void add_printed(mt_Str *out, LLVMValueRef v) {
  char *text = LLVMPrintValueToString(v), *from = text + strspn(text, " ");
  const char *end = LLVMIsAInstruction(v) ? strstr(from, " = ") : NULL;
  size_t n = end ? (size_t)(end - from) : strcspn(from, "\n");
  if (!LLVMIsAInstruction(v) && !LLVMIsAConstantExpr(v)) {
    const char *last = strrchr(from, ' ');
    if (last && *from != '<' && *from != '{' && *from != '[')
      from = (char *)last + 1, n = strlen(from);
  }
  mt_str_add_bytes(out, from, n);
  LLVMDisposeMessage(text);
}

void mt_opt_add_value(mt_Str *out, LLVMValueRef v) {
  size_t n = 0;
  const char *name = v ? LLVMGetValueName2(v, &n) : "none";
  if (!v) mt_str_add(out, name);
  else if (n) mt_str_addf(out, "%s%s", LLVMIsAGlobalValue(v) ? "@" : "%", name);
  else add_printed(out, v);
}

/* -------------------------------------------------------------- the kernel */

static bool has(LLVMValueRef f, unsigned i, const char *attribute) {
  return LLVMGetStringAttributeAtIndex(f, i + 1, attribute,
                                       (unsigned)strlen(attribute)) != NULL;
}

/* The format of a texture, if its attribute says one. */
static void read_format(mt_OptUnit *u, LLVMValueRef f, unsigned i) {
  LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, i + 1, "texture", 7);
  unsigned n = 0;
  const char *text = a ? LLVMGetStringAttributeValue(a, &n) : "";
  if (n && i < MT_FORMAT_PARAMS)
    u->facts.of[i] = (uint8_t)(strtoul(text, NULL, 10) + 1);
}

static void read_pointer(LLVMValueRef f, unsigned i, mt_Param *p) {
  p->kind = has(f, i, "threadgroup") ? MT_PARAM_THREADGROUP
            : has(f, i, "texture")   ? MT_PARAM_TEXTURE
                                     : MT_PARAM_BUFFER;
  p->constant = has(f, i, "constant");
  p->access = p->constant ? MT_READ : MT_READ_WRITE;
}

static void read_parameter(mt_OptUnit *u, LLVMValueRef f, unsigned i) {
  size_t n;
  mt_Param *p = &u->params[i];
  LLVMValueRef v = LLVMGetParam(f, i);
  snprintf(u->param_name[i], sizeof u->param_name[i], "%s",
           LLVMGetValueName2(v, &n));
  *p = (mt_Param){.name = u->param_name[i],
                  .kind = MT_PARAM_BUILTIN,
                  .index = i,
                  .used = true,
                  .array_count = 1,
                  .type = mt_type_named("uint")};
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
    read_pointer(f, i, p);
  else p->builtin = p->name;
}

static bool is_kernel(const mt_OptUnit *u, LLVMValueRef f) {
  size_t n;
  if (LLVMIsDeclaration(f)) return false;
  return u->kernel.function
             ? strcmp(LLVMGetValueName2(f, &n), u->kernel.function) == 0
             : LLVMGetLinkage(f) == LLVMExternalLinkage;
}

static mt_Status find_kernel(mt_OptUnit *u, mt_Error *err) {
  LLVMValueRef f = LLVMGetFirstFunction(u->module);
  while (f && !is_kernel(u, f)) f = LLVMGetNextFunction(f);
  if (f) {
    u->function = f;
    return MT_OK;
  }
  return u->kernel.function
             ? mt_error(err, MT_BADARG, "%s: there is no function '%s' with a "
                        "body", u->request->name, u->kernel.function)
             : mt_error(err, MT_BADARG, "%s: there is no function with a body "
                        "that is not internal, which could be the kernel",
                        u->request->name);
}

mt_Status mt_opt_follow_kernel(mt_OptUnit *u, mt_Error *err) {
  LLVMValueRef f = LLVMGetFirstFunction(u->module);
  if (find_kernel(u, err) == MT_OK) return MT_OK;
  while (f && LLVMIsDeclaration(f)) f = LLVMGetNextFunction(f);
  u->function = f;
  return f ? MT_OK : MT_BADARG;
}

static mt_Status read_kernel(mt_OptUnit *u, mt_Error *err) {
  u->kernel.function = u->request->kernel;
  mt_Status status = find_kernel(u, err);
  if (status != MT_OK) return status;
  size_t n;
  unsigned count = LLVMCountParams(u->function);
  if (count > MT_OPT_PARAMS)
    return mt_error(err, MT_BADARG, "%s: the kernel has more than %d "
                    "parameters", u->request->name, MT_OPT_PARAMS);
  for (unsigned i = 0; i < count; i++)
    read_parameter(u, u->function, i),
        read_format(u, u->function, i);
  snprintf(u->name, sizeof u->name, "%s",
           LLVMGetValueName2(u->function, &n));
  u->kernel = (mt_MslKernel){.name = u->name,
                             .function = u->name,
                             .params = u->params,
                             .param_count = count};
  return MT_OK;
}

/* ---------------------------------------------------------------- the text */

/* LLVM's message may have several lines, with the text and a caret. */
static void first_line(char *text) { text[strcspn(text, "\n")] = '\0'; }

/* Without a handler LLVM prints to the console, and exits on errors. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)info, (void)context;
}

static mt_Status parse(mt_OptUnit *u, mt_Error *err) {
  char *said = NULL;
  LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      u->request->text, u->request->size, u->request->name);
  u->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(u->context, on_diagnostic, NULL);
  if (!LLVMParseIRInContext(u->context, text, &u->module, &said)) return MT_OK;
  u->module = NULL;
  if (said) first_line(said);
  mt_error(err, MT_BADARG, "%s",
           said && *said ? said : "this is no text or bitcode of LLVM's IR");
  LLVMDisposeMessage(said);
  return MT_BADARG;
}

static mt_Status verify(const mt_OptUnit *u, mt_Error *err) {
  char *said = NULL;
  mt_Status status = MT_OK;
  if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &said)) {
    first_line(said);
    status = mt_error(err, MT_BADARG, "%s: LLVM's verifier refuses this: %s",
                      u->request->name, said);
  }
  LLVMDisposeMessage(said);
  return status;
}

mt_Status mt_opt_unit_open(mt_OptUnit *u, const mt_OptRequest *request,
                           mt_Str *out, mt_Error *err) {
  *u = (mt_OptUnit){.request = request, .out = out};
  u->target = request->target ? mt_target_named(request->target, err)
                              : mt_target_host(err);
  mt_Status status = u->target ? parse(u, err) : MT_FAIL;
  if (status == MT_OK) status = verify(u, err);
  return status == MT_OK ? read_kernel(u, err) : status;
}

void mt_opt_unit_close(mt_OptUnit *u) {
  mt_opt_forget_vectors(u);
  if (u->module) LLVMDisposeModule(u->module);
  if (u->context) LLVMContextDispose(u->context);
}

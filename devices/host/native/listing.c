/*
** listing.c - listings of generated code, see listing.h.
**
** Both listings are LLVM's text without what only LLVM or an assembler needs.
** Where the source line changes, a comment with that line is inserted.
*/
#include "base/str.h"
#include "devices/host/native/listing.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/native/native.h"

/* "; 12: c[i] = a[i] + b[i];" */
static void add_line(mt_Str *out, const char *comment, const char *source,
                     unsigned line) {
  const char *p = source;
  for (unsigned i = 1; i < line && p; i++)
    if ((p = strchr(p, '\n')) != NULL) p++;
  if (!p) return;
  p += strspn(p, " \t");
  mt_str_addf(out, "%s %u: %.*s\n", comment, line, (int)strcspn(p, "\n"), p);
}

/* ---------------------------------------------------------------------- IR */

/* The instruction after 'i', in this block or the next. */
static LLVMValueRef after(LLVMValueRef i) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
  for (i = LLVMGetNextInstruction(i); !i && (b = LLVMGetNextBasicBlock(b));)
    i = LLVMGetFirstInstruction(b);
  return i;
}

/* An instruction is indented by two spaces, its continuation lines by more. */
static bool begins_instruction(const char *p) {
  return mt_starts(p, "  ") && p[2] != ' ' && p[2] != ']';
}

/* LLVM renumbers a function's values for each print, so the function is printed
** once, and its text lines are matched with its instructions. */
static void list_function(LLVMValueRef f, const char *source, mt_Str *out) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
  char *text = LLVMPrintValueToString(f);
  unsigned line = 0;
  size_t n;
  mt_str_addf(out, "define void @%s(ptr) {\n", LLVMGetValueName2(f, &n));
  const char *body = strstr(text, "{\n");
  for (const char *p = body ? body + 2 : "", *next; *p; p = next) {
    size_t length = strcspn(p, "\n");
    next = p + length + (p[length] == '\n');
    if (length == 0 || mt_starts(p + strspn(p, " "), "#dbg_")) continue;
    if (begins_instruction(p) && i) {
      unsigned here = LLVMGetDebugLocLine(i);
      if (here && here != line) add_line(out, "  ;", source, line = here);
      i = after(i);
    }
    const char *dbg = strstr(p, ", !dbg ");
    if (dbg && dbg < p + length) length = (size_t)(dbg - p);
    mt_str_addf(out, "%.*s\n", (int)length, p);
  }
  mt_str_add(out, "\n");
  LLVMDisposeMessage(text);
}

void mt_listing_ir(LLVMModuleRef module, const char *source, mt_Str *out) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) list_function(f, source, out);
}

/* ---------------------------------------------------------------- assembly */

/* Labels of jump targets stay; directives and labels of debug information and
** constants go. */
static bool is_noise(const char *text, size_t n) {
  static const char *const labels[] = {".Lfunc_", ".Ltmp", ".Ldebug", ".Linfo",
                                       ".Lline", ".Lstr", ".Lsec", ".Labbrev",
                                       ".Lrnglists", ".Lloclists", "Ltmp",
                                       "Lfunc_", ".LCPI", "LCPI"};
  if (n && text[0] == '.' && !memchr(text, ':', n)) return true;
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
    if (mt_starts(text, labels[i])) return true;
  return n == 0;
}

static void list_text(const char *text, const char *source, mt_Str *out) {
  unsigned line = 0;
  for (const char *p = text, *next; *p; p = next) {
    const char *end = p + strcspn(p, "\n");
    next = *end ? end + 1 : end;
    const char *word = p + strspn(p, " \t");
    size_t n = (size_t)(end - word);
    if (mt_starts(word, ".section") && strstr(word, "debug") &&
        strstr(word, "debug") < end)
      return; /* end of the code */
    if (mt_starts(word, ".loc\t") || mt_starts(word, ".loc ")) {
      char *rest;
      strtoul(word + 5, &rest, 10);
      unsigned here = (unsigned)strtoul(rest, NULL, 10);
      if (here && here != line) add_line(out, "#", source, line = here);
      continue;
    }
    if (!is_noise(word, n))
      mt_str_addf(out, "%.*s\n", (int)(end - p), p);
  }
}

mt_Status mt_listing_asm(mt_Target *t, LLVMModuleRef module, bool quick,
                         const char *source, mt_Str *out, mt_Error *err) {
  mt_Str text = MT_STR_INIT;
  mt_Status status = mt_emit(t, module, quick, true, &text, NULL, err);
  if (status == MT_OK) list_text(mt_str_text(&text), source, out);
  mt_str_free(&text);
  return status;
}

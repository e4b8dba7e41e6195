/*
** record_variables.c - the variables of the source, and the calls they are in.
**
** The one idea: debug information declares each variable of the source at its
** alloca, with its name, type and scope; inlined code says in its places where
** it was called. LLVM's C interface reads declarations from version 22 on:
** before, a variable is known by its alloca's name alone, and has no type.
*/
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/record_work.h"
#include "msl/debug_types.h"

enum { DEEP = 256 };

/* ------------------------------------------------------------------- scopes */

/* Operand 'k' of a node; NULL: it has none. */
static LLVMMetadataRef operand(LLVMContextRef context, LLVMMetadataRef node,
                               unsigned k) {
  LLVMValueRef v = LLVMMetadataAsValue(context, node);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  LLVMValueRef *all = calloc(n + 1, sizeof *all);
  if (!all) return NULL;
  LLVMGetMDNodeOperands(v, all);
  LLVMMetadataRef found = k < n && all[k] ? LLVMValueAsMetadata(all[k]) : NULL;
  free(all);
  return found;
}

static bool is_function(LLVMMetadataRef scope) {
  return LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
}

/* The scope around a block: its operands are file and scope. */
static LLVMMetadataRef around(LLVMContextRef context, LLVMMetadataRef scope) {
  return scope && !is_function(scope) ? operand(context, scope, 1) : NULL;
}

/* The name of the function that a place is in. */
static void name_function(LLVMContextRef context, LLVMMetadataRef scope,
                          char *out, size_t size) {
  unsigned n = 0;
  for (int i = 0; i < DEEP && scope && !is_function(scope); i++)
    scope = around(context, scope);
  LLVMMetadataRef word = scope ? operand(context, scope, 2) : NULL;
  const char *text =
      word ? LLVMGetMDString(LLVMMetadataAsValue(context, word), &n) : NULL;
  snprintf(out, size, "%.*s", text ? (int)n : 1, text ? text : "?");
}

/* ------------------------------------------------------------------- frames */

uint32_t mt_record_frame(mt_RecordWork *r, LLVMMetadataRef place) {
  mt_SiteTable *t = r->w.table;
  if (t->frames == 0) {
    if (!mt_sites_grow(&t->frame, 0, &t->frame_room, sizeof *t->frame))
      return 0;
    memset(&t->frame[t->frames++], 0, sizeof *t->frame);
    LLVMMetadataRef own = LLVMGetSubprogram(r->w.function);
    name_function(r->w.context, own, t->frame[0].name,
                  sizeof t->frame[0].name);
  }
  LLVMMetadataRef at = place ? LLVMDILocationGetInlinedAt(place) : NULL;
  if (!at) return 0;
  for (size_t i = 1; i < t->frames; i++)
    if (t->frame[i].at == at) return (uint32_t)i;
  uint32_t parent = mt_record_frame(r, at);
  if (!mt_sites_grow(&t->frame, t->frames, &t->frame_room, sizeof *t->frame))
    return 0;
  mt_Frame *f = &t->frame[t->frames];
  memset(f, 0, sizeof *f);
  f->at = at;
  f->parent = parent;
  f->line = LLVMDILocationGetLine(at);
  name_function(r->w.context, LLVMDILocationGetScope(place), f->name,
                sizeof f->name);
  return (uint32_t)t->frames++;
}

mt_SourcePlace mt_record_call(const mt_RecordWork *r, uint32_t frame) {
  const mt_Frame *f = &r->w.table->frame[frame];
  LLVMMetadataRef at = (LLVMMetadataRef)(uintptr_t)f->at;
  LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
  unsigned n = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &n) : NULL;
  return (mt_SourcePlace){.line = f->line,
                          .column = LLVMDILocationGetColumn(at),
                          .file = name ? mt_site_file(name, n) : NULL};
}

/* ---------------------------------------------------------------- variables */

static mt_Variable *add_variable(mt_SiteTable *t, LLVMValueRef of,
                                 const char *name, size_t length) {
  if (t->variables >= 0xffff ||
      !mt_sites_grow(&t->variable, t->variables, &t->variable_room,
                     sizeof *t->variable))
    return NULL;
  mt_Variable *v = &t->variable[t->variables++];
  memset(v, 0, sizeof *v);
  v->of = of;
  snprintf(v->name, sizeof v->name, "%.*s", (int)length, name);
  return v;
}

#if LLVM_VERSION_MAJOR >= 22
static void declare(mt_RecordWork *r, LLVMDbgRecordRef record) {
  LLVMContextRef c = r->w.context;
  if (LLVMDbgRecordGetKind(record) != LLVMDbgRecordDeclare) return;
  LLVMValueRef of = LLVMDbgVariableRecordGetValue(record, 0);
  LLVMMetadataRef node = LLVMDbgVariableRecordGetVariable(record);
  LLVMMetadataRef place = LLVMDbgRecordGetDebugLoc(record);
  if (!of || !LLVMIsAAllocaInst(of) || !node) return;
  LLVMMetadataRef word = operand(c, node, 1);
  unsigned n = 0;
  const char *name =
      word ? LLVMGetMDString(LLVMMetadataAsValue(c, word), &n) : NULL;
  if (!name || !n || mt_starts(name, "__") || mt_starts(name, "this")) return;
  mt_Str type = {0};
  uint32_t frame = mt_record_frame(r, place);
  size_t size = mt_debug_type_of_local(c, node, &type);
  mt_Variable *v = add_variable(r->w.table, of, name, n);
  if (v) {
    v->frame = frame;
    v->size = (uint32_t)LLVMABISizeOfType(r->w.layout,
                                          LLVMGetAllocatedType(of));
    v->type =
        size <= v->size && type.length ? strdup(mt_str_text(&type)) : NULL;
    v->line = LLVMDIVariableGetLine(node);
    LLVMMetadataRef scope = LLVMDIVariableGetScope(node);
    v->scope = scope && !is_function(scope) ? scope : NULL;
  }
  mt_str_free(&type);
}

static void declare_all(mt_RecordWork *r) {
  for (size_t k = 0; k < r->count; k++)
    for (LLVMDbgRecordRef d = LLVMGetFirstDbgRecord(r->all[k]); d;
         d = LLVMGetNextDbgRecord(d))
      declare(r, d);
}
#else
/* Variables that the compiler or the library makes, not the source. */
static bool is_made(const char *name) {
  static const char *const made[] = {"",        "ref",   "agg",    "tmp",
                                     "retval",  "saved", "coerce", "undef",
                                     "cleanup", "exn",   "byval",  "this"};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    if (!strcmp(name, made[i])) return true;
  return mt_starts(name, "__");
}

static void declare_all(mt_RecordWork *r) {
  char name[64];
  for (size_t k = 0; k < r->count; k++) {
    LLVMValueRef i = r->all[k];
    if (!LLVMIsAAllocaInst(i)) continue;
    mt_instrument_name(i, name, sizeof name);
    mt_Variable *v =
        is_made(name) ? NULL : add_variable(r->w.table, i, name, strlen(name));
    if (v)
      v->size = (uint32_t)LLVMABISizeOfType(r->w.layout,
                                            LLVMGetAllocatedType(i));
  }
}
#endif

/* A scope ends with the last line of its code. */
static void end_scopes(mt_RecordWork *r) {
  mt_SiteTable *t = r->w.table;
  for (size_t k = 0; k < r->count; k++) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(r->all[k]);
    if (!place) continue;
    uint32_t line = LLVMDILocationGetLine(place);
    LLVMMetadataRef scope = LLVMDILocationGetScope(place);
    for (int i = 0; i < DEEP && scope && !is_function(scope); i++) {
      for (size_t v = 0; v < t->variables; v++)
        if (t->variable[v].scope == scope && line > t->variable[v].last)
          t->variable[v].last = line;
      scope = around(r->w.context, scope);
    }
  }
}

void mt_record_variables(mt_RecordWork *r) {
  declare_all(r);
  end_scopes(r);
}

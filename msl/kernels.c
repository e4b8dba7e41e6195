/*
** kernels.c - the reflection of every kernel, read from the generated module.
**
** MSL's attributes and address spaces arrive in annotations that the reader
** wrote (reader/reader.h), types in debug information (types.c). Kernel
** parameters that Metal does not accept are diagnosed here, where the types are
** known.
*/
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "msl/reader/attributes.h"
#include "msl/passes/passes.h"
#include "msl/reader/reader.h"
#include "msl/reader/signatures.h"
#include "msl/types.h"

#define MAX_PARAMS 256
#define MAX_BUFFER 30
#define MAX_TEXTURE 127
#define MAX_SAMPLER 15
#define MAX_THREADGROUP 31

/* A parameter's annotation, split into fields. */
typedef struct Note {
  /* param, space, form, const, offset, name, attribute */
  const char *fields[7];
  unsigned count;
  long number; /* the attribute's argument */
  bool has_number;
} Note;

/* -------------------------------------------------------------- annotations */

static const char *global_text(mt_MslModule *m, LLVMValueRef v) {
  size_t n;
  LLVMValueRef g = LLVMIsAGlobalVariable(v);
  LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
  if (init == NULL || !LLVMIsConstantString(init)) return "";
  const char *s = LLVMGetAsString(init, &n);
  return mt_scrap_text(m, "%.*s", (int)n, s);
}

static bool global_number(LLVMValueRef v, long *out) {
  LLVMValueRef g = v ? LLVMIsAGlobalVariable(v) : NULL;
  LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
  if (init == NULL || LLVMGetNumOperands(init) < 1) {
    if (init && LLVMIsAConstantAggregateZero(init)) return *out = 0, true;
    return false;
  }
  LLVMValueRef n = LLVMGetOperand(init, 0);
  if (!LLVMIsAConstantInt(n)) return false;
  *out = (long)LLVMConstIntGetSExtValue(n);
  return true;
}

static Note read_note(mt_MslUnit *b, LLVMValueRef text, LLVMValueRef args,
                      unsigned fields) {
  Note n = {{NULL}, 0, 0, false};
  char *s = (char *)global_text(b->m, text);
  while (n.count < fields) {
    n.fields[n.count++] = s;
    char *bar = n.count < fields ? strchr(s, '|') : NULL;
    if (bar == NULL) break;
    *bar = '\0';
    s = bar + 1;
  }
  for (unsigned i = n.count; i < 7; i++) n.fields[i] = "";
  n.has_number = global_number(args, &n.number);
  return n;
}

static mt_Place place_of(mt_MslModule *m, const char *offset) {
  return mt_map_offset(m, (uint32_t)strtoul(offset, NULL, 10));
}

static void refuse(mt_MslUnit *b, const char *offset, const char *help,
                   const char *message) {
  mt_diagnose(b->m, MT_ERROR_SEVERITY, place_of(b->m, offset), message, help);
}

/* --------------------------------------------------------------- parameters */

typedef struct Param {
  mt_Param *p;
  const char *offset;
  const char *space, *form;
  mt_AttributeKind kind;
  const char *attribute;
  bool explicit_index, seen, conditional;
  bool global; /* of a program-scope variable */
  const char *missing; /* as in mt_MslKernel */
} Param;

static unsigned find_param(LLVMValueRef f, const char *name) {
  for (unsigned i = 0; i < LLVMCountParams(f); i++) {
    size_t n;
    const char *s = LLVMGetValueName2(LLVMGetParam(f, i), &n);
    if (strlen(name) == n && memcmp(s, name, n) == 0) return i;
  }
  return MAX_PARAMS;
}

static void take_note(mt_MslUnit *b, LLVMValueRef f, const Note *n,
                      Param *params) {
  unsigned i = find_param(f, n->fields[5]);
  if (i >= MAX_PARAMS) return;
  Param *q = &params[i];
  q->seen = true;
  q->space = n->fields[1];
  q->form = n->fields[2];
  q->offset = n->fields[4];
  q->p->name = n->fields[5];
  q->global = strcmp(q->space, "global") == 0;
  if (q->global) q->p->name += strlen(MT_BUILTIN_PREFIX);
  q->p->access = n->fields[3][0] ? MT_READ : MT_READ_WRITE;
  q->p->constant = strcmp(q->space, "constant") == 0;
  q->p->reference = strcmp(q->form, "reference") == 0;
  if (strncmp(n->fields[6], "function_constant", 17) == 0)
    q->conditional = true;
  if (n->fields[6][0] == '\0' ||
      strncmp(n->fields[6], "function_constant", 17) == 0)
    return;
  if (q->kind != MT_ATTR_UNKNOWN) return;
  q->attribute = n->fields[6];
  q->kind = mt_attribute_kind(q->attribute);
  q->explicit_index = n->has_number;
  if (!n->has_number) return;
  if (n->number < 0)
    refuse(
        b, q->offset, NULL,
        mt_scrap_text(b->m, "'%s' attribute requires an index of zero or more",
                      q->attribute));
  else
    q->p->index = (unsigned)n->number;
}

static void read_notes(mt_MslUnit *b, LLVMValueRef f, Param *params) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i) || LLVMGetNumArgOperands(i) < 5) continue;
      LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
      size_t n;
      if (callee == NULL || strncmp(LLVMGetValueName2(callee, &n),
                                    "llvm.var.annotation", 19) != 0)
        continue;
      Note note = read_note(b, LLVMGetOperand(i, 1), LLVMGetOperand(i, 4), 7);
      if (strcmp(note.fields[0], "param") == 0) take_note(b, f, &note, params);
    }
}

static bool is_integer(const mt_Type *t) {
  return (t->kind == MT_TYPE_SCALAR || t->kind == MT_TYPE_VECTOR) &&
         strchr("iu", mt_scalar_kind(t->scalar));
}

static void check_builtin(mt_MslUnit *b, Param *q) {
  const mt_Type *t = q->p->type;
  bool scalar = q->kind == MT_ATTR_SCALAR;
  bool fits = (t->scalar == MT_UINT || t->scalar == MT_USHORT) &&
              is_integer(t) && strcmp(q->form, "value") == 0;
  if (fits && t->rows <= (scalar ? 1u : 3u)) return;
  refuse(
      b, q->offset,
      scalar ? "This attribute takes a uint or a ushort."
             : "This attribute takes a uint, uint2 or uint3 (or a ushort, "
               "ushort2 or ushort3).",
      mt_scrap_text(b->m, "invalid type '%s%s' for attribute '%s'", t->name,
                    strcmp(q->form, "pointer") == 0 ? " *" : "", q->attribute));
}

/* The element of an array, otherwise the type itself. */
static const mt_Type *one_of(const mt_Type *t) {
  return t->kind == MT_TYPE_ARRAY ? t->element : t;
}

static mt_Access texture_access(const mt_Type *t) {
  /* metal::access as the headers number it: sample, read, write, read_write */
  return t->count == 2 ? MT_WRITE : t->count == 3 ? MT_READ_WRITE : MT_READ;
}

static bool is_value(const Param *q) { return strcmp(q->form, "value") == 0; }

/* The unsupported feature that a handle type belongs to: such a kernel compiles
** but cannot be run. */
static const char *missing_part(const mt_Type *t) {
  static const char *const parts[][2] = {
      {"acceleration_structure", "ray tracing"},
      {"intersection_function_table", "ray tracing"},
      {"visible_function_table", "tables of functions"},
      {"imageblock", "imageblocks"},
      {"tensor<", "tensors"}};
  for (size_t i = 0; t->name && i < sizeof parts / sizeof parts[0]; i++)
    if (strncmp(t->name, parts[i][0], strlen(parts[i][0])) == 0)
      return parts[i][1];
  return NULL;
}

/* An argument that a kernel has only in a render pass; or NULL. */
static const char *drawing_part(const Param *q) {
  if (q->attribute == NULL) return NULL;
  if (strcmp(q->attribute, "stage_in") == 0) return "[[stage_in]] arguments";
  static const char *const words[] = {
      "render_target_array_index", "amplification_id", "amplification_count",
      "pixel_position_in_tile",    "pixels_per_tile",  "tile_index"};
  bool pass = false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    pass = pass || strcmp(q->attribute, words[i]) == 0;
  return pass ? "a render pass" : NULL;
}

/* What textures, samplers, pointers and references are bound as. */
typedef struct Binding {
  mt_ParamKind kind;
  mt_AttributeKind attribute;
  const char *takes; /* said of another attribute */
} Binding;

static const Binding *binding_of(const Param *q) {
  static const Binding
      texture = {MT_PARAM_TEXTURE, MT_ATTR_TEXTURE,
                 "a texture takes [[texture(n)]]"},
      sampler = {MT_PARAM_SAMPLER, MT_ATTR_SAMPLER,
                 "a sampler takes [[sampler(n)]]"},
      shared = {MT_PARAM_THREADGROUP, MT_ATTR_THREADGROUP,
                "threadgroup memory takes [[threadgroup(n)]]"},
      buffer = {MT_PARAM_BUFFER, MT_ATTR_BUFFER,
                "a device or constant buffer takes [[buffer(n)]]"};
  if (is_value(q)) {
    mt_TypeKind kind = one_of(q->p->type)->kind;
    return kind == MT_TYPE_TEXTURE   ? &texture
           : kind == MT_TYPE_SAMPLER ? &sampler
                                     : NULL;
  }
  if (strcmp(q->space, "threadgroup") == 0) return &shared;
  return strcmp(q->space, "device") == 0 || q->p->constant ? &buffer : NULL;
}

static void bind_as(mt_MslUnit *b, Param *q, const Binding *as) {
  const mt_Type *t = q->p->type;
  q->p->kind = as->kind;
  if (is_value(q) && t->kind == MT_TYPE_ARRAY)
    q->p->array_count = (unsigned)t->count;
  if (as->kind == MT_PARAM_TEXTURE) q->p->access = texture_access(one_of(t));
  if (q->kind && q->kind != as->attribute)
    refuse(b, q->offset, NULL,
           mt_scrap_text(b->m, "attribute '%s' does not fit parameter '%s': %s",
                         q->attribute, q->p->name, as->takes));
}

static void refuse_space(mt_MslUnit *b, const Param *q) {
  if (q->space[0])
    refuse(
        b, q->offset,
        "A kernel's pointers lead to device, constant or threadgroup memory.",
        mt_scrap_text(
            b->m, "kernel parameter '%s' cannot be in the %s address space",
            q->p->name, q->space));
}

/* A value with the attribute of what is bound. */
static void refuse_bound_value(mt_MslUnit *b, const Param *q) {
  bool buffer = q->kind == MT_ATTR_BUFFER;
  bool shared = q->kind == MT_ATTR_THREADGROUP;
  refuse(b, q->offset,
         buffer   ? "A buffer is a pointer or a reference: device T *p, or "
                    "constant T &p for one value."
         : shared ? "Threadgroup memory is a pointer: threadgroup T *p."
                  : NULL,
         mt_scrap_text(b->m, "invalid type '%s' for %s declaration",
                       q->p->type->name,
                       buffer   ? "buffer"
                       : shared ? "threadgroup memory"
                                : q->attribute));
}

/* A value without an attribute, or with another one. */
static void refuse_value(mt_MslUnit *b, const Param *q) {
  const mt_Type *t = q->p->type;
  refuse(b, q->offset,
         is_integer(t)
             ? "Say what it is: uint i [[thread_position_in_grid]]; or, for a "
               "value given at launch, constant uint &n [[buffer(0)]]."
             : "A value given at launch is a reference: constant T &x "
               "[[buffer(n)]].",
         q->attribute
             ? mt_scrap_text(
                   b->m, "attribute '%s' is not allowed on a kernel parameter",
                   q->attribute)
             : mt_scrap_text(b->m,
                             "invalid type '%s' for a kernel parameter without "
                             "an attribute",
                             t->name));
}

/* Of a feature that is missing: bound, or a builtin. */
static void classify_missing(Param *q) {
  bool bound = q->missing && strcmp(q->missing, "imageblocks") != 0;
  q->p->kind = bound ? MT_PARAM_BUFFER : MT_PARAM_BUILTIN;
  q->p->handle = bound;
  q->p->builtin = bound ? NULL : q->missing ? "imageblock" : q->attribute;
  if (q->missing == NULL) q->missing = drawing_part(q);
}

/* Determines the kind of an argument from its attribute or its type. */
static void classify(mt_MslUnit *b, Param *q) {
  if (q->kind == MT_ATTR_POSITION || q->kind == MT_ATTR_SCALAR) {
    q->p->kind = MT_PARAM_BUILTIN;
    q->p->builtin = q->attribute;
    check_builtin(b, q);
    return;
  }
  q->missing = is_value(q) ? missing_part(q->p->type) : NULL;
  const Binding *as = binding_of(q);
  if (q->missing || (is_value(q) && drawing_part(q)))
    classify_missing(q);
  else if (as)
    bind_as(b, q, as);
  else if (!is_value(q))
    refuse_space(b, q);
  else if (q->kind == MT_ATTR_BUFFER || q->kind == MT_ATTR_THREADGROUP ||
           q->kind == MT_ATTR_TEXTURE || q->kind == MT_ATTR_SAMPLER)
    refuse_bound_value(b, q);
  else
    refuse_value(b, q);
}

static unsigned limit_of(mt_ParamKind kind) {
  return kind == MT_PARAM_BUFFER    ? MAX_BUFFER
         : kind == MT_PARAM_TEXTURE ? MAX_TEXTURE
         : kind == MT_PARAM_SAMPLER ? MAX_SAMPLER
                                    : MAX_THREADGROUP;
}

static const char *kind_name(mt_ParamKind kind) {
  return kind == MT_PARAM_BUFFER    ? "buffer"
         : kind == MT_PARAM_TEXTURE ? "texture"
         : kind == MT_PARAM_SAMPLER ? "sampler"
                                    : "threadgroup";
}

static bool taken(const Param *params, unsigned n, const Param *but,
                  mt_ParamKind kind, unsigned index) {
  for (unsigned i = 0; i < n; i++)
    if (&params[i] != but && params[i].seen && params[i].p->kind == kind &&
        params[i].explicit_index && index >= params[i].p->index &&
        index < params[i].p->index + params[i].p->array_count)
      return true;
  return false;
}

/* Explicit indices must differ; the other parameters get the free ones in
** order. */
static void give_indices(mt_MslUnit *b, Param *params, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    Param *q = &params[i];
    if (!q->seen || q->p->kind == MT_PARAM_BUILTIN || !q->explicit_index)
      continue;
    if (q->p->index + q->p->array_count - 1 > limit_of(q->p->kind))
      refuse(b, q->offset, NULL,
             mt_scrap_text(b->m,
                           "'%s' attribute parameter is out of bounds: must be "
                           "between 0 and %u",
                           kind_name(q->p->kind), limit_of(q->p->kind)));
    for (unsigned k = 0; k < i; k++)
      if (params[k].seen && params[k].explicit_index &&
          params[k].p->kind == q->p->kind &&
          params[k].p->index == q->p->index && !params[k].conditional &&
          !q->conditional)
        refuse(b, q->offset, "Give each its own index.",
               mt_scrap_text(b->m,
                             "cannot reserve '%s' resource location at index "
                             "%u: '%s' has it",
                             kind_name(q->p->kind), q->p->index,
                             params[k].p->name));
  }
  for (unsigned i = 0; i < n; i++) {
    Param *q = &params[i];
    if (!q->seen || q->p->kind == MT_PARAM_BUILTIN || q->explicit_index)
      continue;
    unsigned index = 0;
    while (taken(params, n, q, q->p->kind, index)) index++;
    q->p->index = index;
    q->explicit_index = true;
    if (index > limit_of(q->p->kind))
      refuse(
          b, q->offset, NULL,
          mt_scrap_text(b->m, "too many %s parameters", kind_name(q->p->kind)));
  }
}

/* All position parameters of a kernel have the same number of components. */
static void check_widths(mt_MslUnit *b, Param *params, unsigned n) {
  const Param *first = NULL;
  for (unsigned i = 0; i < n; i++) {
    Param *q = &params[i];
    if (!q->seen || q->global || q->kind != MT_ATTR_POSITION ||
        q->p->type->rows < 1)
      continue;
    if (first == NULL) first = q;
    else if (first->p->type->rows != q->p->type->rows)
      refuse(b, q->offset,
             "Declare all thread positions and sizes of a kernel with the same "
             "number of components.",
             mt_scrap_text(b->m,
                           "type '%s' of attribute '%s' does not match '%s' of "
                           "'%s': all must be scalars or vectors of one size",
                           q->p->type->name, q->attribute, first->p->type->name,
                           first->attribute));
  }
}

static mt_Param *read_params(mt_MslUnit *b, LLVMValueRef f, unsigned *count,
                             const char **missing) {
  unsigned n = LLVMCountParams(f);
  LLVMMetadataRef types[MAX_PARAMS + 1] = {NULL};
  Param params[MAX_PARAMS];
  *count = 0;
  if (n > MAX_PARAMS) return NULL;
  mt_Param *out = mt_scrap(b->m, (n + 1) * sizeof *out);
  if (out == NULL) return NULL;
  memset(params, 0, sizeof params);
  unsigned known = mt_types_of(b->types, f, types, MAX_PARAMS + 1);
  for (unsigned i = 0; i < n; i++) {
    params[i].p = &out[i];
    params[i].space = params[i].form = params[i].offset = "";
    out[i].array_count = 1;
    out[i].used = LLVMGetFirstUse(LLVMGetParam(f, i)) != NULL;
    out[i].name = "";
  }
  read_notes(b, f, params);
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef type = i + 1 < known ? types[i + 1] : NULL;
    if (!is_value(&params[i])) type = mt_types_target(b->types, type);
    out[i].type = mt_types_read(b->types, type);
    if (mt_types_lost(b->types)) return NULL;
    if (params[i].seen) classify(b, &params[i]);
    if (params[i].conditional) out[i].used = false; /* depends on a constant */
    if (params[i].missing) *missing = params[i].missing;
  }
  give_indices(b, params, n);
  check_widths(b, params, n);
  *count = n;
  return out;
}

/* ------------------------------------------------------------------ kernels */

typedef struct Found { /* one function's annotations */
  LLVMValueRef function;
  const char *name, *host, *offset;
  const char *kernel_name; /* its name in a launch */
  /* of Clang's, by which instances of one template are told apart */
  size_t number;
  unsigned max_threads, required[3];
  const char *missing; /* as in mt_MslKernel, of all that it calls */
  size_t threadgroup_static;
} Found;

/* "scale_" "float" -> scale_float, in place */
static const char *string_value(char *s) {
  char *out = s;
  bool inside = false;
  for (char *p = s; *p; p++) {
    if (*p == '"') inside = !inside;
    else if (inside) *out++ = *p;
  }
  *out = '\0';
  return s;
}

static void take_attribute(Found *k, const char *attribute, const Note *n) {
  if (strcmp(attribute, "max_total_threads_per_threadgroup") == 0 &&
      n->has_number)
    k->max_threads = (unsigned)n->number;
  if (strncmp(attribute, "required_threads_per_threadgroup(", 33) == 0)
    sscanf(attribute + 33, "%u , %u , %u", &k->required[0], &k->required[1],
           &k->required[2]);
  if (strncmp(attribute, "host_name(", 10) == 0)
    k->host = string_value((char *)attribute + 10);
}

static const char *subprogram_name(mt_MslUnit *b, LLVMValueRef f) {
  LLVMMetadataRef p = LLVMGetSubprogram(f);
  if (p == NULL) return "";
  LLVMValueRef ops[32];
  LLVMValueRef v = LLVMMetadataAsValue(LLVMGetModuleContext(b->module), p);
  if (LLVMGetMDNodeNumOperands(v) > 32) return "";
  LLVMGetMDNodeOperands(v, ops);
  unsigned n;
  const char *s = ops[2] ? LLVMGetMDString(ops[2], &n) : NULL;
  return s ? mt_scrap_text(b->m, "%.*s", (int)n, s) : "";
}

/* A struct is called what the source calls it: its own name in the debug
** information may be another, or none (typedef struct {…} T). */
static void name_structs(mt_MslUnit *b, const char *kernel, mt_Param *params,
                         unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    const mt_Type *t = params[i].type, *whole = t;
    while (t && t->kind == MT_TYPE_ARRAY) t = t->element;
    if (t == NULL || (t->kind != MT_TYPE_STRUCT && t->kind != MT_TYPE_UNION &&
                      t->kind != MT_TYPE_OTHER))
      continue;
    mt_Str name = MT_STR_INIT;
    if (b->m->reading &&
        mt_reading_type(b->m->reading, kernel, i, t != whole, &name))
      params[i].type = mt_types_named(b->types, whole, mt_str_text(&name));
    mt_str_free(&name);
  }
}

/* scale<_Float16 > -> scale<half>: as a person would write it. */
static const char *instance_name(mt_MslModule *m, const char *full) {
  mt_Str out = MT_STR_INIT;
  for (const char *s = mt_message_rewrite(m, full); *s; s++)
    if (s[0] != ' ' || s[1] != '>') mt_str_add_char(&out, *s);
  const char *name = mt_scrap_text(m, "%s", mt_str_text(&out));
  mt_str_free(&out);
  return name;
}

static void add_kernel(mt_MslUnit *b, Found *k) {
  mt_MslModule *m = b->m;
  if (!mt_grow(&m->kernels, m->kernel_count, &m->kernel_room,
               sizeof *m->kernels))
    return;
  mt_MslKernel *out = &m->kernels[m->kernel_count];
  memset(out, 0, sizeof *out);
  const char *full = subprogram_name(b, k->function);
  out->name = k->host             ? k->host
              : strchr(full, '<') ? instance_name(m, full)
                                  : k->name;
  mt_Param *params =
      read_params(b, k->function, &out->param_count, &out->missing);
  if (params) name_structs(b, out->name, params, out->param_count);
  out->params = params;
  out->max_threads = k->max_threads;
  memcpy(out->required_group, k->required, sizeof k->required);
  mt_Place place = place_of(m, k->offset);
  out->line = place.line;
  out->file = strcmp(place.file, m->name) == 0 ? NULL : place.file;
  k->kernel_name = out->name;
  if (out->missing == NULL) out->missing = k->missing;
  out->threadgroup_static = k->threadgroup_static;
  LLVMValueRef final = mt_pass_signature(b->module, k->function);
  size_t n;
  out->function = mt_scrap_text(m, "%s", LLVMGetValueName2(final, &n));
  mt_functions_add(&b->kernels, final);
  m->kernel_count++;
}

static void add_constant(mt_MslUnit *b, const Note *n) {
  mt_MslModule *m = b->m;
  if (!mt_grow(&m->constants, m->constant_count, &m->constant_room,
               sizeof *m->constants))
    return;
  if (n->number < 0 || n->number > 65535) {
    refuse(
        b, n->fields[1], NULL,
        "'function_constant' attribute requires an index between 0 and 65535");
    return;
  }
  const mt_Type *type = mt_type_named(n->fields[3]);
  for (size_t i = 0; i < m->constant_count; i++)
    if (m->constants[i].index == (unsigned)n->number)
      refuse(b, n->fields[1], "Give each function constant its own index.",
             mt_scrap_text(m, "function constant index %ld is '%s' already",
                           n->number, m->constants[i].name));
  m->constants[m->constant_count++] =
      (mt_Constant){n->fields[2], (unsigned)n->number,
                    type ? type : mt_type_named("uint"), true};
  for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g;
       g = LLVMGetNextGlobal(g)) {
    static const char *const kinds[] = {".msl.constant.", ".msl.defined."};
    const char *section = LLVMGetSection(g);
    for (int k = 0; section && k < 2; k++)
      if (strncmp(section, kinds[k], strlen(kinds[k])) == 0 &&
          strcmp(section + strlen(kinds[k]), n->fields[2]) == 0) {
        LLVMSetSection(g, mt_scrap_text(m, "%s%ld", kinds[k], n->number));
        break;
      }
  }
}

static int by_place(const void *a, const void *b) {
  const Found *x = a, *y = b;
  unsigned long p = strtoul(x->offset, NULL, 10),
                q = strtoul(y->offset, NULL, 10);
  return p != q ? (p > q) - (p < q)
                : (x->number > y->number) - (x->number < y->number);
}

static int by_name(const void *a, const void *b) {
  const Found *x = a, *y = b;
  int order = strcmp(x->kernel_name, y->kernel_name);
  return order ? order : by_place(a, b);
}

/* What follows from the functions that each kernel calls; before signatures
** change. */
static void follow_calls(mt_MslUnit *b, Found *found, size_t count) {
  mt_Calls calls = {0};
  for (size_t i = 0; i < count && !mt_cancelled(); i++) {
    mt_Functions reached = {0};
    mt_calls_reach(&calls, found[i].function, &reached);
    found[i].missing = mt_pass_missing(b->m, &calls, &reached);
    found[i].threadgroup_static =
        mt_pass_threadgroup_size(b->module, &b->threadgroup, &reached);
    mt_functions_free(&reached);
  }
  mt_calls_free(&calls);
}

/* The kernels in source order, unless Ctrl-C interrupts; of two with the same
** name the second is an error. */
static mt_Status add_kernels(mt_MslUnit *b, Found *found, size_t count,
                             mt_Error *err) {
  for (size_t i = 0; i < count; i++) found[i].number = i;
  qsort(found, count, sizeof *found, by_place);
  mt_pass_threadgroup_variables(b->module, &b->threadgroup);
  follow_calls(b, found, count);
  for (size_t i = 0; i < count; i++) {
    if (mt_cancelled()) return mt_error(err, MT_CANCELLED, "interrupted");
    add_kernel(b, &found[i]);
    if (found[i].kernel_name == NULL)
      return mt_error(err, MT_FAIL, "not enough memory for %zu kernels", count);
  }
  qsort(found, count, sizeof *found, by_name);
  for (size_t i = 1; i < count; i++)
    if (strcmp(found[i - 1].kernel_name, found[i].kernel_name) == 0)
      refuse(b, found[i].offset, NULL,
             mt_scrap_text(b->m, "a kernel named '%s' exists already",
                           found[i].kernel_name));
  return MT_OK;
}

mt_Status mt_pass_kernels(mt_MslUnit *b, mt_Error *err) {
  LLVMValueRef list = LLVMGetNamedGlobal(b->module, "llvm.global.annotations");
  LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
  int n = init ? LLVMGetNumOperands(init) : 0;
  Found *found = calloc((size_t)n + 1, sizeof *found);
  mt_Functions index = {0};
  for (int i = 0; found && i < n; i++) {
    LLVMValueRef entry = LLVMGetOperand(init, (unsigned)i);
    LLVMValueRef what = LLVMGetOperand(entry, 0),
                 text = LLVMGetOperand(entry, 1);
    LLVMValueRef args =
        LLVMGetNumOperands(entry) > 4 ? LLVMGetOperand(entry, 4) : NULL;
    Note note = read_note(b, text, args, 4);
    if (strcmp(note.fields[0], "constant") == 0) add_constant(b, &note);
    if (!LLVMIsAFunction(what) || LLVMIsDeclaration(what)) continue;
    bool kernel = strcmp(note.fields[0], "kernel") == 0,
         host = strcmp(note.fields[0], "host") == 0;
    if (!kernel && !host) continue;
    mt_functions_add(&index, what);
    Found *k = &found[mt_functions_index(&index, what)];
    k->function = what;
    if (kernel) k->offset = note.fields[1], k->name = note.fields[2];
    /* host has one field less before its attribute */
    Note host_note = host ? read_note(b, text, args, 2) : note;
    take_attribute(k, kernel ? note.fields[3] : host_note.fields[1], &note);
  }
  size_t count = 0;
  for (size_t i = 0; found && i < index.count; i++)
    if (found[i].name) found[count++] = found[i];
  mt_Status status =
      found ? add_kernels(b, found, count, err)
            : mt_error(err, MT_FAIL, "not enough memory for %d annotations", n);
  mt_functions_free(&index);
  free(found);
  if (status == MT_OK && mt_types_lost(b->types))
    status = mt_error(err, MT_FAIL, "out of memory");
  return status;
}

/* LLVM's default handler exits the program at the first error. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)info, (void)context;
}

static mt_Status parse(LLVMContextRef context, LLVMMemoryBufferRef bitcode,
                       LLVMModuleRef *out, mt_Error *err) {
  LLVMContextSetDiagnosticHandler(context, ignore_diagnostic, NULL);
  if (LLVMParseBitcodeInContext2(context, bitcode, out) == 0) return MT_OK;
  *out = NULL;
  return mt_error(err, MT_FAIL,
                  "Clang's bitcode cannot be read: either Clang is newer than "
                  "the LLVM that Mettle was built with, or it compiled this "
                  "source wrongly (vec<T, N> with T = bool does that)");
}

static mt_Status keep_bitcode(mt_MslModule *m, LLVMModuleRef module) {
  LLVMMemoryBufferRef out = LLVMWriteBitcodeToMemoryBuffer(module);
  m->bitcode_size = LLVMGetBufferSize(out);
  m->bitcode = malloc(m->bitcode_size);
  if (m->bitcode) memcpy(m->bitcode, LLVMGetBufferStart(out), m->bitcode_size);
  LLVMDisposeMemoryBuffer(out);
  return m->bitcode ? MT_OK : MT_FAIL;
}

mt_Status mt_module_reflect(mt_MslModule *m, const char *bitcode, size_t size,
                            bool keep, mt_Error *err) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, "msl");
  LLVMModuleRef module;
  mt_Status status = parse(context, buffer, &module, err);
  if (status == MT_OK) {
    mt_MslUnit unit;
    mt_msl_unit_open(&unit, m, module);
    status = mt_passes_run(&mt_msl_passes, &unit, err);
    if (status == MT_OK && keep) status = keep_bitcode(m, module);
    mt_msl_unit_close(&unit);
    LLVMDisposeModule(module);
  }
  LLVMDisposeMemoryBuffer(buffer);
  LLVMContextDispose(context);
  return status;
}

mt_Status mt_msl_listing(const mt_MslModule *m, mt_Str *out, mt_Error *err) {
  if (m->bitcode == NULL)
    return mt_error(err, MT_BADARG,
                    "there is no bitcode: the source has errors");
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      m->bitcode, m->bitcode_size, "msl");
  LLVMModuleRef module = NULL;
  mt_Status status = MT_OK;
  if (LLVMParseBitcodeInContext2(context, buffer, &module) == 0) {
    char *text = LLVMPrintModuleToString(module);
    mt_str_add(out, text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(module);
  } else
    status = mt_error(err, MT_FAIL, "the bitcode cannot be read");
  LLVMDisposeMemoryBuffer(buffer);
  LLVMContextDispose(context);
  return status;
}

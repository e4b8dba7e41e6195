/*
** types.c - debug information as mt_Type.
**
** llvm-c exposes debug information as nodes with operands. Every type begins
** with file, scope and name; the order of the other operands differs between
** versions of LLVM, so they are found by kind: the base of a type is the first
** type after these, the element list the first list.
*/
#include "msl/types.h"

#include "base/kernel_types/type_text.h"
#include "msl/clang/clang.h"
#include "msl/debug_types.h"
#include "msl/members.h"

#include <limits.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 3 }; /* operand after file, scope and name */
enum {              /* DWARF's numbers */
       TAG_ARRAY = 0x01,
       TAG_CLASS = 0x02,
       TAG_ENUM = 0x04,
       TAG_MEMBER = 0x0d,
       TAG_POINTER = 0x0f,
       TAG_REFERENCE = 0x10,
       TAG_STRUCT = 0x13,
       TAG_TYPEDEF = 0x16,
       TAG_UNION = 0x17,
       TAG_INHERITANCE = 0x1c,
       TAG_CONST = 0x26,
       TAG_VOLATILE = 0x35,
       TAG_RESTRICT = 0x37,
       TAG_RVALUE = 0x42
};
#define MAX_DEPTH 64
enum { ROOM = 512 }; /* for a struct's fields */

typedef struct Known {
  LLVMMetadataRef node;
  mt_Type *type;
  struct Known *next;
} Known;

struct mt_TypeReader {
  mt_MslModule *m;
  LLVMContextRef context;
  Known *known;
  unsigned depth;
  mt_Type spare; /* where there is no memory for a type */
  bool lost;     /* it was needed: no type is to be believed */
};

mt_TypeReader *mt_types_new(mt_MslModule *m, LLVMContextRef context) {
  mt_TypeReader *r = mt_scrap(m, sizeof *r);
  if (r) r->m = m, r->context = context;
  return r;
}

bool mt_types_lost(const mt_TypeReader *r) { return r->lost; }

/* -------------------------------------------------------------------- nodes */

static unsigned operands(mt_TypeReader *r, LLVMMetadataRef node,
                         LLVMValueRef **out) {
  LLVMValueRef v = LLVMMetadataAsValue(r->context, node);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  *out = calloc(n + 1, sizeof **out);
  if (*out == NULL) return 0;
  LLVMGetMDNodeOperands(v, *out);
  return n;
}

static LLVMValueRef operand(mt_TypeReader *r, LLVMMetadataRef node,
                            unsigned i) {
  LLVMValueRef *all;
  unsigned n = operands(r, node, &all);
  LLVMValueRef v = all && i < n ? all[i] : NULL;
  free(all);
  return v;
}

static LLVMMetadataRef as_node(LLVMValueRef v) {
  return v ? LLVMValueAsMetadata(v) : NULL;
}

static bool is_kind(LLVMMetadataRef node, LLVMMetadataKind kind) {
  return node && LLVMGetMetadataKind(node) == kind;
}

static bool is_derived(LLVMMetadataRef node) {
  return is_kind(node, LLVMDIDerivedTypeMetadataKind);
}

static bool is_type(LLVMMetadataRef node) {
  return is_derived(node) || is_kind(node, LLVMDIBasicTypeMetadataKind) ||
         is_kind(node, LLVMDICompositeTypeMetadataKind) ||
         is_kind(node, LLVMDISubroutineTypeMetadataKind);
}

static LLVMMetadataRef find(mt_TypeReader *r, LLVMMetadataRef node, bool type) {
  LLVMValueRef *all;
  unsigned n = operands(r, node, &all);
  LLVMMetadataRef found = NULL;
  for (unsigned i = FIRST; i < n && found == NULL; i++) {
    LLVMMetadataRef o = as_node(all[i]);
    if (o && (type ? is_type(o) : is_kind(o, LLVMMDTupleMetadataKind)))
      found = o;
  }
  free(all);
  return found;
}

static LLVMMetadataRef base_of(mt_TypeReader *r, LLVMMetadataRef node) {
  return find(r, node, true);
}

static LLVMMetadataRef list_of(mt_TypeReader *r, LLVMMetadataRef node) {
  return find(r, node, false);
}

static const char *name_of(mt_TypeReader *r, LLVMMetadataRef node) {
  size_t n = 0;
  const char *s = LLVMDITypeGetName(node, &n);
  return n ? mt_scrap_text(r->m, "%.*s", (int)n, s) : "";
}

/* Strips typedefs and qualifiers; '*name' becomes the first typedef's. */
static LLVMMetadataRef strip(mt_TypeReader *r, LLVMMetadataRef node,
                             const char **name) {
  for (int i = 0; is_derived(node) && i < MAX_DEPTH; i++) {
    unsigned tag = LLVMGetDINodeTag(node);
    if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE &&
        tag != TAG_RESTRICT)
      break;
    if (tag == TAG_TYPEDEF && name) {
      const char *n = name_of(r, node);
      if (*name == NULL || mt_type_named(*name) == NULL) *name = n;
    }
    node = base_of(r, node);
  }
  return node;
}

LLVMMetadataRef mt_types_target(mt_TypeReader *r, LLVMMetadataRef node) {
  LLVMMetadataRef plain = strip(r, node, NULL);
  if (is_derived(plain)) {
    unsigned tag = LLVMGetDINodeTag(plain);
    if (tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE)
      return base_of(r, plain);
  }
  return node;
}

/* -------------------------------------------------------------------- types */

static mt_Type *fresh(mt_TypeReader *r, mt_TypeKind kind, const char *name) {
  mt_Type *t = mt_scrap(r->m, sizeof *t);
  if (t == NULL) {
    r->lost = true;
    t = &r->spare;
    *t = (mt_Type){0};
  }
  t->kind = kind;
  t->name = name ? name : "";
  t->rows = t->columns = 1;
  return t;
}

static const mt_Type *basic(mt_TypeReader *r, LLVMMetadataRef node) {
  const char *name = name_of(r, node);
  const mt_Type *t = mt_type_named(name);
  if (t) return t;
  mt_Type *other = fresh(r, MT_TYPE_OTHER, name);
  other->size = other->align = LLVMDITypeGetSizeInBits(node) / 8;
  return other;
}

/* The bounds of an array, outermost first. */
static unsigned bounds(mt_TypeReader *r, LLVMMetadataRef node, size_t *out,
                       unsigned room) {
  LLVMMetadataRef list = list_of(r, node);
  LLVMValueRef *all = NULL;
  unsigned n = list ? operands(r, list, &all) : 0, count = 0;
  for (unsigned i = 0; i < n && count < room; i++) {
    LLVMValueRef c = all[i] ? operand(r, as_node(all[i]), 0) : NULL;
    out[count++] =
        c && LLVMIsAConstantInt(c) ? (size_t)LLVMConstIntGetZExtValue(c) : 0;
  }
  free(all);
  return count;
}

static const mt_Type *array_of(mt_TypeReader *r, const mt_Type *element,
                               size_t count) {
  mt_Type *t = fresh(r, MT_TYPE_ARRAY, NULL);
  t->element = element;
  t->count = count;
  t->size = element->size * count;
  t->align = element->align;
  t->scalar = element->scalar;
  t->name = mt_scrap_text(r->m, "%s[%zu]", element->name, count);
  return t;
}

static const mt_Type *array(mt_TypeReader *r, LLVMMetadataRef node) {
  size_t bound[16];
  unsigned n = bounds(r, node, bound, 16);
  const mt_Type *element = mt_types_read(r, base_of(r, node));
  if (LLVMDITypeGetFlags(node) & LLVMDIFlagVector) {
    char name[64];
    snprintf(name, sizeof name, "%s%zu", element->name, n ? bound[0] : 0);
    const mt_Type *t = mt_type_named(name);
    return t ? t : element;
  }
  while (n > 0) element = array_of(r, element, bound[--n]);
  return element;
}

/* Parses the template arguments in a name: "matrix<float, 4, 3>". */
static bool arguments(const char *name, const char *template_name, char *first,
                      size_t room, unsigned numbers[2]) {
  size_t n = strlen(template_name);
  if (strncmp(name, template_name, n) != 0 || name[n] != '<') return false;
  const char *comma = strchr(name, ','),
             *end = comma ? comma : strrchr(name, '>');
  if (end == NULL) return false;
  snprintf(first, room, "%.*s", (int)(end - name - (int)n - 1), name + n + 1);
  numbers[0] = numbers[1] = 0;
  if (comma) sscanf(comma, ", %u%*[UL], %u", &numbers[0], &numbers[1]);
  if (comma && numbers[1] == 0)
    sscanf(comma, ", %u, %u", &numbers[0], &numbers[1]);
  return true;
}

static const char *msl_scalar(const char *name) {
  const mt_Type *t = mt_type_named(name);
  return t ? t->name : name;
}

/* Is the type declared in our headers? A person's own may have its name. */
static bool is_librarys(mt_MslModule *m, LLVMMetadataRef node) {
  unsigned n = 0, k = 0;
  LLVMMetadataRef file = LLVMDIScopeGetFile(node);
  if (file == NULL) return false;
  const char *name = LLVMDIFileGetFilename(file, &n),
             *folder = LLVMDIFileGetDirectory(file, &k);
  char path[PATH_MAX]; /* what both begin with is in the folder alone */
  bool whole = n && name[0] == '/';
  snprintf(path, sizeof path, "%.*s%s%.*s", whole ? 0 : (int)k, folder,
           whole || k == 0 ? "" : "/", (int)n, name);
  return mt_clang_is_header(path) ||
         mt_clang_is_header(mt_scrap_text(m, "%.*s", (int)n, name));
}

/* The classes of our headers that implement MSL's types; NULL: a user's
** type. */
static const mt_Type *library_type(mt_TypeReader *r, LLVMMetadataRef node,
                                   const char *name) {
  char first[256], made[280];
  unsigned n[2];
  size_t size = LLVMDITypeGetSizeInBits(node) / 8,
         align = LLVMDITypeGetAlignInBits(node) / 8;
  if (arguments(name, "matrix", first, sizeof first, n)) {
    snprintf(made, sizeof made, "%s%u", msl_scalar(first), n[1]);
    const mt_Type *column = mt_type_named(made);
    mt_Type *t = fresh(r, MT_TYPE_MATRIX, NULL);
    t->name = mt_scrap_text(r->m, "%s%ux%u", msl_scalar(first), n[0], n[1]);
    t->scalar = column ? column->scalar : MT_FLOAT;
    t->columns = n[0], t->rows = n[1];
    t->size = size, t->align = column ? column->align : 16;
    return t;
  }
  if (arguments(name, "__msl_packed", first, sizeof first, n)) {
    snprintf(made, sizeof made, "packed_%s%u", msl_scalar(first), n[0]);
    return mt_type_named(made);
  }
  if (arguments(name, "__msl_bools", first, sizeof first, n)) {
    snprintf(made, sizeof made, "bool%u", n[0]);
    return mt_type_named(made);
  }
  if (arguments(name, "atomic", first, sizeof first, n)) {
    const mt_Type *value = mt_type_named(msl_scalar(first));
    mt_Type *t = fresh(r, MT_TYPE_ATOMIC, NULL);
    t->scalar = value ? value->scalar : MT_UINT;
    t->name = mt_scrap_text(r->m, "atomic_%s", mt_scalar_name(t->scalar));
    t->size = value ? value->size : size; /* unused: only declared */
    t->align = value ? value->align : size;
    return t;
  }
  if (strncmp(name, "texture", 7) == 0 || strncmp(name, "depth2d", 7) == 0 ||
      strncmp(name, "depthcube", 9) == 0) {
    const char *open = strchr(name, '<');
    snprintf(made, sizeof made, "%.*s",
             open ? (int)(open - name) : (int)strlen(name), name);
    if (open == NULL || !arguments(name, made, first, sizeof first, n))
      return NULL;
    mt_Type *t = fresh(r, MT_TYPE_TEXTURE,
                       mt_scrap_text(r->m, "%s<%s>", made, msl_scalar(first)));
    const mt_Type *value = mt_type_named(msl_scalar(first));
    t->scalar = value ? value->scalar : MT_FLOAT;
    t->size = size, t->align = align ? align : 8;
    const char *access = strstr(name, "(metal::access)");
    t->count = access ? (size_t)atoi(access + 15) : 0; /* kernels.c reads it */
    return t;
  }
  if (strcmp(name, "sampler") == 0) {
    mt_Type *t = fresh(r, MT_TYPE_SAMPLER, "sampler");
    t->size = size, t->align = align ? align : 8;
    return t;
  }
  return NULL;
}

static bool is_static(LLVMMetadataRef member) {
  return (LLVMDITypeGetFlags(member) & LLVMDIFlagStaticMember) != 0;
}

/* Bits of a number, which no table of values can name. */
static const mt_Type *bit_field(mt_TypeReader *r, LLVMMetadataRef base) {
  const mt_Type *whole = mt_types_read(r, base);
  mt_Type *t = fresh(r, MT_TYPE_OTHER, NULL);
  t->name = mt_scrap_text(r->m, "bit-field of %s", whole->name);
  t->size = t->align = 1;
  return t;
}

/* The fields of a struct without a name are those of 't', around it. So are a
** union's in a union: all of them share bytes. */
static void hoist(mt_Type *t, const mt_Type *inner, size_t at,
                  mt_Field *fields) {
  for (unsigned k = 0; k < inner->field_count; k++) {
    const mt_Field *f = &inner->fields[k];
    if (!f->name[0] && t->kind == MT_TYPE_UNION)
      hoist(t, f->type, at + f->offset, fields);
    else if (t->field_count < ROOM)
      fields[t->field_count++] = (mt_Field){f->name, at + f->offset, f->type};
  }
}

typedef struct Listed { /* what a struct's own list says, as it is read */
  mt_Field fields[ROOM];
  mt_Member members[ROOM]; /* for its alignment; bases have none */
  unsigned member_count;
  bool odd; /* bases or bit-fields, which members do not tell */
} Listed;

static void add_fields(mt_TypeReader *r, mt_Type *t, LLVMMetadataRef node,
                       size_t offset, Listed *to) {
  LLVMMetadataRef list = list_of(r, node);
  LLVMValueRef *all = NULL;
  unsigned n = list ? operands(r, list, &all) : 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef e = as_node(all[i]);
    if (!is_derived(e) || is_static(e)) continue;
    unsigned tag = LLVMGetDINodeTag(e);
    size_t at = offset + LLVMDITypeGetOffsetInBits(e) / 8;
    LLVMMetadataRef base = base_of(r, e);
    if (tag == TAG_INHERITANCE) {
      add_fields(r, t, strip(r, base, NULL), at, to);
      to->odd = true;
      continue;
    }
    if (tag != TAG_MEMBER || t->field_count == ROOM) continue;
    bool bits = LLVMDITypeGetFlags(e) & LLVMDIFlagBitField;
    const mt_Type *type = bits ? bit_field(r, base) : mt_types_read(r, base);
    to->odd |= bits;
    if (to->member_count < ROOM)
      to->members[to->member_count++] = (mt_Member){
          at, type->size, type->align, LLVMDITypeGetAlignInBits(e) / 8};
    const char *name = name_of(r, e);
    bool within =
        type->kind == MT_TYPE_STRUCT ||
        (type->kind == MT_TYPE_UNION && t->kind == MT_TYPE_UNION);
    if (name[0] == '\0' && within)
      hoist(t, type, at, to->fields);
    else
      to->fields[t->field_count++] = (mt_Field){name, at, type};
    if (type->align > t->align) t->align = type->align;
  }
  free(all);
}

static const mt_Type *composite(mt_TypeReader *r, LLVMMetadataRef node,
                                const char *alias) {
  unsigned tag = LLVMGetDINodeTag(node);
  const char *name = name_of(r, node);
  if (tag == TAG_ARRAY) return array(r, node);
  if (tag == TAG_ENUM) {
    LLVMMetadataRef base = base_of(r, node);
    return base ? mt_types_read(r, base) : mt_type_named("int");
  }
  bool librarys = is_librarys(r->m, node);
  const mt_Type *made = librarys ? library_type(r, node, name) : NULL;
  if (made) return made;
  char first[256];
  unsigned n[2];
  Listed list = {.member_count = 0};
  mt_Type *t =
      fresh(r, tag == TAG_UNION ? MT_TYPE_UNION : MT_TYPE_STRUCT, NULL);
  t->name = name[0]            ? name
            : alias            ? alias
            : tag == TAG_UNION ? "union"
                               : "struct";
  t->size = LLVMDITypeGetSizeInBits(node) / 8;
  t->align = LLVMDITypeGetAlignInBits(node) / 8;
  if (t->align == 0) t->align = 1;
  Known k = {node, t, r->known};
  r->known = &k;
  add_fields(r, t, node, 0, &list);
  r->known = k.next;
  size_t said = LLVMDITypeGetAlignInBits(node) / 8;
  if (!list.odd)
    t->align = mt_members_align(list.members, list.member_count,
                                tag == TAG_UNION, t->size, said);
  else if (t->size % t->align)
    t->align = said ? said : 1; /* it is packed */
  mt_Field *kept = mt_scrap(r->m, t->field_count * sizeof *kept);
  if (kept && t->field_count)
    memcpy(kept, list.fields, t->field_count * sizeof *kept);
  t->fields = kept;
  if (!kept) r->lost = true;
  if (kept && librarys && arguments(name, "array", first, sizeof first, n) &&
      t->field_count == 1 && t->fields[0].type->kind == MT_TYPE_ARRAY)
    return t->fields[0].type;
  return t;
}

const mt_Type *mt_types_read(mt_TypeReader *r, LLVMMetadataRef node) {
  const char *alias = NULL;
  LLVMMetadataRef plain = strip(r, node, &alias);
  if (plain == NULL) return fresh(r, MT_TYPE_OTHER, "void");
  if (is_kind(plain, LLVMDIBasicTypeMetadataKind)) return basic(r, plain);
  if (is_derived(plain)) {
    mt_Type *t = fresh(r, MT_TYPE_POINTER, "pointer");
    t->size = t->align = 8;
    if (r->depth < 3) {
      r->depth++;
      t->element = mt_types_read(r, base_of(r, plain));
      r->depth--;
      t->name = mt_scrap_text(r->m, "%s *", t->element->name);
    }
    return t;
  }
  if (!is_kind(plain, LLVMDICompositeTypeMetadataKind))
    return fresh(r, MT_TYPE_OTHER, "unknown");
  for (Known *k = r->known; k; k = k->next)
    if (k->node == plain) return k->type;
  return composite(r, plain, alias);
}

const mt_Type *mt_types_named(mt_TypeReader *r, const mt_Type *type,
                              const char *name) {
  if (r->lost) return type;
  if (type->kind == MT_TYPE_ARRAY)
    return array_of(r, mt_types_named(r, type->element, name), type->count);
  if (type->kind != MT_TYPE_STRUCT && type->kind != MT_TYPE_UNION &&
      type->kind != MT_TYPE_OTHER)
    return type;
  mt_Type *t = fresh(r, type->kind, NULL);
  *t = *type;
  t->name = mt_scrap_text(r->m, "%s", name);
  return t;
}

unsigned mt_types_of(mt_TypeReader *r, LLVMValueRef function,
                     LLVMMetadataRef *out, unsigned room) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  LLVMValueRef *all = NULL, *types = NULL;
  unsigned n = program ? operands(r, program, &all) : 0, count = 0;
  LLVMMetadataRef signature = NULL;
  for (unsigned i = 0; i < n; i++)
    if (all[i] && is_kind(as_node(all[i]), LLVMDISubroutineTypeMetadataKind))
      signature = as_node(all[i]);
  free(all);
  LLVMMetadataRef list = signature ? list_of(r, signature) : NULL;
  n = list ? operands(r, list, &types) : 0;
  for (unsigned i = 0; i < n && count < room; i++)
    out[count++] = as_node(types[i]);
  free(types);
  return count;
}

/* ---------------------------------------------------------------- variables */

/* The DIGlobalVariable of a global; NULL: it has none. */
static LLVMMetadataRef variable_of(LLVMValueRef global) {
  size_t n = 0;
  LLVMMetadataRef found = NULL;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
  for (unsigned i = 0; all && i < n && found == NULL; i++) {
    LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, i);
    if (is_kind(md, LLVMDIGlobalVariableExpressionMetadataKind))
      found = LLVMDIGlobalVariableExpressionGetVariable(md);
  }
  LLVMDisposeValueMetadataEntries(all);
  return found;
}

static bool is_const(mt_TypeReader *r, LLVMMetadataRef type) {
  for (int i = 0; type && i < MAX_DEPTH; i++) {
    unsigned tag = LLVMGetDINodeTag(type);
    if (tag == TAG_CONST) return true;
    if (tag != TAG_TYPEDEF && tag != TAG_VOLATILE && tag != TAG_ARRAY)
      return false;
    type = base_of(r, type);
  }
  return false;
}

bool mt_types_is_mutable(mt_TypeReader *r, LLVMValueRef global,
                         const char **name, mt_Place *where) {
  LLVMMetadataRef v = variable_of(global);
  if (v == NULL || is_const(r, base_of(r, v))) return false;
  unsigned n = 0, column = 0;
  size_t length;
  LLVMValueRef word = operand(r, v, 1);
  const char *said = word ? LLVMGetMDString(word, &n) : NULL;
  *name = said ? mt_scrap_text(r->m, "%.*s", (int)n, said) : "";
  LLVMMetadataRef file = LLVMDIVariableGetFile(v);
  const char *path = file ? LLVMDIFileGetFilename(file, &n) : "";
  path = mt_scrap_text(r->m, "%.*s", file ? (int)n : 0, path);
  unsigned line = LLVMDIVariableGetLine(v);
  mt_msl_typed(r->m, &path, line, &column, &length);
  *where = (mt_Place){path ? path : r->m->name, line, column ? column : 1};
  return true;
}

/* ------------------------------------------------------------------ as text */

static size_t write_type(LLVMContextRef context, LLVMMetadataRef variable,
                         mt_Str *out) {
  mt_MslModule *m = variable ? calloc(1, sizeof *m) : NULL;
  mt_TypeReader *r = m ? mt_types_new(m, context) : NULL;
  LLVMMetadataRef node = r ? base_of(r, variable) : NULL;
  const mt_Type *t = node ? mt_types_read(r, node) : NULL;
  if (t && r->lost) t = NULL;
  size_t size = t ? t->size : 0;
  if (t) mt_type_write(out, t);
  mt_msl_free(m);
  return size;
}

size_t mt_debug_type_of_local(LLVMContextRef context, LLVMMetadataRef variable,
                              mt_Str *out) {
  return write_type(context, variable, out);
}

size_t mt_debug_type_of_global(LLVMContextRef context, LLVMValueRef global,
                               mt_Str *out) {
  return write_type(context, variable_of(global), out);
}

/*
** reflection.c - what Metal tells of a pipeline: bindings, types, members.
**
** What Metal leaves open can be had otherwise: STANDIN_SHUFFLED turns the order
** of the bindings round and adds one that is no argument, STANDIN_ATOMICS shows
** atomics as structs, STANDIN_LEAVES_OUT drops bindings that are not used,
** STANDIN_BITS gives bit-fields the type that they are bits of.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/metal/device.h"

enum {
  TYPE_NONE = 0,
  TYPE_STRUCT = 1,
  TYPE_ARRAY = 2,
  TYPE_TEXTURE = 58,
  TYPE_SAMPLER = 59,
  TYPE_POINTER = 60
};

typedef struct BindingObject {
  Object head;
  mt_Param param;
  bool hidden; /* no argument */
} BindingObject;

typedef struct TypeObject { /* MTLStructType and MTLArrayType alike */
  Object head;
  const mt_Type *type;
} TypeObject;

typedef struct MemberObject {
  Object head;
  mt_Field field;
} MemberObject;

typedef struct ReflectionObject {
  Object head;
  ArrayObject *bindings;
} ReflectionObject;

/* ---------------------------------------------------------------- atomics */

/* struct { uint __s; }, as Metal's own headers declare an atomic. They stay. */
static const mt_Type *as_struct(const mt_Type *t) {
  static struct Made { mt_Type value, whole; mt_Field field; } made[MT_SCALARS];
  struct Made *m = &made[t->scalar];
  m->value = *t;
  m->value.kind = MT_TYPE_SCALAR;
  m->field = (mt_Field){"__s", 0, &m->value};
  m->whole = *t;
  m->whole.kind = MT_TYPE_STRUCT;
  m->whole.fields = &m->field;
  m->whole.field_count = 1;
  return &m->whole;
}

/* The type as Metal shows it. */
static const mt_Type *shown(const mt_Type *t) {
  return t->kind == MT_TYPE_ATOMIC && getenv("STANDIN_ATOMICS") ? as_struct(t)
                                                                : t;
}

/* ------------------------------------------------------------- data types */

#define BITS "bit-field of "

/* MTLDataType numbers in runs: scalar, 2, 3, 4; matrices by columns and
** rows. */
uint64_t standin_data_type(const mt_Type *t) {
  static const struct {
    mt_Scalar scalar;
    uint64_t first;
  } runs[] = {
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          numpy, metal, number)                                               \
  {MT_##id, number},
      __MT_SCALARS(X, )
#undef X
  };
  t = shown(t);
  if (getenv("STANDIN_BITS") && strncmp(t->name, BITS, strlen(BITS)) == 0)
    t = mt_type_named(t->name + strlen(BITS));
  if (t->kind == MT_TYPE_STRUCT) return TYPE_STRUCT;
  if (t->kind == MT_TYPE_ARRAY) return TYPE_ARRAY;
  if (t->kind == MT_TYPE_POINTER) return TYPE_POINTER;
  if (t->kind == MT_TYPE_TEXTURE) return TYPE_TEXTURE;
  if (t->kind == MT_TYPE_SAMPLER) return TYPE_SAMPLER;
  if (t->kind == MT_TYPE_MATRIX)
    return (t->scalar == MT_HALF ? 20 : 7) + (t->columns - 2) * 3 +
           (t->rows - 2);
  if (t->kind > MT_TYPE_ATOMIC) return TYPE_NONE;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    if (runs[i].scalar == t->scalar)
      return runs[i].first + (t->rows > 1 ? t->rows - 1 : 0);
  return TYPE_NONE;
}

/* ---------------------------------------------------------- structs, arrays */

static void *type_object(const ClassOf *class, const mt_Type *t) {
  TypeObject *o = standin_new(class);
  o->type = t;
  return standin_autorelease(o);
}

extern const ClassOf standin_MTLStructType, standin_MTLArrayType,
    standin_MTLStructMember, standin_MTLPointerType,
    standin_MTLTextureReference;

static void *struct_or_nil(const mt_Type *t) {
  return shown(t)->kind == MT_TYPE_STRUCT
             ? type_object(&standin_MTLStructType, shown(t))
             : NULL;
}
static void *array_or_nil(const mt_Type *t) {
  return t->kind == MT_TYPE_ARRAY ? type_object(&standin_MTLArrayType, t)
                                  : NULL;
}

static void *pointer_or_nil(const mt_Type *t) {
  return t->kind == MT_TYPE_POINTER ? type_object(&standin_MTLPointerType, t)
                                    : NULL;
}
static void *texture_or_nil(const mt_Type *t) {
  return t->kind == MT_TYPE_TEXTURE
             ? type_object(&standin_MTLTextureReference, t)
             : NULL;
}

static void *struct_members(TypeObject *o, Selector s) {
  (void)s;
  ArrayObject *list = standin_array();
  for (unsigned i = 0; i < o->type->field_count; i++) {
    MemberObject *m = standin_new(&standin_MTLStructMember);
    m->field = o->type->fields[i];
    standin_array_add(list, m);
  }
  return standin_autorelease(list);
}

static void *member_name(MemberObject *m, Selector s) {
  (void)s;
  return standin_autorelease(standin_string(m->field.name));
}
static uint64_t member_offset(MemberObject *m, Selector s) {
  (void)s;
  return m->field.offset;
}
static uint64_t member_type(MemberObject *m, Selector s) {
  (void)s;
  return standin_data_type(m->field.type);
}
static void *member_struct(MemberObject *m, Selector s) {
  (void)s;
  return struct_or_nil(m->field.type);
}
static void *member_array(MemberObject *m, Selector s) {
  (void)s;
  return array_or_nil(m->field.type);
}

static void *member_pointer(MemberObject *m, Selector s) {
  (void)s;
  return pointer_or_nil(m->field.type);
}
static void *member_texture(MemberObject *m, Selector s) {
  (void)s;
  return texture_or_nil(m->field.type);
}

static uint64_t array_element(TypeObject *o, Selector s) {
  (void)s;
  return standin_data_type(o->type->element);
}
static uint64_t array_length(TypeObject *o, Selector s) {
  (void)s;
  return o->type->count;
}
static uint64_t array_stride(TypeObject *o, Selector s) {
  (void)s;
  return o->type->element->size;
}
static void *array_struct(TypeObject *o, Selector s) {
  (void)s;
  return struct_or_nil(o->type->element);
}
static void *array_array(TypeObject *o, Selector s) {
  (void)s;
  return array_or_nil(o->type->element);
}

static void *array_pointer(TypeObject *o, Selector s) {
  (void)s;
  return pointer_or_nil(o->type->element);
}
static void *array_texture(TypeObject *o, Selector s) {
  (void)s;
  return texture_or_nil(o->type->element);
}

static uint64_t pointer_size(TypeObject *o, Selector s) {
  (void)s;
  return o->type->element->size;
}
static uint64_t pointer_alignment(TypeObject *o, Selector s) {
  (void)s;
  return o->type->element->align;
}

static const Method struct_methods[] = {METHOD("members", struct_members),
                                        {NULL, NULL}};
static const Method member_methods[] = {
    METHOD("name", member_name),
    METHOD("offset", member_offset),
    METHOD("dataType", member_type),
    METHOD("structType", member_struct),
    METHOD("arrayType", member_array),
    METHOD("pointerType", member_pointer),
    METHOD("textureReferenceType", member_texture),
    {NULL, NULL}};
static const Method array_methods[] = {
    METHOD("elementType", array_element),
    METHOD("arrayLength", array_length),
    METHOD("stride", array_stride),
    METHOD("elementStructType", array_struct),
    METHOD("elementArrayType", array_array),
    METHOD("elementPointerType", array_pointer),
    METHOD("elementTextureReferenceType", array_texture),
    {NULL, NULL}};
static const Method pointer_methods[] = {
    METHOD("elementType", array_element),
    METHOD("elementStructType", array_struct),
    METHOD("elementArrayType", array_array),
    METHOD("dataSize", pointer_size),
    METHOD("alignment", pointer_alignment),
    {NULL, NULL}};
const ClassOf standin_MTLPointerType = {standin_class_mark, "MTLPointerType",
                                        sizeof(TypeObject), pointer_methods,
                                        NULL};
const ClassOf standin_MTLStructType = {standin_class_mark, "MTLStructType",
                                       sizeof(TypeObject), struct_methods,
                                       NULL};
const ClassOf standin_MTLArrayType = {standin_class_mark, "MTLArrayType",
                                      sizeof(TypeObject), array_methods, NULL};
const ClassOf standin_MTLStructMember = {standin_class_mark, "MTLStructMember",
                                         sizeof(MemberObject), member_methods,
                                         NULL};

/* --------------------------------------------------------------- bindings */

static void *binding_name(BindingObject *b, Selector s) {
  (void)s;
  return standin_autorelease(standin_string(b->param.name));
}
static uint64_t binding_index(BindingObject *b, Selector s) {
  (void)s;
  return b->param.index;
}
static bool binding_argument(BindingObject *b, Selector s) {
  (void)s;
  return !b->hidden;
}
static bool binding_used(BindingObject *b, Selector s) {
  (void)s;
  return b->param.used;
}

static uint64_t binding_access(BindingObject *b, Selector s) {
  (void)s; /* MTLBindingAccess: read only 0, read and write 1, write only 2 */
  return b->param.access == MT_READ ? 0 : b->param.access == MT_WRITE ? 2 : 1;
}

static uint64_t binding_type(BindingObject *b, Selector s) {
  static const uint64_t types[] = {[MT_PARAM_BUFFER] = 0,
                                   [MT_PARAM_THREADGROUP] = 1,
                                   [MT_PARAM_TEXTURE] = 2,
                                   [MT_PARAM_SAMPLER] = 3};
  (void)s;
  return types[b->param.kind];
}

static void need(const BindingObject *b, mt_ParamKind kind, Selector s) {
  if (b->param.kind != kind)
    standin_problem("%s asked of a binding of another type", s);
}

static uint64_t buffer_size(BindingObject *b, Selector s) {
  need(b, MT_PARAM_BUFFER, s);
  return b->param.type->size;
}
static uint64_t buffer_alignment(BindingObject *b, Selector s) {
  need(b, MT_PARAM_BUFFER, s);
  return b->param.type->align;
}
static uint64_t buffer_type(BindingObject *b, Selector s) {
  need(b, MT_PARAM_BUFFER, s);
  return standin_data_type(b->param.type);
}
static void *buffer_struct(BindingObject *b, Selector s) {
  need(b, MT_PARAM_BUFFER, s);
  return struct_or_nil(b->param.type);
}
/* To what the buffer's pointer or reference leads. */
static void *buffer_pointer(BindingObject *b, Selector s) {
  need(b, MT_PARAM_BUFFER, s);
  TypeObject *o = type_object(&standin_MTLPointerType, NULL);
  /* as long as the program: few are asked for */
  mt_Type *t = calloc(1, sizeof *t);
  *t = (mt_Type){.kind = MT_TYPE_POINTER,
                 .name = "pointer",
                 .size = 8,
                 .align = 8,
                 .rows = 1,
                 .columns = 1,
                 .element = b->param.type};
  o->type = t;
  return o;
}
static uint64_t shared_size(BindingObject *b, Selector s) {
  need(b, MT_PARAM_THREADGROUP, s);
  return b->param.type->size;
}
static uint64_t shared_alignment(BindingObject *b, Selector s) {
  need(b, MT_PARAM_THREADGROUP, s);
  return b->param.type->align;
}
static uint64_t texture_length(BindingObject *b, Selector s) {
  need(b, MT_PARAM_TEXTURE, s);
  return b->param.array_count;
}

static bool is_depth(const mt_Type *t) {
  return strncmp(t->name, "depth", 5) == 0;
}

/* MTLTextureType and MTLDataType out of "texture2d_array<uint, access::read>"
** or "depth2d<float>". */
static uint64_t kind_of(const mt_Type *t) {
  static const struct {
    const char *name;
    uint64_t type;
  } kinds[] = {{"1d<", 0},    {"1d_array<", 1},   {"2d<", 2},
               {"2d_array<", 3}, {"2d_ms<", 4},   {"cube<", 5},
               {"cube_array<", 6}, {"3d<", 7},    {"_buffer<", 9}};
  const char *rest = t->name + (is_depth(t) ? strlen("depth")
                                            : strlen("texture"));
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strncmp(rest, kinds[i].name, strlen(kinds[i].name)) == 0)
      return kinds[i].type;
  return 2;
}

static uint64_t pixel_type_of(const mt_Type *t) {
  char element[32] = "";
  const char *from = strchr(t->name, '<');
  if (from) sscanf(from, "<%31[a-z]", element);
  const mt_Type *scalar = mt_type_named(element);
  return scalar ? standin_data_type(scalar) : TYPE_NONE;
}

static uint64_t texture_type(BindingObject *b, Selector s) {
  need(b, MT_PARAM_TEXTURE, s);
  return kind_of(b->param.type);
}
static uint64_t texture_data(BindingObject *b, Selector s) {
  need(b, MT_PARAM_TEXTURE, s);
  return pixel_type_of(b->param.type);
}
static bool texture_depth(BindingObject *b, Selector s) {
  need(b, MT_PARAM_TEXTURE, s);
  return is_depth(b->param.type);
}

static uint64_t reference_type(TypeObject *o, Selector s) {
  (void)s;
  return kind_of(o->type);
}
static uint64_t reference_data(TypeObject *o, Selector s) {
  (void)s;
  return pixel_type_of(o->type);
}
static bool reference_depth(TypeObject *o, Selector s) {
  (void)s;
  return is_depth(o->type);
}
static uint64_t reference_access(TypeObject *o, Selector s) {
  (void)s;
  return o->type->count == MT_WRITE        ? 2
         : o->type->count == MT_READ_WRITE ? 1
                                           : 0;
}
static const Method reference_methods[] = {
    METHOD("textureType", reference_type),
    METHOD("textureDataType", reference_data),
    METHOD("isDepthTexture", reference_depth),
    METHOD("access", reference_access),
    {NULL, NULL}};
const ClassOf standin_MTLTextureReference = {
    standin_class_mark, "MTLTextureReferenceType", sizeof(TypeObject),
    reference_methods, NULL};

static const Method binding_methods[] = {
    METHOD("name", binding_name),
    METHOD("index", binding_index),
    METHOD("isUsed", binding_used),
    METHOD("isArgument", binding_argument),
    METHOD("access", binding_access),
    METHOD("type", binding_type),
    METHOD("bufferDataSize", buffer_size),
    METHOD("bufferAlignment", buffer_alignment),
    METHOD("bufferDataType", buffer_type),
    METHOD("bufferStructType", buffer_struct),
    METHOD("bufferPointerType", buffer_pointer),
    METHOD("threadgroupMemoryDataSize", shared_size),
    METHOD("threadgroupMemoryAlignment", shared_alignment),
    METHOD("arrayLength", texture_length),
    METHOD("textureType", texture_type),
    METHOD("textureDataType", texture_data),
    METHOD("isDepthTexture", texture_depth),
    {NULL, NULL}};
static const ClassOf MTLBinding = {standin_class_mark, "MTLBinding",
                                   sizeof(BindingObject), binding_methods,
                                   NULL};

/* Buffers come first and by index, textures after them: Metal promises no
** order, and surely not the source's. */
static int rank(const mt_Param *p) {
  return (int)p->kind * 1000 + (int)p->index;
}

static void *reflection_bindings(ReflectionObject *r, Selector s) {
  (void)s;
  return r->bindings;
}
static void reflection_destroy(Object *o) {
  standin_release(((ReflectionObject *)o)->bindings);
}
static const Method reflection_methods[] = {
    METHOD("bindings", reflection_bindings), {NULL, NULL}};
static const ClassOf MTLReflection = {
    standin_class_mark, "MTLComputePipelineReflection",
    sizeof(ReflectionObject), reflection_methods, reflection_destroy};

static void add_binding(ReflectionObject *r, const mt_Param *p, bool hidden,
                        bool whole) {
  if (!p->used && !whole && getenv("STANDIN_LEAVES_OUT")) return;
  BindingObject *b = standin_new(&MTLBinding);
  b->param = *p;
  b->hidden = hidden;
  standin_array_add(r->bindings, b);
}

void *standin_reflection(const mt_KernelInfo *info, bool whole) {
  ReflectionObject *r = standin_new(&MTLReflection);
  bool shuffled = getenv("STANDIN_SHUFFLED") != NULL;
  mt_Param extra = {.name = "hidden",
                    .kind = MT_PARAM_BUFFER,
                    .index = 30,
                    .used = true,
                    .type = mt_type_named("uint"),
                    .access = MT_READ};
  r->bindings = standin_array();
  for (int at = 0; at < MT_PARAM_BUILTIN * 1000; at++)
    for (unsigned i = 0; i < info->param_count; i++) {
      const mt_Param *p = &info->params[i];
      int place = shuffled ? MT_PARAM_BUILTIN * 1000 - 1 - at : at;
      if (p->kind != MT_PARAM_BUILTIN && rank(p) == place)
        add_binding(r, p, false, whole);
    }
  if (shuffled) add_binding(r, &extra, true, whole);
  return standin_autorelease(r);
}

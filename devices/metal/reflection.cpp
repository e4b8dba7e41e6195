/*
** reflection.cpp - Metal's reflection as the types and parameters of device.h.
*/
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <cstring>

namespace mt_metal {
namespace {

/* ------------------------------------------------------------------ types */

struct Named {
  MTL::DataType type;
  const char *name;
};

const Named data_types[] = {
#define X(with, id, name, clang, declared, storage, kind, highest, converts, \
          numpy, metal, number)                                              \
  {MTL::DataType##metal, #name}, {MTL::DataType##metal##2, #name "2"},       \
      {MTL::DataType##metal##3, #name "3"},                                  \
      {MTL::DataType##metal##4, #name "4"},
    __MT_SCALARS(X, )
#undef X
};

struct MatrixType {
  MTL::DataType type;
  mt_Scalar scalar;
  unsigned columns, rows;
};

const MatrixType matrix_types[] = {
    {MTL::DataTypeFloat2x2, MT_FLOAT, 2, 2},
    {MTL::DataTypeFloat2x3, MT_FLOAT, 2, 3},
    {MTL::DataTypeFloat2x4, MT_FLOAT, 2, 4},
    {MTL::DataTypeFloat3x2, MT_FLOAT, 3, 2},
    {MTL::DataTypeFloat3x3, MT_FLOAT, 3, 3},
    {MTL::DataTypeFloat3x4, MT_FLOAT, 3, 4},
    {MTL::DataTypeFloat4x2, MT_FLOAT, 4, 2},
    {MTL::DataTypeFloat4x3, MT_FLOAT, 4, 3},
    {MTL::DataTypeFloat4x4, MT_FLOAT, 4, 4},
    {MTL::DataTypeHalf2x2, MT_HALF, 2, 2},
    {MTL::DataTypeHalf2x3, MT_HALF, 2, 3},
    {MTL::DataTypeHalf2x4, MT_HALF, 2, 4},
    {MTL::DataTypeHalf3x2, MT_HALF, 3, 2},
    {MTL::DataTypeHalf3x3, MT_HALF, 3, 3},
    {MTL::DataTypeHalf3x4, MT_HALF, 3, 4},
    {MTL::DataTypeHalf4x2, MT_HALF, 4, 2},
    {MTL::DataTypeHalf4x3, MT_HALF, 4, 3},
    {MTL::DataTypeHalf4x4, MT_HALF, 4, 4},
};

const mt_Type *struct_type(Reflection &r, MTL::StructType *s, size_t size,
                           size_t align);
const mt_Type *array_type(Reflection &r, MTL::ArrayType *a);

const mt_Type *matrix_type(Reflection &r, const MatrixType &m) {
  size_t column = mt_scalar_size(m.scalar) * (m.rows == 3 ? 4 : m.rows);
  mt_Type t = {};
  t.kind = MT_TYPE_MATRIX;
  t.name = r.keep(std::string(mt_scalar_name(m.scalar)) +
                  std::to_string(m.columns) + "x" + std::to_string(m.rows));
  t.size = column * m.columns;
  t.align = column;
  t.scalar = m.scalar;
  t.rows = m.rows;
  t.columns = m.columns;
  return r.add(t);
}

}  // namespace

/* Metal has no number for it, or it has no bytes of its own. */
static const mt_Type *unknown_type(Reflection &r, size_t size, size_t align) {
  mt_Type t = {};
  t.kind = MT_TYPE_OTHER;
  t.name = "unknown (a bit-field or a union)";
  t.size = size;
  t.align = align;
  t.rows = t.columns = 1;
  return r.add(t);
}

const mt_Type *plain_type(Reflection &r, MTL::DataType type, size_t size,
                          size_t align) {
  for (const Named &n : data_types)
    if (n.type == type) {
      const mt_Type *known = mt_type_named(n.name);
      /* a packed vector has the same number and less room */
      if (size && size < known->size)
        if (const mt_Type *packed =
                mt_type_named((std::string("packed_") + n.name).c_str()))
          return packed;
      return known;
    }
  for (const MatrixType &m : matrix_types)
    if (m.type == type) return matrix_type(r, m);
  return unknown_type(r, size, align);
}

const mt_Type *array_of(Reflection &r, const mt_Type *element, size_t count) {
  mt_Type t = {};
  t.kind = MT_TYPE_ARRAY;
  t.element = element;
  t.count = count;
  t.size = element->size * count;
  t.align = element->align;
  t.scalar = element->scalar;
  t.rows = t.columns = 1;
  t.name =
      r.keep(std::string(element->name) + "[" + std::to_string(count) + "]");
  return r.add(t);
}

const mt_Type *atomic_type(Reflection &r, const mt_Type *value) {
  mt_Type t = *value;
  t.kind = MT_TYPE_ATOMIC;
  t.name = r.keep(std::string("atomic_") + value->name);
  return r.add(t);
}

MTL::DataType data_type_named(const char *name) {
  for (const Named &n : data_types)
    if (std::strcmp(n.name, name) == 0) return n.type;
  return MTL::DataTypeNone;
}

namespace {

struct TextureKind {
  MTL::TextureType type;
  const char *name;
};

const TextureKind texture_kinds[] = {
    {MTL::TextureType1D, "1d"},           {MTL::TextureType1DArray, "1d_array"},
    {MTL::TextureType2D, "2d"},           {MTL::TextureType2DArray, "2d_array"},
    {MTL::TextureType2DMultisample, "2d_ms"}, {MTL::TextureTypeCube, "cube"},
    {MTL::TextureTypeCubeArray, "cube_array"}, {MTL::TextureType3D, "3d"},
    {MTL::TextureTypeTextureBuffer, "_buffer"},
};

mt_Access access_of(MTL::BindingAccess a) {
  switch (a) {
    case MTL::BindingAccessReadOnly: return MT_READ;
    case MTL::BindingAccessWriteOnly: return MT_WRITE;
    default: return MT_READ_WRITE;
  }
}

/* "texture2d<float>": what may be done with it stands beside its type. */
const char *texture_name(Reflection &r, MTL::TextureType type,
                         MTL::DataType data, bool depth) {
  std::string name = "texture", element;
  for (const TextureKind &k : texture_kinds)
    if (k.type == type)
      name = (depth ? "depth" : "texture") + std::string(k.name);
  for (const Named &n : data_types)
    if (n.type == data) element = n.name;
  if (element.empty() || name == "texture") return r.keep(name);
  return r.keep(name + "<" + element + ">");
}

/* What leads elsewhere, out of an argument buffer too: 8 bytes each. */
const mt_Type *link_type(Reflection &r, mt_TypeKind kind, const char *name,
                         const mt_Type *element) {
  mt_Type t = {};
  t.kind = kind;
  t.name = name;
  t.size = t.align = 8;
  t.rows = t.columns = 1;
  t.element = element;
  return r.add(t);
}

const mt_Type *pointer_type(Reflection &r, MTL::PointerType *p) {
  const mt_Type *element =
      p->elementType() == MTL::DataTypeStruct && p->elementStructType()
          ? struct_type(r, p->elementStructType(), p->dataSize(),
                        p->alignment())
          : plain_type(r, p->elementType(), p->dataSize(), p->alignment());
  return link_type(r, MT_TYPE_POINTER,
                   r.keep(std::string(element->name) + " *"), element);
}

const mt_Type *texture_link(Reflection &r, MTL::TextureReferenceType *t) {
  return link_type(r, MT_TYPE_TEXTURE,
                   texture_name(r, t->textureType(), t->textureDataType(),
                                t->isDepthTexture()),
                   nullptr);
}

const mt_Type *member_type(Reflection &r, MTL::StructMember *m, size_t room) {
  if (m->dataType() == MTL::DataTypePointer && m->pointerType())
    return pointer_type(r, m->pointerType());
  if (m->dataType() == MTL::DataTypeTexture && m->textureReferenceType())
    return texture_link(r, m->textureReferenceType());
  if (m->dataType() == MTL::DataTypeSampler)
    return link_type(r, MT_TYPE_SAMPLER, "sampler", nullptr);
  if (m->dataType() == MTL::DataTypeStruct && m->structType())
    return struct_type(r, m->structType(), room, 0);
  if (m->dataType() == MTL::DataTypeArray && m->arrayType())
    return array_type(r, m->arrayType());
  return plain_type(r, m->dataType(), room, 0);
}

const mt_Type *element_type(Reflection &r, MTL::ArrayType *a) {
  switch (a->elementType()) {
    case MTL::DataTypeStruct:
      if (a->elementStructType())
        return struct_type(r, a->elementStructType(), a->stride(), 0);
      break;
    case MTL::DataTypeArray:
      if (a->elementArrayType()) return array_type(r, a->elementArrayType());
      break;
    case MTL::DataTypePointer:
      if (a->elementPointerType())
        return pointer_type(r, a->elementPointerType());
      break;
    case MTL::DataTypeTexture:
      if (a->elementTextureReferenceType())
        return texture_link(r, a->elementTextureReferenceType());
      break;
    case MTL::DataTypeSampler:
      return link_type(r, MT_TYPE_SAMPLER, "sampler", nullptr);
    default: break;
  }
  return plain_type(r, a->elementType(), a->stride(), 0);
}

const mt_Type *array_type(Reflection &r, MTL::ArrayType *a) {
  return array_of(r, element_type(r, a), a->arrayLength());
}

/* Metal shows an atomic as what its headers make of it: struct { T __s; } */
const mt_Type *atomic_in(Reflection &r, const std::vector<mt_Field> &fields) {
  if (fields.size() != 1 || std::strcmp(fields[0].name, "__s") != 0)
    return nullptr;
  const mt_Type *value = fields[0].type;
  return value->kind == MT_TYPE_SCALAR ? atomic_type(r, value) : nullptr;
}

/* Numbers that share bytes are bit-fields, whatever type Metal says: a table
** would write one over the other. */
void part_bits(Reflection &r, std::vector<mt_Field> &fields) {
  bool shares = false;
  for (size_t i = 0; i < fields.size(); i++) {
    mt_Field &f = fields[i];
    bool before = shares;
    shares = f.type->kind == MT_TYPE_SCALAR && i + 1 < fields.size() &&
             f.offset + f.type->size > fields[i + 1].offset;
    if (f.type->kind == MT_TYPE_SCALAR && (before || shares))
      f.type = unknown_type(r, 1, 1);
  }
}

const mt_Type *struct_type(Reflection &r, MTL::StructType *s, size_t size,
                           size_t align) {
  auto fields = std::make_unique<std::vector<mt_Field>>();
  NS::Array *members = s->members();
  NS::UInteger n = members ? members->count() : 0;
  for (NS::UInteger i = 0; i < n; i++) {
    auto *m = members->object<MTL::StructMember>(i);
    size_t next =
        i + 1 < n ? members->object<MTL::StructMember>(i + 1)->offset() : size;
    size_t room = next > m->offset() ? next - m->offset() : 0;
    fields->push_back({r.keep(text_of(m->name())), (size_t)m->offset(),
                       member_type(r, m, room)});
  }
  part_bits(r, *fields);
  if (const mt_Type *atomic = atomic_in(r, *fields)) return atomic;
  mt_Type t = {};
  t.kind = MT_TYPE_STRUCT;
  t.name = "struct";
  t.size = size;
  t.align = align;
  t.rows = t.columns = 1;
  t.fields = fields->data();
  t.field_count = (unsigned)fields->size();
  r.fields.push_back(std::move(fields));
  return r.add(t);
}

/* ------------------------------------------------------------- reflection */

const mt_Type *buffer_type(Reflection &r, MTL::BufferBinding *b, size_t size,
                           size_t align) {
  MTL::DataType type = b->bufferDataType();
  if (type == MTL::DataTypeStruct && b->bufferStructType())
    return struct_type(r, b->bufferStructType(), size, align);
  MTL::PointerType *target =
      type == MTL::DataTypeArray ? b->bufferPointerType() : nullptr;
  if (target && target->elementArrayType())
    return array_type(r, target->elementArrayType());
  return plain_type(r, type, size, align);
}

}  // namespace

bool read_binding(Reflection &r, MTL::Binding *b, mt_Param *p) {
  /* of a variable of the program: no argument of a launch */
  if (!b->isArgument()) return false;
  p->name = r.keep(text_of(b->name()));
  p->index = (unsigned)b->index();
  p->access = access_of(b->access());
  p->used = b->isUsed();
  p->array_count = 1;
  switch (b->type()) {
    case MTL::BindingTypeBuffer: {
      auto *buffer = static_cast<MTL::BufferBinding *>(b);
      size_t size = buffer->bufferDataSize(), align = buffer->bufferAlignment();
      p->kind = MT_PARAM_BUFFER;
      p->type = buffer_type(r, buffer, size, align);
      return true;
    }
    case MTL::BindingTypeThreadgroupMemory: {
      auto *shared = static_cast<MTL::ThreadgroupBinding *>(b);
      mt_Type t = {};
      t.kind = MT_TYPE_OTHER;
      t.name = "memory";
      t.size = shared->threadgroupMemoryDataSize();
      t.align = shared->threadgroupMemoryAlignment();
      t.rows = t.columns = 1;
      p->kind = MT_PARAM_THREADGROUP;
      p->type = r.add(t);
      return true;
    }
    case MTL::BindingTypeTexture: {
      auto *t = static_cast<MTL::TextureBinding *>(b);
      p->kind = MT_PARAM_TEXTURE;
      p->array_count = (unsigned)std::max<NS::UInteger>(1, t->arrayLength());
      p->type =
          link_type(r, MT_TYPE_TEXTURE,
                    texture_name(r, t->textureType(), t->textureDataType(),
                                 t->isDepthTexture()),
                    nullptr);
      return true;
    }
    case MTL::BindingTypeSampler:
      p->kind = MT_PARAM_SAMPLER;
      p->type = link_type(r, MT_TYPE_SAMPLER, "sampler", nullptr);
      return true;
    default: return false;
  }
}

}  // namespace mt_metal

/*
** metal.cpp - the device of every Mac: kernels on the Apple GPU, by metal-cpp.
**
** The only C++ file, since metal-cpp gives no other door. The rules that keep
** it safe: a pool around every call that touches Metal; what 'new' or 'alloc'
** gave is held by a SharedPtr or released in _free, what was autoreleased is
** not; no exception leaves the file; everything Metal would drop in silence or
** abort on was refused in devices/launch.c before it comes here.
**
** Metal cannot stop a kernel that runs. So a launch waits with a deadline, and
** when that passes, or Ctrl-C is pressed, it walks away: the queue is replaced,
** and the system ends the kernel after some seconds.
*/
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

extern "C" {
#include "base/cancel.h"
#include "base/clock.h"
#include "devices/device.h"
}
#include "devices/metal/include.h"
#include "devices/metal/meaning.h"
#include "devices/metal/signature.h"

extern "C" const mt_DeviceOps mt_metal_ops;

namespace {

/* ---------------------------------------------------------- small helpers */

/* An autorelease pool for as long as the scope lives. */
class Pool {
 public:
  Pool() : pool_(NS::AutoreleasePool::alloc()->init()) {}
  ~Pool() { pool_->release(); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

 private:
  NS::AutoreleasePool *pool_;
};

const char *text_of(const NS::String *s) {
  const char *t = s ? s->utf8String() : nullptr;
  return t ? t : "";
}

/* nil if 'text' is not UTF-8. */
NS::String *string_of(const char *text) {
  return NS::String::string(text, NS::UTF8StringEncoding);
}

const char *message_of(NS::Error *error) {
  return error ? text_of(error->localizedDescription()) : "Metal gave no reason";
}

/* Run 'body'; what it throws becomes a failure. */
template <typename Body>
mt_Status guarded(mt_Error *err, Body body) noexcept {
  try {
    Pool pool;
    return body();
  } catch (const std::bad_alloc &) {
    return mt_error(err, MT_FAIL, "not enough memory");
  } catch (...) {
    return mt_error(err, MT_FAIL, "an unexpected failure inside the Metal device");
  }
}

/* ------------------------------------------------------------ the structs */

/* What kernels log; Metal's handler writes it from a thread of its own. */
struct Messages {
  std::mutex lock;
  std::string text;
};

struct Device : mt_Device {
  NS::SharedPtr<MTL::Device> device;
  NS::SharedPtr<MTL::CommandQueue> queue;
  std::shared_ptr<Messages> messages; /* the handler has it too */
  std::string title, families;
};

/* Types and names of a kernel, owned together. */
struct Reflection {
  std::vector<std::unique_ptr<mt_Type>> types;
  std::vector<std::unique_ptr<std::vector<mt_Field>>> fields;
  std::vector<std::unique_ptr<std::string>> strings;
  std::vector<mt_Param> params;

  const char *keep(const std::string &s) {
    strings.push_back(std::make_unique<std::string>(s));
    return strings.back()->c_str();
  }
  mt_Type *add(const mt_Type &t) {
    types.push_back(std::make_unique<mt_Type>(t));
    return types.back().get();
  }
};

struct Library : mt_Library {
  NS::SharedPtr<MTL::Library> library;
  std::string source;
  std::vector<std::string> names;
  std::vector<const char *> name_pointers;
  std::vector<mt_Constant> constant_list;
  Reflection types; /* of the constants */
};

struct Kernel : mt_Kernel {
  NS::SharedPtr<MTL::ComputePipelineState> pipeline;
  Reflection reflection;
  std::string name;
};

struct Buffer : mt_Buffer {
  NS::SharedPtr<MTL::Buffer> buffer;
};

struct Texture : mt_Texture {
  NS::SharedPtr<MTL::Texture> texture;
};

Device *of(mt_Device *d) { return static_cast<Device *>(d); }

/* ------------------------------------------------------------------ types */

struct Named {
  MTL::DataType type;
  const char *name;
};

const Named data_types[] = {
    {MTL::DataTypeFloat, "float"},     {MTL::DataTypeFloat2, "float2"},
    {MTL::DataTypeFloat3, "float3"},   {MTL::DataTypeFloat4, "float4"},
    {MTL::DataTypeHalf, "half"},       {MTL::DataTypeHalf2, "half2"},
    {MTL::DataTypeHalf3, "half3"},     {MTL::DataTypeHalf4, "half4"},
    {MTL::DataTypeInt, "int"},         {MTL::DataTypeInt2, "int2"},
    {MTL::DataTypeInt3, "int3"},       {MTL::DataTypeInt4, "int4"},
    {MTL::DataTypeUInt, "uint"},       {MTL::DataTypeUInt2, "uint2"},
    {MTL::DataTypeUInt3, "uint3"},     {MTL::DataTypeUInt4, "uint4"},
    {MTL::DataTypeShort, "short"},     {MTL::DataTypeShort2, "short2"},
    {MTL::DataTypeShort3, "short3"},   {MTL::DataTypeShort4, "short4"},
    {MTL::DataTypeUShort, "ushort"},   {MTL::DataTypeUShort2, "ushort2"},
    {MTL::DataTypeUShort3, "ushort3"}, {MTL::DataTypeUShort4, "ushort4"},
    {MTL::DataTypeChar, "char"},       {MTL::DataTypeChar2, "char2"},
    {MTL::DataTypeChar3, "char3"},     {MTL::DataTypeChar4, "char4"},
    {MTL::DataTypeUChar, "uchar"},     {MTL::DataTypeUChar2, "uchar2"},
    {MTL::DataTypeUChar3, "uchar3"},   {MTL::DataTypeUChar4, "uchar4"},
    {MTL::DataTypeBool, "bool"},       {MTL::DataTypeBool2, "bool2"},
    {MTL::DataTypeBool3, "bool3"},     {MTL::DataTypeBool4, "bool4"},
    {MTL::DataTypeLong, "long"},       {MTL::DataTypeLong2, "long2"},
    {MTL::DataTypeLong3, "long3"},     {MTL::DataTypeLong4, "long4"},
    {MTL::DataTypeULong, "ulong"},     {MTL::DataTypeULong2, "ulong2"},
    {MTL::DataTypeULong3, "ulong3"},   {MTL::DataTypeULong4, "ulong4"},
    {MTL::DataTypeBFloat, "bfloat"},   {MTL::DataTypeBFloat2, "bfloat2"},
    {MTL::DataTypeBFloat3, "bfloat3"}, {MTL::DataTypeBFloat4, "bfloat4"},
};

struct MatrixType {
  MTL::DataType type;
  mt_Scalar scalar;
  unsigned columns, rows;
};

const MatrixType matrix_types[] = {
    {MTL::DataTypeFloat2x2, MT_FLOAT, 2, 2}, {MTL::DataTypeFloat2x3, MT_FLOAT, 2, 3},
    {MTL::DataTypeFloat2x4, MT_FLOAT, 2, 4}, {MTL::DataTypeFloat3x2, MT_FLOAT, 3, 2},
    {MTL::DataTypeFloat3x3, MT_FLOAT, 3, 3}, {MTL::DataTypeFloat3x4, MT_FLOAT, 3, 4},
    {MTL::DataTypeFloat4x2, MT_FLOAT, 4, 2}, {MTL::DataTypeFloat4x3, MT_FLOAT, 4, 3},
    {MTL::DataTypeFloat4x4, MT_FLOAT, 4, 4}, {MTL::DataTypeHalf2x2, MT_HALF, 2, 2},
    {MTL::DataTypeHalf2x3, MT_HALF, 2, 3},   {MTL::DataTypeHalf2x4, MT_HALF, 2, 4},
    {MTL::DataTypeHalf3x2, MT_HALF, 3, 2},   {MTL::DataTypeHalf3x3, MT_HALF, 3, 3},
    {MTL::DataTypeHalf3x4, MT_HALF, 3, 4},   {MTL::DataTypeHalf4x2, MT_HALF, 4, 2},
    {MTL::DataTypeHalf4x3, MT_HALF, 4, 3},   {MTL::DataTypeHalf4x4, MT_HALF, 4, 4},
};

const mt_Type *struct_type(Reflection &r, MTL::StructType *s, size_t size, size_t align);
const mt_Type *array_type(Reflection &r, MTL::ArrayType *a);

const mt_Type *matrix_type(Reflection &r, const MatrixType &m) {
  size_t column = mt_scalar_size(m.scalar) * (m.rows == 3 ? 4 : m.rows);
  mt_Type t = {};
  t.kind = MT_TYPE_MATRIX;
  t.name = r.keep(std::string(mt_scalar_name(m.scalar)) + std::to_string(m.columns) + "x" +
                  std::to_string(m.rows));
  t.size = column * m.columns;
  t.align = column;
  t.scalar = m.scalar;
  t.rows = m.rows;
  t.columns = m.columns;
  return r.add(t);
}

/* A type by its number; 'size' and 'align' where reflection knows them. */
const mt_Type *plain_type(Reflection &r, MTL::DataType type, size_t size, size_t align) {
  for (const Named &n : data_types)
    if (n.type == type) {
      const mt_Type *known = mt_type_named(n.name);
      /* a packed vector has the same number and less room */
      if (size && size < known->size)
        if (const mt_Type *packed = mt_type_named((std::string("packed_") + n.name).c_str()))
          return packed;
      return known;
    }
  for (const MatrixType &m : matrix_types)
    if (m.type == type) return matrix_type(r, m);
  mt_Type t = {};
  t.kind = MT_TYPE_OTHER;
  t.name = "type";
  t.size = size;
  t.align = align;
  t.rows = t.columns = 1;
  return r.add(t);
}

const mt_Type *member_type(Reflection &r, MTL::StructMember *m, size_t room) {
  if (m->dataType() == MTL::DataTypeStruct && m->structType())
    return struct_type(r, m->structType(), room, 0);
  if (m->dataType() == MTL::DataTypeArray && m->arrayType())
    return array_type(r, m->arrayType());
  return plain_type(r, m->dataType(), room, 0);
}

const mt_Type *array_type(Reflection &r, MTL::ArrayType *a) {
  const mt_Type *element =
      a->elementType() == MTL::DataTypeStruct && a->elementStructType()
          ? struct_type(r, a->elementStructType(), a->stride(), 0)
          : a->elementType() == MTL::DataTypeArray && a->elementArrayType()
                ? array_type(r, a->elementArrayType())
                : plain_type(r, a->elementType(), a->stride(), 0);
  mt_Type t = {};
  t.kind = MT_TYPE_ARRAY;
  t.element = element;
  t.count = a->arrayLength();
  t.size = a->stride() * a->arrayLength();
  t.align = element->align;
  t.rows = t.columns = 1;
  t.name = r.keep(std::string(element->name) + "[" + std::to_string(t.count) + "]");
  return r.add(t);
}

const mt_Type *struct_type(Reflection &r, MTL::StructType *s, size_t size, size_t align) {
  auto fields = std::make_unique<std::vector<mt_Field>>();
  NS::Array *members = s->members();
  NS::UInteger n = members ? members->count() : 0;
  for (NS::UInteger i = 0; i < n; i++) {
    auto *m = members->object<MTL::StructMember>(i);
    size_t next = i + 1 < n ? members->object<MTL::StructMember>(i + 1)->offset() : size;
    size_t room = next > m->offset() ? next - m->offset() : 0;
    fields->push_back({r.keep(text_of(m->name())), (size_t)m->offset(), member_type(r, m, room)});
  }
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

const mt_Type *named_type(Reflection &r, mt_TypeKind kind, const char *name) {
  mt_Type t = {};
  t.kind = kind;
  t.name = name;
  t.rows = t.columns = 1;
  return r.add(t);
}

/* "texture2d<float, access::write>", as the source has it. */
const char *texture_name(Reflection &r, MTL::TextureBinding *b) {
  static const char *const access[] = {"", "read", "write", "read_write"};
  std::string name = "texture", element;
  for (const TextureKind &k : texture_kinds)
    if (k.type == b->textureType()) name = (b->isDepthTexture() ? "depth" : "texture") + std::string(k.name);
  for (const Named &n : data_types)
    if (n.type == b->textureDataType()) element = n.name;
  if (element.empty() || name == "texture") return r.keep(name);
  return r.keep(name + "<" + element + ", access::" + access[access_of(b->access())] + ">");
}

bool read_binding(Reflection &r, MTL::Binding *b, mt_Param *p) {
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
      p->type = buffer->bufferDataType() == MTL::DataTypeStruct && buffer->bufferStructType()
                    ? struct_type(r, buffer->bufferStructType(), size, align)
                    : plain_type(r, buffer->bufferDataType(), size, align);
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
    case MTL::BindingTypeTexture:
      p->kind = MT_PARAM_TEXTURE;
      p->array_count = (unsigned)std::max<NS::UInteger>(1, static_cast<MTL::TextureBinding *>(b)->arrayLength());
      p->type = named_type(r, MT_TYPE_TEXTURE, texture_name(r, static_cast<MTL::TextureBinding *>(b)));
      return true;
    case MTL::BindingTypeSampler:
      p->kind = MT_PARAM_SAMPLER;
      p->type = named_type(r, MT_TYPE_SAMPLER, "sampler");
      return true;
    default: return false;
  }
}

/* The bindings in the order of the source, as far as the text shows it. */
void read_bindings(Kernel *k, const Library *lib, NS::Array *bindings) {
  struct Placed {
    unsigned place;
    mt_Param param;
  };
  std::vector<Placed> list;
  NS::UInteger n = bindings ? bindings->count() : 0;
  for (NS::UInteger i = 0; i < n; i++) {
    mt_Param p = {};
    mt_SignatureParam s = {1000u + (unsigned)i, false, false};
    auto *binding = bindings->object<MTL::Binding>(i);
    if (!read_binding(k->reflection, binding, &p)) continue;
    if (!mt_signature_find(lib->source.data(), lib->source.size(), k->name.c_str(), p.name, &s))
      s.reference = p.access == MT_READ; /* let values be given; Metal reads one */
    p.reference = s.reference;
    p.constant = s.constant;
    list.push_back({s.place, p});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Placed &a, const Placed &b) { return a.place < b.place; });
  for (const Placed &p : list) k->reflection.params.push_back(p.param);
}

/* ------------------------------------------------------- opening a device */

struct Family {
  MTL::GPUFamily first; /* of a run of numbers */
  int count;
  const char *name;
};

const Family families[] = {{MTL::GPUFamilyApple1, 10, "Apple"},
                           {MTL::GPUFamilyMac1, 2, "Mac"},
                           {MTL::GPUFamilyMetal3, 2, "Metal"}};

/* "Apple 9, Mac 2, Metal 3": of each kind the newest that it belongs to. */
std::string list_families(MTL::Device *m) {
  std::string list;
  for (const Family &f : families) {
    int start = f.first == MTL::GPUFamilyMetal3 ? 3 : 1;
    for (int i = f.count; i-- > 0;) {
      if (!m->supportsFamily((MTL::GPUFamily)(f.first + i))) continue;
      list += (list.empty() ? "" : ", ") + std::string(f.name) + " " + std::to_string(start + i);
      break;
    }
  }
  return list;
}

/* Where constant memory may start: by Apple's table of limits. */
size_t constant_alignment(MTL::Device *m) {
  if (m->supportsFamily(MTL::GPUFamilyApple2)) return 4;
  return m->supportsFamily(MTL::GPUFamilyMac2) ? 32 : 256;
}

void fill_info(Device *d) {
  MTL::Device *m = d->device.get();
  MTL::Size most = m->maxThreadsPerThreadgroup();
  d->title = text_of(m->name());
  d->info.name = "metal";
  d->info.title = d->title.c_str();
  d->info.how = "MSL goes to Apple's compiler and runs on the GPU";
  d->info.is_gpu = true;
  d->info.unified_memory = m->hasUnifiedMemory();
  d->info.units = 0; /* Metal does not tell */
  d->info.simd_width = 32;
  d->info.max_group[0] = most.width;
  d->info.max_group[1] = most.height;
  d->info.max_group[2] = most.depth;
  d->info.max_threads_per_group = most.width;
  d->info.max_threadgroup_memory = m->maxThreadgroupMemoryLength();
  d->info.max_buffer = m->maxBufferLength();
  d->info.memory = m->recommendedMaxWorkingSetSize();
  d->info.max_buffers = 31;
  d->info.max_textures = 128;
  d->info.max_samplers = 16;
  d->families = list_families(m);
  d->info.families = d->families.empty() ? nullptr : d->families.c_str();
  d->info.constant_align = constant_alignment(m);
}

/* The default device can be nil in a command-line tool; the list may not. */
NS::SharedPtr<MTL::Device> find_device() {
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (device) return device;
  auto all = NS::TransferPtr(MTL::CopyAllDevices());
  if (all && all->count() > 0) return NS::RetainPtr(all->object<MTL::Device>(0));
  return {};
}

/* What a kernel logs goes to 'messages'; nil before macOS 15. */
NS::SharedPtr<MTL::LogState> new_log(Device *d) {
  if (__builtin_available(macOS 15, *)) {
    auto desc = NS::TransferPtr(MTL::LogStateDescriptor::alloc()->init());
    desc->setLevel(MTL::LogLevelDebug);
    desc->setBufferSize(1 << 20);
    NS::Error *error = nullptr;
    auto log = NS::TransferPtr(d->device->newLogState(desc.get(), &error));
    if (!log) return {};
    auto messages = d->messages;
    log->addLogHandler([messages](NS::String *, NS::String *, MTL::LogLevel level, NS::String *text) {
      std::lock_guard<std::mutex> held(messages->lock);
      if (messages->text.size() > (1 << 20)) return; /* a kernel says it a million times */
      messages->text += level >= MTL::LogLevelError ? "kernel, error: " : "kernel: ";
      messages->text += std::string(text_of(text)) + "\n";
    });
    return log;
  }
  return {};
}

NS::SharedPtr<MTL::CommandQueue> new_queue(Device *d) {
  auto log = new_log(d);
  if (!log) return NS::TransferPtr(d->device->newCommandQueue());
  auto desc = NS::TransferPtr(MTL::CommandQueueDescriptor::alloc()->init());
  desc->setLogState(log.get());
  return NS::TransferPtr(d->device->newCommandQueue(desc.get()));
}

void metal_messages(mt_Device *dev, mt_Str *out) {
  Messages &m = *of(dev)->messages;
  std::lock_guard<std::mutex> held(m.lock);
  mt_str_add(out, m.text.c_str());
  m.text.clear();
}

mt_Status metal_open(mt_Device **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto device = find_device();
    if (!device)
      return mt_error(err, MT_FAIL,
                      "macOS offers no Metal device here (a virtual machine without a GPU, or "
                      "no login session?): use the host device, gpu.use \"host\"");
    auto d = std::make_unique<Device>();
    d->ops = &mt_metal_ops;
    d->device = device;
    d->messages = std::make_shared<Messages>();
    d->queue = new_queue(d.get());
    if (!d->queue) return mt_error(err, MT_FAIL, "Metal gave no command queue");
    fill_info(d.get());
    *out = d.release();
    return MT_OK;
  });
}

void metal_close(mt_Device *dev) {
  Pool pool;
  delete of(dev);
}

/* -------------------------------------------------------------- libraries */

/* Metal 3.2 replaced the switch by a mode; both mean the same here. */
void set_math(MTL::CompileOptions *options, bool fast) {
  if (__builtin_available(macOS 15, *)) {
    options->setMathMode(fast ? MTL::MathModeFast : MTL::MathModeSafe);
    return;
  }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  options->setFastMathEnabled(fast);
#pragma clang diagnostic pop
}

/* Logging costs time, so only where the source asks for it (macOS 15). */
void set_logging(MTL::CompileOptions *options, const std::string &source) {
  if (source.find("os_log") == std::string::npos) return;
  if (__builtin_available(macOS 15, *)) options->setEnableLogging(true);
}

void set_defines(MTL::CompileOptions *options, const mt_CompileOptions *o) {
  if (o->define_count == 0) return;
  std::vector<const NS::Object *> names, values;
  for (size_t i = 0; i < o->define_count; i++) {
    names.push_back(string_of(o->defines[i].name));
    values.push_back(string_of(o->defines[i].value));
  }
  options->setPreprocessorMacros(
      NS::Dictionary::dictionary(values.data(), names.data(), names.size()));
}

/* Some versions put a line of their own before what the compiler said. */
std::string without_preface(const std::string &said) {
  const std::string preface = "Compilation failed:";
  if (said.compare(0, preface.size(), preface) != 0) return said;
  size_t at = said.find_first_not_of(" \n", preface.size());
  return at == std::string::npos ? said : said.substr(at);
}

/* The first line of the log that is an error. */
std::string first_error(const std::string &log) {
  size_t at = log.find("error:");
  if (at == std::string::npos) at = 0;
  size_t start = log.rfind('\n', at), end = log.find('\n', at);
  start = start == std::string::npos ? 0 : start + 1;
  return log.substr(start, end == std::string::npos ? end : end - start);
}

/* Kernels in the order of the source; other functions are left out. */
void list_kernels(Library *lib) {
  NS::Array *names = lib->library->functionNames();
  std::vector<std::pair<size_t, std::string>> placed;
  for (NS::UInteger i = 0; names && i < names->count(); i++) {
    auto *name = names->object<NS::String>(i);
    auto function = NS::TransferPtr(lib->library->newFunction(name));
    if (!function || function->functionType() != MTL::FunctionTypeKernel) continue;
    placed.emplace_back(mt_signature_place(lib->source.data(), lib->source.size(), text_of(name)), text_of(name));
  }
  std::stable_sort(placed.begin(), placed.end());
  for (auto &p : placed) lib->names.push_back(p.second);
  for (auto &n : lib->names) lib->name_pointers.push_back(n.c_str());
  lib->kernel_names = lib->name_pointers.data();
  lib->kernel_count = lib->name_pointers.size();
}

bool has_constant(const Library *lib, unsigned index) {
  for (const mt_Constant &c : lib->constant_list)
    if (c.index == index) return true;
  return false;
}

void add_constants(Library *lib, Reflection &types, MTL::Function *function) {
  NS::Dictionary *all = function->functionConstantsDictionary();
  NS::Enumerator<NS::String> *keys = all ? all->keyEnumerator<NS::String>() : nullptr;
  while (NS::String *key = keys ? keys->nextObject() : nullptr) {
    auto *c = all->object<MTL::FunctionConstant>(key);
    if (c == nullptr || has_constant(lib, (unsigned)c->index())) continue;
    mt_Constant k = {types.keep(text_of(c->name())), (unsigned)c->index(),
                     plain_type(types, c->type(), 0, 0), c->required()};
    lib->constant_list.push_back(k);
  }
}

void list_constants(Library *lib) {
  for (auto &name : lib->names) {
    auto function = NS::TransferPtr(lib->library->newFunction(string_of(name.c_str())));
    if (function) add_constants(lib, lib->types, function.get());
  }
  std::sort(lib->constant_list.begin(), lib->constant_list.end(),
            [](const mt_Constant &a, const mt_Constant &b) { return a.index < b.index; });
  lib->constants = lib->constant_list.data();
  lib->constant_count = lib->constant_list.size();
}

/* The source with the person's headers in place, as Metal wants it. */
mt_Status with_headers(const char *source, size_t length, const mt_CompileOptions *o,
                       std::string *out, mt_Error *err) {
  mt_Str text = MT_STR_INIT;
  mt_Status status = mt_metal_include(source, length, o, &text, err);
  if (status == MT_OK) out->assign(mt_str_text(&text), text.length);
  mt_str_free(&text);
  return status;
}

mt_Status metal_library_new(mt_Device *dev, const char *source, size_t length,
                            const mt_CompileOptions *o, mt_Library **out, mt_Str *log,
                            mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto lib = std::make_unique<Library>();
    lib->device = dev;
    if (std::memchr(source, '\0', length))
      return mt_error(err, MT_BADARG, "the source contains a NUL byte");
    mt_Status status = with_headers(source, length, o, &lib->source, err);
    if (status != MT_OK) return status;
    NS::String *text = string_of(lib->source.c_str());
    if (text == nullptr) return mt_error(err, MT_BADARG, "the source is not valid UTF-8");
    auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
    set_math(options.get(), o->math == MT_MATH_FAST);
    set_logging(options.get(), lib->source);
    set_defines(options.get(), o);
    NS::Error *error = nullptr;
    lib->library = NS::TransferPtr(of(dev)->device->newLibrary(text, options.get(), &error));
    /* with warnings alone there are both, a library and an error */
    std::string said = error ? without_preface(message_of(error)) : "";
    mt_str_add(log, said.c_str());
    if (!lib->library) return mt_error(err, MT_BADARG, "%s", first_error(said).c_str());
    list_kernels(lib.get());
    list_constants(lib.get());
    *out = lib.release();
    return MT_OK;
  });
}

void metal_library_free(mt_Library *lib) {
  Pool pool;
  delete static_cast<Library *>(lib);
}

/* ---------------------------------------------------------------- kernels */

MTL::DataType constant_type(const Library *lib, unsigned index) {
  for (const mt_Constant &c : lib->constant_list) {
    if (c.index != index) continue;
    for (const Named &n : data_types)
      if (std::strcmp(n.name, c.type->name) == 0) return n.type;
  }
  return MTL::DataTypeNone;
}

NS::SharedPtr<MTL::Function> find_function(Library *lib, const char *name,
                                           const mt_ConstantValue *values, size_t count,
                                           NS::Error **error) {
  if (lib->constant_list.empty())
    return NS::TransferPtr(lib->library->newFunction(string_of(name)));
  auto constants = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  for (size_t i = 0; i < count; i++)
    constants->setConstantValue(values[i].bytes, constant_type(lib, values[i].index),
                                (NS::UInteger)values[i].index);
  return NS::TransferPtr(lib->library->newFunction(string_of(name), constants.get(), error));
}

/* What the source demands of the group, where macOS can tell. */
void read_required_group(Kernel *k) {
  if (__builtin_available(macOS 26, *)) {
    MTL::Size size = k->pipeline->requiredThreadsPerThreadgroup();
    if (size.width == 0) return;
    k->info.required_group[0] = (unsigned)size.width;
    k->info.required_group[1] = (unsigned)size.height;
    k->info.required_group[2] = (unsigned)size.depth;
  }
}

mt_Status metal_kernel_new(mt_Library *library, const char *name, const mt_ConstantValue *values,
                           size_t count, mt_Kernel **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto *lib = static_cast<Library *>(library);
    NS::Error *error = nullptr;
    auto function = find_function(lib, name, values, count, &error);
    if (!function)
      return mt_error(err, MT_BADARG, "%s cannot be made: %s", name, message_of(error));
    auto k = std::make_unique<Kernel>();
    MTL::ComputePipelineReflection *reflection = nullptr;
    k->device = lib->device;
    k->name = name;
    k->pipeline = NS::TransferPtr(of(lib->device)->device->newComputePipelineState(
        function.get(), MTL::PipelineOptionArgumentInfo | MTL::PipelineOptionBufferTypeInfo,
        &reflection, &error));
    if (!k->pipeline)
      return mt_error(err, MT_FAIL, "%s compiles but cannot run here: %s", name, message_of(error));
    read_bindings(k.get(), lib, reflection ? reflection->bindings() : nullptr);
    k->info.name = k->name.c_str();
    k->info.params = k->reflection.params.data();
    k->info.param_count = (unsigned)k->reflection.params.size();
    k->info.max_threads = (unsigned)k->pipeline->maxTotalThreadsPerThreadgroup();
    k->info.simd_width = (unsigned)k->pipeline->threadExecutionWidth();
    k->info.threadgroup_static = k->pipeline->staticThreadgroupMemoryLength();
    read_required_group(k.get());
    *out = k.release();
    return MT_OK;
  });
}

void metal_kernel_free(mt_Kernel *k) {
  Pool pool;
  delete static_cast<Kernel *>(k);
}

/* ---------------------------------------------------------------- waiting */

/* Shared with the completion handler, which may outlive the launch. */
struct Done {
  std::mutex lock;
  std::condition_variable wake;
  bool done = false;
};

/* Wait until the kernel is done, the time is up, or Ctrl-C was pressed. */
mt_Status wait_for(Done &d, double limit, const char *name, mt_Error *err) {
  uint64_t start = mt_now_ns();
  std::unique_lock<std::mutex> held(d.lock);
  while (!d.done) {
    d.wake.wait_for(held, std::chrono::milliseconds(20));
    if (d.done) break;
    if (mt_cancelled())
      return mt_error(err, MT_CANCELLED, "%s: interrupted; macOS ends the kernel on its own", name);
    if (limit > 0 && (double)(mt_now_ns() - start) * 1e-9 > limit)
      return mt_error(err, MT_TIMEOUT, "%s: still running after %g s; given up", name, limit);
  }
  return MT_OK;
}

mt_Status explain(const char *name, NS::Error *error, mt_Error *err) {
  const char *text = message_of(error);
  long code = error ? (long)error->code() : 0;
  return mt_error(err, MT_FAIL, "%s: %s (%s)", name, mt_metal_meaning(code, text), text);
}

/* Commit, wait, and say what went wrong; then there is a new queue, since one
** that failed may refuse all that follows. */
mt_Status finish(Device *d, MTL::CommandBuffer *commands, const char *name, double limit, mt_Error *err) {
  auto done = std::make_shared<Done>();
  commands->addCompletedHandler([done](MTL::CommandBuffer *) {
    std::lock_guard<std::mutex> held(done->lock);
    done->done = true;
    done->wake.notify_all();
  });
  commands->commit();
  mt_Status status = wait_for(*done, limit, name, err);
  if (status == MT_OK && commands->status() != MTL::CommandBufferStatusCompleted)
    status = explain(name, commands->error(), err);
  if (status != MT_OK) d->queue = new_queue(d);
  return status;
}

/* --------------------------------------------------- buffers and textures */

mt_Status metal_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto b = std::make_unique<Buffer>();
    b->buffer = NS::TransferPtr(of(dev)->device->newBuffer(size, MTL::ResourceStorageModeShared));
    if (!b->buffer || b->buffer->contents() == nullptr)
      return mt_error(err, MT_FAIL, "Metal has no memory for a buffer of %zu bytes", size);
    b->device = dev;
    b->contents = b->buffer->contents();
    b->size = size;
    *out = b.release();
    return MT_OK;
  });
}

void metal_buffer_free(mt_Buffer *b) {
  Pool pool;
  delete static_cast<Buffer *>(b);
}

const MTL::PixelFormat pixel_formats[MT_PIXEL_FORMATS] = {
    MTL::PixelFormatR8Unorm,    MTL::PixelFormatRG8Unorm,    MTL::PixelFormatRGBA8Unorm,
    MTL::PixelFormatBGRA8Unorm, MTL::PixelFormatR8Uint,      MTL::PixelFormatRGBA8Uint,
    MTL::PixelFormatR16Float,   MTL::PixelFormatRG16Float,   MTL::PixelFormatRGBA16Float,
    MTL::PixelFormatR32Float,   MTL::PixelFormatRG32Float,   MTL::PixelFormatRGBA32Float,
    MTL::PixelFormatR32Uint,    MTL::PixelFormatRG32Uint,    MTL::PixelFormatRGBA32Uint,
    MTL::PixelFormatR32Sint,    MTL::PixelFormatRGBA32Sint,  MTL::PixelFormatR16Uint,
    MTL::PixelFormatRGBA16Uint, MTL::PixelFormatR16Unorm,    MTL::PixelFormatRGBA16Unorm,
};

const MTL::TextureType texture_types[] = {MTL::TextureType1D, MTL::TextureType1DArray,
                                          MTL::TextureType2D, MTL::TextureType2DArray,
                                          MTL::TextureType3D};

mt_Status metal_texture_new(mt_Device *dev, const mt_TextureDesc *desc, mt_Texture **out,
                            mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto d = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    d->setTextureType(texture_types[desc->kind]);
    d->setPixelFormat(pixel_formats[desc->format]);
    d->setWidth(desc->width);
    d->setHeight(desc->height);
    d->setDepth(desc->depth);
    d->setArrayLength(desc->layers);
    d->setStorageMode(dev->info.unified_memory ? MTL::StorageModeShared : MTL::StorageModeManaged);
    d->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
    auto t = std::make_unique<Texture>();
    t->texture = NS::TransferPtr(of(dev)->device->newTexture(d.get()));
    if (!t->texture) return mt_error(err, MT_FAIL, "Metal could not make this texture");
    t->device = dev;
    t->desc = *desc;
    *out = t.release();
    std::vector<char> zeros(mt_pixel_size(desc->format) * desc->width * desc->height *
                            desc->depth * desc->layers);
    return mt_texture_write(*out, zeros.data(), zeros.size(), err);
  });
}

void metal_texture_free(mt_Texture *t) {
  Pool pool;
  delete static_cast<Texture *>(t);
}

/* Layer by layer: the region of one, and where its pixels lie. */
template <typename Move>
void each_layer(const mt_TextureDesc &d, Move move) {
  size_t row = mt_pixel_size(d.format) * d.width, image = row * d.height;
  MTL::Region region = MTL::Region::Make3D(0, 0, 0, d.width, d.height, d.depth);
  for (unsigned layer = 0; layer < d.layers; layer++)
    move(region, layer, (size_t)layer * image * d.depth, row, image);
}

mt_Status metal_texture_write(mt_Texture *t, const void *pixels, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::Texture *m = static_cast<Texture *>(t)->texture.get();
    each_layer(t->desc, [&](MTL::Region r, unsigned layer, size_t at, size_t row, size_t image) {
      m->replaceRegion(r, 0, layer, static_cast<const char *>(pixels) + at, row, image);
    });
    return MT_OK;
  });
}

/* Where the GPU has memory of its own there are two copies of a texture; what it
** wrote is brought into the one that is read here. */
mt_Status bring_back(Device *d, MTL::Texture *m, mt_Error *err) {
  MTL::CommandBuffer *commands = d->queue->commandBuffer();
  MTL::BlitCommandEncoder *blit = commands ? commands->blitCommandEncoder() : nullptr;
  if (blit == nullptr) return mt_error(err, MT_FAIL, "Metal gave no command buffer");
  blit->synchronizeResource(m);
  blit->endEncoding();
  return finish(d, commands, "reading a texture", 0, err);
}

mt_Status metal_texture_read(const mt_Texture *t, void *pixels, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::Texture *m = static_cast<const Texture *>(t)->texture.get();
    if (!t->device->info.unified_memory) {
      mt_Status status = bring_back(of(t->device), m, err);
      if (status != MT_OK) return status;
    }
    each_layer(t->desc, [&](MTL::Region r, unsigned layer, size_t at, size_t row, size_t image) {
      m->getBytes(static_cast<char *>(pixels) + at, row, image, r, 0, layer);
    });
    return MT_OK;
  });
}

/* --------------------------------------------------------------- launches */

MTL::Size size_of(mt_Size s) { return MTL::Size::Make(s.x, s.y, s.z); }

NS::SharedPtr<MTL::SamplerState> sampler_of(Device *d, const mt_SamplerDesc &s) {
  static const MTL::SamplerAddressMode modes[] = {
      MTL::SamplerAddressModeClampToEdge, MTL::SamplerAddressModeClampToZero,
      MTL::SamplerAddressModeRepeat, MTL::SamplerAddressModeMirrorRepeat};
  auto desc = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  auto filter = s.linear ? MTL::SamplerMinMagFilterLinear : MTL::SamplerMinMagFilterNearest;
  desc->setMinFilter(filter);
  desc->setMagFilter(filter);
  desc->setNormalizedCoordinates(!s.pixel);
  desc->setSAddressMode(modes[s.address & 3]);
  desc->setTAddressMode(modes[s.address & 3]);
  desc->setRAddressMode(modes[s.address & 3]);
  return NS::TransferPtr(d->device->newSamplerState(desc.get()));
}

void bind(Device *d, MTL::ComputeCommandEncoder *e, const mt_Param &p, const mt_Arg &a) {
  switch (a.kind) {
    case MT_ARG_BUFFER:
      e->setBuffer(static_cast<Buffer *>(a.buffer)->buffer.get(), a.offset, p.index);
      break;
    case MT_ARG_BYTES: e->setBytes(a.bytes, a.size, p.index); break;
    case MT_ARG_THREADGROUP: e->setThreadgroupMemoryLength(a.size, p.index); break;
    case MT_ARG_TEXTURE:
      e->setTexture(static_cast<Texture *>(a.texture)->texture.get(), p.index);
      for (unsigned i = 1; i < a.texture_count; i++)
        e->setTexture(static_cast<Texture *>(a.textures[i])->texture.get(), p.index + i);
      break;
    case MT_ARG_SAMPLER: e->setSamplerState(sampler_of(d, a.sampler).get(), p.index); break;
    case MT_ARG_NONE: break;
  }
}

/* Encode all repeats; each waits for the one before, as launches do. */
void encode(Device *d, MTL::ComputeCommandEncoder *e, const mt_Launch *l) {
  auto *k = static_cast<Kernel *>(l->kernel);
  e->setComputePipelineState(k->pipeline.get());
  for (unsigned i = 0; i < l->arg_count; i++) bind(d, e, k->info.params[i], l->args[i]);
  for (unsigned i = 0; i < l->repeats; i++) {
    if (l->by_groups) e->dispatchThreadgroups(size_of(l->grid), size_of(l->group));
    else e->dispatchThreads(size_of(l->grid), size_of(l->group));
  }
  e->endEncoding();
}

mt_Status metal_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    Device *d = of(l->kernel->device);
    const char *name = l->kernel->info.name;
    uint64_t start = mt_now_ns();
    MTL::CommandBuffer *commands = d->queue->commandBuffer();
    MTL::ComputeCommandEncoder *encoder = commands ? commands->computeCommandEncoder() : nullptr;
    if (encoder == nullptr) return mt_error(err, MT_FAIL, "%s: Metal gave no command buffer", name);
    encode(d, encoder, l);
    mt_Status status = finish(d, commands, name, l->time_limit, err);
    if (status != MT_OK) return status;
    out->wall_ns = mt_now_ns() - start;
    double seconds = commands->GPUEndTime() - commands->GPUStartTime();
    out->device_ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
    return MT_OK;
  });
}

/* ---------------------------------------------------------------- capture */

NS::SharedPtr<MTL::CaptureDescriptor> capture_of(Device *d, const char *path) {
  char *whole = realpath(".", nullptr); /* the file itself is not there yet */
  std::string full = path[0] == '/' || !whole ? path : std::string(whole) + "/" + path;
  std::free(whole);
  NS::String *text = string_of(full.c_str());
  if (text == nullptr) return {};
  auto desc = NS::TransferPtr(MTL::CaptureDescriptor::alloc()->init());
  desc->setCaptureObject(d->device.get());
  desc->setDestination(MTL::CaptureDestinationGPUTraceDocument);
  desc->setOutputURL(NS::URL::fileURLWithPath(text));
  return desc;
}

mt_Status metal_capture_start(mt_Device *dev, const char *path, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::CaptureManager *manager = MTL::CaptureManager::sharedCaptureManager(); /* not ours */
    if (!manager || !manager->supportsDestination(MTL::CaptureDestinationGPUTraceDocument))
      return mt_error(err, MT_FAIL,
                      "macOS allows captures only to a program that was started for them: "
                      "start Mettle as mettle --capture");
    if (manager->isCapturing())
      return mt_error(err, MT_BADARG, "a capture is being made already: one at a time");
    auto desc = capture_of(of(dev), path);
    if (!desc) return mt_error(err, MT_BADARG, "the capture's name is not valid UTF-8");
    NS::Error *error = nullptr;
    if (!manager->startCapture(desc.get(), &error))
      return mt_error(err, MT_FAIL, "the capture %s could not be started: %s", path, message_of(error));
    return MT_OK;
  });
}

void metal_capture_stop(mt_Device *) {
  Pool pool;
  MTL::CaptureManager *manager = MTL::CaptureManager::sharedCaptureManager();
  if (manager && manager->isCapturing()) manager->stopCapture();
}

}  // namespace

extern "C" const mt_DeviceOps mt_metal_ops = {
    {"metal", "the Apple GPU of this Mac, through Metal"},
    metal_open,         metal_close,
    metal_library_new,  metal_library_free,
    metal_kernel_new,   metal_kernel_free,
    nullptr, /* no listing: Apple's compiler shows none */
    metal_buffer_new,   metal_buffer_free,
    metal_texture_new,  metal_texture_free,
    metal_texture_write, metal_texture_read,
    metal_launch,
    metal_capture_start, metal_capture_stop,
    metal_messages,
};

/*
** program.cpp - libraries and kernels of the Metal device: source to Apple's
** compiler, what it said, and the pipeline that runs.
*/
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <cstring>

#include "devices/metal/include.h"

namespace mt_metal {
namespace {

/* -------------------------------------------------------------- libraries */

/* Metal 3.2 replaced the switch by two: a mode, and which of its two sets of
** functions sin() and its like are. */
void set_math(MTL::CompileOptions *options, bool fast) {
  if (MT_FROM_MACOS(15)) {
    options->setMathMode(fast ? MTL::MathModeFast : MTL::MathModeSafe);
    options->setMathFloatingPointFunctions(
        fast ? MTL::MathFloatingPointFunctionsFast
             : MTL::MathFloatingPointFunctionsPrecise);
    return;
  }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  options->setFastMathEnabled(fast);
#pragma clang diagnostic pop
}

/* A version that this system's compiler does not know is its own error. */
void set_version(MTL::CompileOptions *options, const char *std) {
  unsigned version;
  if (std == nullptr || mt_msl_version(std, &version, nullptr) != MT_OK) return;
  options->setLanguageVersion(static_cast<MTL::LanguageVersion>(
      (version / 100) << 16 | version / 10 % 10));
}

/* Logging costs time, so only where the source asks for it (macOS 15). */
bool set_logging(MTL::CompileOptions *options, const std::string &source) {
  if (source.find("os_log") == std::string::npos) return false;
  if (MT_FROM_MACOS(15)) {
    options->setEnableLogging(true);
    return true;
  }
  return false;
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
    if (!function || function->functionType() != MTL::FunctionTypeKernel)
      continue;
    placed.emplace_back(mt_signatures_place(lib->signatures, text_of(name)),
                        text_of(name));
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
  NS::Enumerator<NS::String> *keys =
      all ? all->keyEnumerator<NS::String>() : nullptr;
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
    auto function =
        NS::TransferPtr(lib->library->newFunction(string_of(name.c_str())));
    if (function) add_constants(lib, lib->types, function.get());
  }
  std::sort(lib->constant_list.begin(), lib->constant_list.end(),
            [](const mt_Constant &a, const mt_Constant &b) {
              return a.index < b.index;
            });
  lib->constants = lib->constant_list.data();
  lib->constant_count = lib->constant_list.size();
}

/* The source with the person's headers in place, as Metal wants it. */
mt_Status with_headers(const char *source, size_t length,
                       const mt_CompileOptions *o, std::string *out,
                       mt_Error *err) {
  mt_Str text = MT_STR_INIT;
  mt_Status status = mt_metal_include(source, length, o, &text, err);
  if (status == MT_OK) out->assign(mt_str_text(&text), text.length);
  mt_str_free(&text);
  return status;
}

mt_Signatures *read_signatures(const std::string &source,
                               const mt_CompileOptions *o) {
  std::vector<mt_MslDefine> defines;
  for (size_t i = 0; i < o->define_count; i++)
    defines.push_back({o->defines[i].name, o->defines[i].value});
  return mt_signatures_read(source.data(), source.size(), defines.data(),
                            defines.size());
}

}  // namespace

mt_Status library_new(mt_Device *dev, const char *source, size_t length,
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
    if (text == nullptr)
      return mt_error(err, MT_BADARG, "the source is not valid UTF-8");
    auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
    set_math(options.get(), o->math == MT_MATH_FAST);
    set_version(options.get(), o->std);
    lib->logging = set_logging(options.get(), lib->source);
    set_defines(options.get(), o);
    NS::Error *error = nullptr;
    lib->library = NS::TransferPtr(
        of(dev)->device->newLibrary(text, options.get(), &error));
    /* with warnings alone there are both, a library and an error */
    std::string said = error ? without_preface(message_of(error)) : "";
    mt_str_add(log, said.c_str());
    if (!lib->library)
      return mt_error(err, MT_BADARG, "%s", first_error(said).c_str());
    lib->signatures = read_signatures(lib->source, o);
    list_kernels(lib.get());
    list_constants(lib.get());
    *out = lib.release();
    return MT_OK;
  });
}

void library_free(mt_Library *lib) {
  Pool pool;
  delete static_cast<Library *>(lib);
}

/* ---------------------------------------------------------------- kernels */

namespace {

MTL::DataType constant_type(const Library *lib, unsigned index) {
  for (const mt_Constant &c : lib->constant_list)
    if (c.index == index) return data_type_named(c.type->name);
  return MTL::DataTypeNone;
}

NS::SharedPtr<MTL::Function> find_function(Library *lib, const char *name,
                                           const mt_ConstantValue *values,
                                           size_t count, NS::Error **error) {
  if (lib->constant_list.empty())
    return NS::TransferPtr(lib->library->newFunction(string_of(name)));
  auto constants =
      NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  for (size_t i = 0; i < count; i++)
    constants->setConstantValue(values[i].bytes,
                                constant_type(lib, values[i].index),
                                (NS::UInteger)values[i].index);
  return NS::TransferPtr(
      lib->library->newFunction(string_of(name), constants.get(), error));
}

/* What the source demands of the group, where macOS can tell. */
void read_required_group(Kernel *k) {
  if (MT_FROM_MACOS(26)) {
    MTL::Size size = k->pipeline->requiredThreadsPerThreadgroup();
    if (size.width == 0) return;
    k->info.required_group[0] = (unsigned)size.width;
    k->info.required_group[1] = (unsigned)size.height;
    k->info.required_group[2] = (unsigned)size.depth;
  }
}

}  // namespace

mt_Status kernel_new(mt_Library *library, const char *name,
                     const mt_ConstantValue *values, size_t count,
                     mt_Kernel **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto *lib = static_cast<Library *>(library);
    NS::Error *error = nullptr;
    auto function = find_function(lib, name, values, count, &error);
    if (!function)
      return mt_error(err, MT_BADARG, "%s cannot be made: %s", name,
                      message_of(error));
    auto k = std::make_unique<Kernel>();
    MTL::ComputePipelineReflection *reflection = nullptr;
    k->device = lib->device;
    k->name = name;
    k->pipeline = NS::TransferPtr(of(lib->device)
                                      ->device->newComputePipelineState(
                                          function.get(),
                                          MTL::PipelineOptionArgumentInfo |
                                              MTL::PipelineOptionBufferTypeInfo,
                                          &reflection, &error));
    if (!k->pipeline)
      return mt_error(err, MT_FAIL, "%s compiles but cannot run here: %s", name,
                      message_of(error));
    k->logs = lib->logging && mt_signatures_logs(lib->signatures, name);
    read_parameters(k.get(), lib,
                    reflection ? reflection->bindings() : nullptr);
    k->info.name = k->name.c_str();
    k->info.params = k->reflection.params.data();
    k->info.param_count = (unsigned)k->reflection.params.size();
    k->info.max_threads =
        (unsigned)k->pipeline->maxTotalThreadsPerThreadgroup();
    k->info.simd_width = (unsigned)k->pipeline->threadExecutionWidth();
    k->info.threadgroup_static = k->pipeline->staticThreadgroupMemoryLength();
    read_required_group(k.get());
    *out = k.release();
    return MT_OK;
  });
}

void kernel_free(mt_Kernel *k) {
  Pool pool;
  delete static_cast<Kernel *>(k);
}

}  // namespace mt_metal

/*
** metal.hpp - what the files of the Metal device share.
**
** C++, since metal-cpp gives no other door. The rules that keep it safe: a pool
** around every call that touches Metal; what 'new' or 'alloc' gave is held by a
** SharedPtr or released in _free, what was autoreleased is not; no exception
** leaves these files; everything Metal would drop in silence or abort on was
** refused in devices/launch.c before it comes here.
*/
#ifndef MT_METAL_HPP
#define MT_METAL_HPP

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

extern "C" {
#include "base/advice.h"
#include "base/macos.h"
#include "devices/device.h"
#include "devices/metal/doctor.h"
#include "msl/reader/signatures.h"
#include "msl/reader/versions.h"
}

/* if (MT_FROM_MACOS(15)): what came with that version may be used. Elsewhere
** the stand-in (tests/metal) says which it plays. */
#ifdef __APPLE__
#define MT_FROM_MACOS(version) __builtin_available(macOS version, *)
#else
extern "C" int standin_macos(void);
#define MT_FROM_MACOS(version) (standin_macos() >= (version))
#endif

namespace mt_metal {

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

inline const char *text_of(const NS::String *s) {
  const char *t = s ? s->utf8String() : nullptr;
  return t ? t : "";
}

/* nil if 'text' is not UTF-8. */
inline NS::String *string_of(const char *text) {
  return NS::String::string(text, NS::UTF8StringEncoding);
}

inline const char *message_of(NS::Error *error) {
  return error ? text_of(error->localizedDescription())
               : "Metal gave no reason";
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
    return mt_error(err, MT_FAIL,
                    "an unexpected failure inside the Metal device");
  }
}

/* ------------------------------------------------------------ the structs */

/* What kernels have logged and was not taken so far; Metal's handlers write it
** from threads of their own. */
struct Messages {
  std::mutex lock;
  std::condition_variable wake; /* a launch has said its last */
  std::string text;
  bool late = false; /* a line came when its launch had returned */
};

/* Whether a command buffer has ended; by its completion handler. */
struct Done {
  std::mutex lock;
  std::condition_variable wake;
  std::atomic<bool> done{false};
};

/*
** What one launch logs. Metal's handler alone holds it, so it goes with the log
** state, and then all has been said: lines may come after the launch is done.
*/
struct Voice {
  std::shared_ptr<Messages> messages;
  std::string name;
  bool over = false; /* its launch has returned; by the messages' lock */

  ~Voice();
  void say(bool error, const char *line);
};

/* One moment by our clock and by the GPU's, whose unit is its own. */
struct Moment {
  uint64_t ns, gpu;
};

struct Device : mt_Device {
  NS::SharedPtr<MTL::Device> device;
  NS::SharedPtr<MTL::CommandQueue> queue;
  std::shared_ptr<Messages> messages; /* the handlers have it too */
  double patience = 1; /* seconds, with what a launch logs */
  std::vector<std::shared_ptr<Done>> given_up; /* launches that may run still */
  std::vector<std::pair<mt_SamplerDesc, NS::SharedPtr<MTL::SamplerState>>>
      samplers;
  bool argument_buffers; /* of tier 2: pointers are plain addresses in them */
  /* Apple's own GPUs; others have managed ones, though Intel's share its
  ** memory */
  bool shared_textures;
  bool managed_buffers; /* the GPU has memory of its own: AMD's */
  size_t buffer_count = 0; /* so far, for their labels */
  /* its clock, which it notes at an encoder's ends; nil: it does not */
  NS::SharedPtr<MTL::CounterSet> clock;
  Moment opened = {};
  std::string title, families, macos;
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
  mt_Signatures *signatures = nullptr;
  std::vector<std::string> names;
  std::vector<const char *> name_pointers;
  bool logging = false; /* compiled so that its kernels can log */
  std::vector<mt_Constant> constant_list;
  Reflection types; /* of the constants */
  Library() = default;
  ~Library() { mt_signatures_free(signatures); }
};

struct Kernel : mt_Kernel {
  NS::SharedPtr<MTL::ComputePipelineState> pipeline;
  Reflection reflection;
  /* in the source and not among the bindings, one for each parameter */
  std::vector<bool> absent;
  std::string name;
  bool logs = false; /* it may, so its launches have a log */
};

/*
** Where buffers are managed there are two copies. The CPU's is as new as
** the GPU's unless 'stale'; what the CPU may have written since the last launch
** lies between 'low' and 'high', and is never there while it is stale.
*/
struct Buffer : mt_Buffer {
  NS::SharedPtr<MTL::Buffer> buffer;
  bool managed = false, stale = false;
  size_t low = 0, high = 0;
};

struct Texture : mt_Texture {
  NS::SharedPtr<MTL::Texture> texture;
};

inline Device *of(mt_Device *d) { return static_cast<Device *>(d); }

/* ----------------------------------------------------------------- logs.cpp */

/* For one command buffer; nil before macOS 15. */
NS::SharedPtr<MTL::LogState> new_log(Device *d, const std::string &name,
                                     std::weak_ptr<Voice> *out);

/*
** Wait until a launch has said its last. Where Metal holds log states for
** longer than they speak, that cannot be seen: then each wait is half as long,
** until a line comes too late. Lines that do are still shown, with their
** kernel's name.
*/
void hear_out(Device *d, const std::weak_ptr<Voice> &voice);
void end_voice(const std::weak_ptr<Voice> &voice);
void metal_messages(mt_Device *dev, mt_Str *out);

/* --------------------------------------------------------------- launch.cpp */

/* Commit, wait, and say what went wrong; then there is a new queue, since one
** that failed may refuse all that follows. */
mt_Status finish(Device *d, MTL::CommandBuffer *commands, const char *name,
                 double limit, mt_Error *err);
/* What the GPU wrote into a managed buffer or texture is brought into the copy
** that the CPU reads. */
mt_Status bring_back(Device *d, MTL::Resource *m, const char *name,
                     mt_Error *err);
mt_Status metal_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err);
mt_Status metal_commands(const mt_Commands *c, mt_Timing *whole,
                         mt_Timing *each, size_t *failed, mt_Error *err);

/* -------------------------------------------------------------- samples.cpp */

/* Whether the GPU notes its clock at an encoder's ends, into 'd'. */
void find_clock(Device *d);

/* Room for two samples of each of 'count' encoders; nil if it has none. */
NS::SharedPtr<MTL::CounterSampleBuffer> new_samples(Device *d, size_t count);

/* The times of encoders that are done, of which sample 2 i is the start and
** 2 i + 1 the end. 'each' stays as it is where they cannot be right. */
void read_samples(Device *d, MTL::CounterSampleBuffer *samples, size_t count,
                  uint64_t whole_ns, mt_Timing *each);

/* ----------------------------------------------------------- reflection.cpp */

/* A type by its number; 'size' and 'align' where reflection knows them. */
const mt_Type *plain_type(Reflection &r, MTL::DataType type, size_t size,
                          size_t align);

/* The number of the scalar or vector of this name; DataTypeNone if none is. */
MTL::DataType data_type_named(const char *name);

const mt_Type *array_of(Reflection &r, const mt_Type *element, size_t count);
const mt_Type *atomic_type(Reflection &r, const mt_Type *value);

/* False: it is no argument of a launch. */
bool read_binding(Reflection &r, MTL::Binding *b, mt_Param *p);

/* ----------------------------------------------------------- parameters.cpp */

/* The parameters in the order of the source; info.unordered where text and
** bindings do not tell the same. */
void read_parameters(Kernel *k, const Library *lib, NS::Array *bindings);

/* -------------------------------------------------------------- program.cpp */

mt_Status library_new(mt_Device *dev, const char *source, size_t length,
                      const mt_CompileOptions *o, mt_Library **out, mt_Str *log,
                      mt_Error *err);
void library_free(mt_Library *lib);
mt_Status kernel_new(mt_Library *library, const char *name,
                     const mt_ConstantValue *values, size_t count,
                     mt_Kernel **out, mt_Error *err);
void kernel_free(mt_Kernel *k);

}  // namespace mt_metal

#endif

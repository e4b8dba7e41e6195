/*
** metal.cpp - the device of every Mac: kernels on the Apple GPU, by metal-cpp.
**
** Opening it, buffers, textures, launches, captures; metal.hpp has the rules.
**
** Metal cannot stop a kernel that runs. So a launch waits with a deadline, and
** when that passes, or Ctrl-C is pressed, it walks away: the queue is replaced,
** and the system ends the kernel after some seconds. The launches that follow
** may stand behind it on the GPU: their time starts when it has ended.
*/
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "base/cancel.h"
#include "base/clock.h"
}
#include "devices/metal/meaning.h"

extern "C" const mt_DeviceOps mt_metal_ops;

namespace mt_metal {
namespace {

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
      list += (list.empty() ? "" : ", ") + std::string(f.name) + " " +
              std::to_string(start + i);
      break;
    }
  }
  return list;
}

/* "15.5" */
std::string system_version() {
#ifdef __APPLE__
  char version[64];
  return mt_macos_version(version, sizeof version) ? version : "";
#else
  return std::to_string(standin_macos()) + ".0";
#endif
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
  d->argument_buffers =
      m->argumentBuffersSupport() == MTL::ArgumentBuffersTier2;
  d->shared_textures = m->supportsFamily(MTL::GPUFamilyApple1);
  d->families = list_families(m);
  d->info.families = d->families.empty() ? nullptr : d->families.c_str();
  d->macos = system_version();
  d->info.macos = d->macos.empty() ? nullptr : d->macos.c_str();
  d->info.constant_align = constant_alignment(m);
}

/* The default device can be nil in a command-line tool; the list may not. */
NS::SharedPtr<MTL::Device> find_device() {
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (device) return device;
  auto all = NS::TransferPtr(MTL::CopyAllDevices());
  if (all && all->count() > 0)
    return NS::RetainPtr(all->object<MTL::Device>(0));
  return {};
}

/* -------------------------------------------------------------------- logs */

#define LONGEST_PATIENCE 1.0
#define MOST_TEXT (1 << 20) /* a kernel says it a million times */

/*
** What one launch logs. Metal's handler alone holds it, so it goes with the log
** state, and then all has been said: lines may come after the launch is done.
*/
struct Voice {
  std::shared_ptr<Messages> messages;
  std::string name;
  bool over = false; /* its launch has returned; by the messages' lock */

  ~Voice() {
    std::lock_guard<std::mutex> held(messages->lock);
    messages->wake.notify_all();
  }
  void say(bool error, const char *line) {
    std::lock_guard<std::mutex> held(messages->lock);
    std::string &text = messages->text;
    messages->late = messages->late || over;
    if (text.size() > MOST_TEXT) return;
    text += error ? "kernel, error: " : "kernel: ";
    if (over) text += "(" + name + ", launched earlier) ";
    text += std::string(line) + "\n";
  }
};

/* For one command buffer; nil before macOS 15. */
NS::SharedPtr<MTL::LogState> new_log(Device *d, const std::string &name,
                                     std::weak_ptr<Voice> *out) {
  if (MT_FROM_MACOS(15)) {
    auto desc = NS::TransferPtr(MTL::LogStateDescriptor::alloc()->init());
    desc->setLevel(MTL::LogLevelDebug);
    desc->setBufferSize(1 << 20);
    NS::Error *error = nullptr;
    auto log = NS::TransferPtr(d->device->newLogState(desc.get(), &error));
    if (!log) return {};
    auto voice = std::make_shared<Voice>();
    voice->messages = d->messages;
    voice->name = name;
    *out = voice;
    log->addLogHandler([voice](NS::String *, NS::String *, MTL::LogLevel level,
                               NS::String *text) {
      voice->say(level >= MTL::LogLevelError, text_of(text));
    });
    return log;
  }
  return {};
}

/*
** Wait until a launch has said its last. Where Metal holds log states for
** longer than they speak, that cannot be seen: then each wait is half as long,
** until a line comes too late. Lines that do are still shown, with their
** kernel's name.
*/
void hear_out(Device *d, const std::weak_ptr<Voice> &voice) {
  Messages &m = *d->messages;
  uint64_t start = mt_now_ns();
  std::unique_lock<std::mutex> held(m.lock);
  if (m.late) d->patience = std::min(LONGEST_PATIENCE, d->patience * 2);
  m.late = false;
  while (!voice.expired() && !mt_cancelled()) {
    if ((double)(mt_now_ns() - start) * 1e-9 > d->patience) {
      d->patience = std::max(0.001, d->patience / 2);
      return;
    }
    m.wake.wait_for(held, std::chrono::milliseconds(20));
  }
}

/* From now on its lines are another launch's neighbours. */
void end_voice(const std::weak_ptr<Voice> &voice) {
  if (auto still = voice.lock()) {
    std::lock_guard<std::mutex> held(still->messages->lock);
    still->over = true;
  }
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
      return mt_error(
          err, MT_FAIL,
          "macOS offers no Metal device here (a virtual machine without a GPU, "
          "or "
          "no login session?): use the host device, gpu.use \"host\"");
    auto d = std::make_unique<Device>();
    d->ops = &mt_metal_ops;
    d->device = device;
    d->messages = std::make_shared<Messages>();
    d->queue = NS::TransferPtr(device->newCommandQueue());
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

/* ---------------------------------------------------------------- waiting */

/* Is the GPU still held by a launch that was given up? */
bool is_held(Device *d) {
  auto &all = d->given_up;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const auto &one) { return one->done.load(); }),
            all.end());
  return !all.empty();
}

/* How long a launch waits for one that was given up, before its own time. */
#define LONGEST_HOLD 20.0

/* Wait until the kernel is done, the time is up, or Ctrl-C was pressed. */
mt_Status wait_for(Device *d, Done &own, double limit, const char *name,
                   mt_Error *err) {
  uint64_t start = mt_now_ns();
  double waited = 0; /* for launches that were given up */
  std::unique_lock<std::mutex> held(own.lock);
  while (!own.done) {
    own.wake.wait_for(held, std::chrono::milliseconds(20));
    if (own.done) break;
    if (mt_cancelled())
      return mt_error(err, MT_CANCELLED,
                      "kernel '%s' was interrupted; macOS ends it on its own",
                      name);
    double seconds = (double)(mt_now_ns() - start) * 1e-9 - waited;
    if (is_held(d) && waited < LONGEST_HOLD) waited += seconds;
    else if (limit > 0 && seconds > limit)
      return mt_error(err, MT_TIMEOUT,
                      "kernel '%s' was given up: it did not end within its "
                      "time limit of %g s; macOS ends it on its own",
                      name, limit);
  }
  return MT_OK;
}

mt_Status explain(const char *name, NS::Error *error, mt_Error *err) {
  const char *text = message_of(error);
  long code = error ? (long)error->code() : 0;
  return mt_error(err, MT_FAIL, "%s: %s (%s)", name,
                  mt_metal_meaning(code, text), text);
}

/* Commit, wait, and say what went wrong; then there is a new queue, since one
** that failed may refuse all that follows. */
mt_Status finish(Device *d, MTL::CommandBuffer *commands, const char *name,
                 double limit, mt_Error *err) {
  auto done = std::make_shared<Done>(); /* the handler may outlive the launch */
  commands->addCompletedHandler([done](MTL::CommandBuffer *) {
    std::lock_guard<std::mutex> held(done->lock);
    done->done = true;
    done->wake.notify_all();
  });
  commands->commit();
  mt_Status status = wait_for(d, *done, limit, name, err);
  if (status != MT_OK) d->given_up.push_back(done);
  if (status == MT_OK &&
      commands->status() != MTL::CommandBufferStatusCompleted)
    status = explain(name, commands->error(), err);
  if (status != MT_OK) d->queue = NS::TransferPtr(d->device->newCommandQueue());
  return status;
}

/* --------------------------------------------------- buffers and textures */

mt_Status metal_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                           mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto b = std::make_unique<Buffer>();
    b->buffer = NS::TransferPtr(
        of(dev)->device->newBuffer(size, MTL::ResourceStorageModeShared));
    if (!b->buffer || b->buffer->contents() == nullptr)
      return mt_error(err, MT_FAIL,
                      "Metal has no memory for a buffer of %zu bytes", size);
    std::string label = "buffer " + std::to_string(++of(dev)->buffer_count);
    b->buffer->setLabel(string_of(label.c_str()));
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
#define X(id, name, metal, number, ...) MTL::PixelFormat##metal,
    __MT_PIXEL_FORMATS(X)
#undef X
};

/* The number is for tests that have no metal-cpp. */
#define X(id, name, metal, number, ...) \
  static_assert(MTL::PixelFormat##metal == number, #name);
__MT_PIXEL_FORMATS(X)
#undef X

const MTL::TextureType texture_types[] = {
    MTL::TextureType1D, MTL::TextureType1DArray, MTL::TextureType2D,
    MTL::TextureType2DArray, MTL::TextureType3D};

mt_Status metal_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                            mt_Texture **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto d = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    d->setTextureType(texture_types[desc->kind]);
    d->setPixelFormat(pixel_formats[desc->format]);
    d->setWidth(desc->width);
    d->setHeight(desc->height);
    d->setDepth(desc->depth);
    d->setArrayLength(desc->layers);
    d->setStorageMode(of(dev)->shared_textures ? MTL::StorageModeShared
                                               : MTL::StorageModeManaged);
    d->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
    auto t = std::make_unique<Texture>();
    t->texture = NS::TransferPtr(of(dev)->device->newTexture(d.get()));
    if (!t->texture)
      return mt_error(err, MT_FAIL, "Metal could not make this texture");
    t->device = dev;
    t->desc = *desc;
    *out = t.release();
    std::vector<char> zeros(mt_pixel_size(desc->format) * desc->width *
                            desc->height * desc->depth * desc->layers);
    return mt_texture_write(*out, zeros.data(), zeros.size(), err);
  });
}

void metal_texture_free(mt_Texture *t) {
  Pool pool;
  delete static_cast<Texture *>(t);
}

/* Layer by layer: the region of one, and where its pixels lie. Metal takes no
** stride of rows for one dimension, and one of images for three alone. */
template <typename Move>
void each_layer(const mt_TextureDesc &d, Move move) {
  size_t row = mt_pixel_size(d.format) * d.width, image = row * d.height;
  bool one_row = d.kind == MT_TEXTURE_1D || d.kind == MT_TEXTURE_1D_ARRAY;
  MTL::Region region = MTL::Region::Make3D(0, 0, 0, d.width, d.height, d.depth);
  for (unsigned layer = 0; layer < d.layers; layer++)
    move(region, layer, (size_t)layer * image * d.depth, one_row ? 0 : row,
         d.kind == MT_TEXTURE_3D ? image : 0);
}

mt_Status metal_texture_write(mt_Texture *t, const void *pixels,
                              mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::Texture *m = static_cast<Texture *>(t)->texture.get();
    each_layer(t->desc, [&](MTL::Region r, unsigned layer, size_t at,
                            size_t row, size_t image) {
      m->replaceRegion(r, 0, layer, static_cast<const char *>(pixels) + at, row,
                       image);
    });
    return MT_OK;
  });
}

/* Where textures are managed there are two copies of each; what the GPU wrote
** is brought into the one that is read here. */
mt_Status bring_back(Device *d, MTL::Texture *m, mt_Error *err) {
  MTL::CommandBuffer *commands = d->queue->commandBuffer();
  MTL::BlitCommandEncoder *blit =
      commands ? commands->blitCommandEncoder() : nullptr;
  if (blit == nullptr)
    return mt_error(err, MT_FAIL, "Metal gave no command buffer");
  blit->synchronizeResource(m);
  blit->endEncoding();
  return finish(d, commands, "reading a texture", 0, err);
}

mt_Status metal_texture_read(const mt_Texture *t, void *pixels, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::Texture *m = static_cast<const Texture *>(t)->texture.get();
    if (!of(t->device)->shared_textures) {
      mt_Status status = bring_back(of(t->device), m, err);
      if (status != MT_OK) return status;
    }
    each_layer(t->desc, [&](MTL::Region r, unsigned layer, size_t at,
                            size_t row, size_t image) {
      m->getBytes(static_cast<char *>(pixels) + at, row, image, r, 0, layer);
    });
    return MT_OK;
  });
}

/* --------------------------------------------------------------- launches */

MTL::Size size_of(mt_Size s) { return MTL::Size::Make(s.x, s.y, s.z); }

bool same(const mt_SamplerDesc &a, const mt_SamplerDesc &b) {
  return a.linear == b.linear && a.pixel == b.pixel && a.address == b.address;
}

/* Kept with the device: an argument buffer that names one keeps it not
** alive. */
MTL::SamplerState *sampler_of(Device *d, const mt_SamplerDesc &s) {
  for (auto &known : d->samplers)
    if (same(known.first, s)) return known.second.get();
  static const MTL::SamplerAddressMode modes[] = {
      MTL::SamplerAddressModeClampToEdge, MTL::SamplerAddressModeClampToZero,
      MTL::SamplerAddressModeRepeat, MTL::SamplerAddressModeMirrorRepeat};
  auto desc = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  auto filter = s.linear ? MTL::SamplerMinMagFilterLinear
                         : MTL::SamplerMinMagFilterNearest;
  desc->setMinFilter(filter);
  desc->setMagFilter(filter);
  desc->setNormalizedCoordinates(!s.pixel);
  desc->setSAddressMode(modes[s.address & 3]);
  desc->setTAddressMode(modes[s.address & 3]);
  desc->setRAddressMode(modes[s.address & 3]);
  desc->setSupportArgumentBuffers(d->argument_buffers);
  d->samplers.emplace_back(
      s, NS::TransferPtr(d->device->newSamplerState(desc.get())));
  return d->samplers.back().second.get();
}

/* What stands in an argument buffer for the memory, texture or sampler. What is
** named there alone has to be made resident. */
uint64_t handle_of(Device *d, MTL::ComputeCommandEncoder *e, const mt_Arg &a) {
  if (a.kind == MT_ARG_SAMPLER)
    return sampler_of(d, a.sampler)->gpuResourceID()._impl;
  MTL::ResourceUsage usage = MTL::ResourceUsageRead | MTL::ResourceUsageWrite;
  if (a.kind == MT_ARG_TEXTURE) {
    MTL::Texture *texture = static_cast<Texture *>(a.texture)->texture.get();
    e->useResource(texture, usage);
    return texture->gpuResourceID()._impl;
  }
  MTL::Buffer *buffer = static_cast<Buffer *>(a.buffer)->buffer.get();
  e->useResource(buffer, usage);
  return buffer->gpuAddress() + a.offset;
}

void bind_bytes(Device *d, MTL::ComputeCommandEncoder *e, const mt_Param &p,
                const mt_Arg &a) {
  auto *bytes = static_cast<const char *>(a.bytes);
  std::vector<char> filled(bytes, bytes + a.size);
  for (unsigned i = 0; i < a.link_count; i++) {
    uint64_t handle = handle_of(d, e, a.links[i].arg);
    std::memcpy(&filled[a.links[i].at], &handle, sizeof handle);
  }
  e->setBytes(filled.data(), filled.size(), p.index);
}

void bind(Device *d, MTL::ComputeCommandEncoder *e, const mt_Param &p,
          const mt_Arg &a) {
  switch (a.kind) {
    case MT_ARG_BUFFER:
      e->setBuffer(static_cast<Buffer *>(a.buffer)->buffer.get(), a.offset,
                   p.index);
      break;
    case MT_ARG_BYTES: bind_bytes(d, e, p, a); break;
    case MT_ARG_THREADGROUP:
      e->setThreadgroupMemoryLength(a.size, p.index);
      break;
    case MT_ARG_TEXTURE:
      e->setTexture(static_cast<Texture *>(a.texture)->texture.get(), p.index);
      for (unsigned i = 1; i < a.texture_count; i++)
        e->setTexture(static_cast<Texture *>(a.textures[i])->texture.get(),
                      p.index + i);
      break;
    case MT_ARG_SAMPLER:
      e->setSamplerState(sampler_of(d, a.sampler), p.index);
      break;
    case MT_ARG_NONE: break;
  }
}

const MTL::BarrierScope all_memory =
    MTL::BarrierScopeBuffers | MTL::BarrierScopeTextures;

/* Encode all repeats; each waits for the one before, as launches do. */
void encode(Device *d, MTL::ComputeCommandEncoder *e, const mt_Launch *l,
            bool concurrent) {
  auto *k = static_cast<Kernel *>(l->kernel);
  e->setComputePipelineState(k->pipeline.get());
  for (unsigned i = 0; i < l->arg_count; i++)
    if (!k->absent[i]) bind(d, e, k->info.params[i], l->args[i]);
  for (unsigned i = 0; i < l->repeats; i++) {
    if (concurrent && i > 0) e->memoryBarrier(all_memory);
    if (l->by_groups)
      e->dispatchThreadgroups(size_of(l->grid), size_of(l->group));
    else e->dispatchThreads(size_of(l->grid), size_of(l->group));
  }
}

/* Addresses can be written into memory only where the GPU takes them so. */
mt_Status check_links(const Device *d, const mt_Launch *l, mt_Error *err) {
  for (unsigned i = 0; i < l->arg_count; i++)
    if (l->args[i].link_count && !d->argument_buffers)
      return mt_error(err, MT_BADARG,
                      "%s: this GPU takes no pointers inside of structs "
                      "(argument buffers of tier 2): "
                      "give each its own parameter, or use the host device",
                      l->kernel->info.name);
  return MT_OK;
}

/* With a log only where a kernel may use it: one costs even when it is
** silent. */
MTL::CommandBuffer *commands_for(Device *d, const mt_Commands *c,
                                 std::weak_ptr<Voice> *voice) {
  NS::SharedPtr<MTL::LogState> log;
  for (size_t i = 0; i < c->count && !log; i++) {
    auto *k = static_cast<Kernel *>(c->list[i].launch.kernel);
    if (k->logs) log = new_log(d, k->name, voice);
  }
  if (!log) return d->queue->commandBuffer();
  auto desc = NS::TransferPtr(MTL::CommandBufferDescriptor::alloc()->init());
  desc->setLogState(log.get());
  return d->queue->commandBuffer(desc.get());
}

/* "add", or "add, scale and 3 more": captures, validation and errors show it.
** A serial encoder orders its dispatches, a concurrent one only at barriers. */
std::string name_of(const mt_Commands *c) {
  std::string name = c->list[0].launch.kernel->info.name;
  for (size_t i = 1; i < c->count && i < 3; i++)
    name += ", " + std::string(c->list[i].launch.kernel->info.name);
  if (c->count > 3) name += " and " + std::to_string(c->count - 3) + " more";
  return name;
}

void encode_all(Device *d, MTL::ComputeCommandEncoder *e,
                const mt_Commands *c) {
  for (size_t i = 0; i < c->count; i++) {
    if (c->concurrent && c->list[i].barrier) e->memoryBarrier(all_memory);
    encode(d, e, &c->list[i].launch, c->concurrent);
  }
  e->endEncoding();
}

/* All launches in one command buffer and one encoder. */
mt_Status run_once(Device *d, const mt_Commands *c,
                   std::weak_ptr<Voice> *voice, mt_Timing *out,
                   mt_Error *err) {
  Pool pool; /* the commands, and so their log, go with it */
  std::string name = name_of(c);
  uint64_t start = mt_now_ns();
  MTL::CommandBuffer *commands = commands_for(d, c, voice);
  MTL::ComputeCommandEncoder *encoder =
      !commands       ? nullptr
      : c->concurrent ? commands->computeCommandEncoder(
                            MTL::DispatchTypeConcurrent)
                      : commands->computeCommandEncoder();
  if (encoder == nullptr)
    return mt_error(err, MT_FAIL, "%s: Metal gave no command buffer",
                    name.c_str());
  encoder->setLabel(string_of(name.c_str()));
  encode_all(d, encoder, c);
  mt_Status status = finish(d, commands, name.c_str(), c->time_limit, err);
  if (status != MT_OK) return status;
  out->wall_ns = mt_now_ns() - start;
  double seconds = commands->GPUEndTime() - commands->GPUStartTime();
  out->device_ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
  return MT_OK;
}

/* Metal times and fails a command buffer as a whole: '*failed' is known for
** what it refuses, and for a single launch. */
mt_Status metal_commands(const mt_Commands *c, mt_Timing *whole,
                         mt_Timing *each, size_t *failed, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    Device *d = of(c->list[0].launch.kernel->device);
    std::weak_ptr<Voice> voice;
    for (*failed = 0; *failed < c->count; ++*failed)
      if (check_links(d, &c->list[*failed].launch, err) != MT_OK)
        return MT_BADARG;
    mt_Status status = run_once(d, c, &voice, whole, err);
    bool runs_on = status == MT_TIMEOUT || status == MT_CANCELLED;
    if (!runs_on) hear_out(d, voice);
    end_voice(voice);
    if (c->count == 1) each[0] = *whole;
    return status;
  });
}

mt_Status metal_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  mt_Dispatched one = {*l, false};
  mt_Commands c = {&one, 1, false, l->time_limit};
  mt_Timing each = {};
  size_t failed;
  return metal_commands(&c, out, &each, &failed, err);
}

/* ---------------------------------------------------------------- capture */

NS::SharedPtr<MTL::CaptureDescriptor> capture_of(Device *d, const char *path) {
  char *whole = realpath(".", nullptr); /* the file itself is not there yet */
  std::string full =
      path[0] == '/' || !whole ? path : std::string(whole) + "/" + path;
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
    /* not ours */
    MTL::CaptureManager *manager = MTL::CaptureManager::sharedCaptureManager();
    if (!manager ||
        !manager->supportsDestination(MTL::CaptureDestinationGPUTraceDocument))
      return mt_error(
          err, MT_FAIL,
          "macOS allows captures only to a program that was started for them: "
          "start Mettle as mettle --capture");
    if (manager->isCapturing())
      return mt_error(err, MT_BADARG,
                      "a capture is being made already: one at a time");
    auto desc = capture_of(of(dev), path);
    if (!desc)
      return mt_error(err, MT_BADARG, "the capture's name is not valid UTF-8");
    NS::Error *error = nullptr;
    if (!manager->startCapture(desc.get(), &error))
      return mt_error(err, MT_FAIL, "the capture %s could not be started: %s",
                      path, message_of(error));
    return MT_OK;
  });
}

void metal_capture_stop(mt_Device *) {
  Pool pool;
  MTL::CaptureManager *manager = MTL::CaptureManager::sharedCaptureManager();
  if (manager && manager->isCapturing()) manager->stopCapture();
}

}  // namespace
}  // namespace mt_metal

using namespace mt_metal;

extern "C" const mt_DeviceOps mt_metal_ops = {
    {"metal", "the Apple GPU of this Mac, through Metal", nullptr},
    metal_open,         metal_close,
    library_new,        library_free,
    kernel_new,         kernel_free,
    nullptr, /* no listing: Apple's compiler shows none */
    metal_buffer_new,   metal_buffer_free,
    metal_texture_new,  metal_texture_free,
    metal_texture_write, metal_texture_read,
    metal_launch,
    metal_commands,
    metal_capture_start, metal_capture_stop,
    metal_messages,
    nullptr, nullptr, /* nothing to load: the compiler is the system's */
    nullptr, /* memory is shared */
    nullptr, nullptr, nullptr, /* one GPU, always there */
    nullptr, /* nothing in host.so */
};

/*
** metal.cpp - the device of every Mac: kernels on the Apple GPU, by metal-cpp.
**
** Opening it, buffers, textures, captures; metal.hpp has the rules, launches
** are in launch.cpp.
*/
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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
  d->info.simd_width = m->supportsFamily(MTL::GPUFamilyApple1) ? 32 : 0;
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
  d->managed_buffers = !d->shared_textures && !m->hasUnifiedMemory();
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

mt_Status metal_open(mt_Device **out, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto device = find_device();
    if (!device)
      return mt_error(
          err, MT_FAIL,
          "macOS offers no Metal device here (a virtual machine without a GPU, "
          "or no login session?): use the host device, %s",
          mt_advice()->use_host);
    auto d = std::make_unique<Device>();
    d->ops = &mt_metal_ops;
    d->device = device;
    d->messages = std::make_shared<Messages>();
    d->queue = NS::TransferPtr(device->newCommandQueue());
    if (!d->queue) return mt_error(err, MT_FAIL, "Metal gave no command queue");
    fill_info(d.get());
    find_clock(d.get());
    *out = d.release();
    return MT_OK;
  });
}

void metal_close(mt_Device *dev) {
  Pool pool;
  delete of(dev);
}

/* --------------------------------------------------- buffers and textures */

/* Shared memory would do everywhere; over a bus it is slow for the GPU. Either
** way Metal clears it. */
mt_Status metal_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                           mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    auto b = std::make_unique<Buffer>();
    b->managed = of(dev)->managed_buffers;
    b->buffer = NS::TransferPtr(of(dev)->device->newBuffer(
        size, b->managed ? MTL::ResourceStorageModeManaged
                         : MTL::ResourceStorageModeShared));
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

/* A buffer that is written all over need not be brought back before. */
mt_Status metal_buffer_access(mt_Buffer *buf, size_t offset, size_t size,
                              mt_Access access, mt_Error *err) {
  auto *b = static_cast<Buffer *>(buf);
  if (!b->managed) return MT_OK;
  return guarded(err, [&]() -> mt_Status {
    bool all_new = access == MT_WRITE && size == b->size;
    if (b->stale && !all_new) {
      mt_Status status =
          bring_back(of(b->device), b->buffer.get(), "reading a buffer", err);
      if (status != MT_OK) return status;
    }
    b->stale = false;
    if (!(access & MT_WRITE)) return MT_OK;
    bool first = b->high == 0;
    b->low = first ? offset : std::min(b->low, offset);
    b->high = std::max(b->high, offset + size);
    return MT_OK;
  });
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
    bool depth = mt_pixel(desc->format)->depth;
    if (depth && !of(dev)->shared_textures)
      return mt_error(err, MT_FAIL,
                      "on this GPU only a render pass can fill a texture of "
                      "format %s: use r32float",
                      mt_pixel_name(desc->format));
    auto d = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    d->setTextureType(texture_types[desc->kind]);
    d->setPixelFormat(pixel_formats[desc->format]);
    d->setWidth(desc->width);
    d->setHeight(desc->height);
    d->setDepth(desc->depth);
    d->setArrayLength(desc->layers);
    d->setStorageMode(of(dev)->shared_textures ? MTL::StorageModeShared
                                               : MTL::StorageModeManaged);
    d->setUsage(depth ? MTL::TextureUsageShaderRead
                      : MTL::TextureUsageShaderRead |
                            MTL::TextureUsageShaderWrite);
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

mt_Status metal_texture_read(const mt_Texture *t, void *pixels, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    MTL::Texture *m = static_cast<const Texture *>(t)->texture.get();
    if (!of(t->device)->shared_textures) {
      mt_Status status =
          bring_back(of(t->device), m, "reading a texture", err);
      if (status != MT_OK) return status;
    }
    each_layer(t->desc, [&](MTL::Region r, unsigned layer, size_t at,
                            size_t row, size_t image) {
      m->getBytes(static_cast<char *>(pixels) + at, row, image, r, 0, layer);
    });
    return MT_OK;
  });
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
    {"metal", "the Apple GPU of this Mac, through Metal", nullptr, true, true},
    metal_open,         metal_close,
    library_new,        library_free,
    kernel_new,         kernel_free,
    nullptr, /* no listing: Apple's compiler shows none */
    metal_buffer_new,
    nullptr, /* only whole pages could be wrapped: they are copied */
    metal_buffer_free,
    metal_texture_new,  metal_texture_free,
    metal_texture_write, metal_texture_read,
    metal_launch,
    metal_commands,
    metal_capture_start, metal_capture_stop,
    metal_messages,
    nullptr, nullptr, /* nothing to load: the compiler is the system's */
    metal_buffer_access,
    nullptr, nullptr, nullptr, /* one GPU, always there */
    nullptr, /* nothing in host.so */
    nullptr, /* no processes of its own */
    mt_metal_doctor,
    nullptr, nullptr, nullptr, /* the host device instruments */
};

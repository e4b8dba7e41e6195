/*
** seeded.cpp - mistakes with Metal, one a run, that the stand-in must see.
**
** Run with a number: 0 is a correct program, every other one has the mistake of
** that number, all with the real metal-cpp headers. What watches the Metal
** device is only worth as much as what it notices here.
*/
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

static const char *source = R"(
#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(512)]]
kernel void twice(device const float *in [[buffer(0)]],
                  device float *out [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  threadgroup float *t [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]],
                  uint l [[thread_index_in_threadgroup]]) {
  t[l] = 2 * in[i];
  if (i < n) out[i] = t[l];
}
kernel void paint(texture2d<float, access::write> image [[texture(0)]],
                  uint2 p [[thread_position_in_grid]]) {
  image.write(float4(1), p);
}
struct Job {
  device float *values;
  texture2d<float, access::sample> image;
  sampler how;
};
kernel void led(constant Job &job [[buffer(0)]],
                uint i [[thread_position_in_grid]]) {
  job.values[i] = job.image.sample(job.how, float2(0.5)).x;
})";

static const char *talking = R"(
#include <metal_stdlib>
#include <metal_logging>
kernel void talk() { metal::os_log_default.log_info("seven %d", 7); })";

static const char *too_wide = R"(
#include <metal_stdlib>
using namespace metal;
kernel void wide(device float *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  threadgroup float t[10000];
  t[i] = (float)i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = t[9999 - i];
}
kernel void sixty_four(device atomic_ulong *most [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) {
  atomic_max_explicit(most, (ulong)i, memory_order_relaxed);
})";

static NS::String *text(const char *s) {
  return NS::String::string(s, NS::UTF8StringEncoding);
}

static void encode(MTL::ComputeCommandEncoder *e, MTL::ComputePipelineState *p,
                   MTL::Buffer *in, MTL::Buffer *out, int bug) {
  static char many[5000];
  unsigned n = 100;
  if (bug != 1) e->setComputePipelineState(p);
  e->setBuffer(in, bug == 2 ? 4000 : 0, 0);
  if (bug == 25) e->setBytes(many, 400, 1);
  else if (bug != 3) e->setBuffer(out, 0, bug == 4 ? 31 : 1);
  if (bug == 5) e->setBytes(many, sizeof many, 2);
  else if (bug == 6) e->setBytes(&n, 0, 2);
  else if (bug == 26) e->setBytes(&n, 2, 2);
  else if (bug == 27) e->setBuffer(in, 2, 2);
  else if (bug == 61) e->setBuffer(in, 4, 2); /* well on Apple's own GPUs */
  else e->setBytes(&n, sizeof n, 2);
  if (bug == 7) e->setThreadgroupMemoryLength(100, 0);
  else if (bug == 8) e->setThreadgroupMemoryLength(65536, 0);
  else if (bug != 9) e->setThreadgroupMemoryLength(256 * 4, 0);
  MTL::Size grid(bug == 10 ? 0 : bug == 28 ? 1ull << 32 : 100, 1, 1);
  MTL::Size group(bug == 11   ? 2048
                  : bug == 12 ? 0
                  : bug == 29 ? 1024
                              : 64,
                  1, 1);
  e->dispatchThreads(grid, group);
}

/* A texture written by 'paint': none, of another kind, of whole numbers. */
static void paint(MTL::Device *device, MTL::Library *library,
                  MTL::CommandQueue *queue, int bug) {
  NS::Error *error = nullptr;
  MTL::Function *function = library->newFunction(text("paint"));
  MTL::ComputePipelineState *pipeline =
      device->newComputePipelineState(function, &error);
  MTL::TextureDescriptor *desc = MTL::TextureDescriptor::alloc()->init();
  desc->setTextureType(bug == 31 ? MTL::TextureType3D : MTL::TextureType2D);
  desc->setPixelFormat(bug == 32 ? MTL::PixelFormatRGBA8Uint
                                 : MTL::PixelFormatRGBA8Unorm);
  desc->setWidth(8);
  desc->setHeight(8);
  desc->setStorageMode(bug == 47 ? MTL::StorageModeManaged
                                 : MTL::StorageModeShared);
  desc->setUsage(bug == 33 ? MTL::TextureUsageShaderRead
                           : MTL::TextureUsageShaderRead |
                                 MTL::TextureUsageShaderWrite);
  MTL::Texture *texture = device->newTexture(desc);
  MTL::CommandBuffer *commands = queue->commandBuffer();
  MTL::ComputeCommandEncoder *e = commands->computeCommandEncoder();
  e->setComputePipelineState(pipeline);
  if (texture && bug != 30) e->setTexture(texture, 0);
  if (bug == 57) e->setLabel(text(""));
  e->dispatchThreads(MTL::Size(8, 8, 1),
                     bug == 56 ? MTL::Size(32, 32, 1) : MTL::Size(8, 8, 1));
  e->endEncoding();
  commands->commit();
  while (commands->status() < MTL::CommandBufferStatusCompleted) usleep(100);
  char pixels[8 * 8 * 4];
  MTL::Region whole = MTL::Region::Make3D(0, 0, 0, 8, 8, 1);
  if (texture && bug != 31 && bug != 47)
    texture->getBytes(pixels, 32, bug == 54 ? 256 : 0, whole, 0, 0);
  if (bug == 47) texture->getBytes(pixels, 32, 0, whole, 0, 0);
  if (texture) texture->release();
  desc->release();
  pipeline->release();
  function->release();
}

/* Both compile on every GPU, and neither becomes a pipeline on all of them. */
static void wide(MTL::Device *device, MTL::CommandQueue *queue, int bug) {
  NS::Error *error = nullptr;
  MTL::Library *library = device->newLibrary(text(too_wide), nullptr, &error);
  MTL::Function *function =
      library->newFunction(text(bug == 64 ? "sixty_four" : "wide"));
  MTL::ComputePipelineState *pipeline =
      device->newComputePipelineState(function, &error);
  if (bug == 63 || bug == 64) {
    MTL::CommandBuffer *commands = queue->commandBuffer();
    MTL::ComputeCommandEncoder *e = commands->computeCommandEncoder();
    e->setComputePipelineState(pipeline);
    e->endEncoding();
  }
  for (NS::Object *o :
       {(NS::Object *)pipeline, (NS::Object *)function, (NS::Object *)library})
    if (o) o->release();
}

/* One dimension has no rows, so no stride of them. */
static void line(MTL::Device *device, int bug) {
  MTL::TextureDescriptor *desc = MTL::TextureDescriptor::alloc()->init();
  char pixels[8 * 4] = {0};
  desc->setTextureType(MTL::TextureType1D);
  desc->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  desc->setWidth(8);
  desc->setStorageMode(MTL::StorageModeShared);
  desc->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  MTL::Texture *texture = device->newTexture(desc);
  if (texture)
    texture->replaceRegion(MTL::Region::Make1D(0, 8), 0, 0, pixels,
                           bug == 55 ? 32 : 0, 0);
  if (texture) texture->release();
  desc->release();
}

/* The first binding is taken for the first parameter, a buffer. */
static void bindings(MTL::Device *device, MTL::Library *library, int bug) {
  NS::Error *error = nullptr;
  MTL::ComputePipelineReflection *reflection = nullptr;
  MTL::Function *function = library->newFunction(text("twice"));
  MTL::ComputePipelineState *pipeline = device->newComputePipelineState(
      function,
      MTL::PipelineOptionArgumentInfo | MTL::PipelineOptionBufferTypeInfo,
      &reflection, &error);
  NS::Array *list = reflection->bindings();
  for (NS::UInteger i = 0; i < list->count(); i++) {
    auto *b = list->object<MTL::Binding>(i);
    bool buffer = bug == 58 ? i == 0 : b->type() == MTL::BindingTypeBuffer;
    if (buffer) (void)static_cast<MTL::BufferBinding *>(b)->bufferDataSize();
  }
  pipeline->release();
  function->release();
}

/* What a kernel logs reaches the one who asked, if it was compiled for it and
** the commands have a log state. */
static void talk(MTL::Device *device, MTL::CommandQueue *queue, int bug) {
  NS::Error *error = nullptr;
  MTL::CompileOptions *options = MTL::CompileOptions::alloc()->init();
  options->setEnableLogging(bug != 60);
  MTL::Library *library = device->newLibrary(text(talking), options, &error);
  MTL::Function *function = library->newFunction(text("talk"));
  MTL::ComputePipelineState *pipeline =
      device->newComputePipelineState(function, &error);
  MTL::LogStateDescriptor *how = MTL::LogStateDescriptor::alloc()->init();
  how->setLevel(MTL::LogLevelDebug);
  how->setBufferSize(4096);
  MTL::LogState *log = device->newLogState(how, &error);
  auto said = std::make_shared<std::atomic<int>>(0);
  log->addLogHandler(
      [said](NS::String *, NS::String *, MTL::LogLevel, NS::String *line) {
        if (std::string(line->utf8String()) == "seven 7") ++*said;
      });
  MTL::CommandBufferDescriptor *desc =
      MTL::CommandBufferDescriptor::alloc()->init();
  if (bug != 59) desc->setLogState(log);
  MTL::CommandBuffer *commands = queue->commandBuffer(desc);
  MTL::ComputeCommandEncoder *e = commands->computeCommandEncoder();
  e->setComputePipelineState(pipeline);
  e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
  e->endEncoding();
  commands->commit();
  while (commands->status() < MTL::CommandBufferStatusCompleted) usleep(100);
  if (*said != 1 && bug == 0) printf("a line was lost\n");
  for (NS::Object *o :
       {(NS::Object *)desc, (NS::Object *)log, (NS::Object *)how,
        (NS::Object *)pipeline, (NS::Object *)function, (NS::Object *)library,
        (NS::Object *)options})
    o->release();
}

/* An argument buffer: what is named in it alone must be resident, and live. */
static void led(MTL::Device *device, MTL::Library *library,
                MTL::CommandQueue *queue, int bug) {
  struct { uint64_t values, image, how; } job;
  NS::Error *error = nullptr;
  MTL::Function *function = library->newFunction(text("led"));
  MTL::ComputePipelineState *pipeline =
      device->newComputePipelineState(function, &error);
  MTL::Buffer *values = device->newBuffer(400, MTL::ResourceStorageModeShared);
  MTL::TextureDescriptor *desc = MTL::TextureDescriptor::alloc()->init();
  desc->setTextureType(MTL::TextureType2D);
  desc->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  desc->setWidth(8);
  desc->setHeight(8);
  desc->setStorageMode(MTL::StorageModeShared);
  desc->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  MTL::Texture *image = device->newTexture(desc);
  MTL::SamplerDescriptor *how = MTL::SamplerDescriptor::alloc()->init();
  how->setSupportArgumentBuffers(bug != 51);
  MTL::SamplerState *sampler = device->newSamplerState(how);
  job = {values->gpuAddress(), image->gpuResourceID()._impl,
         sampler->gpuResourceID()._impl};
  if (bug == 52) sampler->release();
  MTL::CommandBuffer *commands = queue->commandBuffer();
  MTL::ComputeCommandEncoder *e = commands->computeCommandEncoder();
  e->setComputePipelineState(pipeline);
  if (bug != 49)
    e->useResource(values, MTL::ResourceUsageRead | MTL::ResourceUsageWrite);
  if (bug != 50) e->useResource(image, MTL::ResourceUsageRead);
  e->setBytes(&job, sizeof job, 0);
  e->dispatchThreads(MTL::Size(100, 1, 1), MTL::Size(50, 1, 1));
  e->endEncoding();
  commands->commit();
  while (commands->status() < MTL::CommandBufferStatusCompleted) usleep(100);
  if (bug != 52) sampler->release();
  for (NS::Object *o :
       {(NS::Object *)how, (NS::Object *)image, (NS::Object *)desc,
        (NS::Object *)values, (NS::Object *)pipeline, (NS::Object *)function})
    o->release();
}

/* A capture with one thing wrong; the right one leaves its file. */
static void capture(MTL::Device *device, int bug) {
  MTL::CaptureManager *manager = MTL::CaptureManager::sharedCaptureManager();
  MTL::CaptureDescriptor *desc = MTL::CaptureDescriptor::alloc()->init();
  NS::Error *error = nullptr;
  const char *home = getenv("HOME");
  std::string path = std::string(home ? home : "/tmp") + "/seeded.gputrace";
  unlink(path.c_str());
  if (bug != 34) desc->setCaptureObject(device);
  desc->setDestination(bug == 35 ? MTL::CaptureDestinationDeveloperTools
                                 : MTL::CaptureDestinationGPUTraceDocument);
  if (bug != 36)
    desc->setOutputURL(NS::URL::fileURLWithPath(
        text(bug == 37 ? "seeded.gputrace" : path.c_str())));
  manager->startCapture(desc, &error);
  if (bug == 38) manager->startCapture(desc, &error);
  if (bug != 39) manager->stopCapture();
  if (bug == 40) manager->stopCapture();
  if (bug == 41) manager->release();
  desc->release();
  unlink(path.c_str());
}

/* Values that Foundation and Metal do not take. */
static void values(MTL::Device *device, int bug) {
  MTL::FunctionConstantValues *constants =
      MTL::FunctionConstantValues::alloc()->init();
  int one = 1;
  constants->setConstantValue(
      &one, bug == 43 ? MTL::DataTypeNone : MTL::DataTypeInt, NS::UInteger(0));
  constants->release();
  const NS::Object *name = text(bug == 44 ? "\xff" : "NAME"),
                   *value = text("1");
  (void)NS::Dictionary::dictionary(&value, &name, 1);
  MTL::LogStateDescriptor *desc = MTL::LogStateDescriptor::alloc()->init();
  NS::Error *error = nullptr;
  desc->setLevel(MTL::LogLevelInfo);
  desc->setBufferSize(bug == 45 ? 0 : 4096);
  MTL::LogState *log = device->newLogState(desc, &error);
  if (log && bug != 46) log->release();
  desc->release();
}

/* Two encoders whose ends are noted, on a GPU that can. */
static void sample(MTL::Device *device, MTL::CommandQueue *queue,
                   MTL::ComputePipelineState *pipeline, MTL::Buffer *in,
                   MTL::Buffer *out, int bug) {
  NS::Error *error = nullptr;
  auto *sets = device->counterSets();
  MTL::CounterSet *clock = nullptr;
  for (NS::UInteger i = 0; i < sets->count(); i++)
    if (std::string(sets->object<MTL::CounterSet>(i)->name()->utf8String()) ==
        "timestamp")
      clock = sets->object<MTL::CounterSet>(i);
  auto *desc = MTL::CounterSampleBufferDescriptor::alloc()->init();
  desc->setCounterSet(clock);
  desc->setStorageMode(MTL::StorageModeShared);
  desc->setSampleCount(bug == 67 ? 5000 : 4);
  auto *samples = device->newCounterSampleBuffer(desc, &error);
  desc->release();
  if (!samples) return;
  auto *commands = queue->commandBuffer();
  for (NS::UInteger i = 0; i < 2; i++) {
    auto *pass = MTL::ComputePassDescriptor::computePassDescriptor();
    auto *ends = pass->sampleBufferAttachments()->object(0);
    ends->setSampleBuffer(samples);
    ends->setStartOfEncoderSampleIndex(2 * i);
    ends->setEndOfEncoderSampleIndex(bug == 68 ? 2 * i + 2 : 2 * i + 1);
    auto *encoder = commands->computeCommandEncoder(pass);
    encode(encoder, pipeline, in, out, 0);
    encoder->endEncoding();
  }
  /* (before commit: after it they may be done on a busy machine) */
  if (bug == 69) (void)samples->resolveCounterRange(NS::Range(0, 4));
  commands->commit();
  while (commands->status() < MTL::CommandBufferStatusCompleted) usleep(100);
  (void)samples->resolveCounterRange(NS::Range(bug == 70 ? 1 : 0, 4));
  samples->release();
}

static int run(int bug) {
  NS::AutoreleasePool *pool =
      bug == 13 ? nullptr : NS::AutoreleasePool::alloc()->init();
  MTL::Device *device = MTL::CreateSystemDefaultDevice();
  NS::Error *error = nullptr;
  MTL::CompileOptions *options = MTL::CompileOptions::alloc()->init();
  MTL::Library *library = device->newLibrary(text(source), options, &error);
  if (!library)
    return printf("%s\n", error->localizedDescription()->utf8String()), 1;
  MTL::Function *function = library->newFunction(text("twice"));
  MTL::ComputePipelineState *pipeline =
      device->newComputePipelineState(function, &error);
  if (bug == 14) (void)library->functionNames()->object(3);
  MTL::Buffer *in =
      device->newBuffer(bug == 15 ? 0 : 400, MTL::ResourceStorageModeShared);
  MTL::Buffer *out = device->newBuffer(400, MTL::ResourceStorageModeShared);
  for (int i = 0; bug != 15 && i < 100; i++)
    static_cast<float *>(in->contents())[i] = (float)i;
  MTL::CommandQueue *queue = device->newCommandQueue();
  MTL::CommandBuffer *commands = queue->commandBuffer();
  MTL::ComputeCommandEncoder *encoder = commands->computeCommandEncoder();
  if (bug == 16) (void)commands->computeCommandEncoder();
  encode(encoder, pipeline, in, out, bug);
  if (bug != 17) encoder->endEncoding();
  if (bug == 18) encode(encoder, pipeline, in, out, 0);
  if (bug == 20) (void)commands->GPUStartTime();
  commands->commit();
  if (bug == 42) commands->addCompletedHandler([](MTL::CommandBuffer *) {});
  if (bug == 19) commands->commit();
  while (commands->status() < MTL::CommandBufferStatusCompleted) usleep(100);
  bool right = static_cast<float *>(out->contents())[99] == 198;
  if (bug != 61 && bug != 71) paint(device, library, queue, bug);
  wide(device, queue, bug);
  if (bug == 71 ||
      device->supportsCounterSampling(MTL::CounterSamplingPointAtStageBoundary))
    sample(device, queue, pipeline, in, out, bug);
  /* textures of these are */
  bool shared = bug != 47 && bug != 48 && bug != 53 && bug != 61 && bug != 71;
  if (shared) led(device, library, queue, bug);
  if (shared) line(device, bug);
  bindings(device, library, bug);
  capture(device, bug);
  if (bug != 65) values(device, bug); /* macOS 14 has no logs */
  if (bug != 65) talk(device, queue, bug);
  if (bug == 21) commands->release();
  if (bug == 22) in->retain();
  if (bug == 23) library->setLabel(text("a name"));
  if (bug == 65) options->setMathMode(MTL::MathModeFast);
  if (bug == 24) { options->release(); options->setFastMathEnabled(true); }
  for (NS::Object *o :
       {(NS::Object *)queue, (NS::Object *)out, (NS::Object *)in,
        (NS::Object *)pipeline, (NS::Object *)function, (NS::Object *)library,
        (NS::Object *)options, (NS::Object *)device})
    o->release();
  if (pool) pool->release();
  return right ? 0 : 1;
}

int main(int argc, char **argv) {
  int bug = argc > 1 ? atoi(argv[1]) : 0;
  /* textures are managed there */
  if (bug == 47 || bug == 48) setenv("STANDIN_GPU", "amd", 1);
  /* and there, though it has the processor's memory */
  if (bug == 53) setenv("STANDIN_GPU", "intel", 1);
  if (bug == 61) setenv("STANDIN_GPU", "amd", 1);
  /* whose encoders have no samples */
  if (bug == 71) setenv("STANDIN_GPU", "intel", 1);
  if (bug == 62) setenv("STANDIN_GPU", "paravirtual", 1);
  if (bug == 56) setenv("STANDIN_MAX_THREADS", "640", 1);
  if (bug == 58) setenv("STANDIN_SHUFFLED", "1", 1);
  /* without math modes and logs */
  if (bug == 65 || bug == 66) setenv("STANDIN_MACOS", "14", 1);
  return run(bug);
}

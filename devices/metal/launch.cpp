/*
** launch.cpp - launches: one, or several in a command buffer.
**
** Metal cannot stop a kernel that runs. So a launch waits with a deadline, and
** when that passes, or Ctrl-C is pressed, it walks away: the queue is replaced,
** and the system ends the kernel after some seconds. The launches that follow
** may wait for it on the GPU: their time starts when it has ended.
*/
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

extern "C" {
#include "base/cancel.h"
#include "base/clock.h"
}
#include "devices/metal/error_advice.h"

namespace mt_metal {
namespace {

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
  char advice[400];
  return mt_error(err, MT_FAIL, "%s: %s (%s)", name,
                  mt_metal_error_advice(code, text, advice, sizeof advice),
                  text);
}

}  // namespace

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

mt_Status bring_back(Device *d, MTL::Resource *m, const char *name,
                     mt_Error *err) {
  MTL::CommandBuffer *commands = d->queue->commandBuffer();
  MTL::BlitCommandEncoder *blit =
      commands ? commands->blitCommandEncoder() : nullptr;
  if (blit == nullptr)
    return mt_error(err, MT_FAIL, "Metal gave no command buffer");
  blit->synchronizeResource(m);
  blit->endEncoding();
  return finish(d, commands, name, 0, err);
}

/* --------------------------------------------------------------- launches */

namespace {

MTL::Size size_of(mt_Size s) { return MTL::Size::Make(s.x, s.y, s.z); }

bool same(const mt_SamplerDesc &a, const mt_SamplerDesc &b) {
  return a.linear == b.linear && a.pixel == b.pixel &&
         a.address == b.address && a.compare == b.compare;
}

/* Kept with the device: an argument buffer that names one keeps it not
** alive. */
MTL::SamplerState *sampler_of(Device *d, const mt_SamplerDesc &s) {
  for (auto &known : d->samplers)
    if (same(known.first, s)) return known.second.get();
  static const MTL::SamplerAddressMode modes[] = {
      MTL::SamplerAddressModeClampToEdge, MTL::SamplerAddressModeClampToZero,
      MTL::SamplerAddressModeRepeat, MTL::SamplerAddressModeMirrorRepeat};
  static const MTL::CompareFunction functions[] = {
      MTL::CompareFunctionNever,    MTL::CompareFunctionLess,
      MTL::CompareFunctionLessEqual, MTL::CompareFunctionGreater,
      MTL::CompareFunctionGreaterEqual, MTL::CompareFunctionEqual,
      MTL::CompareFunctionNotEqual, MTL::CompareFunctionAlways,
      MTL::CompareFunctionNever};
  auto desc = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  auto filter = s.linear ? MTL::SamplerMinMagFilterLinear
                         : MTL::SamplerMinMagFilterNearest;
  desc->setMinFilter(filter);
  desc->setMagFilter(filter);
  desc->setNormalizedCoordinates(!s.pixel);
  desc->setSAddressMode(modes[s.address & 3]);
  desc->setTAddressMode(modes[s.address & 3]);
  desc->setRAddressMode(modes[s.address & 3]);
  desc->setCompareFunction(functions[s.compare]);
  desc->setSupportArgumentBuffers(d->argument_buffers);
  d->samplers.emplace_back(
      s, NS::TransferPtr(d->device->newSamplerState(desc.get())));
  return d->samplers.back().second.get();
}

/* A buffer that a launch uses: the GPU's copy gets what the CPU has written. */
MTL::Buffer *hand_over(mt_Buffer *buf, bool written) {
  auto *b = static_cast<Buffer *>(buf);
  if (b->managed && b->high > b->low)
    b->buffer->didModifyRange(NS::Range::Make(b->low, b->high - b->low));
  b->low = b->high = 0;
  b->stale = b->stale || (b->managed && written);
  return b->buffer.get();
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
  MTL::Buffer *buffer = hand_over(a.buffer, true);
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
      e->setBuffer(hand_over(a.buffer, p.access & MT_WRITE), a.offset, p.index);
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
** silent. Of several launches the error is to name one. */
MTL::CommandBuffer *commands_for(Device *d, const mt_Commands *c,
                                 std::weak_ptr<Voice> *voice) {
  NS::SharedPtr<MTL::LogState> log;
  for (size_t i = 0; i < c->count && !log; i++) {
    auto *k = static_cast<Kernel *>(c->list[i].launch.kernel);
    if (k->logs) log = new_log(d, k->name, voice);
  }
  if (!log && c->count == 1) return d->queue->commandBuffer();
  auto desc = NS::TransferPtr(MTL::CommandBufferDescriptor::alloc()->init());
  if (log) desc->setLogState(log.get());
  if (c->count > 1)
    desc->setErrorOptions(MTL::CommandBufferErrorOptionEncoderExecutionStatus);
  return d->queue->commandBuffer(desc.get());
}

std::string kernel_of(const mt_Commands *c, size_t i) {
  return c->list[i].launch.kernel->info.name;
}

/* Launches that share an encoder. */
struct Pass {
  size_t first, count;
};

/* "add", or "add, scale and 3 more": captures, validation and errors show
** it. */
std::string name_of(const mt_Commands *c, const Pass &p) {
  std::string name = kernel_of(c, p.first);
  for (size_t i = 1; i < p.count && i < 3; i++)
    name += ", " + kernel_of(c, p.first + i);
  if (p.count > 3) name += " and " + std::to_string(p.count - 3) + " more";
  return name;
}

/* Encoders of a command buffer, where it has several. */
#define MOST_ENCODERS 4096

/*
** The GPU times encoders, and its errors name one: so launches have as many as
** their order allows. Those in order get one each; of a concurrent command
** buffer those that no barrier parts share one, since they may overlap in it
** alone. Metal orders encoders by what they use.
*/
std::vector<Pass> passes_of(const mt_Commands *c) {
  std::vector<Pass> list;
  for (size_t i = 0; i < c->count; i++) {
    if (i == 0 || !c->concurrent || c->list[i].barrier) list.push_back({i, 0});
    list.back().count++;
  }
  if (list.size() > MOST_ENCODERS) list.assign(1, {0, c->count});
  return list;
}

/* What its encoder is called, and by what an error is known to be its: "add,
** launch 2 of 3", "add, scale, launches 2 to 3 of 4". */
std::string label_of(const mt_Commands *c, const Pass &p) {
  if (p.count == c->count) return name_of(c, p);
  std::string first = std::to_string(p.first + 1);
  std::string last = std::to_string(p.first + p.count);
  return name_of(c, p) +
         (p.count == 1 ? ", launch " + first
                       : ", launches " + first + " to " + last) +
         " of " + std::to_string(c->count);
}

/* The encoder of pass i; with 'samples' its ends are noted there. */
MTL::ComputeCommandEncoder *encoder_for(MTL::CommandBuffer *commands,
                                        MTL::CounterSampleBuffer *samples,
                                        size_t i, bool concurrent) {
  auto type = concurrent ? MTL::DispatchTypeConcurrent
                         : MTL::DispatchTypeSerial;
  if (samples == nullptr)
    return concurrent ? commands->computeCommandEncoder(type)
                      : commands->computeCommandEncoder();
  auto *pass = MTL::ComputePassDescriptor::computePassDescriptor();
  pass->setDispatchType(type);
  auto *ends = pass->sampleBufferAttachments()->object(0);
  ends->setSampleBuffer(samples);
  ends->setStartOfEncoderSampleIndex(2 * i);
  ends->setEndOfEncoderSampleIndex(2 * i + 1);
  return commands->computeCommandEncoder(pass);
}

/* False: Metal gave no encoder. */
bool encode_passes(Device *d, MTL::CommandBuffer *commands,
                   const mt_Commands *c, const std::vector<Pass> &passes,
                   MTL::CounterSampleBuffer *samples) {
  for (size_t n = 0; n < passes.size(); n++) {
    const Pass &p = passes[n];
    auto *encoder = encoder_for(commands, samples, n, c->concurrent);
    if (encoder == nullptr) return false;
    encoder->setLabel(string_of(label_of(c, p).c_str()));
    for (size_t i = p.first; i < p.first + p.count; i++) {
      if (c->concurrent && c->list[i].barrier && i > p.first)
        encoder->memoryBarrier(all_memory);
      encode(d, encoder, &c->list[i].launch, c->concurrent);
    }
    encoder->endEncoding();
  }
  return true;
}

/* The pass whose encoder the GPU failed in; NULL: it does not tell. */
const Pass *find_faulted(const mt_Commands *c, const std::vector<Pass> &passes,
                         NS::Error *error) {
  NS::String *key = MTL::CommandBufferEncoderInfoErrorKey;
  if (key == nullptr) key = string_of("MTLCommandBufferEncoderInfoErrorKey");
  NS::Dictionary *more = error ? error->userInfo() : nullptr;
  auto *list = more ? static_cast<NS::Array *>(more->object(key)) : nullptr;
  for (NS::UInteger i = 0; list && i < list->count(); i++) {
    auto *info = list->object<MTL::CommandBufferEncoderInfo>(i);
    if (info->errorState() != MTL::CommandEncoderErrorStateFaulted) continue;
    std::string label = text_of(info->label());
    for (const Pass &p : passes)
      if (label == label_of(c, p)) return &p;
  }
  return nullptr;
}

/* The error names the launch, or those that share an encoder. */
void explain_fault(const mt_Commands *c, const std::vector<Pass> &passes,
                   NS::Error *error, size_t *failed, mt_Error *err) {
  const Pass *p = find_faulted(c, passes, error);
  *failed = p && p->count == 1 ? p->first : c->count;
  if (p)
    explain((p->count == 1 ? kernel_of(c, p->first) : label_of(c, *p)).c_str(),
            error, err);
}

/* Of passes with one launch: that is the launch's time. */
void read_times(Device *d, MTL::CounterSampleBuffer *samples,
                const std::vector<Pass> &passes, uint64_t whole_ns,
                mt_Timing *each) {
  std::vector<mt_Timing> times(passes.size());
  read_samples(d, samples, passes.size(), whole_ns, times.data());
  for (size_t n = 0; n < passes.size(); n++)
    if (passes[n].count == 1) each[passes[n].first] = times[n];
}

/* All launches in one command buffer. */
mt_Status run_once(Device *d, const mt_Commands *c,
                   std::weak_ptr<Voice> *voice, mt_Timing *out,
                   mt_Timing *each, size_t *failed, mt_Error *err) {
  Pool pool; /* the commands, and so their log, go with it */
  std::string name = name_of(c, {0, c->count});
  uint64_t start = mt_now_ns();
  auto passes = passes_of(c);
  auto samples = passes.size() > 1 ? new_samples(d, passes.size())
                                   : NS::SharedPtr<MTL::CounterSampleBuffer>();
  MTL::CommandBuffer *commands = commands_for(d, c, voice);
  if (!commands || !encode_passes(d, commands, c, passes, samples.get()))
    return mt_error(err, MT_FAIL, "%s: Metal gave no command buffer",
                    name.c_str());
  mt_Status status = finish(d, commands, name.c_str(), c->time_limit, err);
  if (status == MT_FAIL)
    explain_fault(c, passes, commands->error(), failed, err);
  if (status != MT_OK) return status;
  out->wall_ns = mt_now_ns() - start;
  double seconds = commands->GPUEndTime() - commands->GPUStartTime();
  out->device_ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
  if (samples)
    read_times(d, samples.get(), passes, out->device_ns, each);
  return MT_OK;
}

}  // namespace

/* '*failed' is known for what is refused here, and where the GPU tells. */
mt_Status metal_commands(const mt_Commands *c, mt_Timing *whole,
                         mt_Timing *each, size_t *failed, mt_Error *err) {
  return guarded(err, [&]() -> mt_Status {
    Device *d = of(c->list[0].launch.kernel->device);
    std::weak_ptr<Voice> voice;
    for (*failed = 0; *failed < c->count; ++*failed)
      if (check_links(d, &c->list[*failed].launch, err) != MT_OK)
        return MT_BADARG;
    mt_Status status = run_once(d, c, &voice, whole, each, failed, err);
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

}  // namespace mt_metal

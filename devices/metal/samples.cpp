/*
** samples.cpp - when each encoder of a command buffer began and ended.
**
** The GPU notes its clock into a sample buffer at both ends of an encoder,
** where it can (Apple's own GPUs do). The unit of that clock is not promised,
** so it is compared with ours: once when the device is opened, and once when it
** is read.
*/
#include "devices/metal/metal.hpp"

extern "C" {
#include "base/clock.h"
}

namespace mt_metal {

/* A sample buffer has at most 32 KB, 8 bytes a sample, and an encoder two. */
#define MOST_SAMPLED 2048

static Moment now_on(MTL::Device *m) {
  MTL::Timestamp cpu = 0, gpu = 0;
  m->sampleTimestamps(&cpu, &gpu);
  return {mt_now_ns(), gpu};
}

void find_clock(Device *d) {
  MTL::Device *m = d->device.get();
  if (!m->supportsCounterSampling(MTL::CounterSamplingPointAtStageBoundary))
    return;
  NS::Array *sets = m->counterSets();
  for (NS::UInteger i = 0; sets && i < sets->count(); i++) {
    auto *set = sets->object<MTL::CounterSet>(i);
    if (std::string(text_of(set->name())) == "timestamp")
      d->clock = NS::RetainPtr(set);
  }
  if (d->clock) d->opened = now_on(m);
}

NS::SharedPtr<MTL::CounterSampleBuffer> new_samples(Device *d, size_t count) {
  if (!d->clock || count > MOST_SAMPLED) return {};
  auto desc =
      NS::TransferPtr(MTL::CounterSampleBufferDescriptor::alloc()->init());
  desc->setCounterSet(d->clock.get());
  desc->setStorageMode(MTL::StorageModeShared);
  desc->setSampleCount(2 * count);
  NS::Error *error = nullptr;
  return NS::TransferPtr(d->device->newCounterSampleBuffer(desc.get(), &error));
}

/* Of our nanoseconds for one tick of the GPU's clock; 0: it cannot be told. */
static double scale_of(Device *d) {
  Moment now = now_on(d->device.get());
  if (now.ns <= d->opened.ns || now.gpu <= d->opened.gpu) return 0;
  return (double)(now.ns - d->opened.ns) / (double)(now.gpu - d->opened.gpu);
}

/* Are they times, in order, and none longer than the whole? */
static bool is_sound(const uint64_t *ticks, size_t count, double scale,
                     uint64_t whole) {
  if (scale <= 0) return false;
  for (size_t i = 0; i < count; i++) {
    uint64_t start = ticks[2 * i], end = ticks[2 * i + 1];
    if (end == MTL::CounterErrorValue || start < ticks[0] || end < start)
      return false;
    double last = (double)(end - ticks[0]) * scale;
    if (whole > 0 && last > 1.25 * (double)whole + 20000) return false;
  }
  return true;
}

void read_samples(Device *d, MTL::CounterSampleBuffer *samples, size_t count,
                  uint64_t whole_ns, mt_Timing *each) {
  NS::Data *data = samples->resolveCounterRange(NS::Range(0, 2 * count));
  if (!data || data->length() < 2 * count * sizeof(uint64_t)) return;
  auto *ticks = static_cast<const uint64_t *>(data->mutableBytes());
  double scale = scale_of(d);
  if (!is_sound(ticks, count, scale, whole_ns)) return;
  for (size_t i = 0; i < count; i++) {
    double start = (double)(ticks[2 * i] - ticks[0]);
    double length = (double)(ticks[2 * i + 1] - ticks[2 * i]);
    each[i].start_ns = (uint64_t)(start * scale);
    each[i].device_ns = (uint64_t)(length * scale) + (length <= 0);
  }
}

}  // namespace mt_metal

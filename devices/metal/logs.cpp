/*
** logs.cpp - what kernels log, by Metal's log states (metal.hpp).
*/
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <chrono>

extern "C" {
#include "base/cancel.h"
#include "base/clock.h"
}

namespace mt_metal {

#define LONGEST_PATIENCE 1.0
#define MOST_TEXT (1 << 20) /* a kernel says it a million times */

Voice::~Voice() {
  std::lock_guard<std::mutex> held(messages->lock);
  messages->wake.notify_all();
}

void Voice::say(bool error, const char *line) {
  std::lock_guard<std::mutex> held(messages->lock);
  std::string &text = messages->text;
  messages->late = messages->late || over;
  if (text.size() > MOST_TEXT) return;
  text += error ? "kernel, error: " : "kernel: ";
  if (over) text += "(" + name + ", launched earlier) ";
  text += std::string(line) + "\n";
}

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

}  // namespace mt_metal

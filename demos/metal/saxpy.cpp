/*
** saxpy.cpp - y = a x + y on the GPU of a Mac, as a program of your own.
**
** The lesson "metal-host-side" explains it line by line. With Apple's metal-cpp
** headers in the folder metal-cpp:
**
**   clang++ -std=c++17 -I metal-cpp saxpy.cpp -framework Foundation
**           -framework Metal -framework CoreGraphics -o saxpy
*/
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <cstdio>

static const char *source = R"(
kernel void saxpy(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant float     &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
})";

static NS::String *text(const char *words) {
  return NS::String::string(words, NS::UTF8StringEncoding);
}

static int fail(NS::Error *error) {
  const char *why = "no GPU for Metal";
  if (error) why = error->localizedDescription()->utf8String();
  std::fprintf(stderr, "%s\n", why);
  return 1;
}

int main() {
  const unsigned n = 1000;
  const float a = 2;

  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return fail(nullptr);
  auto queue = NS::TransferPtr(device->newCommandQueue());

  NS::Error *error = nullptr;
  auto library = NS::TransferPtr(
      device->newLibrary(text(source), nullptr, &error));
  if (!library) return fail(error);
  auto function = NS::TransferPtr(
      library->newFunction(text("saxpy")));
  auto saxpy = NS::TransferPtr(
      device->newComputePipelineState(function.get(), &error));
  if (!saxpy) return fail(error);

  auto shared = MTL::ResourceStorageModeShared;
  auto x = NS::TransferPtr(device->newBuffer(n * sizeof(float), shared));
  auto y = NS::TransferPtr(device->newBuffer(n * sizeof(float), shared));
  float *xs = static_cast<float *>(x->contents());
  float *ys = static_cast<float *>(y->contents());
  for (unsigned i = 0; i < n; i++) {
    xs[i] = i;
    ys[i] = 1;
  }

  MTL::CommandBuffer *commands = queue->commandBuffer();
  MTL::ComputeCommandEncoder *encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(saxpy.get());
  encoder->setBuffer(x.get(), 0, 0);
  encoder->setBuffer(y.get(), 0, 1);
  encoder->setBytes(&a, sizeof a, 2);
  encoder->dispatchThreads(MTL::Size(n, 1, 1), MTL::Size(256, 1, 1));
  encoder->endEncoding();

  commands->commit();
  commands->waitUntilCompleted();
  if (commands->status() == MTL::CommandBufferStatusError)
    return fail(commands->error());
  std::printf("y[999] = %g\n", ys[999]);
}

# What the suites of the cuda device need: on Linux alone.
ifeq ($(SYSTEM),Linux)
tests: $(B)/tests/cuda/libcuda.so.1 $(B)/tests/fake_cuda.so
endif

# A stand-in for NVIDIA's driver, which runs PTX. Its arithmetic is IEEE's in
# every direction of rounding.
$(B)/tests/cuda/libcuda.so.1: $(call objects,$(wildcard tests/cuda/*.c))
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread -shared -Wl,-soname,$(@F) -o $@ $^ -lm $(LDFLAGS)
$(B)/obj/tests/cuda/%.o: FOLDER_CFLAGS = -fvisibility=hidden -frounding-math \
    -ffp-contract=off

# A driver library for test_cuda_driver.
$(B)/tests/fake_cuda.so: $(B)/obj/tests/c/cuda/fake_cuda.o
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) $(MODULE) -o $@ $<

# The suites on an NVIDIA GPU, by hand: no other machine has one.
.PHONY: test-cuda
test-cuda: all tests
	@METTLE_DEVICE=cuda tests/run $(B) $(or $(SUITE),lua-)
	@for n in integers floats warps crosslane random; do \
	  CUDA_LIBRARY=libcuda.so.1 tests/run $(B) c-test_cuda_$$n || exit 1; done
	@for t in patterns lanes twins faults; do \
	  METTLE_DEVICE=cuda $(B)/mettle tests/cuda/$$t.lua || exit 1; done

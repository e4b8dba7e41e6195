# The cuda device: NVIDIA's GPUs. Their driver's library is loaded at run time.
cuda.systems := Linux
cuda.program := $(wildcard devices/cuda/*.c devices/cuda/driver/*.c)
cuda.passes  := yes
cuda.module  := $(wildcard devices/cuda/kernel/*.c devices/cuda/ptx/*.c)

# Its builtins, for every NVIDIA GPU: bitcode, by the Clang that also compiles
# kernels.
$(B)/cuda_builtins.bc: devices/cuda/builtins/builtins.c \
    devices/cuda/abi/launch.h build/config.mk
	@mkdir -p $(@D)
	@echo '  clang $<'
	@$(CLANG) --target=nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature \
	  -Xclang +ptx63 -nogpulib \
	  -std=gnu11 -O1 -ffreestanding -fconvergent-functions -Wall -Wextra \
	  $(if $(CI),-Werror) -I. -emit-llvm -c -o $@ $<
$(B)/obj/devices/cuda/ptx/link_builtins.o: $(B)/cuda_builtins.bc
$(B)/obj/devices/cuda/ptx/link_builtins.o: CPPFLAGS_ALL += \
    -DMT_CUDA_BUILTINS='"$(B)/cuda_builtins.bc"'

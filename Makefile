# Mettle: a Lua console for Metal compute kernels.
#
#   make run    install what is missing, build, start the console
#   make test   the same, then every suite
#   make help   the rest
#
# Objects go to build/. SAN=1 (address and undefined-behaviour sanitizers) and
# SAN=thread build apart, in build/san and build/tsan.

PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/^.define MT_VERSION "\(.*\)"/\1/p' base/version.h)
SYSTEM  := $(shell uname -s)

ifeq ($(SAN),1)
B := build/san
FLAVOUR := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
           -fno-sanitize-recover=undefined
else ifeq ($(SAN),thread)
B := build/tsan
FLAVOUR := -O1 -g -fsanitize=thread
else
B := build
FLAVOUR := -O2 -g
endif

# What scripts/deps found, as make variables. Some goals look themselves, each
# time, and then call this Makefile anew; with others a fresh machine installs
# and finds out first, and stops here if it cannot.
LOOK := run test test-all check-changed bench deps jupyter tinygrad cycles
# Of these a Mac can make none, and nothing is installed for them.
LINUX_ONLY := bundle bundle-archive bundle-folder wheel deb
ifneq ($(filter-out $(LOOK) fresh help clean uninstall mac-report \
    $(if $(filter Darwin,$(SYSTEM)),$(LINUX_ONLY)),$(or $(MAKECMDGOALS),all)),)
build/config.mk:
	@scripts/deps
include build/config.mk
else
-include build/config.mk
endif

# That LLVM's own clang.
CLANG := $(patsubst -DMT_CLANG=%,%,$(filter -DMT_CLANG=%,$(LLVM_CFLAGS)))
CLANG := $(patsubst \"%\",%,$(subst ',,$(CLANG)))

CPPFLAGS_ALL = -I. $(CPPFLAGS)
CFLAGS_ALL   = -std=gnu11 $(FLAVOUR) -pthread -fPIC \
               -Wall -Wextra -Wshadow -Wstrict-prototypes \
               $(if $(CI),-Werror) $(CFLAGS)

ifeq ($(SYSTEM),Darwin)
EXPORT := -Wl,-export_dynamic
MODULE := -bundle -undefined dynamic_lookup
CPPFLAGS_ALL += -DMT_DARWIN
# A Mac's linker complains of a library that is named twice; libm and libdl are
# part of its libSystem.
once = $(if $(1),$(firstword $(1)) $(call once,$(filter-out \
         $(firstword $(1)),$(1))))
else
EXPORT := -rdynamic
MODULE := -shared
MATH_LIBS := -lm
C_LIBS := -lm -ldl
once = $(1)
endif

# What the devices are made of, by their folders.
include devices/devices.mk

# The program: everything but what needs LLVM or the vendor's BLAS. The reader
# is in it: the Metal device reads signatures, with LLVM or without.
READER_SRC := $(wildcard msl/reader/*.c)
PLAIN_SRC := $(wildcard base/*.c base/*/*.c pictures/*.c devices/*.c \
                        devices/recording/*.c cpu/*.c lua/*.c lua/bind/*/*.c \
                        lua/bind/*/*/*.c repl/*.c repl/*/*.c window/*.c \
                        jupyter/*.c msl/clang/*.c) $(READER_SRC)
PROGRAM_SRC := $(PLAIN_SRC) $(call of_devices,program)
# Modules, loaded when first used, so that the prompt does not wait for them:
# host.so is the front end and the host engine, blas.so the vendor library,
# pictures.so what reads and writes PNG, JPEG and sixels,
# window.so SDL, jupyter.so ZeroMQ.
# host.so has the compilers of other devices, too.
FRONT_SRC := $(filter-out $(PLAIN_SRC),$(wildcard msl/*.c msl/*/*.c \
               devices/compiler/*/*.c devices/opt/*.c))
HOST_SRC := $(FRONT_SRC) $(call of_devices,module)
BLAS_SRC := $(wildcard cpu/vendor/*.c)
PICTURES_SRC := $(wildcard pictures/module/*.c)
WINDOW_SRC := $(wildcard window/module/*.c)
JUPYTER_SRC := $(wildcard jupyter/module/*.c)
# A folder of tests/c for each room; names of suites are unique.
TEST_SRC := $(wildcard tests/c/*/test_*.c tests/c/*/*/test_*.c)
# libmettle: devices, compiler and engine in one, for programs in C
# (include/mettle/mettle.h), without Lua.
EMBED_SRC := $(wildcard embed/*.c) \
             $(filter-out cpu/% lua/% repl/% pictures/% window/% \
             jupyter/%,$(PROGRAM_SRC))

objects = $(patsubst %.c,$(B)/obj/%.o,$(1))
CXX_OBJ     := $(patsubst %.cpp,$(B)/obj/%.o,$(call of_devices,cxx))
PROGRAM_OBJ := $(call objects,$(PROGRAM_SRC)) $(CXX_OBJ)
DEVICE_LIBS := $(call of_devices,libs)
# stay.so goes before the libraries of another program
# (base/process/fork_server.h).
MODULES := $(if $(HOST_SRC),$(if $(LLVM_LIBS),$(B)/host.so)) \
           $(if $(BLAS_SRC),$(B)/blas.so) \
           $(if $(PICTURES_LIBS),$(B)/pictures.so) \
           $(if $(SDL_LIBS),$(B)/window.so) \
           $(if $(ZMQ_LIBS),$(B)/jupyter.so) \
           $(if $(filter Linux,$(SYSTEM)),$(B)/stay.so)
# Without LLVM the suites of what needs none are left.
ifeq ($(LLVM_LIBS),)
TEST_SRC := $(shell grep -LE -e '"(tests/c/)?(host|vectorise|crosslane)_case\.h' \
              -e '"msl/|"devices/(compiler|host|opt)/|<llvm-c/|MT_CLANG' $(TEST_SRC))
endif
# All of them are cmocka's; tests/run names what is missing.
ifeq ($(CMOCKA_LIBS),)
TEST_SRC :=
endif
# A client of the notebook's kernel speaks ZeroMQ itself.
ifeq ($(ZMQ_LIBS),)
TEST_SRC := $(filter-out tests/c/repl/test_notebook.c,$(TEST_SRC))
endif
# Elsewhere than on Linux malloc cannot be defined anew, and a device that the
# system lacks has no suites.
not_tried = $(if $(filter Linux,$(1)),, \
              tests/c/host/kernel/test_out_of_memory.c) \
            $(patsubst %,tests/c/%/%,$(filter-out \
              $(call devices_on,$(1)),$(DEVICES)))
TEST_SRC := $(filter-out $(call not_tried,$(SYSTEM)),$(TEST_SRC))
# Of the C suites, those with the word CHOSEN in their name and the one that
# cuda/test_apart.sh calls; without a word all.
C_SUITES := $(patsubst %.c,$(B)/tests/%,$(notdir $(TEST_SRC)))
CALLED := $(if $(findstring $(CHOSEN),cuda-test_apart),%/test_cuda_random)
chosen = $(findstring $(CHOSEN),c-$(notdir $(1)))$(filter $(CALLED),$(1))
TESTS := $(if $(CHOSEN),$(foreach t,$(C_SUITES), \
           $(if $(call chosen,$(t)),$(t))),$(C_SUITES))
# Those named in TEST_SUITES and no others (scripts/check-changed).
ifneq ($(TEST_SUITES),)
TESTS := $(filter $(patsubst c-%,$(B)/tests/%,$(TEST_SUITES)),$(C_SUITES))
endif
TESTS += $(B)/tests/limit \
         $(if $(SECCOMP_LIBS),$(B)/tests/offline) \
  $(if $(filter Linux,$(SYSTEM)),$(B)/tests/older $(B)/tests/stay.so)

# Its name has the number of its ABI (METTLE_ABI).
OBJCOPY ?= objcopy
ABI := $(shell sed -n 's/^.define METTLE_ABI //p' include/mettle/mettle.h)
ifeq ($(SYSTEM),Darwin)
LIBMETTLE := $(B)/libmettle.$(ABI).dylib
LIBMETTLE_LINK := libmettle.dylib
else
LIBMETTLE := $(B)/libmettle.so.$(ABI)
LIBMETTLE_LINK := libmettle.so
LIBMETTLE_STATIC := $(B)/libmettle.a
endif

.DEFAULT_GOAL := all
.PHONY: all run test bench install deps docs clean help
all: $(B)/mettle $(MODULES) $(LIBMETTLE) $(LIBMETTLE_STATIC)

# The first build is long: on all cores, unless -j was given.
CORES = $(shell getconf _NPROCESSORS_ONLN)
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(CORES))

run: deps
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@$(B)/mettle

# SUITE may be a file, too: the suite's name is its first folder and its file.
WORD_OF_SUITE = $(if $(findstring /,$(SUITE)),$(firstword $(subst /, ,\
  $(patsubst tests/%,%,$(SUITE))))-$(basename $(notdir $(SUITE))),$(SUITE))
test:
	@scripts/deps packages
	@scripts/deps downloads & $(MAKE) --no-print-directory $(PARALLEL) all; \
	  built=$$?; wait; exit $$built
	@$(MAKE) --no-print-directory $(PARALLEL) tests CHOSEN=$(WORD_OF_SUITE)
	@tests/run $(B) "$(WORD_OF_SUITE)" "$(CASE)"

# The suites that guard what was changed: since HEAD, or since BASE.
.PHONY: check-changed
check-changed:
	@scripts/deps packages
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@MAKE="$(MAKE) --no-print-directory $(PARALLEL)" scripts/check-changed $(B) \
	  $(BASE)

# The notebook's kernel against Jupyter's own programs, which pip brings.
.PHONY: jupyter
jupyter:
	@scripts/deps tinygrad
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tests/jupyter/run $(B)

# Every input of every suite, where make test takes a choice of them.
.PHONY: test-all
test-all:
	@METTLE_TESTS=all METTLE_RANDOM=$(or $(METTLE_RANDOM),10000) TEST_LIMIT=7200 \
	  $(MAKE) --no-print-directory test

# Each suite of bench/ in turn; they would disturb each other. With DEVICE=cuda
# the library's own kernels on that device, beside PyTorch where it is.
BENCHES = $(wildcard bench/bench_*$(SUITE)*.lua)
ifdef DEVICE
bench: all
	@METTLE_DEVICE=$(DEVICE) $(B)/mettle bench/library.lua
else
bench:
	@$(if $(BENCHES),,echo 'no suite has "$(SUITE)" in its name: see \
	  bench/README.md' >&2; exit 1)
	@scripts/deps bench
	@$(MAKE) --no-print-directory all contenders
	@rm -f build/bench.md
	@for suite in $(BENCHES); do \
	  $(if $(filter cpu,$(BENCH_CLOCK)),METTLE_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  POCL_MAX_PTHREAD_COUNT=1 BENCH_CLOCK=cpu) \
	  $(B)/mettle $$suite || exit 1; done
	@$(if $(SUITE)$(BENCH_ONLY),,echo 'the tables of aims: build/bench.md; \
	  build/mettle bench/paste.lua puts them into docs/performance.md')
endif

# The cuda device beside nvcc, on a machine with a GPU and NVIDIA's compiler.
NVCC ?= nvcc
.PHONY: bench-cuda
bench-cuda: all build/bench/cuda
	@$(B)/mettle bench/on_cuda.lua
build/bench/cuda: bench/cuda.cu bench/kernels.cu bench/protocol.h
	@mkdir -p $(@D)
	@echo '  nvcc  $<'
	@$(NVCC) -O3 -arch=native -I. -o $@ $< -ldl

# Kernels as strangers write them (bench/strangers), beside others:
#   make bench-strangers [FAMILY=fft] [KERNEL=word,word] [CORES=one]
#                        [BESIDE=pocl,cc] [CHECK=1]
.PHONY: bench-strangers
bench-strangers:
	@scripts/deps bench
	@$(MAKE) --no-print-directory all contenders build/bench/plain \
	  build/bench/cubin
	@$(B)/mettle bench/strangers/run.lua
# Apple's compiler has no OpenMP: one core there.
build/bench/plain: bench/plain.c bench/protocol.h
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@$(CC) -I. $(CFLAGS_ALL) -fno-sanitize=all -fopenmp -o $@ $< -ldl \
	  2>/dev/null || $(CC) -I. $(CFLAGS_ALL) -fno-sanitize=all \
	  -Wno-unknown-pragmas -o $@ $< -ldl
build/bench/cubin: bench/cubin.c bench/protocol.h
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@$(CC) -I. $(CFLAGS_ALL) -fno-sanitize=all -o $@ $< -ldl

.PHONY: contenders
contenders: $(if $(OPENCL_LIBS),build/bench/opencl) \
    $(if $(ISPC_EXAMPLES),build/bench/ispc)

# PoCL's side of the comparison, a process of its own.
build/bench/opencl: bench/opencl.c bench/protocol.h build/config.mk
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@$(CC) -I. $(CFLAGS_ALL) -fno-sanitize=all -o $@ $< $(OPENCL_LIBS)

# ISPC's side:
#   make bench SUITE=ispc ISPC=compiler ISPC_EXAMPLES=its examples/cpu
ISPC ?= ispc
ISPC_FLAGS = -O3 --opt=fast-math --target=host --pic
ISPC_KERNELS = mandelbrot/mandelbrot options/options noise/noise \
               stencil/stencil \
  aobench/ao volume_rendering/volume rt/rt
ISPC_OBJECTS = $(ISPC_KERNELS:%=build/bench/ispc.o/%.o)
export ISPC_EXAMPLES
build/bench/ispc.o/%.o: $(ISPC_EXAMPLES)/%.ispc
	@mkdir -p $(@D)
	@echo '  ispc  $<'
	@$(ISPC) $(ISPC_FLAGS) -o $@ $<
build/bench/ispc: bench/ispc.c bench/protocol.h $(ISPC_OBJECTS)
	@echo '  cc    $<'
	@$(CC) -I. $(CFLAGS_ALL) -fno-sanitize=all \
	  -DISPC_NAME='"$(shell $(ISPC) --version)"' -o $@ $< $(ISPC_OBJECTS) -lm

.PHONY: tests
.SECONDARY:
tests: $(TESTS)

deps:
	@scripts/deps

# The reader against any bytes, for FUZZ_SECONDS; what it finds stays in
# FUZZ_OUT. The corpus starts from the sources of the tests. FUZZ_SEED=1 tries
# the same texts in every run.
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= 0
FUZZ_OUT ?= build/fuzz
FUZZ_CC ?= $(CLANG)
FUZZ_FLAGS ?= -O1 -g
.PHONY: fuzz
fuzz:
	@scripts/deps fuzz
	@mkdir -p $(FUZZ_OUT)/corpus
	@cp -n tests/msl/*/*.metal $(FUZZ_OUT)/corpus
	$(FUZZ_CC) -std=gnu11 $(FUZZ_FLAGS) -I. -fsanitize=fuzzer,address,undefined \
	  -o $(FUZZ_OUT)/reader \
	  tests/fuzz/reader.c $(READER_SRC) base/str.c base/status.c \
	  $(addprefix base/kernel_types/,reflect.c scalar.c half.c)
	cd $(FUZZ_OUT) && ./reader -seed=$(FUZZ_SEED) -max_total_time=$(FUZZ_SECONDS) \
	  -max_len=8192 -timeout=10 -print_final_stats=1 corpus

$(B)/mettle: $(PROGRAM_OBJ)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -o $@ $^ \
	  $(call once,$(LUA_LIBS) $(CJSON_LIBS)) $(DEVICE_LIBS) $(C_LIBS) $(LDFLAGS)

$(B)/host.so: $(call objects,$(HOST_SRC) base/build_id.c)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -o $@ $^ $(LLVM_LIBS) $(MATH_LIBS) \
	  $(LDFLAGS)

$(B)/blas.so: $(call objects,$(BLAS_SRC) base/build_id.c)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -o $@ $^ $(BLAS_LIBS) $(LDFLAGS)

$(B)/pictures.so: $(call objects,$(PICTURES_SRC) base/build_id.c)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -o $@ $^ \
	  $(call once,$(PICTURES_LIBS)) $(LDFLAGS)

$(B)/window.so: $(call objects,$(WINDOW_SRC) base/build_id.c)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -o $@ $^ $(SDL_LIBS) $(LDFLAGS)

$(B)/jupyter.so: $(call objects,$(JUPYTER_SRC) base/build_id.c)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -o $@ $^ $(call once,$(ZMQ_LIBS)) \
	  $(LDFLAGS)

# C suites look for it beside themselves.
$(B)/tests/stay.so: $(B)/stay.so
	@mkdir -p $(@D)
	@ln -sf ../$(<F) $@
# (not sanitized: it runs inside a program that is not)
$(B)/stay.so: base/process/preload/stay.c base/process/stay.h build/config.mk
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fno-sanitize=all $(MODULE) -o $@ $< -ldl

# What a program may call begins with mettle_; all else is local. (nodelete: its
# threads do not end.)
EMBED_OBJ := $(call objects,$(EMBED_SRC) $(if $(LLVM_LIBS),$(HOST_SRC))) \
             $(CXX_OBJ)
EMBED_LIBS = $(LLVM_LIBS) $(DEVICE_LIBS) $(C_LIBS)
$(B)/obj/embed/%.o: FOLDER_CFLAGS = -Iinclude \
    -D'MT_ENGINES=$(if $(LLVM_LIBS),$(call engine_rows,$(DEVICES_HERE)))'
$(B)/libmettle.map: include/mettle/mettle.h
	@mkdir -p $(@D)
	@echo 'METTLE_$(ABI) { global: mettle_*; local: *; };' >$@
$(B)/libmettle.so.$(ABI): $(EMBED_OBJ) $(B)/libmettle.map
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread -shared -Wl,-soname,$(@F) \
	  -Wl,--version-script,$(B)/libmettle.map -Wl,-z,nodelete \
	  -o $@ $(EMBED_OBJ) $(EMBED_LIBS) $(LDFLAGS)
	@ln -sf $(@F) $(B)/$(LIBMETTLE_LINK)
# A Mac's program looks for a library where the library says that it is: in the
# build folder, or where it is installed, for which it is linked once more. Then
# neither pkg-config nor a person has to name a path.
LIBMETTLE_DYLIB_FLAGS = -Wl,-exported_symbol,_mettle_* \
    -install_name '$(1)/libmettle.$(ABI).dylib'
link_dylib = $(CC) $(FLAVOUR) -pthread -dynamiclib \
    $(call LIBMETTLE_DYLIB_FLAGS,$(1)) -o $(2) $(EMBED_OBJ) $(EMBED_LIBS) \
    $(LDFLAGS)
$(B)/libmettle.$(ABI).dylib: $(EMBED_OBJ)
	@echo '  link  $@'
	@$(call link_dylib,$(CURDIR)/$(B),$@)
	@ln -sf $(@F) $(B)/$(LIBMETTLE_LINK)
# One object, of which all but the API is local.
$(B)/libmettle.a: $(EMBED_OBJ)
	@echo '  ar    $@'
	@$(CC) -nostdlib -r -o $(B)/libmettle.o $(EMBED_OBJ)
	@$(OBJCOPY) -w --keep-global-symbol='mettle_*' $(B)/libmettle.o
	@rm -f $@ && ar rcs $@ $(B)/libmettle.o && rm -f $(B)/libmettle.o

# A C suite links the program without its main, and with the front end where
# there is an LLVM. On Linux these are one shared object: GNU's linker needs a
# second to copy them into each of some forty suites.
TEST_PARTS := $(filter-out $(B)/obj/repl/main.o,$(PROGRAM_OBJ)) \
              $(if $(LLVM_LIBS),$(call objects,$(HOST_SRC)))
PROGRAM_LIBS = $(call once,$(LUA_LIBS) $(CJSON_LIBS)) $(LLVM_LIBS) \
               $(DEVICE_LIBS) $(C_LIBS)
ifeq ($(SYSTEM),Linux)
$(B)/tests/parts.so: $(TEST_PARTS)
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(MODULE) -Wl,-soname,$(@F) -o $@ $^ \
	  $(PROGRAM_LIBS) $(LDFLAGS)
TEST_PARTS := $(B)/tests/parts.so
FIND_PARTS := -Wl,-rpath,'$$ORIGIN'
# bfd reads all of LLVM's symbols for each suite, in ten times gold's time.
ifeq ($(origin CC)$(LDFLAGS),default)
QUICK_LINK := $(if $(shell command -v ld.gold),-fuse-ld=gold)
endif
endif
define c_suite
$(B)/tests/$(basename $(notdir $(1))): $(B)/obj/$(basename $(1)).o
endef
$(foreach t,$(TEST_SRC),$(eval $(call c_suite,$(t))))
$(C_SUITES): $(B)/obj/tests/c/case_filter.o $(TEST_PARTS)
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -o $@ \
	  $(filter-out $(TEST_PARTS),$^) $(TEST_PARTS) $(FIND_PARTS) \
	  $(CMOCKA_LIBS) $(PROGRAM_LIBS) $(QUICK_LINK) $(LDFLAGS)

# Spoilt sources by the million, on all cores, in processes that live long
# (tests/spoilt): COUNT of them compiled, then COUNT read without Clang. SEED
# chooses others, FROM goes on at a number, SECONDS ends each half early;
# sources with which something is wrong are kept in build/spoilt.
.PHONY: spoilt
spoilt:
	@scripts/deps test
	@$(MAKE) --no-print-directory $(PARALLEL) all $(B)/tests/spoilt
	@for what in compile read; do $(B)/tests/spoilt $$what \
	  count=$(or $(COUNT),1000000) seed=$(or $(SEED),1) from=$(or $(FROM),0) \
	  $(if $(SECONDS),seconds=$(SECONDS)) \
	  $(if $(WORKERS),workers=$(WORKERS)) || exit 1; done
$(B)/tests/spoilt: $(B)/obj/tests/spoilt/spoilt.o $(TEST_PARTS)
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -o $@ $^ $(FIND_PARTS) \
	  $(PROGRAM_LIBS) $(QUICK_LINK) $(LDFLAGS)

# Faults seeded in our own code, each tried by the suites that guard the file
# (tests/mutants): COUNT of them, chosen by SEED, in rooms with the word ROOM in
# their name. It goes on where it ended.
.PHONY: mutants
mutants:
	@scripts/deps test
	@$(MAKE) --no-print-directory $(PARALLEL) all tests
	@tests/mutants/mutants $(B) COUNT=$(COUNT) SEED=$(SEED) ROOM=$(ROOM) \
	  SECONDS=$(SECONDS) WORKERS=$(WORKERS) SUITE_SECONDS=$(SUITE_SECONDS) \
	  AGAIN=$(AGAIN) LIST=$(LIST)

$(B)/tests/limit $(B)/tests/offline $(B)/tests/older: $(B)/tests/%: tests/%.c
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@$(CC) -std=gnu11 -O2 -Wall -Wextra $(if $(CI),-Werror) \
	  -pthread -o $@ $< $(TOOL_LIBS)
$(B)/tests/offline: TOOL_LIBS = $(SECCOMP_LIBS)

$(B)/obj/%.o: %.c build/config.mk
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@$(CC) $(CPPFLAGS_ALL) $(FOLDER_CFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# What the parts of one build have in common (base/build_id.h).
BUILD_ID_OF := $(sort $(wildcard $(foreach d,base base/* msl msl/* devices \
               devices/* devices/*/* devices/*/*/*,$(d)/*.c $(d)/*.h) \
  cpu/*.h pictures/*.h window/*.h jupyter/*.h))
# (each part has its own, of the same name, which the address sanitizer refuses)
$(B)/obj/base/build_id.o: CFLAGS_ALL += -fno-sanitize=address
$(B)/obj/base/build_id.o: $(BUILD_ID_OF)
$(B)/obj/base/build_id.o: FOLDER_CFLAGS = \
    -DMT_BUILD_ID='"$(shell cat $(BUILD_ID_OF) | cksum | tr ' ' -)"'

# Each folder sees only the libraries that belong to it.
$(B)/obj/lua/%.o: FOLDER_CFLAGS = $(LUA_CFLAGS) $(CJSON_CFLAGS)
$(B)/obj/repl/%.o: FOLDER_CFLAGS = $(LUA_CFLAGS) $(CJSON_CFLAGS) \
    -isystem build/linenoise
$(B)/obj/msl/%.o: FOLDER_CFLAGS = $(LLVM_CFLAGS)
$(B)/obj/devices/compiler/%.o $(B)/obj/devices/opt/%.o: \
    FOLDER_CFLAGS = $(LLVM_CFLAGS)
# Neither flag changes an answer: math.h's errno and floating-point traps are
# not used, and without them loops with a condition or a root can use vectors.
$(B)/obj/cpu/%.o: CFLAGS_ALL += -O3 -fno-math-errno -fno-trapping-math
# Fused or not, a sum is within its bounds; a count of steps is another one.
$(B)/obj/cpu/mandelbrot.o: CFLAGS_ALL += -ffp-contract=off
$(B)/obj/cpu/vendor/%.o: FOLDER_CFLAGS = $(BLAS_CFLAGS)
$(B)/obj/pictures/module/%.o: FOLDER_CFLAGS = $(PICTURES_CFLAGS)
$(B)/obj/window/module/%.o: FOLDER_CFLAGS = $(SDL_CFLAGS)
$(B)/obj/jupyter/%.o: FOLDER_CFLAGS = $(CJSON_CFLAGS)
$(B)/obj/jupyter/module/%.o: FOLDER_CFLAGS = $(ZMQ_CFLAGS)
$(B)/obj/pictures/frame.o: CFLAGS_ALL += -O3 -fno-trapping-math
# The suites' own code runs once: compiling it well takes longer than it does.
$(B)/obj/tests/c/%.o: CFLAGS_ALL += -O1
$(B)/obj/tests/c/%.o: FOLDER_CFLAGS = $(CMOCKA_CFLAGS) $(LUA_CFLAGS) \
    $(LLVM_CFLAGS)
$(B)/obj/tests/c/repl/test_notebook.o: FOLDER_CFLAGS = $(CMOCKA_CFLAGS) \
    $(CJSON_CFLAGS) $(LLVM_CFLAGS) $(ZMQ_CFLAGS)
$(B)/tests/test_notebook: PROGRAM_LIBS += $(call once,$(ZMQ_LIBS))
# What LLVM knows of targets is in C++ alone.
LLVM_COSTS_SRC := tests/c/compiler/target/llvm_costs.cpp
LLVM_COSTS := $(LLVM_COSTS_SRC:%.cpp=$(B)/obj/%.o)
$(LLVM_COSTS): $(B)/obj/%.o: %.cpp build/config.mk
	@mkdir -p $(@D)
	@echo '  c++   $<'
	@$(CLANGXX) -std=c++17 -O1 -fPIC -Wall -I. $(LLVM_CFLAGS:-I%=-isystem%) \
	  $(if $(CI),-Werror) -MMD -MP -c -o $@ $<
$(B)/tests/test_costs: $(LLVM_COSTS)
# (on a Mac the program has C++'s library for the Metal device)
$(B)/tests/test_costs: PROGRAM_LIBS += $(if \
    $(filter Darwin,$(SYSTEM)),,-lstdc++)

# The editor includes linenoise, which is not ours and is taken as it is; the
# doctor says which one it was.
$(B)/obj/repl/line/edit.o: build/linenoise/linenoise.c
$(B)/obj/repl/commands/doctor.o: build/linenoise/origin.h
build/linenoise/origin.h: build/linenoise/origin
	@sed 's/.*/#define MT_LINENOISE "&"/' $< >$@

# The stand-ins for drivers and systems under the devices.
include $(wildcard $(DEVICES:%=tests/%/tests.mk))

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

# The manual of the Lua API, from the help texts.
docs: all
	@$(B)/mettle scripts/docs.lua >build/lua.md && mv build/lua.md docs/lua.md
	@for page in glossary cuda numpy torch; do \
	  $(B)/mettle scripts/words.lua $$page >build/$$page.md && \
	  mv build/$$page.md docs/$$page.md || exit 1; done
	@$(B)/mettle scripts/annotations.lua >build/annotations.lua && \
	  mv build/annotations.lua editors/lua/mettle.lua
	@$(B)/mettle scripts/msl-support.lua
	@$(B)/mettle scripts/suites.lua write
	@$(B)/mettle scripts/floor-plan.lua >build/floor-plan.svg && \
	  mv build/floor-plan.svg docs/floor-plan.svg

# The Lua API for editors, read by a language server; cargo brings it.
EMMYLUA := 0.25.1
.PHONY: annotations
annotations: all
	@command -v emmylua_check >/dev/null || \
	  [ -x build/emmylua/bin/emmylua_check ] || \
	  cargo install --quiet --root build/emmylua emmylua_check@$(EMMYLUA)
	@tests/run $(B) editors-test_annotations

# What differs from the last commit, or FILES: clang-format for C, luafmt for
# modules in Lua, which cargo has (scripts/format).
.PHONY: format
format:
	@command -v luafmt >/dev/null || [ -x build/luafmt/bin/luafmt ] || \
	  ! command -v cargo >/dev/null || \
	  cargo install --quiet --root build/luafmt emmylua_formatter@$(EMMYLUA)
	@scripts/format $(FILES)

# The docs, the course and the kernels as static pages, to be read from disk.
.PHONY: site
site:
	@scripts/deps site
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@$(B)/mettle site/make.lua build/site

# completions for bash, zsh and fish, and the manual page
SHARE := $(DESTDIR)$(PREFIX)/share
SHELL_DATA := $(SHARE)/bash-completion/completions/mettle \
              $(SHARE)/zsh/site-functions/_mettle \
  $(SHARE)/fish/vendor_completions.d/mettle.fish $(SHARE)/man/man1/mettle.1
# libmettle: LIBDIR is for systems that have one for each architecture.
LIBDIR ?= $(PREFIX)/lib
LIBRARY_FILES := $(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(LIBMETTLE) \
                 $(LIBMETTLE_STATIC)) $(LIBMETTLE_LINK) pkgconfig/mettle.pc)
.PHONY: install-library
install-library: $(LIBMETTLE) $(LIBMETTLE_STATIC)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include/mettle
	install -m 644 include/mettle/mettle.h $(DESTDIR)$(PREFIX)/include/mettle
ifeq ($(SYSTEM),Darwin)
	$(call link_dylib,$(abspath $(LIBDIR)),$(DESTDIR)$(LIBDIR)/$(notdir \
	  $(LIBMETTLE)))
	chmod 644 $(DESTDIR)$(LIBDIR)/$(notdir $(LIBMETTLE))
else
	install -m 644 $(LIBMETTLE) $(LIBMETTLE_STATIC) $(DESTDIR)$(LIBDIR)
endif
	ln -sf $(notdir $(LIBMETTLE)) $(DESTDIR)$(LIBDIR)/$(LIBMETTLE_LINK)
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|; s|@LIBS@|$(strip $(EMBED_LIBS))|' \
	  packaging/mettle.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/mettle.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/mettle.pc

install: all install-library
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/mettle \
	  $(DESTDIR)$(PREFIX)/share/mettle
	install -m 755 $(B)/mettle $(DESTDIR)$(PREFIX)/bin
	for m in $(MODULES); do install -m 755 $$m $(DESTDIR)$(PREFIX)/lib/mettle; done
	scripts/install-data $(DESTDIR)$(PREFIX)/share/mettle
	install -d $(dir $(SHELL_DATA))
	install -m 644 packaging/completions/mettle.bash $(word 1,$(SHELL_DATA))
	install -m 644 packaging/completions/_mettle $(word 2,$(SHELL_DATA))
	install -m 644 packaging/completions/mettle.fish $(word 3,$(SHELL_DATA))
	$(B)/mettle scripts/manual.lua >$(word 4,$(SHELL_DATA))
	chmod 644 $(word 4,$(SHELL_DATA))

.PHONY: uninstall
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/mettle $(SHELL_DATA) $(LIBRARY_FILES)
	rm -rf $(DESTDIR)$(PREFIX)/lib/mettle $(DESTDIR)$(PREFIX)/share/mettle \
	  $(DESTDIR)$(PREFIX)/include/mettle

# A folder, and archives of it, with everything that it needs
# (docs/bundle.md). PACK=xz packs by xz alone; LEVEL=3 is quick and large;
# ARCH=aarch64 is cross-compiled on another machine.
PACK ?= xz zst
ARCH ?= $(shell uname -m)
BUNDLE_CLANG ?= $(CLANG)
BUNDLE := $(B)/bundle/mettle-$(VERSION)-linux-$(ARCH)
.PHONY: $(LINUX_ONLY)
ifeq ($(SYSTEM),Darwin)
$(LINUX_ONLY):
	@echo 'make $@ packs for Linux alone, and this is a Mac: make install puts' \
	  'Mettle below PREFIX, and docs/python.md says how pip installs it' >&2; \
	  exit 1
else
ifeq ($(ARCH),$(shell uname -m))
bundle:
	@scripts/deps bundle
	@$(MAKE) --no-print-directory $(PARALLEL) bundle-archive
else
bundle:
	@scripts/deps $(ARCH)
	@scripts/deps bundle
	@tests/$(ARCH)/make bundle-archive PACK="$(PACK)" LEVEL=$(LEVEL)
endif
bundle-archive: bundle-folder
	@for kind in $(PACK); do \
	  echo "  pack  build/$(notdir $(BUNDLE)).tar.$$kind" && \
	  ARCH=$(ARCH) LEVEL=$(LEVEL) scripts/bundle pack $(BUNDLE) \
	  build/$(notdir $(BUNDLE)).tar.$$kind || exit 1; done
	@cp $(BUNDLE)/share/doc/mettle/sbom.spdx.json \
	  build/$(notdir $(BUNDLE)).spdx.json
	@cd build && ls -l $(foreach kind,$(PACK),$(notdir $(BUNDLE)).tar.$(kind) \
	  $(notdir $(BUNDLE)).tar.$(kind).sha256) $(notdir $(BUNDLE)).spdx.json
bundle-folder: all $(B)/bundle/mettle $(B)/bundle/launch-mettle \
    $(B)/bundle/launch-clang $(B)/bundle/libmettle.so.$(ABI) $(B)/bundle/lower
	@echo '  lay   $(BUNDLE)'
	@CC="$(CC)" STRIP="$(STRIP)" ARCH=$(ARCH) SYSROOT="$(SYSROOT)" \
	  CLANG="$(BUNDLE_CLANG)" MODULES="$(filter-out %/window.so,$(MODULES))" \
	  LIBRARY_PATHS="-L$(B)/bundle $(filter -L%,$(LLVM_LIBS) $(BLAS_LIBS) $(PICTURES_LIBS) $(ZMQ_LIBS))" \
	  scripts/bundle lay $(B) $(BUNDLE)
# The program once more, which knows where a bundle has its libraries. RPATH and
# not RUNPATH: the libraries that those need are found by it, too, and before
# those that LD_LIBRARY_PATH has.
$(B)/bundle/mettle: $(PROGRAM_OBJ) $(B)/bundle/libmettle-glibc.so
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -Wl,--disable-new-dtags \
	  -Wl,-rpath,'$$ORIGIN/../lib/mettle/lib' \
	  -o $@ $(PROGRAM_OBJ) $(LUA_LIBS) $(CJSON_LIBS) -lm -ldl -lc $(LDFLAGS) \
	  -Wl,--no-as-needed $(B)/bundle/libmettle-glibc.so
$(B)/bundle/libmettle.so.$(ABI): $(EMBED_OBJ) $(B)/libmettle.map \
    $(B)/bundle/libmettle-glibc.so
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread -shared -Wl,-soname,$(@F) \
	  -Wl,--version-script,$(B)/libmettle.map -Wl,-z,nodelete \
	  -Wl,--disable-new-dtags -Wl,-rpath,'$$ORIGIN/mettle/lib' -o $@ $(EMBED_OBJ) \
	  $(EMBED_LIBS) -lc $(LDFLAGS) \
	  -Wl,--no-as-needed $(B)/bundle/libmettle-glibc.so
# What is started in the place of each program, see there.
$(B)/bundle/launch-mettle: LAUNCH = -DPROGRAM='"../lib/mettle/program/mettle"' \
    -DGLIBC='"../lib/mettle/glibc"'
$(B)/bundle/launch-clang: LAUNCH = -DPROGRAM='"../program/clang"' \
    -DGLIBC='"../glibc"'
$(B)/bundle/launch-%: packaging/launch.c build/config.mk
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) -std=gnu11 -O2 -Wall -Wextra $(if $(CI),-Werror) $(LAUNCH) \
	  -ffreestanding -fno-stack-protector -fPIE -fvisibility=hidden \
	  -nostdlib -static-pie -s -Wl,--build-id=none -Wl,-z,noexecstack -o $@ $<
# For C libraries older than this machine's; it is searched after them (-lc
# above).
$(B)/bundle/libmettle-glibc.so: packaging/older_glibc.c build/config.mk
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(CFLAGS_ALL) -fno-sanitize=all -fvisibility=hidden $(MODULE) \
	  -nostartfiles -Wl,-soname,$(@F) -o $@ $< \
	  -Wl,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1
$(B)/bundle/lower: packaging/lower.c
	@mkdir -p $(@D)
	@echo '  cc    $<'
	@cc -std=gnu11 -O2 -Wall -Wextra $(if $(CI),-Werror) -o $@ $<

# The Python package with a bundle inside (docs/python.md): WHEEL_BUNDLE is the
# folder of one, whose libraries get names that no other program's have.
WHEEL_BUNDLE ?= $(BUNDLE)
PYTHON ?= python3
wheel:
	@scripts/deps bundle
	@$(MAKE) --no-print-directory $(PARALLEL) bundle-folder
	@scripts/bundle own $(B) $(WHEEL_BUNDLE) $(B)/bundle/wheel
	@METTLE_RUNTIME=$(B)/bundle/wheel $(PYTHON) python/mettle_build.py $(B)

# Debian packages, source and binary (packaging/debian).
deb:
	@scripts/deps
	@scripts/deb
endif

# A macOS executable, cross-compiled and linked here (tests/macos/build).
.PHONY: macos
OF_A_MAC = $(call devices_on,Darwin)
macos: build/linenoise/origin.h
	@scripts/deps macos
	@PROGRAM="$(PLAIN_SRC) $(foreach d,$(OF_A_MAC),$($(d).program))" \
	  CXX_FILES="$(foreach d,$(OF_A_MAC),$($(d).cxx))" \
	  HOST="$(FRONT_SRC) $(foreach d,$(OF_A_MAC),$($(d).module))" \
	  DEVICES="$(call device_rows,$(OF_A_MAC))" \
	  ENGINES="$(if $(LLVM_LIBS),$(call engine_rows,$(OF_A_MAC)))" \
	  PASSES="$(call pass_rows,$(OF_A_MAC))" \
	  EMBED="$(wildcard embed/*.c)" \
	  LIBMETTLE_FLAGS="$(call LIBMETTLE_DYLIB_FLAGS,$(abspath $(LIBDIR)))" \
	  SUITES="$(filter-out $(call not_tried,Darwin),$(TEST_SRC))" \
	  SUITES_CXX="$(LLVM_COSTS_SRC)" \
	  PICTURES="$(PICTURES_SRC)" WINDOW="$(WINDOW_SRC)" JUPYTER="$(JUPYTER_SRC)" \
	  PICTURES_CFLAGS="$(PICTURES_CFLAGS)" SDL_CFLAGS="$(SDL_CFLAGS)" \
	  ZMQ_CFLAGS="$(ZMQ_CFLAGS)" ZMQ_LIBS="$(ZMQ_LIBS)" \
	  LLVM_CFLAGS="$(LLVM_CFLAGS)" LLVM_LIBS="$(LLVM_LIBS)" tests/macos/build

# One file that says how Mettle fares on this Mac (docs/on-a-mac.md).
.PHONY: mac-report
mac-report:
	@scripts/mac-report

# From a clone to the last line of make test on a Mac that is played; SUITE
# chooses suites. BARE=1: with Apple's Command Line Tools alone.
.PHONY: played-mac
played-mac:
	@scripts/deps test
	@tests/macos/play $(if $(BARE),--bare) $(SUITE)

# Mettle for aarch64 Linux, cross-compiled, and its suites under qemu; WORDS
# chooses them by their names.
.PHONY: aarch64
aarch64:
	@scripts/deps aarch64
	@tests/aarch64/run $(WORDS)

# tinygrad's operations, written by its own Metal renderer, beside NumPy; WORDS
# chooses them by name, TINYGRAD=DIR runs its own tests from a checkout.
.PHONY: tinygrad
tinygrad:
	@scripts/deps tinygrad
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tests/tinygrad/run $(WORDS)

# The kernels of Blender's renderer, each compiled; WORD chooses by name.
.PHONY: cycles
cycles:
	@scripts/deps cycles
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@METTLE_TESTS=all METTLE_CYCLES="$(WORD)" \
	  $(B)/mettle tests/cycles/test_cycles.lua

# Both of the README's commands on systems that debootstrap has just made.
.PHONY: fresh
fresh:
	@ROOTS="$(ROOTS)" COMMANDS="$(COMMANDS)" PEOPLE="$(PEOPLE)" \
	  TOOLS="$(TOOLS)" LLVMS="$(LLVMS)" SUITE="$(SUITE)" scripts/fresh

clean:
	rm -rf build

help:
	@echo "make run      install what is missing, build, start the console"
	@echo "make test     every suite; SUITE=name runs those whose name has it, CASE=name of these only such cases"
	@echo "make check-changed  the suites that guard what was changed since HEAD, or since BASE=origin/main"
	@echo "make bench    timings, as ratios side by side; with DEVICE=cuda the library's kernels on that GPU beside PyTorch"
	@echo "make bench-strangers  eighty kernels as strangers write them beside PoCL, plain C and nvcc"
	@echo "make site     the docs and the course as pages, build/site/index.html"
	@echo "make test-all    the same with every input that they have: hours"
	@echo "make test-cuda   the Lua suites on this machine's NVIDIA GPU; bench-cuda: beside nvcc"
	@echo "make install  to PREFIX (/usr/local), below DESTDIR, libmettle to LIBDIR (PREFIX/lib); make uninstall takes it away"
	@echo "make bundle   archives that run without Clang, Lua or root on other Linux machines (PACK=xz, LEVEL=3, ARCH=aarch64)"
	@echo "make wheel    the Python package with a bundle inside"
	@echo "make deb      Debian packages, source and binary, in build/deb"
	@echo "make deps     install what is missing, nothing else"
	@echo "make jupyter  the notebook's kernel against Jupyter's own programs (from PyPI)"
	@echo "make annotations  the Lua API for editors against a Lua language server (from cargo)"
	@echo "make format   formats the lines of C and the new modules in Lua that differ from the last commit (FILES=…)"
	@echo "make docs     docs/lua.md from the help texts, docs/msl-support.md from the kernels of tests/msl"
	@echo "make macos    cross-compile and link the program, its modules and the C suites for macOS, to see that they can be"
	@echo "make mac-report  on a Mac: builds, tries the GPU, writes one file to send"
	@echo "make personalities  the Lua suites on every GPU that the stand-in for Metal plays (PERSONALITY=intel)"
	@echo "make played-mac  from a clone to make test's last line on a Mac that is played (BARE=1: without Homebrew)"
	@echo "make aarch64  cross-compile for aarch64 Linux and run the engine's suites under qemu"
	@echo "make tinygrad tinygrad's kernels through Mettle, beside NumPy (installs it by pip below build/)"
	@echo "make cycles   the kernels of Blender's renderer, each compiled (brings their sources to build/cycles; WORD=film)"
	@echo "make fresh    make run and make test on Debian 12, 13, testing and Ubuntu as debootstrap makes them (ROOTS=trixie COMMANDS=run)"
	@echo "make spoilt   spoilt sources by the million, on all cores (COUNT=1000000 SEED=1 FROM=0 SECONDS=600): no crash, no internals"
	@echo "make mutants  faults seeded in our own code: do the suites of its room see them? (COUNT=100 SEED=1 ROOM=host/check SECONDS=600)"
	@echo "make fuzz     the MSL reader against random text, FUZZ_SECONDS=60"
	@echo "make clean    remove build/"
	@echo "SAN=1 (address, undefined) or SAN=thread: with sanitizers; CI=1: warnings are errors"

# The program once more, with the Metal device and a stand-in for macOS below
# it, so that the device's own code runs in every test. The stand-in's GPU is
# the host device.
METAL_CPP := $(if $(wildcard build/metal-cpp/Metal/Metal.hpp),yes)
STANDIN := $(if $(METAL_CPP),$(if $(LLVM_LIBS),$(if $(filter Linux,$(SYSTEM)),\
             $(B)/standin/mettle $(B)/standin/seeded $(B)/standin/saxpy)))
tests: $(STANDIN)

STANDIN_DEVICE := $(B)/obj/standin/device.o \
                  $(call objects,$(metal.program) $(wildcard tests/metal/*.c)) \
                  $(metal.cxx:%.cpp=$(B)/obj/%.o)
STANDIN_LIBS = $(LUA_LIBS) $(CJSON_LIBS) -lBlocksRuntime -lstdc++ -lm -ldl
$(B)/obj/standin/device.o: devices/device.c devices/devices.mk build/config.mk
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS_ALL) \
	  -D'MT_DEVICES=$(call device_rows,metal $(DEVICES_HERE))' $(CFLAGS_ALL) \
	  -MMD -MP -c -o $@ $<
$(B)/standin/mettle: $(filter-out $(B)/obj/devices/device.o,$(PROGRAM_OBJ)) \
    $(STANDIN_DEVICE) $(MODULES)
	@mkdir -p $(@D)
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -o $@ $(filter %.o,$^) \
	  $(STANDIN_LIBS) $(LDFLAGS)
	@for m in $(notdir $(MODULES)); do ln -sf ../$$m $(@D)/$$m; done

# Programs of their own over the stand-in: seeded mistakes, and the
# demonstration that the lesson about Metal's host side explains.
$(B)/obj/tests/metal/%.o: FOLDER_CFLAGS = $(LUA_CFLAGS)
$(B)/obj/tests/metal/%.o: tests/metal/%.cpp build/config.mk
	@mkdir -p $(@D)
	@echo '  c++   $<'
	@$(CLANGXX) $(METAL_CXXFLAGS) -MMD -MP -c -o $@ $<
$(B)/obj/demos/metal/%.o: demos/metal/%.cpp build/config.mk
	@mkdir -p $(@D)
	@echo '  c++   $<'
	@$(CLANGXX) $(METAL_CXXFLAGS) -MMD -MP -c -o $@ $<
$(B)/standin/seeded: $(B)/obj/tests/metal/seeded.o $(B)/standin/mettle
$(B)/standin/saxpy: $(B)/obj/demos/metal/saxpy.o $(B)/standin/mettle
$(B)/standin/seeded $(B)/standin/saxpy:
	@echo '  link  $@'
	@$(CC) $(FLAVOUR) -pthread $(EXPORT) -o $@ $< \
	  $(filter-out %/main.o,$(PROGRAM_OBJ)) \
	  $(call objects,$(wildcard tests/metal/*.c)) $(STANDIN_LIBS) $(LDFLAGS)

# The Lua suites on every GPU and system that the stand-in can play; PERSONALITY
# and SUITE choose. A call that was ended is gone on with by the next.
.PHONY: personalities
personalities:
	@scripts/deps test
	@$(MAKE) --no-print-directory $(PARALLEL) all tests
	@PERSONALITIES_JOBS=$${PERSONALITIES_JOBS:-$$(getconf _NPROCESSORS_ONLN)} \
	  PERSONALITIES_RESULTS=$(B)/personalities \
	  tests/metal/personalities $(B) $(or $(PERSONALITY),all) $(SUITE)

# The Metal device: a Mac's GPU, in C++ over metal-cpp. No Mac needs LLVM for it.
# Elsewhere it is compiled for its tests (tests/metal/tests.mk).
metal.systems := Darwin
metal.program := $(wildcard devices/metal/*.c)
metal.cxx     := $(wildcard devices/metal/*.cpp)
metal.libs    := -framework Metal -framework Foundation \
                 -framework CoreGraphics -lc++

# On a Mac the system is Apple's; elsewhere a few headers of the stand-in take
# its place (tests/metal/include).
# (not sanitized: Clang's sanitizers and another compiler's do not mix)
# metal-cpp sends messages to nil, ~SharedPtr of a null one among them, as
# Objective-C may; to C++ that is a null 'this', which must not count as
# impossible.
METAL_CXXFLAGS = -std=c++17 -O2 -g -fPIC -fblocks \
                 -fno-delete-null-pointer-checks -Wall -Wextra -I. \
                 -isystem build/metal-cpp
ifneq ($(SYSTEM),Darwin)
METAL_CXXFLAGS += -isystem tests/metal/include \
                  -D__MAC_OS_X_VERSION_MIN_REQUIRED=130000 \
                  $(if $(filter aarch64,$(shell uname -m)),-D__arm64__=1) \
                  -Wno-deprecated-declarations
endif
# metal-cpp is read once for those that include metal.hpp; metal.cpp, which has
# the bodies of its functions, reads it differently.
METAL_READ := $(patsubst %.cpp,$(B)/obj/%.o,$(filter-out %/metal.cpp,\
                $(metal.cxx)))
$(B)/obj/devices/metal/metal.pch: devices/metal/metal.hpp build/config.mk
	@mkdir -p $(@D)
	@echo '  c++   $<'
	@$(CLANGXX) $(METAL_CXXFLAGS) -MMD -MP -MF $(@:.pch=.hpp.d) -x c++-header \
	  -o $@ $<
$(METAL_READ): $(B)/obj/devices/metal/metal.pch
$(METAL_READ): METAL_HEADER = -include-pch $(B)/obj/devices/metal/metal.pch
$(B)/obj/devices/metal/%.o: devices/metal/%.cpp build/config.mk
	@mkdir -p $(@D)
	@echo '  c++   $<'
	@$(CLANGXX) $(METAL_CXXFLAGS) $(METAL_HEADER) -MMD -MP -c -o $@ $<

# devices.mk - the devices of Mettle, best first: a GPU before the processor. A
# new device is a folder and its name here. devices/NAME/device.mk says
#
#   NAME.systems   where there is one: Linux, Darwin
#   NAME.program   its sources in the program, without LLVM
#   NAME.module    its sources in host.so, which see LLVM; one of them exports
#                  its engine, mt_NAME_engine (devices/compiler_module.h)
#   NAME.passes    set: its compiler has passes of its own, which mettle opt
#                  runs, too (devices/compiler_module.h)
#   NAME.cxx       its sources in C++
#   NAME.libs      what the program is linked with for them
#
# and has the rules of what is made in another way. What only its tests are
# linked with has its rules in tests/NAME/tests.mk.
DEVICES := metal cuda host
include $(DEVICES:%=devices/%/device.mk)

# Those of a system, and what the built ones have: $(call of_devices,program).
devices_on = $(foreach d,$(DEVICES),$(if $(filter $(1),$($(d).systems)),$(d)))
DEVICES_HERE := $(call devices_on,$(SYSTEM))
of_devices = $(foreach d,$(DEVICES_HERE),$($(d).$(1)))

# The registry, devices/device.c, and libmettle, which has the engines linked
# in, are compiled with the list: X(cuda) X(host); so is mettle opt.
device_rows = $(foreach d,$(1),X($(d)))
engine_rows = $(foreach d,$(1),$(if $($(d).module),X($(d))))
pass_rows = $(foreach d,$(1),$(if $($(d).passes),X($(d))))
$(B)/obj/devices/device.o: devices/devices.mk
$(B)/obj/devices/device.o: CPPFLAGS_ALL += \
    -D'MT_DEVICES=$(call device_rows,$(DEVICES_HERE))'
$(B)/obj/devices/opt/opt.o: devices/devices.mk
$(B)/obj/devices/opt/opt.o: CPPFLAGS_ALL += \
    -D'MT_PASSES=$(call pass_rows,$(DEVICES_HERE))'
$(foreach d,$(DEVICES),$(if $($(d).module),$(B)/obj/devices/$(d)/%.o)): \
    FOLDER_CFLAGS = $(LLVM_CFLAGS)

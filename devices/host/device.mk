# The host device: this machine's processor. Its compiler is in host.so.
host.systems := Linux Darwin
host.program := $(wildcard devices/host/*.c)
host.module  := $(wildcard devices/host/*/*.c devices/host/*/*/*.c)

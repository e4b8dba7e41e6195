/*
** kernel.h - compiled kernels as Lua sees them.
*/
#ifndef MT_LUA_KERNEL_H
#define MT_LUA_KERNEL_H

#include <lua.h>

#include "devices/device.h"
#include "lua/bind/core/pin.h"

#define MT_LUA_KERNEL "mettle.kernel"
#define MT_LUA_RESULT "mettle.result"

typedef struct mt_LuaKernel {
  mt_Pin pin; /* of an mt_Kernel */
} mt_LuaKernel;

mt_Kernel *mt_lua_check_kernel(lua_State *L, int arg); /* raises if none */

/* gpu.kernel(source [, name] [, options]), arguments at 1 to 3, on 'dev'. */
int mt_lua_new_kernel(lua_State *L, mt_Device *dev);

/* gpu.kernel, gpu.library, the kernel's metatable; called by mt_lua_open. */
void mt_lua_open_kernel(lua_State *L);

/* launch.c: k{…} -> result; the kernel at 1, the table at 2. */
int mt_kernel_launch(lua_State *L);

/*
** launch.c: sets whether launches are measured from now on
** (mt_Launch.measured); launches with 'repeats' always are. Returns whether the
** last launch ran quick code.
*/
bool mt_lua_measure(bool on);

/*
** launch.c: read a launch table at 'arg' of the kernel at 'kernel' into '*out'.
** Kernel and arguments are pinned until the running C function ends. Pushes
** values that own what '*out' points at: leave them on the stack. Returns the
** pins. Arguments may be on other devices: see lua/bind/gpu/migrate.h.
*/
mt_Pins *mt_lua_read_launch(lua_State *L, int kernel, int arg,
                            mt_Launch *out);

/* result.c: the result of a launch as a Lua value; without 't' it has not run.
** mt_lua_show_messages prints what the device's kernels have logged to
** stderr. */
void mt_lua_show_messages(mt_Device *dev);
void mt_lua_push_result(lua_State *L, const mt_Launch *l, const mt_Timing *t);
/* Set the times of the result on top of the stack, of a launch that ran. Those
** of a command buffer's launches may be unknown: then they are nil. */
void mt_lua_set_times(lua_State *L, const mt_DeviceInfo *d, unsigned repeats,
                      const mt_Timing *t);
void mt_lua_open_result(lua_State *L);

/* commands.c: is the function of gpu.commands running? Then a launch is noted,
** the kernel at 1, the table at 2, and its result pushed. */
bool mt_lua_noting(lua_State *L);
void mt_lua_note(lua_State *L, mt_Pins *pins, const mt_Launch *l);
void mt_lua_open_commands(lua_State *L);

/* Append "device const float *a [[buffer(0)]]". */
void mt_param_describe(const mt_Param *p, mt_Str *out);

#endif

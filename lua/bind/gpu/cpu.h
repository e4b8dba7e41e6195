/*
** cpu.h - the global table cpu: the CPU references as Lua sees them.
**
** Each entry is a value that can be called and read:
**   c, seconds = cpu.matmul(a, b)          a new buffer, on all cores
**   c, seconds = cpu.matmul(a, b, c)       into c
**   c, seconds = cpu.matmul(a, b, c, "one core")
**   y, seconds = cpu.scan(x, {exclusive = true, way = "one core"})
**   cpu.matmul.ways  .about  .args  .options  .name  .signature
** References with one number as their result (sum, mean, max, dot) return the
** number if no output buffer is given. All of them come from the table in
** cpu/table.c.
*/
#ifndef MT_LUA_CPU_H
#define MT_LUA_CPU_H

#include <lua.h>

/* The global 'cpu'; called by mt_lua_open. Loads no library. */
void mt_lua_open_cpu(lua_State *L);

#endif

/*
** launch_copies.h - launches on copies of their arguments, for check.c and
** profile.c.
**
** Both run on the host device, on copies of the arguments, so buffers of any
** device will do and the user's are not changed.
*/
#ifndef MT_LUA_LAUNCH_COPIES_H
#define MT_LUA_LAUNCH_COPIES_H

#include <lua.h>

#include "devices/check.h"

/* A userdata that frees the copies when it is collected. */
typedef struct mt_LaunchCopies {
  mt_Arg *args;         /* of the launch, with the copies */
  mt_Arg *given;        /* as the user gave them */
  unsigned count;
  void **lists;         /* of each argument: its array of textures, its links */
  struct mt_Copy *copies; /* the copied buffers and textures */
  size_t copy_count;
  bool *flags;          /* two for each argument */
} mt_LaunchCopies;

/*
** Read the launch at 2 of the host device's kernel at 1, with copies of its
** arguments. Views of the same memory share one copy, so that overlapping
** arguments still overlap. Leaves values on the stack that own what '*out'
** points at.
*/
mt_LaunchCopies *mt_launch_copies_read(lua_State *L, mt_Launch *out);

/* The user's buffers as the initial contents of the copies: a list, owned by a
** value on the stack. */
const mt_Kept *mt_launch_copies_initial(lua_State *L, const mt_LaunchCopies *w,
                                        size_t *count);

/* Free the copies now: they may be large, and the collector may run late.
** mt_launch_copies_keep keeps small ones for the next launch. */
void mt_launch_copies_free(mt_LaunchCopies *w);
void mt_launch_copies_keep(lua_State *L, mt_LaunchCopies *w);

/* Copy the kernel's results back to the user's buffers and textures. */
void mt_launch_copies_give_back(lua_State *L, mt_LaunchCopies *w);

/* Why a run was stopped; NULL if it was not. Other failures raise. */
const char *mt_lua_launch_end(lua_State *L, mt_Status status,
                              const mt_Error *err);

/* Set fields of the table on top: kernel, grid, group, threads,
** threadgroups. */
void mt_lua_set_launch(lua_State *L, const mt_Launch *l);
void mt_lua_set_extent(lua_State *L, const char *kernel, const mt_Extent *e);
void mt_lua_set_three(lua_State *L, const char *name, const uint32_t v[3]);

#endif

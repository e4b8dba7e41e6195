/*
** watch.h - a launch that is watched: what check.c and profile.c have in common.
**
** Both run on the host device, on copies of the arguments, so any device's
** buffers will do and nothing of the person's is touched.
*/
#ifndef MT_LUA_WATCH_H
#define MT_LUA_WATCH_H

#include <lua.h>

#include "devices/check.h"

/* A userdata that frees the copies when it is collected. */
typedef struct mt_Watch {
  mt_Arg *args;         /* the launch's, with copies in place */
  mt_Arg *given;        /* as the person gave them */
  unsigned count;
  void **lists;         /* of each argument: its array of textures, its links */
  struct mt_Copy *copies; /* buffers and textures made by us */
  size_t copy_count;
  bool *flags;          /* room for two for each argument */
} mt_Watch;

/*
** Read the launch at 2 of the host device's kernel at 1, with copies of its
** arguments. Views of one memory share one copy, so that arguments which overlap
** still do. Leaves values on the stack that own what '*out' points at.
*/
mt_Watch *mt_lua_watch(lua_State *L, mt_Launch *out);

/* The person's buffers as what ours held at the start: a list on the stack. */
const mt_Kept *mt_lua_watch_kept(lua_State *L, const mt_Watch *w, size_t *count);

/* Free the copies; the collector would do so, but copies may be large. The
** second keeps small ones for the next watch. */
void mt_lua_watch_free(mt_Watch *w);
void mt_lua_watch_done(lua_State *L, mt_Watch *w);

/* What the kernel left goes into the person's own buffers and textures. */
void mt_lua_watch_back(lua_State *L, mt_Watch *w);

/* Why a run was stopped, NULL if it was not; other failures raise. */
const char *mt_lua_watch_end(lua_State *L, mt_Status status,
                             const mt_Error *err);

/* Of the table on top: kernel, grid, group, threads, threadgroups. */
void mt_lua_set_launch(lua_State *L, const mt_Launch *l);
void mt_lua_set_three(lua_State *L, const char *name, const uint32_t v[3]);

#endif

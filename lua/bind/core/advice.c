/*
** advice.c - remedies in Lua's words, see base/advice.h.
*/
#include "lua/bind/core/advice.h"

const mt_Advice mt_lua_advice = {
    .copy_buffer = "copy it with b:copy() after gpu.use",
    .new_texture = "make it again after gpu.use",
    .threadgroup = "threadgroup = {bytes}",
    .new_buffer = "gpu.buffer(n)",
    .free_buffer = "b:free()",
    .use_host = "gpu.use \"host\"",
    .commands = "gpu.commands",
    .check = "check{…}",
    .profile = "profile{…}",
    .capture = "gpu.capture(\"add.gputrace\", f)",
    .validate = "mettle --validate",
    .include = "-I, or include = {…}",
    .folders = "include = {…} (compile -I)",
    .no_schedules = "; schedules = 0 does without them",
    .outputs = "; outputs = {\"%s\"} asks for it, outputs = {} says that it is "
               "meant",
};

/*
** advice.c - remedies in C's words, see base/advice.h.
**
** Functions and members have their whole names: Python's package finds them in
** a sentence and puts its own in their place (python/mettle/_library.py).
*/
#include "embed/advice.h"

const mt_Advice mt_embed_advice = {
    .copy_buffer = "copy it to one of that device (mettle_buffer_new)",
    .new_texture = "make one of that device (mettle_texture_new)",
    .threadgroup = "mettle_launch_threadgroup",
    .new_buffer = "mettle_buffer_new",
    .free_buffer = "mettle_buffer_free",
    .use_host = "mettle_device_open(\"host\", …)",
    .commands = "mettle_launch_sequence",
    .check = "mettle_check",
    .profile = "mettle_profile",
    .capture = "Xcode's own means", /* (the library makes no captures) */
    .validate = "MTL_SHADER_VALIDATION=1 in the environment",
    .include = "mettle_CompileOptions.include_dirs",
    .folders = "mettle_CompileOptions.include_dirs",
    .no_schedules = "; mettle_CheckOptions.schedules = -1 does without them",
    .outputs = "", /* (mettle_check is not told which buffers are) */
};

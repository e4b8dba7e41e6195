/*
** debug_lines.c - debug lines of one file only, see steps.h.
**
** The one idea: faults, listings and profiles name lines of one file, the
** kernel's. An instruction from a function in another file was inlined, and its
** debug location records where: the line of the call in the kernel's file is
** the one to name.
*/
#include <llvm-c/DebugInfo.h>

#include "base/files/file.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

/* Clang may omit its working directory. */
static bool is_in(LLVMMetadataRef place, const char *file) {
  unsigned length = 0;
  LLVMMetadataRef its = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
  const char *name = its ? LLVMDIFileGetFilename(its, &length) : NULL;
  return name && mt_path_ends(file, name, length);
}

void mt_debug_lines_of_file(LLVMValueRef function, const char *file) {
  MT_EACH_INSTRUCTION(i, function) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i), at = place;
    while (at && !is_in(at, file)) at = LLVMDILocationGetInlinedAt(at);
    if (at != place) LLVMInstructionSetDebugLoc(i, at);
  }
}

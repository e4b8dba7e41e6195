/*
** debug_lines.c - lines of other files than the kernel's, see prepare.h.
**
** The one idea: a crash, a listing and a profile speak of lines of one file. An
** instruction that came from a function in another file was inlined, and the
** debug information remembers into what: the call in the kernel's file is the
** line to name.
*/
#include <llvm-c/DebugInfo.h>

#include "base/file.h"
#include "devices/compiler/prepare/steps.h"

/* Clang may leave out the folder that it is run in. */
static bool is_in(LLVMMetadataRef place, const char *file) {
  unsigned length = 0;
  LLVMMetadataRef its = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
  const char *name = its ? LLVMDIFileGetFilename(its, &length) : NULL;
  return name && mt_path_ends(file, name, length);
}

void mt_debug_lines_of_file(LLVMValueRef function, const char *file) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i), at = place;
      while (at && !is_in(at, file)) at = LLVMDILocationGetInlinedAt(at);
      if (at != place) LLVMInstructionSetDebugLoc(i, at);
    }
}

/*
** uses.h - what a kernel does with the memory that its parameters lead to: read
** it, write it, both, or neither.
**
** By declaration (mt_Param.access) a 'device float *' is read and written; most
** kernels only read it or only write it. A device that compiles kernels itself
** finds that out from their code (devices/compiler/ir/uses.h) and says it in
** mt_KernelInfo.uses; everything that asks for a kernel's inputs and outputs
** asks mt_param_uses and mt_link_uses (reflect.h). Plain data, which is cached
** with the code.
*/
#ifndef MT_USES_H
#define MT_USES_H

#include <stdbool.h>
#include <stdint.h>

#define MT_USES_PARAMS 64 /* later parameters count by declaration */
#define MT_USES_LINKS 32  /* pointers in argument buffers */

/* What one pointer inside a parameter's memory leads to. */
typedef struct mt_LinkUses {
  uint32_t offset; /* of the pointer, in bytes */
  uint8_t param;
  uint8_t access; /* mt_Access; 0: neither */
} mt_LinkUses;

typedef struct mt_Uses {
  bool known; /* false: all by declaration */
  uint8_t link_count;
  uint8_t of[MT_USES_PARAMS];     /* mt_Access; 0: neither */
  uint8_t inside[MT_USES_PARAMS]; /* the same for every pointer in it */
  mt_LinkUses link[MT_USES_LINKS];
} mt_Uses;

#endif

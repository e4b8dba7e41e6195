/*
** access.h - one thread's access to memory, checked.
*/
#ifndef MT_CUDA_ACCESS_H
#define MT_CUDA_ACCESS_H

#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

/* The bytes of an access of 'size' bytes by lane l, or a fault. */
void *access_at(Warp *w, const Inst *i, int l, uint64_t address, unsigned size,
                bool write);
/* Takes .global, .shared::cta and so on; SP_GENERIC where there is none. */
Space take_state_space(Parse *p);
/* Takes .weak, .relaxed.gpu and the like, and hints for caches. */
void take_semantics(Parse *p);

#endif

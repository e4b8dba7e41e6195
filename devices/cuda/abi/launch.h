/*
** launch.h - what a kernel's PTX and the code that launches it agree on.
**
** A module has one entry, MT_CUDA_ENTRY. Its parameters, in this order:
**   - for each parameter of the MSL kernel that is no builtin, 8 bytes:
**       buffer       the address in device memory; or, of a constant reference
**                    of at most 8 bytes, the value itself (mt_PtxFacts.in_slot)
**       threadgroup  the byte offset in dynamic shared memory
**       texture      the address of an mt_TextureView in device memory, whose
**                    'pixels' are an address in device memory; of an array of
**                    textures the address of an array of such addresses
**       sampler      its bits (msl/texture_view.h)
**   - one mt_CudaLaunch.
** All threadgroup memory is dynamic shared memory: the kernel's variables
** first, then its threadgroup parameters, then the cells (mt_CudaLaunch.cells),
** each at a multiple of 16.
**
** A block has the threads of a whole threadgroup, also where the grid cuts it:
** the entry returns for the threads that are too many. A block is laid out as
** the threadgroup, or, where CUDA does not take its depth, as one row.
**
** Most launches are "whole": the grid cuts no threadgroup, no block is a row,
** no 'origin' is other than 0, and threadgroups have full SIMD-groups. There is
** a module for these, whose entry needs neither arithmetic nor masks, and one
** for any launch.
*/
#ifndef MT_CUDA_ABI_LAUNCH_H
#define MT_CUDA_ABI_LAUNCH_H

#include <stdint.h>

#define MT_CUDA_ENTRY "mettle_kernel"
#define MT_SLOT_BITS 256 /* parameters that may be values in their slot */

typedef struct mt_CudaLaunch {
  uint32_t grid[3];   /* threads of the whole grid */
  uint32_t groups[3]; /* threadgroups of the whole grid */
  uint32_t size[3];   /* threads of a whole threadgroup */
  uint32_t origin[3]; /* position of block 0: a grid of more blocks than CUDA
                      ** takes in y or z is launched in parts */
  uint32_t cells;     /* offset in shared memory of the values that inactive
                      ** lanes hold; mt_PtxFacts.cell_bytes per SIMD-group */
  uint32_t unused;
  uint64_t log;       /* address of an mt_CudaLog; 0: messages are dropped */
} mt_CudaLaunch;

/*
** Messages, in device memory that starts zeroed but for 'room'. A thread takes
** words from the end of what is used, if there is room, and fills them: a
** record of 8 words, then 3 words for each value (code, low, high bits of the
** value). The text of a format or condition is an address of the module's
** constants in device memory, zero-terminated.
*/
typedef struct mt_CudaLog {
  uint32_t room;     /* words that follow */
  uint32_t used;     /* may be more than 'room': what did not fit was dropped */
  uint32_t asserted; /* an assertion failed */
  uint32_t unused;
  uint32_t words[];
} mt_CudaLog;

enum { /* word 0 of a record */
       MT_CUDA_LOG_MESSAGE = 1,
       MT_CUDA_LOG_ERROR = 2,
       MT_CUDA_LOG_ASSERT = 3
};
/* A record: what, count of values, group x, y, z, index of the thread in its
** group, address of the text (low, high); of an assertion the "count" is its
** source line. */
#define MT_CUDA_LOG_RECORD 8
#define MT_CUDA_LOG_VALUE 3

#endif

/*
** record_work.h - shared by the files that insert the recorder's probes:
** record.c, over record_values.c, over record_variables.c and record_work.c.
*/
#ifndef MT_HOST_INSTRUMENT_RECORD_WORK_H
#define MT_HOST_INSTRUMENT_RECORD_WORK_H

#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/probe/probe.h"

typedef struct mt_RecordWork {
  mt_Instrumenter w;
  mt_LoopNest nest;
  LLVMValueRef *counter; /* by loop */
  LLVMValueRef *all;     /* the function's instructions, */
  size_t count;          /* so many */
} mt_RecordWork;

/* record_work.c. mt_record_work_end in any case. 'kernel' may be NULL. */
mt_Status mt_record_work_begin(mt_RecordWork *r, LLVMModuleRef module,
                               LLVMValueRef function,
                               const mt_MslKernel *kernel, mt_SiteTable *table,
                               mt_Error *err);
void mt_record_work_end(mt_RecordWork *r);

/* The builder at 'i', or after it, with its line. */
void mt_record_go(mt_RecordWork *r, LLVMValueRef i, bool after);
/* A probe for 'i', at the builder's position: void (site, instance, args…). */
void mt_record_probe(mt_RecordWork *r, const char *name, uint32_t site,
                     LLVMValueRef i, LLVMValueRef *args, unsigned n);
/* The name of a number's type, of an access's elements: "f32", "s16", or "". */
const char *mt_record_type(LLVMTypeRef t);

/* record_variables.c: the variables of the function, into the table. */
void mt_record_variables(mt_RecordWork *r);
/* record_variables.c: the number of the frame that a DILocation is in. */
uint32_t mt_record_frame(mt_RecordWork *r, LLVMMetadataRef place);

/* record_variables.c: the place that calls a frame. */
mt_SourcePlace mt_record_call(const mt_RecordWork *r, uint32_t frame);

/* record_values.c: before inlining, mark what is the library's own. */
void mt_record_hide_library(LLVMModuleRef module);
/* record_values.c: lines, and values of variables, before SROA. */
mt_Status mt_record_values(void *context, LLVMModuleRef module,
                           LLVMValueRef function, mt_Error *err);

#endif

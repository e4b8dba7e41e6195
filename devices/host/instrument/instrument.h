/*
** instrument.h - the checker's probes, the profiler's and the recorder's, put
** into a kernel while it is prepared.
**
** Each of the three is an mt_Instrumentation (prepare/prepare.h), which
** mt_prepare calls where it is the turn of its probes (probe/probe.h): the
** checker's and the recorder's before anything is optimised, so that every
** operation of the source is still there; the profiler's after it, so that what
** a compiler leaves is counted. What they report goes into a table
** (sites/sites.h). Probes become code in lower/lower.h.
**
**   check.c                the checker's probes
**   subobject_bounds.c     an index past one dimension of a variable
**   private_variables.c    bounds of a thread's private variables
**   float_bits.c           integers that are the bits of floats
**   drawn_places.c         writes to places that a counter gave out
**   arithmetic.c           division by zero, shifts too far
**   alignment.c            misaligned vectors in arrays of scalars
**   matrix.c               loads and stores of simdgroup matrices
**   texels.c               texels outside a texture
**   profile.c              the profiler's probes and tables
**   live_registers.c       how many registers a thread needs
**   record.c               the recorder's probes of accesses
**   record_values.c        the recorder's probes of lines and variables
**   record_variables.c     the variables of the source and their types
**   record_work.c          what the recorder's files share
*/
#ifndef MT_HOST_INSTRUMENT_INSTRUMENT_H
#define MT_HOST_INSTRUMENT_INSTRUMENT_H

#include "devices/compiler/prepare/prepare.h"
#include "devices/host/sites/sites.h"

/* The instrumentation that fills 'table' while a kernel is prepared. */
mt_Instrumentation mt_check_instrumentation(mt_SiteTable *table);
/* The same with the recorder's probes; only for code that runs thread by
** thread. */
mt_Instrumentation mt_record_instrumentation(mt_SiteTable *table);
mt_Instrumentation mt_profile_instrumentation(mt_CountTable *table);

#endif

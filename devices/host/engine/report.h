/*
** report.h - what went wrong in a kernel, in one sentence.
*/
#ifndef MT_HOST_REPORT_H
#define MT_HOST_REPORT_H

#include "devices/host/engine/run.h"

/* Write the line for 'fault' in a run of 'launch'; returns MT_FAIL. */
mt_Status mt_report(const mt_Launch *launch, const mt_Fault *fault,
                    mt_Error *err);

#endif

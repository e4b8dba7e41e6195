/*
** fault_message.h - what went wrong in a kernel, in one sentence.
*/
#ifndef MT_HOST_RUN_FAULT_MESSAGE_H
#define MT_HOST_RUN_FAULT_MESSAGE_H

#include "devices/host/run/dispatch.h"

/* Write the line for 'fault' in a run of 'launch'; returns MT_FAIL. */
mt_Status mt_fault_report(const mt_Launch *launch, const mt_Fault *fault,
                          mt_Error *err);

#endif

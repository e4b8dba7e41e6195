/*
** fault_message.h - a kernel's fault as one sentence.
*/
#ifndef MT_HOST_RUN_FAULT_MESSAGE_H
#define MT_HOST_RUN_FAULT_MESSAGE_H

#include "devices/host/run/dispatch.h"

/* Write the sentence for 'fault' in a run of 'launch'; returns MT_FAIL. */
mt_Status mt_fault_report(const mt_Launch *launch, const mt_Fault *fault,
                          mt_Error *err);

#endif

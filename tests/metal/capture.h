/*
** capture.h - the stand-in's captures, as far as its files share them.
*/
#ifndef MT_STANDIN_CAPTURE_H
#define MT_STANDIN_CAPTURE_H

#include "tests/metal/runtime.h"

extern const ClassOf standin_NSURL, standin_MTLCaptureDescriptor,
    standin_MTLCaptureManager;

void standin_capture_commit(void); /* a command buffer is committed */
void standin_capture_finish(void); /* the program ends */

#endif

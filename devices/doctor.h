/*
** doctor.h - what a device has to say to mettle doctor.
**
** A device lists its lines in mt_DeviceOps.doctor. Each looks at one thing that
** the device needs and finds it good, worth knowing, or bad, and then says what
** to do about it.
*/
#ifndef MT_DOCTOR_H
#define MT_DOCTOR_H

#include "devices/device.h"

typedef enum mt_Verdict { MT_GOOD, MT_KNOW, MT_BAD } mt_Verdict;

typedef struct mt_Diagnosis {
  mt_Verdict verdict;
  char text[512];   /* what was found */
  char remedy[256]; /* "" if none is needed */
} mt_Diagnosis;

/* Write what was found, and the verdict about it. */
void mt_doctor_note(mt_Diagnosis *out, mt_Verdict verdict, const char *fmt, ...)
    MT_PRINTF(3, 4);

typedef struct mt_DoctorLine {
  const char *name; /* "CUDA"; NULL: the end of the list */
  /* 'dev' was opened for it; NULL: it could not be, 'why' says why. */
  void (*look)(mt_Device *dev, const mt_Error *why, mt_Diagnosis *out);
} mt_DoctorLine;

/* Open each device of this build in turn and call 'say' with each of its lines.
** With the first comes the 'info' of the opened device; else NULL. */
typedef void mt_DoctorSay(void *context, const char *name, mt_Diagnosis *found,
                          const mt_DeviceInfo *info);
void mt_device_diagnose(mt_DoctorSay *say, void *context);

#endif

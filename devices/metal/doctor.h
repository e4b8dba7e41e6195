/*
** doctor.h - what the Metal device has to say to mettle doctor.
*/
#ifndef MT_METAL_DOCTOR_H
#define MT_METAL_DOCTOR_H

#include "devices/doctor.h"

extern const mt_DoctorLine mt_metal_doctor[];

#endif

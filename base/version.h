/*
** version.h - the version of Mettle. The Makefile, packages and the site read
** it here.
*/
#ifndef MT_VERSION_H
#define MT_VERSION_H

#define MT_VERSION "1.0.0"

#endif

// -*- c++ -*-
// Sources that Metal and its host share ask it where they are: on a Mac.
#ifndef METTLE_TARGET_CONDITIONALS
#define METTLE_TARGET_CONDITIONALS
#define TARGET_OS_MAC 1
#define TARGET_OS_OSX 1
#define TARGET_OS_IPHONE 0
#define TARGET_OS_IOS 0
#define TARGET_OS_TV 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_SIMULATOR 0
#define TARGET_OS_MACCATALYST 0
#endif

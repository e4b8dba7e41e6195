// Debian's luaconf.h includes a file of this name; another system has no such
// folders.
#define DEB_HOST_MULTIARCH "macos"

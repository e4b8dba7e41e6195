/*
** gif.c - GIF files by giflib: what pictures/animation.c has chosen, packed.
*/
#ifdef MT_GIF
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/module/module.h"

enum { COLOURS = 256, TRANSPARENT = 255 };

static int put(GifFileType *f, const GifByteType *bytes, int n) {
  mt_Str *out = f->UserData;
  mt_str_add_bytes(out, (const char *)bytes, (size_t)n);
  return out->failed ? 0 : n;
}

static mt_Status complain(int code, mt_Error *err) {
  const char *why = GifErrorString(code);
  return mt_error(err, MT_FAIL, "the GIF cannot be written: %s",
                  why ? why : "giflib does not say why");
}

/* Netscape's extension: repeat for ever. */
static int put_loop(GifFileType *f) {
  static const GifByteType times[3] = {1, 0, 0};
  return EGifPutExtensionLeader(f, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(f, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(f, 3, times) == GIF_OK &&
         EGifPutExtensionTrailer(f) == GIF_OK;
}

mt_Status mt_gif_begin(unsigned width, unsigned height, mt_Str *out, void **gif,
                       mt_Error *err) {
  int code = 0;
  *gif = NULL;
  GifFileType *f = EGifOpen(out, put, &code);
  if (f == NULL) return complain(code, err);
  EGifSetGifVersion(f, true);
  if (EGifPutScreenDesc(f, (int)width, (int)height, 8, 0, NULL) != GIF_OK ||
      !put_loop(f)) {
    code = f->Error;
    EGifCloseFile(f, NULL);
    return complain(code, err);
  }
  *gif = f;
  return MT_OK;
}

static int put_control(GifFileType *f, unsigned delay) {
  GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT,
                                  .UserInputFlag = false,
                                  .DelayTime = (int)delay,
                                  .TransparentColor = TRANSPARENT};
  GifByteType bytes[4];
  size_t n = EGifGCBToExtension(&control, bytes);
  return EGifPutExtension(f, GRAPHICS_EXT_FUNC_CODE, (int)n, bytes) == GIF_OK;
}

static int put_pixels(GifFileType *f, unsigned width, unsigned height,
                      const uint8_t *indices) {
  for (unsigned y = 0; y < height; y++)
    if (EGifPutLine(f, (GifPixelType *)(uintptr_t)(indices + (size_t)y * width),
                    (int)width) != GIF_OK)
      return 0;
  return 1;
}

mt_Status mt_gif_add(void *gif, unsigned x, unsigned y, unsigned width,
                     unsigned height, const uint8_t *indices,
                     const uint8_t (*palette)[3], unsigned delay,
                     mt_Error *err) {
  GifFileType *f = gif;
  GifColorType colours[COLOURS];
  for (int i = 0; i < COLOURS; i++)
    colours[i] = (GifColorType){palette[i][0], palette[i][1], palette[i][2]};
  ColorMapObject *map = GifMakeMapObject(COLOURS, colours);
  if (map == NULL)
    return mt_error(err, MT_FAIL, "not enough memory for the GIF");
  int ok = put_control(f, delay) &&
           EGifPutImageDesc(f, (int)x, (int)y, (int)width, (int)height, false,
                            map) == GIF_OK &&
           put_pixels(f, width, height, indices);
  GifFreeMapObject(map);
  return ok ? MT_OK : complain(f->Error, err);
}

mt_Status mt_gif_end(void *gif, mt_Error *err) {
  int code = 0;
  return EGifCloseFile(gif, &code) == GIF_OK ? MT_OK : complain(code, err);
}
#else
typedef int mt_no_gif; /* a file of ISO C is not empty */
#endif

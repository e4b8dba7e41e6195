/*
** reader.c - libFuzzer's way into the reader: any bytes, both of its modes, and
** once more with macros expanded.
*/
#include <stdint.h>

#include "msl/reader/reader.h"
#include "msl/reader/signatures.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading reading = {0};
  mt_Str out = MT_STR_INIT;
  bool spaces = size > 0 && (bytes[size - 1] & 1);
  if (mt_lex_read(&lex, (const char *)bytes, size, &bad) == MT_OK &&
      mt_reader_run(&lex, spaces, &reading) == MT_OK) {
    mt_lex_write(&lex, &out);
    for (size_t i = 0; i <= out.length; i++)
      if (mt_lex_origin(&lex, (uint32_t)i) > size) __builtin_trap();
  }
  mt_reading_free(&reading);
  mt_str_free(&out);
  mt_lex_free(&lex);
  mt_Signatures *s = mt_signatures_read((const char *)bytes, size, NULL, 0);
  mt_signatures_find(s, "k");
  mt_signatures_logs(s, "k");
  mt_signatures_free(s);
  return 0;
}

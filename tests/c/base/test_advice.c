/*
** test_advice.c - remedies of messages in the words of a language.
**
** Guards: base/advice.c: the remedy by its name in a sentence, of the language
** that was set; none is missing
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/advice.h"

static void no_remedy_is_missing(void **state) {
  (void)state;
  const char *words[sizeof(mt_Advice) / sizeof(char *)];
  memcpy(words, mt_advice(), sizeof words);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    assert_non_null(words[i]);
}

static void a_name_stands_for_its_remedy(void **state) {
  (void)state;
  static const mt_Advice ours = {.check = "look()", .folders = "the rooms"};
  const mt_Advice *before = mt_advice();
  char out[64];
  mt_advice_set(&ours);
  assert_string_equal(mt_advice_in("{check} finds it", out, sizeof out),
                      "look() finds it");
  assert_string_equal(mt_advice_in("not in {folders}.", out, sizeof out),
                      "not in the rooms.");
  mt_advice_set(before);
  assert_string_equal(mt_advice_in("{check}", out, sizeof out), before->check);
}

static void other_braces_stay(void **state) {
  (void)state;
  char out[32], small[8];
  assert_string_equal(mt_advice_in("float2{x, y}", out, sizeof out),
                      "float2{x, y}");
  assert_string_equal(mt_advice_in("{chec} and {", out, sizeof out),
                      "{chec} and {");
  assert_string_equal(mt_advice_in("100 % of it", out, sizeof out),
                      "100 % of it");
  assert_string_equal(mt_advice_in("longer than room", small, sizeof small),
                      "longer ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_remedy_is_missing),
      cmocka_unit_test(a_name_stands_for_its_remedy),
      cmocka_unit_test(other_braces_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

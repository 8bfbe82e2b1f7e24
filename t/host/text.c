/* Texts are cut at characters of UTF-8, and JSON strings are valid whatever they are made of. */
#include "runtime/host/base/text.h"
#include "t/host/module.h"
#include "t/tap.h"

static void test_cutting(void)
{
  /* one, two, three and four bytes a character; then what is no character */
  static const struct { const char *text; size_t bytes; const char *cut; } rows[] = {
    { "abc", 4, "abc" }, { "abcd", 4, "abc" }, { "ab\xc3\xa9", 5, "ab\xc3\xa9" },
    { "ab\xc3\xa9", 4, "ab" }, { "a\xe2\x82\xacz", 5, "a\xe2\x82\xac" },
    { "a\xe2\x82\xac", 4, "a" },
    { "a\xe2\x82\xac", 3, "a" }, { "\xf0\x9f\x8c\xb2", 4, "" }, { "\xf0\x9f\x8c\xb2", 3, "" },
    { "\xf0\x9f\x8c\xb2", 2, "" }, { "\xf0\x9f\x8c\xb2x", 5, "\xf0\x9f\x8c\xb2" }, { "x", 1, "" },
    { "\x80\x80\x80\x80\x80", 4, "\x80\x80\x80" }, { "a\xff\xff", 3, "a\xff" }
  };
  char to[16];

  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); k++) {
    const size_t length = sni_text_copy(to, rows[k].bytes, rows[k].text);
    is_str(to, rows[k].cut, "copied: %s", rows[k].text);
    is_int(length, strlen(to), "its length");
    (void)sni_text_format(to, rows[k].bytes, "%s", rows[k].text);
    is_str(to, rows[k].cut, "formatted");
  }
}

static void test_json(void)
{
  static const struct { const char *text, *json; } rows[] = {
    { "plain", "plain" }, { "\"\\", "\\\"\\\\" }, { "\n\x01\x7f", "\\u000a\\u0001\x7f" },
    { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb2", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb2" },
    { "\xc3", "\\ufffd" }, { "\xc3x", "\\ufffdx" }, { "\xff\xfe", "\\ufffd\\ufffd" },
    { "\xc0\xaf", "\\ufffd\\ufffd" },            /* a form longer than need be */
    { "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" }, /* half of a pair of UTF-16 */
    { "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" }, { "\xe2\x82", "\\ufffd\\ufffd" }
  };

  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); k++) {
    const char *at = rows[k].text;
    char piece[SNI_JSON_BYTES], json[64] = "";
    while (*at) {
      sni_text_json(&at, piece);
      strcat(json, piece);
    }
    is_str(json, rows[k].json, "JSON");
  }
}

/* Of the library: the text of an error that is too long, what a user's value was. */
static void test_messages(void)
{
  static char path[3001];
  const char *said;
  sn_config *config;
  sn_context *context;
  sn_tree *grid = NULL;
  size_t length;

  for (int k = 0; k < 3000; k += 2) memcpy(path + k, "\xc3\xa9", 2);
  if (sn_config_create(&config) != SN_OK) bail("no configuration");
  is_int(sn_config_set(config, "threads", path + 1), SN_EINVAL, "a value that is none");
  ok(strncmp(sn_config_error(config), "threads=\xa9\xc3\xa9", 11) == 0 &&
     strstr(sn_config_error(config), "\xc3\xa9: expected") != NULL, "%s",
     sn_config_error(config));
  is_int(sn_config_set(config, path, "1"), SN_EINVAL, "an option that is none");
  ok(strstr(sn_config_error(config), "\xc3\xa9'") != NULL, "%s", sn_config_error(config));
  sn_config_destroy(config);
  if (sn_context_create(NULL, &context) != SN_OK || new_grid(context, 1, &grid) != SN_OK)
    bail("no tree");
  is_int(sn_tree_load(grid, &grid_info, path), SN_EIO, "a path that is too long");
  said = sn_context_error(context);
  length = strlen(said);
  ok(length >= 1020 && said[length - 2] == '\xc3' && said[length - 1] == '\xa9',
     "the text ends with a character");
  sn_tree_destroy(grid);
  is_int(sn_context_destroy(context), SN_OK, "nothing leaks");
}

int main(void)
{
  test_cutting();
  test_json();
  test_messages();
  return done_testing();
}

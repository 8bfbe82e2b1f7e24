/* A writer of JSON: it puts commas where they belong, escapes strings, and writes numbers with a
 * point, whatever the program's locale says.
 */
#ifndef SNI_BASE_JSON_H
#define SNI_BASE_JSON_H

typedef struct sni_json {
  void (*put)(void *user, const char *text);     /* takes the next piece of the text */
  void *user;
  int wants_comma;               /* before the next member or element */
} sni_json;

void sni_json_begin(sni_json *, void (*put)(void *user, const char *text), void *user);
/* An object or an array: '{' and '}', '[' and ']'. */
void sni_json_open(sni_json *, char bracket);
void sni_json_close(sni_json *, char bracket);
/* The next member's name; its value follows. */
void sni_json_key(sni_json *, const char *name);
/* A string; a byte that is no part of a character of UTF-8 becomes U+FFFD. */
void sni_json_string(sni_json *, const char *text);
void sni_json_number(sni_json *, double value);
/* A number as the caller has written it. */
void sni_json_verbatim(sni_json *, const char *number);
/* What follows begins on a line of its own. */
void sni_json_line(sni_json *);

#endif

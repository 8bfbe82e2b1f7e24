/* Texts in memory of a fixed size, which are cut at characters of UTF-8; and characters as JSON has
 * them (json.h writes whole texts).
 */
#ifndef SNI_BASE_TEXT_H
#define SNI_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* As much of the text as fits, always ended.  Gives its length. */
size_t sni_text_copy(char *to, size_t bytes, const char *from);
/* The same of what printf would write. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 0)))
#endif
size_t sni_text_vformat(char *to, size_t bytes, const char *format, va_list arguments);
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
size_t sni_text_format(char *to, size_t bytes, const char *format, ...);

/* The greatest length, at most this one, at which the text is not cut inside a character. */
size_t sni_text_cut(const char *text, size_t length);
/* The text was cut at `length`: it ends there, or before what is left of a character there.  Gives
 * its length. */
size_t sni_text_end(char *text, size_t length);

/* The next character of the text, which is not at its end, as a JSON string has it: escaped where
 * it must be; U+FFFD for a byte that is no part of a character.  The text goes behind it. */
enum { SNI_JSON_BYTES = 8 };
void sni_text_json(const char **text, char piece[SNI_JSON_BYTES]);

#endif

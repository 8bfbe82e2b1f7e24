/* Identifiers that C, C++ and the headers of a generated file have for themselves. */
#ifndef SNODEGEN_MODEL_NAMES_H
#define SNODEGEN_MODEL_NAMES_H

#include <stdbool.h>

/* Where a name is declared: what is reserved differs. */
typedef enum NameScope { NAMES_FILE, NAMES_LOCAL, NAMES_MEMBER } NameScope;

/* Whether a generated file may not declare the name there. */
bool name_is_reserved(NameScope, const char *name);
/* "C" or "C++" where the name is a keyword, else NULL.  Those of Fortran hold no underscore,
 * which every generated name has. */
const char *name_keyword_of(const char *name);

#endif

/* The built-in functions on vectors and matrices, numbered: SHAPED_dot ...; rows
 * of shaped.def. */
#ifndef SNODEGEN_FRONT_SHAPED_H
#define SNODEGEN_FRONT_SHAPED_H

typedef enum ShapedTakes {
  SHAPED_TAKES_VECTORS, SHAPED_TAKES_VECTOR3, SHAPED_TAKES_ANY_VECTORS, SHAPED_TAKES_ANY,
  SHAPED_TAKES_MATRIX, SHAPED_TAKES_SQUARE, SHAPED_TAKES_SMALL
} ShapedTakes;

typedef enum ShapedGives {
  SHAPED_GIVES_SCALAR, SHAPED_GIVES_SAME, SHAPED_GIVES_CROSS, SHAPED_GIVES_OUTER,
  SHAPED_GIVES_TRANSPOSED
} ShapedGives;

typedef enum ShapedOf {
  SHAPED_OF_FLOAT, SHAPED_OF_NUMBER, SHAPED_OF_TRUTH, SHAPED_OF_VALUE
} ShapedOf;

typedef enum Shaped {
#define SHAPED(name, arguments, takes, gives, of) SHAPED_##name,
#include "gen/front/shaped.def"
#undef SHAPED
  SHAPED_COUNT
} Shaped;

typedef struct ShapedInfo {
  const char *name;
  int arguments;
  ShapedTakes takes;
  ShapedGives gives;
  ShapedOf of;
} ShapedInfo;

extern const ShapedInfo shaped_info[SHAPED_COUNT];

#endif

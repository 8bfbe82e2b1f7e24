/* operators.def as tables. */
#include "gen/model/operators.h"

const char *const operator_name[OP_COUNT] = {
  "",
#define OPERATOR(id, name, sign, operation) #name,
#include "gen/model/operators.def"
};

const char *const operator_sign[OP_COUNT] = {
  "",
#define OPERATOR(id, name, sign, operation) sign,
#include "gen/model/operators.def"
};

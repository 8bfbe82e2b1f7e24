/* The texts of the codes. */
#include <snode/context.h>

static const char *const texts[] = {
#define SN_ERROR(name, number, text) [number] = text,
#include <snode/errors.def>
#undef SN_ERROR
};

const char *sn_strerror(int code)
{
  return code >= 0 && code < SN_ERROR_COUNT ? texts[code] : "unknown error";
}

/* What generated files include, for read_headers of t/lib.sh. */
#include <snode/snode.h>

#include <stdbool.h>
#include <snode/device/runtime.h>
#include <snode/module.h>
#include <snode/submit.h>

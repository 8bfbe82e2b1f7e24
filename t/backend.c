/* The backend of a program whose other files take it (snode/device/backend.h). */
#include <snode/snode.h>
#include <snode/device/backend.h>

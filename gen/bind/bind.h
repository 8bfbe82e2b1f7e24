/* What other languages are told of a module: the manifest (JSON) and the bindings, all from the
 * list of functions that the generated header declares (gen/emit/api.h).
 */
#ifndef SNODEGEN_BIND_BIND_H
#define SNODEGEN_BIND_BIND_H

#include "gen/emit/emit.h"

typedef enum Binding {
#define BINDING(word, ending) BINDING_##word,
#include "gen/bind/bindings.def"
#undef BINDING
  BINDINGS
} Binding;

/* They append to the text, of a module as emit_header takes it. */
#define BINDING(word, ending) void bind_##word(const IrModule *, const EmitOptions *, Text *);
#include "gen/bind/bindings.def"
#undef BINDING

/* --emit=main: NULL, or why no program can be made around the kernel main, at *loc. */
const char *bind_main_wrong(const IrModule *, Loc *loc);

#endif

base_sources = \
  gen/base/base.h gen/base/type.h gen/base/diag.def \
  gen/base/arena.c gen/base/text.c gen/base/type.c gen/base/half.c gen/base/map.c gen/base/map.h gen/base/shape.c gen/base/struct.c \
  gen/base/diag.c gen/base/suggest.c gen/base/fatal.c

snodegen_SOURCES += $(base_sources)

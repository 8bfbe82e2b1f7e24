# gen/derive: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/derive/derive.h \
  gen/derive/forward.c \
  gen/derive/reverse.c \
  gen/derive/underived.c

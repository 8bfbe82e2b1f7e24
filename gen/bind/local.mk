# gen/bind: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/bind/bind.h \
  gen/bind/bindings.def \
  gen/bind/cpp.c \
  gen/bind/fortran.c \
  gen/bind/fortran.h \
  gen/bind/fortran_array.c \
  gen/bind/fortran_call.c \
  gen/bind/fortran_procedure.c \
  gen/bind/fortran_procedure.h \
  gen/bind/fortran_text.c \
  gen/bind/json.c \
  gen/bind/json.h \
  gen/bind/main.c \
  gen/bind/main_support.def \
  gen/bind/manifest.c \
  gen/bind/offer.c \
  gen/bind/offer.h \
  gen/bind/python.c \
  gen/bind/python_parts.def \
  gen/bind/python_support.def

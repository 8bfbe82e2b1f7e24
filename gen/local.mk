# gen: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/building.c \
  gen/building.h \
  gen/builds.def \
  gen/cached.c \
  gen/cached.h \
  gen/command.c \
  gen/command.h \
  gen/compile.c \
  gen/compile.h \
  gen/files.c \
  gen/files.h \
  gen/imports.c \
  gen/imports.h \
  gen/mode_findings.c \
  gen/mode_findings.h \
  gen/option_setters.c \
  gen/option_setters.h \
  gen/options.c \
  gen/options.def \
  gen/options.h \
  gen/perf.c \
  gen/perf.h \
  gen/show.c \
  gen/show.h \
  gen/show_modes.c \
  gen/process.c \
  gen/process.h \
  gen/run.c \
  gen/run.h \
  gen/snodegen.c \
  gen/statistics.c \
  gen/statistics.h \
  gen/underived.c \
  gen/underived.h \
  gen/watch.c \
  gen/watch.h

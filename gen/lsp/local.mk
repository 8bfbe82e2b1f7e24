# gen/lsp: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/lsp/analysis.c gen/lsp/analysis.h \
  gen/lsp/answer.c \
  gen/lsp/complete.c gen/lsp/complete.h \
  gen/lsp/describe.c gen/lsp/describe.h \
  gen/lsp/document.c \
  gen/lsp/frame.c gen/lsp/frame.h \
  gen/lsp/json_read.c gen/lsp/json_read.h \
  gen/lsp/lsp.h \
  gen/lsp/name.c gen/lsp/name.h \
  gen/lsp/place.c gen/lsp/place.h \
  gen/lsp/publish.c \
  gen/lsp/server.c gen/lsp/server.h

#!/bin/sh
# No arrow runs upward: what each folder may include (docs/architecture.md).
. "${SN_SRCDIR:-.}/t/lib.sh"
cd "$SN_SRCDIR" || exit 1

# includes FILE...: "file:line: name" of each project header that is included
includes() {
  grep -nH -E '^ *# *include *["<]' "$@" /dev/null |
    sed -n -e 's/^\([^:]*\):\([0-9]*\): *# *include *["<]\([^">]*\)[">].*/\1:\2: \3/p' |
    grep -E ': (gen/|runtime/|snode/|t/|examples/|bench/|[a-z_0-9]+\.(h|def|c)$)' |
    grep -v -E ': (assert|ctype|dirent|dlfcn|errno|fcntl|fenv|float|getopt|inttypes|limits|link|locale|math|omp|openacc|png|pthread|sched|setjmp|signal|spawn|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|zlib|config|hdf5|nifti1_io)\.h$'
}

# may FOLDER PATTERN: the files right in FOLDER include nothing but what matches
may() {
  files=$(ls "$1"/*.c "$1"/*.h "$1"/*.def 2>/dev/null)
  if [ -z "$files" ]; then fail "$1: has files"; return; fi
  is "$1 includes nothing above it" "$(includes $files | grep -v -E ": ($2)\$")" ""
}

base='gen/base/[a-z_]*\.(h|def)'
model='gen/model/[a-z_]*\.(h|def)'
front='gen/front/[a-z_]*\.(h|def)'
ir='gen/ir/[a-z_]*\.(h|def)'
device='snode/device/[a-z_0-9]*\.(h|def)'
public='snode/[a-z_]*\.(h|def)'
abi='snode/device/(abi|f16)\.h'

may gen/base "$base"
may gen/model "$model|$base"
may gen/front "$front|$model|$base"
may gen/ir "$ir|$model|$base"
may gen/interpret "gen/interpret/[a-z_]*\.h|$ir|$model|$base|snode/(interpreter|error)\.h"
may gen/lower "gen/lower/[a-z_]*\.h|$front|$ir|$model|$base"
may gen/passes "gen/passes/[a-z_]*\.(h|def)|$ir|$model|$base"
may gen/derive "gen/derive/[a-z_]*\.(h|def)|gen/passes/[a-z_]*\.h|$ir|$model|$base"
may gen/emit "gen/emit/[a-z_]*\.(h|def)|$ir|$model|$base|snode/version\.h"
may gen/bind "gen/(bind|emit)/[a-z_0-9]*\.(h|def)|$ir|$model|$base|snode/(version\.h|errors\.def)"
may gen/lsp "gen/lsp/[a-z_]*\.h|gen/bind/json\.h|gen/(compile|files|imports|options)\.h|$front|$model|$base|snode/version\.h"
is "a compile as a call knows no files" \
  "$(includes gen/compile.c gen/compile.h | grep -E ': gen/(files|imports|building)\.h$')" ""
may runtime/device "$device|snode/(error|interpreter|loops|types)\.h"
may runtime/host/base "runtime/host/base/[a-z_]*\.(h|def)|$public|$abi"
may runtime/host/tree "runtime/host/(base|tree)/[a-z_]*\.(h|def)|$public|$abi"
may runtime/host/exec "runtime/host/(base|exec)/[a-z_]*\.(h|def)|$public|$abi"
may runtime/host/bridge "runtime/host/(base|tree|exec|bridge)/[a-z_]*\.(h|def)|$public|$abi"
may runtime/io "runtime/io/[a-z_]*\.h|$public|$abi"
may runtime/info "runtime/info/[a-z_]*\.h|runtime/host/base/crc\.h|$public|$abi|snode/device/runtime\.h"
may include/snode "$public|$abi"

is "types.h is the lowest file" "$(includes include/snode/types.h)" ""
is "abi.h, and f16.h, which libsnode includes too, are right above it" \
  "$(includes runtime/device/abi.h runtime/device/f16.h | sed 's/.*: //' | sort -u)" "snode/types.h"
is "of the public headers only those of generated code bring abi.h" \
  "$(includes include/snode/*.h | grep ': snode/device/' | sed 's/:[0-9]*:/:/' | sort)" \
  "include/snode/interpreter.h: snode/device/abi.h
include/snode/module.h: snode/device/abi.h
include/snode/snode.h: snode/device/f16.h"
is "snode/error.h, which devices read, holds codes only" \
  "$(includes include/snode/error.h | sed 's/.*: //')" "snode/errors.def"
# libsnode holds no pragma, no OpenMP and no OpenACC
is "libsnode knows neither OpenMP nor OpenACC" \
  "$(grep -n -E '^ *# *pragma +(omp|acc)|_OPEN(MP|ACC)|<(omp|openacc)\.h>' runtime/host/*/*.c runtime/host/*/*.h include/snode/*.h)" ""
is "only base's platform, file, process and allowed know the operating system" \
  "$(grep -n -E 'pthread_|PTHREAD_|sched_|<(pthread|sched|unistd|fcntl|signal|dlfcn|link|spawn|dirent|sys/[a-z]*)\.h>' \
       runtime/host/*/*.c runtime/host/*/*.h | grep -v -E '^runtime/host/base/(platform|file|process|allowed)\.')" ""
is "only platform.h and atomic.h look at the compiler's own macros" \
  "$(grep -l -E '^ *# *(if|elif|ifdef|ifndef) .*(__NVPTX__|__AMDGCN__|__clang__|__TINYC__|__GNUC__)' runtime/device/*.h |
     grep -v -E '/(platform|atomic[a-z_]*)\.h$')" ""
done_testing

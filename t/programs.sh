# C programs that speak TAP and are built in every configuration (t/device, t/host):
# each is one check here, with its own lines shown when it fails. Read after t/lib.sh.
#
#   run_folder FOLDER CONFIGURATION...    those that $chosen names, where it is set
#
# shared: a source that each of them is linked with, compiled once
# plain: they hold no loop that a compiler of OpenMP takes: each compiler compiles them once, for all its
# configurations, as C; shared is compiled as ever
# image_way: how they run in the device image, where it is set
# image_level: how far every day they are optimized for it, where it is set
chosen=
shared=
plain=
image_way=
image_level=

# The most threads or teams only; all ways in make check-long.
program_ways() {
  case $1,$image_way,$SN_LONG in
    *,*,?*) ways_of "$1" ;;
    x86,?*,) echo "$image_way" ;;
    *) ways_of "$1" | awk '{ print $NF }' ;;
  esac
}

# run_program CONFIGURATION NAME [ARGUMENT]: as often as the configuration is run
run_program() {
  for program_way in $(program_ways "$1"); do
    run_as "$1" "$program_way" "$work/program" $3 >"$work/said" 2>"$work/err"
    program_status=$?
    if [ $program_status -eq 0 ] && grep '^1\.\.' "$work/said" >/dev/null; then
      pass "$1 $program_way: $2 ($(grep -c '^ok' "$work/said") checks)"
    else
      fail "$1 $program_way: $2"
      diag "exit status $program_status"
      diag "$(grep -v '^ok' "$work/said" | head -n 30)"
      diag "$(head -n 20 "$work/err")"
    fi
  done
}

# Many programs are one executable, which takes a name: a link costs as much as most of them.
# as_one NAME: the flag that makes a program's main a function.  main_of_all NAME...: the main.
as_one() { echo "-Dmain=main_of_$1"; }

main_of_all() {
  printf '#include <stdio.h>\n#include <string.h>\n'
  for name; do echo "int main_of_$name(void);"; done
  printf 'int main(int argc, char **argv)\n{\n  const char *name = argc > 1 ? argv[1] : "";\n'
  for name; do echo "  if (strcmp(name, \"$name\") == 0) return main_of_$name();"; done
  printf '  fprintf(stderr, "no program %%s\\n", name);\n  return 2;\n}\n'
}

# compile_program CONFIGURATION FILE OBJECT [FLAG]: where gcc is not among those of run_folder for
# threads, its optimizer has the serial text
compile_program() {
  case $1,$threads_of_gcc in serial-gcc,) program_for=host-gcc ;; *) program_for=$1 ;; esac
  program_level=$(everyday_level "$program_for" "$(basename "$2" .c)")
  case $1,$SN_LONG in x86,) program_level=$image_level ;; esac
  compile_flags="$program_level -I$SN_SRCDIR -D_GNU_SOURCE $backend_flags $4" compile "$1" "$2" "$3"
}

# program_object CONFIGURATION FILE NAME: as $program
program_object() {
  program=$work/$(echo "$1-$folder-$3" | tr / -).o
  if [ -z "$plain" ]; then compile_program "$1" "$2" "$program" "$(as_one "$3")"; return; fi
  program=$work/$(echo "plain-$(compiler_of "$1")-$folder-$3" | tr / -).o
  [ -e "$program" ] ||
    compile_flags="-Wconversion -I$SN_SRCDIR -D_GNU_SOURCE $(as_one "$3")" compile_driver "$1" "$2" "$program"
}

# build_folder CONFIGURATION: $work/program, of all programs that compile: $built
build_folder() {
  objects= built=
  for f in "$SN_SRCDIR/$folder"/*.c; do
    name=$(basename "$f" .c)
    case " $chosen " in "  "|*" $name "*) ;; *) continue ;; esac
    if program_object "$1" "$f" "$name" >"$work/build.out" 2>&1; then
      objects="$objects $program" built="$built $name"
    else
      fail "$1: $name builds without a warning"
      diag "$(head -n 20 "$work/build.out")"
    fi
  done
  main_of_all $built >"$work/main.c"
  ok "$1: the programs of $folder link" build_program "$1"
}

build_program() {
  compile_driver "$1" "$work/main.c" "$work/main.o" &&
    link "$1" "$work/program" "$work/main.o" $objects $shared_object -pthread
}

run_folder() {
  folder=$1 threads_of_gcc=
  shift
  case " $* " in *" host-gcc "*) if available host-gcc >/dev/null; then threads_of_gcc=yes; fi ;; esac
  for c; do
    if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
    shared_object=
    if [ -n "$shared" ]; then
      shared_object=$work/shared.o
      ok "$c: $shared builds" compile_program "$c" "$SN_SRCDIR/$shared" "$shared_object" || continue
    fi
    build_folder "$c" || continue
    for name in $built; do run_program "$c" "$name" "$name"; done
  done
}

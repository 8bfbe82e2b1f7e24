# C programs that speak TAP and are built in every configuration (t/device, t/host):
# each is one check here, with its own lines shown when it fails. Read after t/lib.sh.
#
#   run_folder FOLDER CONFIGURATION...    those that $chosen names, where it is set
#
# shared: a source that each of them is linked with, compiled once
# plain: they hold no loop that a compiler of OpenMP takes: each compiler compiles them once, for all its
# configurations, as C; shared is compiled as ever
# image_way: how they run in the device image, where it is set
chosen=
shared=
plain=
image_way=

# The most threads or teams only; all ways in make check-long.
program_ways() {
  case $1,$image_way,$SN_LONG in
    *,*,?*) ways_of "$1" ;;
    x86,?*,) echo "$image_way" ;;
    *) ways_of "$1" | awk '{ print $NF }' ;;
  esac
}

# run_program CONFIGURATION NAME: as often as the configuration is run
run_program() {
  for program_way in $(program_ways "$1"); do
    run_as "$1" "$program_way" "$work/program" >"$work/said" 2>"$work/err"
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

# compile_program CONFIGURATION FILE OBJECT
compile_program() {
  compile_flags="-I$SN_SRCDIR -D_GNU_SOURCE $backend_flags" compile "$1" "$2" "$3"
}

# program_object CONFIGURATION FILE NAME: as $program
program_object() {
  program=$work/program.o
  if [ -z "$plain" ]; then compile_program "$1" "$2" "$program"; return; fi
  program=$work/$(echo "plain-$(compiler_of "$1")-$folder-$3" | tr / -).o
  [ -e "$program" ] || compile_flags="-Wconversion -I$SN_SRCDIR -D_GNU_SOURCE" compile_driver "$1" "$2" "$program"
}

run_folder() {
  folder=$1
  shift
  for c; do
    if ! why=$(available "$c"); then skip "$c" "$why"; continue; fi
    shared_object=
    if [ -n "$shared" ]; then
      shared_object=$work/shared.o
      ok "$c: $shared builds" compile_program "$c" "$SN_SRCDIR/$shared" "$shared_object" || continue
    fi
    for f in "$SN_SRCDIR/$folder"/*.c; do
      name=$(basename "$f" .c)
      case " $chosen " in "  "|*" $name "*) ;; *) continue ;; esac
      if { program_object "$c" "$f" "$name" &&
           link "$c" "$work/program" "$program" $shared_object -pthread
         } >"$work/build.out" 2>&1; then
        run_program "$c" "$name"
      else
        fail "$c: $name builds without a warning"
        diag "$(head -n 20 "$work/build.out")"
      fi
    done
  done
}

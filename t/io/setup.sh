# What the tests of libsnode_io and snode-info share: the module of t/io/shapes.sn and the programs of
# t/io over it.  Read behind t/lib.sh; the folder is then $work.
one_backend=yes
[ -n "$TEST_GCC" ] || skip_all "no gcc"
cd "$work" || exit 1
compile_flags="-I$work -I$SN_SRCDIR/t/io"
c=host-gcc
PYTHONDONTWRITEBYTECODE=yes
export PYTHONDONTWRITEBYTECODE
ok "the module is generated" "$snodegen" -w -q --output-dir=. "$SN_SRCDIR/t/io/shapes.sn"
ok "the module" compile $c shapes.c shapes.o

# io_program NAME LIBRARY...: builds ./NAME of t/io/NAME.c
io_program() {
  io_name=$1
  shift
  ok "$io_name: compiled" compile_driver $c "$SN_SRCDIR/t/io/$io_name.c" $io_name.o &&
    ok "$io_name: linked" link $c $io_name $io_name.o shapes.o "$@"
}

# python_with MODULES: prints a Python 3 that imports them, or nothing
python_with() {
  for p in "$PYTHON" /usr/bin/python3 python3; do
    [ -n "$p" ] && "$p" -c "import $1" 2>/dev/null && { echo "$p"; return; }
  done
}

# reads SCRIPT WHAT NAME: the script of t/io finds that WHAT holds what was written
reads() {
  "$python" "$SN_SRCDIR/t/io/$1" "$2" >read.out 2>&1
  is "$3" "$(tail -n 3 read.out)" "equal"
}

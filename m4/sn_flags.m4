# Flags of the compiler at hand.

# SN_APPEND_FLAGS(VARIABLE, FLAGS): appends those of FLAGS that $CC takes
# without a word.  -Werror makes clang refuse a flag it only warns about.
AC_DEFUN([SN_APPEND_FLAGS], [
for sn_flag in $2; do
  AC_MSG_CHECKING([whether $CC takes $sn_flag])
  sn_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $sn_flag"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([int sn_probe;])],
    [AC_MSG_RESULT([yes])
     $1="$$1 $sn_flag"],
    [AC_MSG_RESULT([no])])
  CFLAGS=$sn_save_CFLAGS
done
])

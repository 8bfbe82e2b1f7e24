# The compilers that the tests build generated files with, besides $CC.
#
# Each is optional.  Set afterwards, empty where absent:
#   TEST_CLANG TEST_GCC TEST_TCC   compilers; the first two with OpenMP, run
#   sn_why_clang, sn_why_gcc, sn_why_tcc   what the summary says
#   CLANG_OPENMP_LDFLAGS           rpath of clang's OpenMP runtime, where needed

# The program that a host compiler must build and run: it counts its threads.
m4_define([SN_HOST_PROGRAM], [[
#include <omp.h>
#include <stdio.h>
int main(void)
{
  int n = 0;
# pragma omp parallel num_threads(2)
  {
#   pragma omp atomic update
    n++;
  }
  return n == 2 ? 0 : 1;
}
]])

# SN_TRY_HOST(COMPILER, FLAGS, IF-YES, IF-NO): links SN_HOST_PROGRAM, and runs
# it unless this is a cross build.
AC_DEFUN([SN_TRY_HOST], [
sn_save_CC=$CC; sn_save_CFLAGS=$CFLAGS; sn_save_LDFLAGS=$LDFLAGS; sn_save_LIBS=$LIBS
CC="$1"; CFLAGS="-O1 $2"; LDFLAGS=; LIBS=
AS_IF([test "x$cross_compiling" = xyes],
  [AC_LINK_IFELSE([AC_LANG_SOURCE([SN_HOST_PROGRAM])], [sn_ok=yes], [sn_ok=no])],
  [AC_RUN_IFELSE([AC_LANG_SOURCE([SN_HOST_PROGRAM])], [sn_ok=yes], [sn_ok=no], [sn_ok=no])])
CC=$sn_save_CC; CFLAGS=$sn_save_CFLAGS; LDFLAGS=$sn_save_LDFLAGS; LIBS=$sn_save_LIBS
AS_IF([test $sn_ok = yes], [$3], [$4])
])

AC_DEFUN([SN_CHECK_COMPILERS], [
AC_ARG_VAR([TEST_CLANG], [clang that builds generated files in tests (default: clang-19, clang)])
AC_ARG_VAR([TEST_GCC], [gcc that builds generated files in tests (default: gcc-12, gcc)])
AC_ARG_VAR([TEST_TCC], [tcc, for the serial form of generated files])

# what is found by name builds for the machine at hand
AS_IF([test "x$cross_compiling" = xyes],
  [TEST_CLANG=${TEST_CLANG:-no} TEST_GCC=${TEST_GCC:-$CC} TEST_TCC=${TEST_TCC:-no}])

# clang: its OpenMP runtime may lie outside the loader's path
AS_IF([test "x$TEST_CLANG" != xno], [AC_CHECK_PROGS([TEST_CLANG], [clang-19 clang])])
CLANG_OPENMP_LDFLAGS=
sn_why_clang="not found"
AS_IF([test "x$TEST_CLANG" = xno], [TEST_CLANG= sn_why_clang="switched off"])
AS_IF([test -n "$TEST_CLANG"], [
  sn_dir=`dirname "\`$TEST_CLANG -print-file-name=libomp.so\`"`
  AS_CASE([$sn_dir], [/*], [CLANG_OPENMP_LDFLAGS="-Wl,-rpath,$sn_dir"])
  AC_MSG_CHECKING([whether $TEST_CLANG builds and runs OpenMP threads])
  SN_TRY_HOST([$TEST_CLANG], [-fopenmp $CLANG_OPENMP_LDFLAGS],
    [AC_MSG_RESULT([yes])
     sn_why_clang="$TEST_CLANG"],
    [AC_MSG_RESULT([no])
     sn_why_clang="$TEST_CLANG has no working -fopenmp (Debian: libomp-19-dev)"
     TEST_CLANG=])])

AS_IF([test "x$TEST_GCC" != xno], [AC_CHECK_PROGS([TEST_GCC], [gcc-12 gcc])])
sn_why_gcc="not found"
AS_IF([test "x$TEST_GCC" = xno], [TEST_GCC= sn_why_gcc="switched off"])
AS_IF([test -n "$TEST_GCC"], [
  AC_MSG_CHECKING([whether $TEST_GCC builds and runs OpenMP threads])
  SN_TRY_HOST([$TEST_GCC], [-fopenmp],
    [AC_MSG_RESULT([yes])
     sn_why_gcc="$TEST_GCC"],
    [AC_MSG_RESULT([no])
     sn_why_gcc="$TEST_GCC has no working -fopenmp"
     TEST_GCC=])])

AS_IF([test "x$TEST_TCC" != xno], [AC_CHECK_PROGS([TEST_TCC], [tcc])])
AS_IF([test "x$TEST_TCC" = xno], [TEST_TCC= sn_why_tcc="switched off"],
  [test -n "$TEST_TCC"], [sn_why_tcc="$TEST_TCC"],
  [sn_why_tcc="not found (Debian: tcc)"])
AC_SUBST([CLANG_OPENMP_LDFLAGS])

# a generated file needs some OpenMP compiler for its host threads
OPENMP_CC=; OPENMP_CFLAGS=; OPENMP_LDFLAGS=
AS_IF([test -n "$TEST_CLANG"],
    [OPENMP_CC=$TEST_CLANG OPENMP_CFLAGS=-fopenmp OPENMP_LDFLAGS=$CLANG_OPENMP_LDFLAGS],
  [test -n "$TEST_GCC"],
    [OPENMP_CC=$TEST_GCC OPENMP_CFLAGS=-fopenmp])
AC_SUBST([OPENMP_CC])
AC_SUBST([OPENMP_CFLAGS])
AC_SUBST([OPENMP_LDFLAGS])
])

# SPDX-License-Identifier: BSD-3-Clause
# snode.m4: snode in a configure.ac.
#
# SNODE_CHECK([FOR], [ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# Looks for snodegen (in --with-snode=PREFIX, then in PATH), and sets SNODEGEN, SNODE_CFLAGS (of the
# generated files) and SNODE_LIBS.  FOR is what they are compiled for, as snodegen --print-cflags
# takes it: host (the default), serial, x86, nvptx:sm_90, acc.  Without ACTION-IF-NOT-FOUND, configure
# ends where there is none.  A Makefile.am needs one rule:
#
#   SUFFIXES = .sn
#   .sn.c: ; $(SNODEGEN) -q $(SNODEGENFLAGS) -MD $<
AC_DEFUN([SNODE_CHECK],
[AC_ARG_WITH([snode], [AS_HELP_STRING([--with-snode=PREFIX], [where snode is installed])],
   [], [with_snode=])
AC_ARG_VAR([SNODEGEN], [the compiler of .sn files])
AS_IF([test -n "$with_snode"],
  [AC_PATH_PROG([SNODEGEN], [snodegen], [], [$with_snode/bin])],
  [AC_PATH_PROG([SNODEGEN], [snodegen])])
SNODE_CFLAGS= SNODE_LIBS=
AS_IF([test -n "$SNODEGEN"],
  [SNODE_CFLAGS=`"$SNODEGEN" --print-cflags=m4_default([$1], [host])` &&
   SNODE_LIBS=`"$SNODEGEN" --print-libs` || SNODEGEN=])
AC_SUBST([SNODE_CFLAGS])
AC_SUBST([SNODE_LIBS])
AS_IF([test -n "$SNODEGEN"], [m4_default([$2], [:])],
  [m4_default([$3], [AC_MSG_ERROR([snodegen was not found: give --with-snode=PREFIX])])])
])

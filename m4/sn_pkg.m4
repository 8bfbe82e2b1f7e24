# SPDX-License-Identifier: BSD-3-Clause
# SN_PROG_PKG_CONFIG, SN_PKG(NAME, MODULE, IF-FOUND, IF-NOT): what pkg-config tells of a library, as
# PKG_CHECK_MODULES does, which is pkg-config's own and would be needed to make configure at all.
#
# NAME_CFLAGS and NAME_LIBS that the user has set go before it.  Without pkg-config there are only
# those.
AC_DEFUN([SN_PROG_PKG_CONFIG],
  [AC_ARG_VAR([PKG_CONFIG], [path of pkg-config, which is asked for optional libraries])
   AC_PATH_TOOL([PKG_CONFIG], [pkg-config])])

AC_DEFUN([SN_PKG],
  [AC_REQUIRE([SN_PROG_PKG_CONFIG])
   AC_ARG_VAR([$1_CFLAGS], [C compiler flags for $2, instead of pkg-config's])
   AC_ARG_VAR([$1_LIBS], [linker flags for $2, instead of pkg-config's])
   AC_MSG_CHECKING([for $2])
   sn_pkg=no
   AS_IF([test -n "$$1_LIBS"], [sn_pkg=yes],
     [test -n "$PKG_CONFIG" && "$PKG_CONFIG" --exists "$2" 2>/dev/null],
     [$1_CFLAGS=${$1_CFLAGS:-`"$PKG_CONFIG" --cflags "$2"`}
      $1_LIBS=`"$PKG_CONFIG" --libs "$2"`
      sn_pkg=yes])
   AC_MSG_RESULT([$sn_pkg])
   AS_IF([test "$sn_pkg" = yes], [$3], [$4])])

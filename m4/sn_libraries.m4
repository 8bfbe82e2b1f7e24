# SN_CHECK_EXAMPLE_LIBRARIES: what examples/brain and examples/inverse read and write
# their files with.
# Sets BRAIN_LIBS, BRAIN_CPPFLAGS, the conditional BUILD_BRAIN and sn_why_brain.
AC_DEFUN([SN_CHECK_EXAMPLE_LIBRARIES], [
AC_ARG_ENABLE([examples],
  [AS_HELP_STRING([--disable-examples], [do not build examples/])])
AC_ARG_VAR([BRAIN_VOLUME], [volume that examples/brain and examples/inverse read when none is named])
BRAIN_LIBS= BRAIN_CPPFLAGS=
sn_missing=
sn_save_LIBS=$LIBS
AC_CHECK_HEADER([zlib.h], [AC_CHECK_LIB([z], [gzread], [:], [sn_missing="$sn_missing zlib1g-dev"])],
  [sn_missing="$sn_missing zlib1g-dev"])
AC_CHECK_HEADER([png.h], [AC_CHECK_LIB([png], [png_image_write_to_file], [:], [sn_missing="$sn_missing libpng-dev"])],
  [sn_missing="$sn_missing libpng-dev"])
# Debian keeps nifti1_io.h and what it includes in a folder of its own
sn_save_CPPFLAGS=$CPPFLAGS
for sn_dir in '' /usr/include/nifti /usr/local/include/nifti; do
  AS_UNSET([ac_cv_header_nifti1_io_h])
  CPPFLAGS="$sn_save_CPPFLAGS ${sn_dir:+-I$sn_dir}"
  AC_CHECK_HEADER([nifti1_io.h], [BRAIN_CPPFLAGS=${sn_dir:+-I$sn_dir}; break])
done
CPPFLAGS=$sn_save_CPPFLAGS
AS_IF([test "x$ac_cv_header_nifti1_io_h" = xyes],
  [AC_CHECK_LIB([niftiio], [nifti_image_read], [:], [sn_missing="$sn_missing libnifti-dev"],
     [-lznz -lz -lm])],
  [sn_missing="$sn_missing libnifti-dev"])
LIBS=$sn_save_LIBS
sn_brain=no
AS_IF([test "x$enable_examples" = xno], [sn_why_brain="switched off"],
  [test -n "$sn_missing"], [sn_why_brain="no (Debian:$sn_missing)"],
  [test -z "$OPENMP_CC"], [sn_why_brain="no (no compiler with OpenMP)"],
  [sn_brain=yes sn_why_brain=yes
   BRAIN_LIBS="-lniftiio -lznz -lz -lpng -lm"])
AS_IF([test -n "$BRAIN_VOLUME"],
  [BRAIN_CPPFLAGS="$BRAIN_CPPFLAGS -DBRAIN_VOLUME='\"$BRAIN_VOLUME\"'"])
AC_SUBST([BRAIN_LIBS])
AC_SUBST([BRAIN_CPPFLAGS])
AM_CONDITIONAL([BUILD_BRAIN], [test $sn_brain = yes])
# examples/life needs nothing but a compiler with OpenMP
AS_IF([test "x$enable_examples" = xno], [sn_why_life="switched off"],
  [test -z "$OPENMP_CC"], [sn_why_life="no (no compiler with OpenMP)"], [sn_why_life=yes])
AM_CONDITIONAL([BUILD_LIFE], [test "$sn_why_life" = yes])
])

# SN_CHECK_LANGUAGES: what the bindings of --emit are tested with.
# Sets PYTHON (one that has NumPy goes first; empty: none), FC (empty: none), sn_why_python and
# sn_why_fortran.
AC_DEFUN([SN_CHECK_LANGUAGES], [
AC_ARG_VAR([PYTHON], [Python 3 for the tests of the bindings])
AC_MSG_CHECKING([for Python with NumPy])
sn_why_python=yes
AS_IF([test -z "$PYTHON"],
  [sn_why_python="no (Debian: python3 python3-numpy python3-jsonschema)"
   for sn_python in python3 /usr/bin/python3; do
     AS_IF([$sn_python -c 'import ctypes' >/dev/null 2>&1],
       [test -n "$PYTHON" || { PYTHON=$sn_python; sn_why_python="without NumPy (Debian: python3-numpy)"; }
        AS_IF([$sn_python -c 'import numpy' >/dev/null 2>&1],
          [PYTHON=$sn_python sn_why_python=yes; break])])
   done])
AC_MSG_RESULT([${PYTHON:-no}])
AC_CHECK_PROGS([FC], [gfortran gfortran-12])
AS_IF([test -n "$FC"], [sn_why_fortran=$FC], [sn_why_fortran="no (Debian: gfortran)"])
])

# SN_CHECK_PEERS: what bench/ measures beside ours where it is installed.
# Sets STARPU_CFLAGS, STARPU_LIBS and sn_why_starpu.
AC_DEFUN([SN_CHECK_PEERS], [
STARPU_CFLAGS= STARPU_LIBS=
SN_PKG([STARPU], [starpu-1.4], [sn_why_starpu=yes],
  [SN_PKG([STARPU], [starpu-1.3], [sn_why_starpu=yes],
     [sn_why_starpu="no (Debian: libstarpu-dev)" STARPU_CFLAGS= STARPU_LIBS=])])
])

# SN_CHECK_ZLIB: what libsnode_io compresses with, and what it writes pictures with, where they are
# found and wanted.
# Sets IO_LIBS, SN_HAVE_ZLIB and SN_HAVE_PNG in config.h, sn_why_zlib and sn_why_png.
AC_DEFUN([SN_CHECK_ZLIB], [
AC_ARG_WITH([zlib],
  [AS_HELP_STRING([--without-zlib], [libsnode_io does not compress])])
AC_ARG_WITH([png],
  [AS_HELP_STRING([--without-png], [libsnode_io writes no pictures])])
IO_LIBS=
sn_why_zlib="no (Debian: zlib1g-dev)"
sn_why_png="no (Debian: libpng-dev)"
AS_IF([test "x$with_zlib" = xno], [sn_why_zlib="switched off"],
  [AC_CHECK_HEADER([zlib.h],
     [AC_CHECK_LIB([z], [compress2],
        [IO_LIBS=-lz sn_why_zlib=zlib
         AC_DEFINE([SN_HAVE_ZLIB], [1], [Define to 1 where libsnode_io compresses by zlib.])])])])
AS_IF([test "x$with_png" = xno], [sn_why_png="switched off"],
  [AC_CHECK_HEADER([png.h],
     [AC_CHECK_LIB([png], [png_image_write_to_stdio],
        [IO_LIBS="-lpng $IO_LIBS" sn_why_png=libpng
         AC_DEFINE([SN_HAVE_PNG], [1], [Define to 1 where libsnode_io writes pictures by libpng.])],
        [], [-lz])])])
AC_SUBST([IO_LIBS])
])

# SN_CHECK_HDF5: what libsnode_io_hdf5 is built on: by pkg-config, by HDF5_CFLAGS and HDF5_LIBS, or below
# the prefix that --with-hdf5=PREFIX names.
# Sets HDF5_CFLAGS, HDF5_LIBS (empty: none), the conditional BUILD_IO_HDF5, SN_HAVE_HDF5 in config.h,
# and sn_why_hdf5.
AC_DEFUN([SN_CHECK_HDF5], [
AC_ARG_WITH([hdf5],
  [AS_HELP_STRING([--with-hdf5=PREFIX], [where HDF5 is, for libsnode_io_hdf5; yes: configure ends where there is none; else it is built where HDF5 is found])],
  [], [with_hdf5=check])
sn_why_hdf5="no (Debian: libhdf5-dev)"
AS_CASE([$with_hdf5],
  [no], [sn_why_hdf5="switched off" HDF5_LIBS=],
  [yes|check],
  [SN_PKG([HDF5], [hdf5], [:], [HDF5_LIBS="${HDF5_LIBS--lhdf5}"])],
  [HDF5_CFLAGS="-I$with_hdf5/include" HDF5_LIBS="-L$with_hdf5/lib -lhdf5"])
AS_IF([test "x$with_hdf5" != xno],
  [sn_save_LIBS=$LIBS sn_save_CPPFLAGS=$CPPFLAGS
   LIBS="$HDF5_LIBS $LIBS" CPPFLAGS="$CPPFLAGS $HDF5_CFLAGS"
   AC_MSG_CHECKING([whether a program with HDF5 1.10 or later links])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
#if !H5_VERSION_GE(1, 10, 0)
# error too old
#endif]], [[return H5Fcreate("", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) < 0;]])],
     [sn_why_hdf5=yes], [HDF5_CFLAGS= HDF5_LIBS=])
   LIBS=$sn_save_LIBS CPPFLAGS=$sn_save_CPPFLAGS
   AC_MSG_RESULT([$sn_why_hdf5])])
AS_IF([test -n "$HDF5_LIBS"],
  [AC_DEFINE([SN_HAVE_HDF5], [1], [Define to 1 where libsnode_io_hdf5 is built.])],
  [test "x$with_hdf5" != xno && test "x$with_hdf5" != xcheck],
  [AC_MSG_ERROR([--with-hdf5: a program with HDF5 does not link (config.log says why). A library that was built for MPI needs CC=mpicc])])
AC_SUBST([HDF5_CFLAGS])
AC_SUBST([HDF5_LIBS])
AM_CONDITIONAL([BUILD_IO_HDF5], [test -n "$HDF5_LIBS"])
])

# SN_CHECK_CXX, behind AC_PROG_CXX: a compiler of C++17, which two of libsnode_io's siblings and tests of
# headers are built with; nothing else needs one.
# Sets SN_CXX17_FLAGS, sn_cxx17, SN_CXX_LIBS (what a program in C links behind a static library with
# C++ in it), and CXX to nothing where none works.
AC_DEFUN([SN_CHECK_CXX], [
# one that is found by a name without the other machine's builds for the machine at hand
AS_IF([test "x$cross_compiling" = xyes && test "x`$CXX -dumpmachine 2>/dev/null`" != "x`$CC -dumpmachine 2>/dev/null`"],
  [CXX=false])
SN_CXX17_FLAGS=
sn_cxx_works=no sn_cxx17=no
AC_LANG_PUSH([C++])
sn_save_CXXFLAGS=$CXXFLAGS
AC_MSG_CHECKING([for the option for C++17])
for sn_flag in -std=c++17 -std=c++1z ''; do
  CXXFLAGS="$sn_save_CXXFLAGS $sn_flag"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string>
#if __cplusplus < 201703L
# error no C++17
#endif]], [[return std::string("a").size() != 1;]])],
    [SN_CXX17_FLAGS=$sn_flag sn_cxx17=yes; break])
done
CXXFLAGS=$sn_save_CXXFLAGS
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string>]], [[return std::string("a").size() != 1;]])],
  [sn_cxx_works=yes])
AC_MSG_RESULT([${SN_CXX17_FLAGS:-$sn_cxx17}])
SN_CXX_LIBS=-lstdc++
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <string>
#ifndef _LIBCPP_VERSION
# error
#endif]], [])], [SN_CXX_LIBS=-lc++])
AC_LANG_POP([C++])
AS_IF([test $sn_cxx_works = no], [CXX=])
AC_SUBST([SN_CXX17_FLAGS])
AC_SUBST([SN_CXX_LIBS])
])

# SN_CHECK_VDB: OpenVDB (a library) and NanoVDB (headers), for libsnode_io_vdb and libsnode_io_nvdb.
# Sets OPENVDB_CFLAGS, OPENVDB_LIBS (empty: none), NANOVDB_CFLAGS, SN_BUILD_NVDB (yes or empty), the
# conditionals BUILD_IO_VDB and BUILD_IO_NVDB, SN_HAVE_VDB and SN_HAVE_NVDB in config.h, sn_why_vdb and
# sn_why_nvdb.
AC_DEFUN([SN_CHECK_VDB], [
AC_ARG_WITH([openvdb],
  [AS_HELP_STRING([--without-openvdb], [libsnode_io_vdb is not built, which takes a compiler a minute])])
AC_ARG_WITH([nanovdb], [AS_HELP_STRING([--without-nanovdb], [libsnode_io_nvdb is not built])])
AC_ARG_VAR([OPENVDB_CFLAGS], [C++ compiler flags for OpenVDB])
AC_ARG_VAR([OPENVDB_LIBS], [linker flags for OpenVDB])
AC_ARG_VAR([NANOVDB_CFLAGS], [C++ compiler flags for NanoVDB])
sn_why_vdb= sn_why_nvdb= SN_BUILD_NVDB=
AS_IF([test "x$sn_cxx17" != xyes], [sn_why_vdb="no (no compiler of C++17)" sn_why_nvdb=$sn_why_vdb])
AS_IF([test "x$with_openvdb" = xno], [sn_why_vdb="switched off"])
AS_IF([test "x$with_nanovdb" = xno], [sn_why_nvdb="switched off"])
AC_LANG_PUSH([C++])
sn_save_CXXFLAGS=$CXXFLAGS sn_save_LIBS=$LIBS
AS_IF([test -z "$sn_why_vdb"],
  [SN_PKG([SN_IMATH], [Imath], [:], [SN_IMATH_LIBS= SN_IMATH_CFLAGS=])
   : ${OPENVDB_LIBS="-lopenvdb $SN_IMATH_LIBS -ltbb"}
   : ${OPENVDB_CFLAGS="$SN_IMATH_CFLAGS"}
   CXXFLAGS="$CXXFLAGS $SN_CXX17_FLAGS $OPENVDB_CFLAGS" LIBS="$OPENVDB_LIBS $LIBS"
   AC_MSG_CHECKING([whether a program with OpenVDB links])
   sn_why_vdb="no (Debian: libopenvdb-dev libboost-dev)"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <openvdb/Metadata.h>]],
     [[return openvdb::Metadata::isRegisteredType("none");]])], [sn_why_vdb=yes])
   CXXFLAGS=$sn_save_CXXFLAGS LIBS=$sn_save_LIBS
   AC_MSG_RESULT([$sn_why_vdb])])
AS_IF([test -z "$sn_why_nvdb"],
  [CXXFLAGS="$CXXFLAGS $SN_CXX17_FLAGS $NANOVDB_CFLAGS"
   AC_MSG_CHECKING([whether NanoVDB compiles])
   sn_why_nvdb="no (Debian: libnanovdb-dev)"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <nanovdb/util/GridBuilder.h>]],
     [[nanovdb::GridBuilder<float> grid(1.f); (void)grid;]])], [sn_why_nvdb=yes SN_BUILD_NVDB=yes])
   CXXFLAGS=$sn_save_CXXFLAGS
   AC_MSG_RESULT([$sn_why_nvdb])])
AC_LANG_POP([C++])
AS_IF([test "$sn_why_vdb" = yes],
  [AC_DEFINE([SN_HAVE_VDB], [1], [Define to 1 where libsnode_io_vdb is built.])],
  [OPENVDB_CFLAGS= OPENVDB_LIBS=])
AS_IF([test -n "$SN_BUILD_NVDB"],
  [AC_DEFINE([SN_HAVE_NVDB], [1], [Define to 1 where libsnode_io_nvdb is built.])
   AS_IF([test "$sn_why_zlib" = zlib], [NANOVDB_CFLAGS="$NANOVDB_CFLAGS -DNANOVDB_USE_ZIP"])])
AC_SUBST([SN_BUILD_NVDB])
AM_CONDITIONAL([BUILD_IO_VDB], [test "$sn_why_vdb" = yes])
AM_CONDITIONAL([BUILD_IO_NVDB], [test -n "$SN_BUILD_NVDB"])
])

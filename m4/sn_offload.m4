# SN_CHECK_OFFLOAD: which device image generated files can be built with here.
#
# Detected by linking a real program, never by compiling only (gcc accepts
# -foffload=nvptx-none -c and fails at the link), and by running it where that is
# possible.  The user's SN_OFFLOAD_CFLAGS and SN_OFFLOAD_LDFLAGS go before all
# detection and are only verified.  The tests and examples use the result; the
# core does not.
#
#   --with-offload=auto         what is found: x86
#   --with-offload=no           no device image
#   --with-offload=x86          clang's x86_64 image: a device image without a GPU
#   --with-offload=nvptx[:sm_XX], amdgcn[:gfxXXX]   a GPU
#
# Set afterwards:
#   OFFLOAD_CC SN_OFFLOAD_CFLAGS SN_OFFLOAD_LDFLAGS SN_OFFLOAD_RUN
#   sn_cv_offload    no; link; a number of devices
#   sn_why_offload   what the summary says

# Two target regions with is_device_ptr, an atomic and an inline helper; prints
# how many devices it ran on (0: everything ran on the host).
m4_define([SN_OFFLOAD_PROGRAM], [[
#include <omp.h>
#include <stdio.h>
static inline double half(double x) { return 0.5 * x; }
int main(void)
{
  int devices = omp_get_num_devices(), ran = 0;
  double sum = 0;
  for (int d = 0; d < devices; d++) {
    int on_host = 1;
    double *x = (double *)omp_target_alloc(100 * sizeof *x, d);
    if (!x) continue;
#   pragma omp target teams distribute parallel for is_device_ptr(x) device(d)
    for (int i = 0; i < 100; i++) x[i] = half(i);
    sum = 0;
#   pragma omp target teams distribute parallel for is_device_ptr(x) device(d) map(tofrom: sum)
    for (int i = 0; i < 100; i++) {
#     pragma omp atomic update
      sum += x[i];
    }
#   pragma omp target map(from: on_host) device(d)
    on_host = omp_is_initial_device();
    omp_target_free(x, d);
    if (!on_host && sum == 2475) ran++;
  }
  printf("%d\n", ran);
  return 0;
}
]])

# SN_TRY_OFFLOAD(WHAT, CC, CFLAGS, LDFLAGS): sets sn_result to no, link or the
# number of devices it ran on; sn_result_why where it is no.
AC_DEFUN([SN_TRY_OFFLOAD], [
AC_MSG_CHECKING([for $1 offload with $2])
sn_save_CC=$CC; sn_save_CFLAGS=$CFLAGS; sn_save_LDFLAGS=$LDFLAGS; sn_save_LIBS=$LIBS
CC="$2"; CFLAGS="-O2 $3"; LDFLAGS="$4"; LIBS=
sn_result=no
sn_result_why=
AC_LINK_IFELSE([AC_LANG_SOURCE([SN_OFFLOAD_PROGRAM])], [
  # a flag that a compiler does not use names no device: that is no offload
  AS_IF([grep -E 'unused (during|argument)|argument unused' conftest.err >/dev/null 2>&1],
    [sn_result_why="the compiler does not use the flags"],
    [sn_result=link
     AS_IF([test "x$cross_compiling" != xyes],
       [sn_ran=`$SN_OFFLOAD_RUN ./conftest$EXEEXT 2>>config.log`
        AS_CASE([$sn_ran], [[[1-9]*]], [sn_result=$sn_ran])])])],
  [sn_result_why=`$SED -n -e 's/.*error: //p' conftest.err 2>/dev/null | head -n 1`
   AS_IF([test -z "$sn_result_why"], [sn_result_why="does not link"])])
CC=$sn_save_CC; CFLAGS=$sn_save_CFLAGS; LDFLAGS=$sn_save_LDFLAGS; LIBS=$sn_save_LIBS
AS_CASE([$sn_result],
  [no], [AC_MSG_RESULT([no ($sn_result_why)])],
  [link], [AC_MSG_RESULT([link only (no device here)])],
  [AC_MSG_RESULT([yes (ran on $sn_result devices)])])
])

AC_DEFUN([SN_CHECK_OFFLOAD], [
AC_ARG_VAR([OFFLOAD_CC], [compiler of device images (default: clang-19)])
AC_ARG_VAR([SN_OFFLOAD_CFLAGS], [flags that compile a device image; checked, not searched])
AC_ARG_VAR([SN_OFFLOAD_LDFLAGS], [flags that link one])
AC_ARG_VAR([SN_OFFLOAD_RUN], [launcher of programs that use a device, such as 'srun -G1'])
AC_ARG_WITH([offload],
  [AS_HELP_STRING([--with-offload=WHAT],
    [device image for tests and examples: auto, no, x86, nvptx[:sm_XX], amdgcn[:gfxXXX] (auto)])],
  [], [with_offload=auto])
AS_IF([test -z "$OFFLOAD_CC"], [OFFLOAD_CC=$TEST_CLANG])

sn_dir=
AS_IF([test -n "$OFFLOAD_CC"], [
  sn_dir=`dirname "\`$OFFLOAD_CC -print-file-name=libomptarget.so 2>/dev/null\`"`
  AS_CASE([$sn_dir], [/*], [], [sn_dir=])])
sn_offload_ldflags=
AS_IF([test -n "$sn_dir"], [sn_offload_ldflags="-Wl,-rpath,$sn_dir"])

sn_cv_offload=no
SN_OFFLOAD_KIND=none
sn_why_offload=
AS_CASE([$with_offload],
  [no], [sn_why_offload="switched off"],
  [auto|yes|x86], [sn_kind=x86 sn_flags="-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu"],
  [nvptx:*|nvptx], [sn_kind=nvptx
    sn_arch=`echo "$with_offload" | $SED -e 's/^nvptx:*//'`
    sn_flags="-fopenmp --offload-arch=${sn_arch:-sm_90} -foffload-lto"],
  [amdgcn:*|amdgcn], [sn_kind=amdgcn
    sn_arch=`echo "$with_offload" | $SED -e 's/^amdgcn:*//'`
    sn_flags="-fopenmp --offload-arch=${sn_arch:-gfx90a} -nogpulib -foffload-lto"
    sn_offload_ldflags="$sn_offload_ldflags -L$sn_dir -lomptarget.devicertl"],
  [AC_MSG_ERROR([--with-offload=$with_offload: say auto, no, x86, nvptx or amdgcn])])

AS_IF([test "x$with_offload" != xno], [
  AS_IF([test -n "$SN_OFFLOAD_CFLAGS"], [sn_kind=user], [
    SN_OFFLOAD_CFLAGS=$sn_flags
    SN_OFFLOAD_LDFLAGS=$sn_offload_ldflags])
  AS_IF([test -z "$OFFLOAD_CC"],
    [sn_why_offload="no compiler for it (Debian: clang-19 clang-tools-19 libomp-19-dev)"],
    [SN_TRY_OFFLOAD([$sn_kind], [$OFFLOAD_CC], [$SN_OFFLOAD_CFLAGS], [$SN_OFFLOAD_LDFLAGS])
     sn_cv_offload=$sn_result
     AS_IF([test $sn_result = no],
       [sn_why_offload="$sn_kind with $OFFLOAD_CC: $sn_result_why"
        AS_CASE([$with_offload], [auto], [],
          [AC_MSG_ERROR([--with-offload=$with_offload: $sn_result_why])])],
       [SN_OFFLOAD_KIND=$sn_kind])])])
AS_IF([test $sn_cv_offload = no], [SN_OFFLOAD_CFLAGS= SN_OFFLOAD_LDFLAGS=],
  [test $sn_cv_offload = link],
  [sn_why_offload="$SN_OFFLOAD_KIND with $OFFLOAD_CC, link only (no device here)"],
  [sn_why_offload="$SN_OFFLOAD_KIND with $OFFLOAD_CC, ran on $sn_cv_offload devices"])
SN_OFFLOAD_DEVICES=0
AS_CASE([$sn_cv_offload], [no|link], [], [SN_OFFLOAD_DEVICES=$sn_cv_offload])
AC_SUBST([SN_OFFLOAD_KIND])
AC_SUBST([SN_OFFLOAD_DEVICES])
AM_CONDITIONAL([SN_HAVE_OFFLOAD], [test "x$SN_OFFLOAD_KIND" != xnone])
])

# SN_CHECK_NVPTX: what can be done about NVIDIA's GPUs without one.
#   NVPTX_CC NVPTX_CFLAGS   to read PTX with --offload-device-only -S: needs no CUDA
#   NVPTX_LDFLAGS           to link an image; empty where ptxas is missing
AC_DEFUN([SN_CHECK_NVPTX], [
AC_ARG_VAR([CUDA_PATH], [CUDA toolkit, for linking images for NVIDIA GPUs (default: /usr/local/cuda)])
NVPTX_CC= NVPTX_CFLAGS= NVPTX_LDFLAGS=
sn_why_nvptx="no clang"
AS_IF([test -n "$TEST_CLANG"], [
  AC_MSG_CHECKING([whether $TEST_CLANG writes PTX])
  AC_LANG_CONFTEST([AC_LANG_SOURCE([[
void f(float *x); void f(float *x)
{
# pragma omp target teams distribute parallel for is_device_ptr(x)
  for (int i = 0; i < 8; i++) x[i] = 1;
}]])])
  # -nogpulib -nogpuinc: the text needs neither CUDA nor the device runtime; without
  # CUDA clang thinks of a PTX older than sm_90, hence its feature
  AS_IF([$TEST_CLANG -O2 -fopenmp --offload-arch=sm_90 --cuda-feature=+ptx78 \
           -nogpulib -nogpuinc --offload-device-only \
           -S conftest.c -o conftest.ptx >&AS_MESSAGE_LOG_FD 2>&1 &&
         grep '\.entry' conftest.ptx >/dev/null 2>&1],
    [AC_MSG_RESULT([yes])
     NVPTX_CC=$TEST_CLANG
     NVPTX_CFLAGS="-fopenmp --offload-arch=sm_90 --cuda-feature=+ptx78 -nogpulib"
     sn_why_nvptx="PTX only (no ptxas)"],
    [AC_MSG_RESULT([no])
     sn_why_nvptx="$TEST_CLANG does not write PTX"])
  rm -f conftest.c conftest.ptx])
AS_IF([test -n "$NVPTX_CC"], [
  AS_IF([test -z "$CUDA_PATH"], [
    AC_PATH_PROG([PTXAS], [ptxas], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin])
    CUDA_PATH=`echo "$PTXAS" | $SED -e 's|/bin/ptxas$||'`])
  AS_IF([test -n "$CUDA_PATH"], [
    sn_lib=`dirname "\`$NVPTX_CC -print-file-name=libomptarget.so\`"`
    SN_TRY_OFFLOAD([nvptx], [$NVPTX_CC],
      [-fopenmp --offload-arch=sm_90 -foffload-lto --cuda-path=$CUDA_PATH -Wno-unknown-cuda-version],
      [-Wl,-rpath,$sn_lib])
    AS_IF([test $sn_result = no], [sn_why_nvptx="PTX only ($sn_result_why)"],
      [NVPTX_LDFLAGS="-foffload-lto --cuda-path=$CUDA_PATH -Wno-unknown-cuda-version -Wl,-rpath,$sn_lib"
       sn_why_nvptx="PTX, and links with $CUDA_PATH"])])])
AC_SUBST([NVPTX_CC])
AC_SUBST([NVPTX_CFLAGS])
AC_SUBST([NVPTX_LDFLAGS])
])

# SN_CHECK_OPENACC: whether gcc compiles OpenACC, for the host and for NVIDIA's GPUs.
#
# Found by linking and running, as in sn_offload.m4.  Set afterwards, empty where there is none:
#   ACC_CC            the compiler, $TEST_GCC
#   ACC_CFLAGS        flags with which regions run on the host device of its runtime, whatever
#                     devices' compilers are installed.  -fopenacc turns -fipa-pta on, which in gcc
#                     12 overlooks what is stored through addresses that are kept as integers
#   ACC_NVPTX_CFLAGS  flags that link an image for NVIDIA's GPUs too.  gcc 12 begins at sm_35,
#                     which CUDA 12's ptxas does not know, so the processor is named
#   sn_why_acc        what the summary says

m4_define([SN_OPENACC_PROGRAM], [[
#include <openacc.h>
#pragma acc routine seq
static inline int half(int x) { return x / 2; }
int main(void)
{
  int *x, sum = 0, first[10] = { 0 };
  if (acc_get_num_devices(acc_device_default) < 1) return 1;
  x = (int *)acc_malloc(sizeof first);
  acc_memcpy_to_device(x, first, sizeof first);
# pragma acc parallel loop gang vector vector_length(32) deviceptr(x)
  for (int i = 0; i < 10; i++) __atomic_fetch_add(&x[i], half(2 * i), __ATOMIC_RELAXED);
  acc_memcpy_from_device(first, x, sizeof first);
  for (int i = 0; i < 10; i++) sum += first[i];
  return sum == 45 ? 0 : 1;
}
]])

# SN_TRY_OPENACC(CFLAGS, HOW): HOW is run or link; sets sn_result to yes or no.
AC_DEFUN([SN_TRY_OPENACC], [
sn_save_CC=$CC; sn_save_CFLAGS=$CFLAGS; sn_save_LDFLAGS=$LDFLAGS; sn_save_LIBS=$LIBS
CC="$TEST_GCC"; CFLAGS="-O1 $1"; LDFLAGS=; LIBS=
sn_result=no
AC_LINK_IFELSE([AC_LANG_SOURCE([SN_OPENACC_PROGRAM])], [
  AS_IF([test $2 = link || test "x$cross_compiling" = xyes], [sn_result=yes],
    [ACC_DEVICE_TYPE=host ./conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1], [sn_result=yes])])
CC=$sn_save_CC; CFLAGS=$sn_save_CFLAGS; LDFLAGS=$sn_save_LDFLAGS; LIBS=$sn_save_LIBS
AC_MSG_RESULT([$sn_result])
])

AC_DEFUN([SN_CHECK_OPENACC], [
ACC_CC= ACC_CFLAGS= ACC_NVPTX_CFLAGS=
sn_why_acc="no gcc"
AS_IF([test -n "$TEST_GCC"], [
  AC_MSG_CHECKING([whether $TEST_GCC builds and runs OpenACC on the host])
  SN_TRY_OPENACC([-fopenacc -foffload=disable], [run])
  AS_IF([test $sn_result = no], [sn_why_acc="$TEST_GCC has no working -fopenacc"],
    [ACC_CC=$TEST_GCC ACC_CFLAGS="-fopenacc -fno-ipa-pta -foffload=disable"
     sn_why_acc="$TEST_GCC, on the host"])])
AS_IF([test -n "$ACC_CC"], [
  AC_MSG_CHECKING([whether $ACC_CC links OpenACC for nvptx])
  sn_flags="-fopenacc -fno-ipa-pta -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80 -foffload-options=-lm"
  SN_TRY_OPENACC([$sn_flags], [link])
  AS_IF([test $sn_result = no],
    [sn_why_acc="$sn_why_acc; no nvptx image (Debian: gcc-12-offload-nvptx)"],
    [ACC_NVPTX_CFLAGS=$sn_flags
     sn_why_acc="$sn_why_acc, and links for nvptx"])])
AC_SUBST([ACC_CC])
AC_SUBST([ACC_CFLAGS])
AC_SUBST([ACC_NVPTX_CFLAGS])
])

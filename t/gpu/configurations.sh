# Read by t/lib.sh in a test that is packed for a machine with a GPU (t/gpu.sh), or that runs there:
# the device image is the only configuration, compiled by t/gpu/cc.
#
# SN_GPU_MODE   record: nothing runs, so that checks fail, which nobody looks at; replay
# SN_GPU_ARCH   x86: the ways to run are those of the tests; else a GPU's, whose teams are its own
SN_GPU_WORK=$work SN_GPU_TEST=$(basename "$0" .t)
export SN_GPU_WORK SN_GPU_TEST

available() {
  [ "$1" = x86 ] || { echo "this bundle has the device image alone"; return 1; }
}

# for a program of another configuration too, which a test may have for comparison
run_on_gpu() {
  case $1 in x86) run_on=gpu:0 run_with=$OFFLOAD_RUN ;; *) run_on=host run_with= ;; esac
  shift 2
  env SNODE_DEVICE=$run_on OMP_TARGET_OFFLOAD=MANDATORY timeout "${SN_GPU_SECONDS:-$run_seconds}" \
    $run_with "$@"
}

case $SN_GPU_MODE,$SN_GPU_ARCH in
  record,*) run_as() { return 0; } ;;
  replay,x86) ;;
  *)
    run_as() { run_on_gpu "$@"; }
    ways_of() { echo gpu; } ;;
esac

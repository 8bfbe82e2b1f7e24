#!/bin/sh
# The GPU bundle (t/gpu.sh) by the device image without a GPU: a few tests and rows are packed, their
# programs run without a compiler, and what is told of them is TAP, a table, and JSON by its schema.
# What a bundle says where it cannot run: a driver that is missing, another architecture, a program
# that is not in it, results that differ.
. "${SN_SRCDIR:-.}/t/lib.sh"
if ! why=$(available x86); then skip_all "$why"; fi
[ "$OFFLOAD_KIND" = x86 ] || skip_all "the device image is not for x86"
bundle=$work/bundle
unset SN_LONG    # what is packed here is known by name, and is as little as it can be

# ---- built here ----

SN_GPU_TESTS="27-checks 43-staged 59-deterministic" SN_GPU_ROWS="device_copy saxpy" TMPDIR=$work \
  sh "$SN_SRCDIR/t/gpu.sh" build "$bundle" x86 >"$work/built" 2>&1
is "a bundle is built" "$?" 0 || diag "$(tail -n 20 "$work/built")"
contains "its size is told" "$work/built" ", for x86; there: sh gpu.sh run"
contains "that there are no rows in CUDA, too" "$work/built" "rows in CUDA: none"
is "the programs of the tests are in it" \
  "$(cd "$bundle/store" && ls -d */* | grep -v '^43-staged' | tr '\n' ' ')" \
  "27-checks/x86-trap-run.1 59-deterministic/order-x86.1 "
is "of loops that stage an image and an interpreted one for each file" \
  "$(cd "$bundle/store" && ls -d 43-staged/* | sed 's/-run.*//' | uniq | tr '\n' ' ')" \
  "43-staged/image 43-staged/right "

# ---- run there: no compiler, no sources of the project but those that the bundle has ----

# there ARGUMENT...: what the bundle says to it, in a folder of its own, without the build's variables
there() {
  (cd / && env -u SN_SRCDIR -u SN_BUILDDIR PATH="$work/path:$PATH" sh "$bundle/gpu.sh" "$@") \
    >"$work/said" 2>"$work/err"
}
mkdir "$work/path"
for c in $TEST_CLANG $TEST_GCC gcc cc; do
  printf '#!/bin/sh\necho "%s is not there" >&2\nexit 127\n' "$c" >"$work/path/$c"
  chmod +x "$work/path/$c"
done
there run --rounds=1
is "all is well" "$?" 0 || diag "$(head -n 40 "$work/said" "$work/err")"
is "nothing is said beside" "$(cat "$work/err")" ""
contains "what runs it is told first" "$work/said" "# device: the x86_64 image of libomptarget, no GPU"
contains "tasks ran on the device" "$work/said" "ok - the first program: libomptarget started 5 tasks"
is "each part has its lines of TAP" "$(grep -c -E '^ok - (59-deterministic|43-staged|27-checks|row (device_copy|saxpy)|compute-sanitizer)' \
  "$work/said")" 6
is "the plan is that of the lines" "$(sed -n -e 's/^1\.\.//p' "$work/said")" "$(grep -c '^ok' "$work/said")"
contains "a table" "$work/said" "# | row | contender | its time to ours |"
is "with ours and C in each row" \
  "$(sed -n -e 's/^| \([a-z_]*\) | \(ours\|C\) | [0-9.]* | .*/\1 \2/p' "$bundle/results/results.md" | tr '\n' ',')" \
  "device_copy ours,device_copy C,saxpy ours,saxpy C,"

# valid: results.json by its schema, and what it holds
valid() {
  "$PYTHON" - "$SN_SRCDIR/t/gpu/results-schema.json" "$bundle/results/results.json" <<'END'
import json, sys
schema, found = (json.load(open(f)) for f in sys.argv[1:])
try:
    import jsonschema
    jsonschema.validate(found, schema)
except ImportError:
    print("no jsonschema", file=sys.stderr)
print(sorted((t["name"], t["status"], t["failed"]) for t in found["tests"]))
print([(r["row"], r["contender"], r.get("ns", 0) >= r.get("least_ns", 0)) for r in found["rows"]])
print([r["row"] for r in found["rows"] if "of_copy" in r])
END
}
if [ -n "$PYTHON" ]; then
  valid >"$work/valid" 2>"$work/err"
  cat >"$work/expected" <<'END'
[('27-checks', 'ok', 0), ('43-staged', 'ok', 0), ('59-deterministic', 'ok', 0)]
[('device_copy', 'ours', True), ('device_copy', 'C', True), ('saxpy', 'ours', True), ('saxpy', 'C', True)]
['device_copy', 'saxpy']
END
  same "JSON by its schema" "$work/valid" "$work/expected" || diag "$(cat "$work/err")"
else
  skip "JSON by its schema" "no Python"
fi

# ---- what is not well is told ----

there run tests --seconds=0
is "no time: that is no failure" "$?" 0
is "but said" "$(grep -c '# SKIP no time was left' "$work/said")" 3
contains "in the JSON too" "$bundle/results/results.json" '"status":"not run"'

mv "$bundle/store/59-deterministic/order-x86.1" "$work/order"
there run tests
is "a program that is missing: status" "$?" 1
contains "which test" "$work/said" "not ok - 59-deterministic"
contains "which program" "$work/said" "the bundle has no 59-deterministic/order-x86.1"
contains "the other test goes on" "$work/said" "ok - 27-checks"
mv "$work/order" "$bundle/store/59-deterministic/order-x86.1"

# a contender in CUDA that says another number than ours does
cat >"$bundle/rows/cuda" <<'END'
#!/bin/sh
[ $# -gt 0 ] || { echo "  saxpy CUDA"; exit 2; }
echo ready
while read -r line; do echo "0.001 42 100"; done
END
chmod +x "$bundle/rows/cuda"
there run bench --rounds=1
is "results that differ: status" "$?" 1
contains "the row is none" "$work/said" "not ok - row saxpy"
contains "both results are told" "$work/said" "saxpy: CUDA gpu says 42, ours gpu says "
is "and it has no figure" "$(grep -c '^| saxpy | ours | - |' "$bundle/results/results.md")" 1
rm "$bundle/rows/cuda"

# for a GPU, where there is none: a sentence, and a status of its own
sed -i 's/^arch.*/arch	sm_90/' "$bundle/about.tsv"
if [ -e /dev/nvidia0 ]; then
  skip "no driver" "there is one"
else
  there run
  is "no driver: status" "$?" 3
  contains "says so" "$work/said" "Bail out! no NVIDIA driver: there is no libcuda.so"
fi
# a driver that is there, by its tool's word and an empty library
mkdir -p "$bundle/lib" "$work/nvidia"
cat >"$work/path/nvidia-smi" <<'END'
#!/bin/sh
case $* in *compute_cap*) echo 8.0 ;; *name*) echo "A GPU" ;; *) echo none ;; esac
END
printf '#!/bin/sh\necho "	libcuda.so.1 (libc6,x86-64) => %s/nvidia/libcuda.so.1"\n' "$work" >"$work/path/ldconfig"
: >"$work/nvidia/libcuda.so.1"
chmod +x "$work/path/nvidia-smi" "$work/path/ldconfig"
there run
is "another architecture: status" "$?" 3
contains "says which, and what to do" "$work/said" \
  'Bail out! the bundle has code for sm_90, and the device is sm_80: build one by "sh t/gpu.sh build FOLDER sm_80"'
contains "the device is told" "$work/said" "# device: A GPU"
sed -i 's/8\.0/9.0/' "$work/path/nvidia-smi"
sed -i 's/gpu:0/gpu:99/g' "$bundle/gpu.sh"
there run
is "a device that cannot be had: status" "$?" 3
contains "says why" "$work/said" "Bail out! gpu:99: the device is absent or has failed: gpu:99 is absent"
fails "wrong usage" 2 sh "$bundle/gpu.sh" run faster
fails "no action" 2 sh "$bundle/gpu.sh"
fails "no folder" 2 sh "$SN_SRCDIR/t/gpu.sh" build
done_testing

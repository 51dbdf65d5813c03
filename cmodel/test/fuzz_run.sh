#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz_run.sh NAME [RUNS]: a short run of a fuzz harness from its corpus, under the sanitizers.
set -euo pipefail
name=$1
runs=${2:-30000}
if [ ! -x "build/test/fuzz_$name" ]; then
    echo "SKIP: build/test/fuzz_$name was not built (clang-14 with libFuzzer)"
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/egret_fuzz.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/new"
words=() # a dictionary, if the corpus has one
if [ -f "cmodel/test/corpus/$name.dict" ]; then
    words=("-dict=cmodel/test/corpus/$name.dict")
fi
code=0
"build/test/fuzz_$name" "${words[@]}" -runs="$runs" -max_total_time=60 -seed=1 -max_len=4096 \
    -print_final_stats=1 \
    -artifact_prefix="$work/" "$work/new" "cmodel/test/corpus/$name" >"$work/log" 2>&1 || code=$?
if [ "$code" != 0 ]; then
    tail -40 "$work/log"
    find "$work" -maxdepth 1 -type f ! -name log -exec od -A d -t x1z {} +
    echo 'RESULT pass=0 fail=1'
    exit 1
fi
done_runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
echo "RESULT pass=${done_runs:-0} fail=0"

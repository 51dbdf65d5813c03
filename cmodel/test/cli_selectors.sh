#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_selectors.sh: make selectors refuses a configuration file that is no good, before it builds
# or replaces anything; so do make sim and make help their part. With `space`: it works in a folder
# with a space in its path.
. cmodel/test/cli_lib.sh
unset MAKEFLAGS MFLAGS MAKELEVEL

if [ "${1:-}" = space ]; then
    here=$PWD EGRET=$(realpath "$EGRET")
    mkdir "$DIR/a b"
    cd "$DIR/a b"
    ln -s "$here"/{Makefile,configs.mk,cmodel,rtl,scripts,tb,fpga,docs} .
    "$EGRET" trace random --config p1 --events 500 -o r.pcap
    expect 0 'build_bench selector p1' make -j1 --no-print-directory selectors-run CONFIG=p1
    expect 0 ' 0 differences' "$EGRET" check --config p1 --selector rtl:p1 --allow-illegal \
        --selector-dir build/selectors r.pcap
    finish
    exit
fi

# refuse TEXT FILE: exit code 2, and TEXT.
refuse() {
    local code=0
    make -j1 --no-print-directory selectors-run CONFIG="$2" >"$DIR/out" 2>&1 </dev/null || code=$?
    holds "$2: exit code $code, wanted 2" [ "$code" = 2 ]
    grep -qF -- "$1" "$DIR/out" && good || bad "$2: no '$1' in: $(head -c 300 "$DIR/out")"
    holds "$2: something is built" [ "$(grep -c build_bench "$DIR/out")" = 0 ]
}
"$EGRET" config show lab >"$DIR/lab.cfg"
refuse 'lab.cfg: takes the place of configuration lab;' "$DIR/lab.cfg"
sed 's/NUM_PORTS=16/NUM_PORTS=-1/' "$DIR/lab.cfg" >"$DIR/minus.cfg"
refuse "egret: $DIR/minus.cfg:1: NUM_PORTS: '-1' is no number" "$DIR/minus.cfg"
sed 's/NUM_PORTS=16/NUM_PORTS=65/' "$DIR/lab.cfg" >"$DIR/many.cfg"
refuse "egret: $DIR/many.cfg: NUM_PORTS is out of its range" "$DIR/many.cfg"
cat "$DIR/lab.cfg" "$DIR/lab.cfg" >"$DIR/twice.cfg"
refuse "egret: $DIR/twice.cfg:$(($(wc -l <"$DIR/lab.cfg") + 1)): NUM_PORTS is given twice" \
    "$DIR/twice.cfg"
refuse "egret: $DIR: Is a directory" "$DIR"
refuse 'egret: /dev/null: NUM_PORTS is missing' /dev/null
refuse 'none.cfg is neither in configs.mk nor a file' "$DIR/none.cfg"
refuse 'CONFIG=labb is neither in configs.mk nor a file' labb

# make sim without a test's name builds nothing; make help has the targets of all fragments.
code=0
make -j1 sim T=none >"$DIR/out" 2>&1 || code=$?
holds 'make sim T=none is one line, exit code 2' [ "$code:$(wc -l <"$DIR/out")" = 2:1 ]
make help >"$DIR/out"
for target in egret selectors test sim benches synth-doc; do
    grep -q "^  make $target " "$DIR/out" && good || bad "make help has no $target"
done
finish

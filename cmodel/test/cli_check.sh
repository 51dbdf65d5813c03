#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_check.sh: egret check with selectors that are right, wrong, wrong only in bursts, and broken.
. cmodel/test/cli_lib.sh

FAULTY=build/test/trace_faulty_selector.so
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --seed 3 \
    --at edge:2 --scheme ecmp -o "$DIR/e.pcap"
"$EGRET" trace random --config tiny --events 5000 --seed 3 -o "$DIR/r.pcap"

expect 0 'compared 128 packets, 0 reads, 0 differences' "$EGRET" check --config lab \
    --selector model "$DIR/e.pcap"
grep -q '0 different' "$DIR/out" && good || bad 'no state comparison'
for burst in 1 7 65536; do
    expect 0 ' 0 differences' "$EGRET" check --config tiny --selector model --allow-illegal \
        --burst $burst "$DIR/r.pcap"
done
expect 2 'exceeds configuration tiny' "$EGRET" check --config tiny --selector model "$DIR/r.pcap"
expect 0 ' 0 differences' "$EGRET" check --config lab --selector "./$FAULTY" "$DIR/e.pcap"

# A wrong port at packet 100: found, explained, replayed, persists.
export EGRET_FAULT=port:100
expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
for text in 'packet tag 100 ' "model's reasons: scheme ecmp" 'independent hash oracle' \
    'agrees with both' 'group word 4' 'the difference persists' 'selector says: fault' \
    "replay: egret check --config lab --selector $FAULTY --burst 4096 $DIR/e.pcap" \
    'compared 100 packets, 0 reads, 1 difference'; do
    grep -qF -- "$text" "$DIR/out" && good || bad "report: no '$text'"
done
# The same by quality: number, samples, memory, and the bands of both ports.
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --seed 3 \
    --at edge:2 --scheme spray-quality --drill 2,1 --small 0 -o "$DIR/q.pcap"
expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/q.pcap"
for text in "model's reasons: scheme spray-quality" ', samples ' ', memory 8000000' 'band ' \
    'a00000  selector 8000000' 'ticks ' 'the difference persists'; do
    grep -qF -- "$text" "$DIR/out" && good || bad "report by quality: no '$text'"
done
# The same by flowlet: entry, its age, the group's counters.
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --seed 3 \
    --at edge:2 --scheme flowlet -o "$DIR/f.pcap"
expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/f.pcap"
for text in "model's reasons: scheme flowlet" '  flowlet ' ' entry ' ', age ' '  flowlet last ' \
    '  hits ' '  reassignments ' '  random ' 'the difference persists'; do
    grep -qF -- "$text" "$DIR/out" && good || bad "report by flowlet: no '$text'"
done
# A wrong hash: the oracle sides with the model, for every kind of hash.
export EGRET_FAULT=hash:100
expect 1 'agrees with the model' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
for c in tiny lab_lookup3; do
    "$EGRET" trace make --topology fat-tree:4 --collective alltoall --bytes 64KiB --seed 3 \
        --at edge:0 --scheme ecmp --config $c -o "$DIR/h.pcap"
    expect 1 'agrees with the model' "$EGRET" check --config $c --selector "$FAULTY" "$DIR/h.pcap"
done
# Wrong only when handed over in a burst.
export EGRET_FAULT=burst:100
expect 1 'does not show' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
expect 0 ' 0 differences' "$EGRET" check --config lab --selector "$FAULTY" --burst 1 "$DIR/e.pcap"
# Right decisions, wrong state at the end.
export EGRET_FAULT=state:0
expect 1 'state differs at' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
# A selector that says nothing of it.
export EGRET_FAULT=quiet:0
expect 1 'state differs at' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
grep -q 'selector says' "$DIR/out" && bad 'said nothing' || good
# Reads that fail, or differ by the selector's word alone.
export EGRET_FAULT=reads:100
expect 3 "selector $FAULTY: " "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
for kind in differ differ_state; do
    export EGRET_FAULT=$kind:100
    expect 1 "selector $FAULTY: " "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
done
# A wrong word: the report shows it.
export EGRET_FAULT=read:7
expect 1 ' 7 reads, 1 difference' "$EGRET" check --config tiny --selector "$FAULTY" \
    --allow-illegal "$DIR/r.pcap"
for text in ': read addr ' '  word read ' ' --allow-illegal '; do
    grep -qF -- "$text" "$DIR/out" && good || bad "report of a read: no '$text'"
done
# A wrong port of a pointer; codes without a name.
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --seed 3 \
    --at edge:2 --scheme dr -o "$DIR/d.pcap"
export EGRET_FAULT=port:100
expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/d.pcap"
for text in "model's reasons: scheme dr" '  pointer +' '  slot, bank 1 '; do
    grep -qF -- "$text" "$DIR/out" && good || bad "report of a pointer: no '$text'"
done
grep -q 'hash oracle' "$DIR/out" && bad 'dr has no hash' || good
export EGRET_FAULT=code:100
expect 1 'scheme 15 (?) reason 7 (?)' "$EGRET" check --config lab --selector "$FAULTY" \
    "$DIR/d.pcap"
# What cannot be replayed: standard input, a selector that fails then or cannot be reset.
code=0
EGRET_FAULT=port:100 "$EGRET" check --config lab --selector "$FAULTY" - <"$DIR/e.pcap" \
    >"$DIR/out" || code=$?
holds 'standard input: 1' [ $code = 1 ]
grep -q '^not replayed' "$DIR/out" && good || bad 'standard input is not replayed'
for kind in again stuck; do
    export EGRET_FAULT=$kind:100
    expect 1 'not replayed one event at a time' "$EGRET" check --config lab --selector "$FAULTY" \
        "$DIR/e.pcap"
done
# Reads that fail once there is a difference leave their lines out.
export EGRET_FAULT=dead:100
expect 1 'state after the burst:' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
grep -A1 'state after the burst:' "$DIR/out" | grep -q '^model.s reasons' && good ||
    bad 'words that could not be read'
# The oracle knows both algorithms of a fixed hash, with rotation, and tells who is right.
"$EGRET" trace make --topology fat-tree:4 --collective alltoall --bytes 64KiB --at edge:0 \
    --scheme ecmp --config tiny --hash crc16 --rotation 5 -o "$DIR/h.pcap"
export EGRET_FAULT=hash:100
expect 1 'agrees with the model' "$EGRET" check --config tiny --selector "$FAULTY" "$DIR/h.pcap"
export EGRET_FAULT=flight:0
expect 0 'in flight: 128.00 packets' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
grep -q '^clocks: 384$' "$DIR/out" && good || bad 'clocks'
# A selector that gives up, decides nothing, is no such configuration.
export EGRET_FAULT=internal:50
expect 3 'selector' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
for kind in mute short broken; do
    export EGRET_FAULT=$kind:50
    expect 3 "selector $FAULTY: " "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
done
grep -q 'fault on purpose' "$DIR/err" && bad 'broken at its creation says nothing' || good
export EGRET_FAULT=silent:0
expect 1 'DIFFERENT' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
export EGRET_FAULT=config:0
expect 2 'cannot be configuration lab' "$EGRET" check --config lab --selector "$FAULTY" \
    "$DIR/e.pcap"
export EGRET_FAULT=version:0
expect 2 'interface version' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
export EGRET_FAULT=table:0
expect 2 'gives no table' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
# A table with holes, and a selector that leaves with 0.
for member in create destroy reset apply apply_burst; do
    export EGRET_FAULT=$member:0
    expect 2 "its $member is null" "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
done
for way in exit quick; do
    export EGRET_FAULT=$way:50
    expect 3 'ended the process' "$EGRET" check --config lab --selector "$FAULTY" "$DIR/e.pcap"
done
unset EGRET_FAULT
# Cut short anywhere: one line, no SIGBUS.
size=$(stat -c %s "$FAULTY")
for n in 64 200 $((size / 3)) $((size / 2)) $((size * 9 / 10)) $((size - 1)); do
    head -c "$n" "$FAULTY" >"$DIR/cut.so"
    expect 2 'cut.so' "$EGRET" check --config lab --selector "$DIR/cut.so" "$DIR/e.pcap"
done
# Headers that are none of this machine's, or point beyond the file: the same.
patched() { # NAME OFFSET BYTES
    python3 - "$FAULTY" "$DIR/patched.so" "$2" "$3" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at, new = int(sys.argv[3]), bytes.fromhex(sys.argv[4])
data[at:at + len(new)] = new
open(sys.argv[2], "wb").write(data)
END
    expect 2 'patched.so' "$EGRET" check --config lab --selector "$DIR/patched.so" "$DIR/e.pcap"
    holds "$1: one line" [ "$(wc -l <"$DIR/err")" = 1 ]
}
patched 'another magic' 1 58
patched '32 bits' 4 01
patched 'size of a program header' 54 3900
patched 'program headers beyond' 32 0000000000010000
patched 'a segment beyond' 72 0000000000010000
patched 'a segment that ends beyond' 96 0000000000010000
expect 2 'no such file' "$EGRET" check --config lab --selector other:lab "$DIR/e.pcap"

sed 's/egret_selector/egret_selectro/g' "$FAULTY" >"$DIR/other.so"
expect 2 'does not export egret_selector' "$EGRET" check --config lab --selector "$DIR/other.so" \
    "$DIR/e.pcap"
cp "$FAULTY" "$DIR/here.so"
(cd "$DIR" && "$OLDPWD/$EGRET" check --config lab --selector here.so e.pcap >out) && good ||
    bad 'a file here, without ./'

expect 2 'make selectors' "$EGRET" check --config lab --selector rtl:lab --selector-dir "$DIR" \
    "$DIR/e.pcap"
grep -qF "rtl:lab: no $DIR/rtl_lab.so" "$DIR/err" && good || bad 'missing selector is not named'
for s in rtl:foo check:foo; do
    expect 2 'foo is no configuration' "$EGRET" check --config lab --selector $s "$DIR/e.pcap"
    grep -q 'make selectors' "$DIR/err" && bad "$s cannot be made" || good
done
"$EGRET" config show lab >"$DIR/my.cfg"
expect 2 'make selectors CONFIG=FILE' "$EGRET" check --config "$DIR/my.cfg" --selector rtl:my \
    "$DIR/e.pcap"
expect 2 'no such file' "$EGRET" check --config lab --selector ./none.so "$DIR/e.pcap"
echo text >"$DIR/bad.so"
expect 2 'bad.so' "$EGRET" check --config lab --selector "$DIR/bad.so" "$DIR/e.pcap"
expect 2 'a stimulus is missing' "$EGRET" check --config lab --selector model
expect 2 '--burst: 1 to' "$EGRET" check --config lab --selector model --burst 65537 "$DIR/e.pcap"
expect 2 '--selector is missing' "$EGRET" check --config lab "$DIR/e.pcap"
expect 2 '--burst: 1 to' "$EGRET" check --config lab --selector model --burst 0 "$DIR/e.pcap"
head -c 24 "$DIR/e.pcap" >"$DIR/empty.pcap"
expect 2 'without a packet' "$EGRET" check --config lab --selector model "$DIR/empty.pcap"
finish

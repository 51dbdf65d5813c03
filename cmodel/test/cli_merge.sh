#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_merge.sh: egret trace merge against sort(1) over the dumps of the files: stable by time stamp,
# one set-up, writes in a row together; and what it refuses.
. cmodel/test/cli_lib.sh

make() { # FILE OPTION...
    "$EGRET" trace make --topology fat-tree:8 --at edge:0 --scheme dr -o "$DIR/$1" "${@:2}"
}
make a.pcap --collective permutation --bytes 64KiB
make b.pcap --collective ring --bytes 256KiB
make c.pcap --collective alltoall --bytes 4KiB --rounds 3
for f in a b c; do
    "$EGRET" trace dump "$DIR/$f.pcap" >"$DIR/$f"
    sed -nE '/ packet /s/^[0-9]+ ([0-9]+) packet tag=[0-9]+/\1/p' "$DIR/$f" >"$DIR/$f.packets"
done
setup=$(grep -c ' write ' "$DIR/a")
holds 'nothing but set-up and packets' [ "$setup" = "$(grep -vc ' packet ' "$DIR/a")" ]

# merged NAME FILE...: all packets in the order of a stable sort by time stamp, behind one set-up.
merged() {
    local name=$1 f
    shift
    expect 0 '' "$EGRET" trace merge "${@/%/.pcap}" -o "$DIR/m.pcap"
    "$EGRET" trace dump "$DIR/m.pcap" >"$DIR/m"
    holds "$name: set-up" cmp -s <(head -n "$setup" "$DIR/m") <(head -n "$setup" "$1")
    for f in "$@"; do cat "$f.packets"; done | sort -s -n -k 1,1 >"$DIR/want"
    sed "1,${setup}d" "$DIR/m" | sed -E 's/^[0-9]+ ([0-9]+) packet tag=[0-9]+/\1/' >"$DIR/got"
    holds "$name: packets" cmp -s "$DIR/want" "$DIR/got"
}
merged two "$DIR/a" "$DIR/b"
holds 'tags count anew' [ "$(grep -o ' tag=[0-9]*' "$DIR/m" | cut -d= -f2 |
    cmp - <(seq 0 $(($(wc -l <"$DIR/want") - 1))) && echo same)" = same ]
merged 'the other way' "$DIR/b" "$DIR/a"
merged three "$DIR/c" "$DIR/a" "$DIR/b"
merged one "$DIR/a"
holds 'one is itself' cmp -s "$DIR/a.pcap" "$DIR/m.pcap"
many=()
for _ in $(seq 60); do many+=("$DIR/c" "$DIR/a"); done
merged 'a hundred and twenty' "${many[@]}"
piped 0 '' "$DIR/b.pcap" "$EGRET" trace merge "$DIR/a.pcap" - -o "$DIR/m.pcap"
"$EGRET" trace merge "$DIR/a.pcap" "$DIR/b.pcap" -o - >"$DIR/n.pcap"
holds 'a pipe' cmp -s "$DIR/m.pcap" "$DIR/n.pcap"
expect 0 'packets' "$EGRET" model --config lab "$DIR/m.pcap"

# By hand: frames of 14 bytes, events at given times. b0 has no set-up, and its packets lie between.
event() { # SECONDS KIND HEX...: a record of `now` SECONDS
    local hex=$3 n
    n=$((16 + ${#hex} / 2))
    printf "\\x$(printf %02x "$1")\\0\\0\\0\\0\\0\\0\\0\\x$(printf %02x $n)\\0\\0\\0\\x3c\\0\\0\\0"
    printf "\\x02\\0\\0\\0\\0\\x02\\x02\\0\\0\\0\\0\\x01\\x88\\xb5\\x01\\x0$2"
    printf "$(sed 's/../\\x&/g' <<<"$hex")"
}
packet() { # SECONDS BYTE
    printf "\\x$(printf %02x "$1")\\0\\0\\0\\0\\0\\0\\0\\x0e\\0\\0\\0\\x0e\\0\\0\\0"
    printf "\\x0a\\0\\0\\0\\0\\x01\\x0a\\0\\0\\0\\0\\x02\\x12\\x$2"
}
head -c 24 "$DIR/a.pcap" >"$DIR/head"
{
    cat "$DIR/head"
    event 9 1 0000000c00000001 # set-up, at a time of its own
    packet 1 a1
    event 3 1 0000002100000001 # three writes in a row, the last of them late
    event 3 1 0000002200000002
    event 6 1 0010000000000003
    packet 6 a2
} >"$DIR/a0.pcap"
{
    cat "$DIR/head"
    packet 0 b1
    event 3 5 ''
    event 4 3 0100
    packet 6 b2
} >"$DIR/b0.pcap"
{
    cat "$DIR/head"
    event 9 1 0000000c00000001
    packet 0 b1
    packet 1 a1
    event 3 1 0000002100000001
    event 3 1 0000002200000002
    event 6 1 0010000000000003
    event 3 5 ''
    event 4 3 0100
    packet 6 a2
    packet 6 b2
} >"$DIR/want.pcap"
expect 0 '' "$EGRET" trace merge "$DIR/a0.pcap" "$DIR/b0.pcap" -o "$DIR/m.pcap"
holds 'by hand' cmp -s "$DIR/want.pcap" "$DIR/m.pcap"
{
    cat "$DIR/head"
    event 9 1 0000000c00000001
    packet 0 b1
    packet 1 a1
    event 3 1 0000002100000001
    event 3 1 0000002200000002
    event 6 1 0010000000000003
    packet 6 a2
    packet 6 b2
} >"$DIR/want.pcap"
expect 0 '' "$EGRET" trace merge --packets-only "$DIR/a0.pcap" "$DIR/b0.pcap" -o "$DIR/m.pcap"
holds 'packets only, by hand' cmp -s "$DIR/want.pcap" "$DIR/m.pcap"
# Writes, and a fault, at the end of a file; a file without a set-up whose first event is a tick.
{ cat "$DIR/b0.pcap"; event 7 1 0000002100000001; event 8 6 0000002100000001; } >"$DIR/w0.pcap"
{ cat "$DIR/head"; event 3 5 ''; packet 4 c1; event 7 5 ''; } >"$DIR/t0.pcap"
{
    cat "$DIR/head"
    packet 0 b1
    event 3 5 ''
    event 3 5 ''
    event 4 3 0100
    packet 4 c1
    packet 6 b2
    event 7 1 0000002100000001
    event 8 6 0000002100000001
    event 7 5 ''
} >"$DIR/want.pcap"
expect 0 '' "$EGRET" trace merge "$DIR/w0.pcap" "$DIR/t0.pcap" -o "$DIR/m.pcap"
holds 'writes at the end' cmp -s "$DIR/want.pcap" "$DIR/m.pcap"
{ cat "$DIR/w0.pcap"; packet 9 c1; } >"$DIR/want.pcap"
{ cat "$DIR/head"; event 3 5 ''; packet 9 c1; } >"$DIR/t1.pcap"
expect 0 '' "$EGRET" trace merge --packets-only "$DIR/w0.pcap" "$DIR/t1.pcap" -o "$DIR/m.pcap"
holds 'a tick that is left out first' cmp -s "$DIR/want.pcap" "$DIR/m.pcap"

no() { expect 2 "$1" "$EGRET" trace merge "${@:2}" -o "$DIR/x.pcap"; }
# A set-up that contradicts: another value, one write more, one less.
{ cat "$DIR/head"; event 9 1 0000000c00000002; packet 1 a1; } >"$DIR/other.pcap"
{ cat "$DIR/head"; event 9 1 0000000c00000001; event 9 1 0000000c00000001; packet 1 a1; } \
    >"$DIR/more.pcap"
no 'other.pcap: record 0: the set-up is not that of ' "$DIR/a0.pcap" "$DIR/other.pcap"
no 'more.pcap: record 1: the set-up is not that of ' "$DIR/a0.pcap" "$DIR/b0.pcap" \
    "$DIR/more.pcap"
no 'a0.pcap: record 1: the set-up is not that of ' "$DIR/more.pcap" "$DIR/a0.pcap"
no 'a0.pcap: record 0: the set-up is not that of ' "$DIR/b0.pcap" "$DIR/a0.pcap"
make ecmp.pcap --collective ring --bytes 64KiB --hash-seed 5
no 'the set-up is not that of' "$DIR/a.pcap" "$DIR/ecmp.pcap"
no 'No such file' "$DIR/a.pcap" "$DIR/none.pcap"
no 'only one input can be standard input' - -
no 'stimuli are missing'
# The same refusals with files behind the bad one, and a file that ends inside a record.
no 'other.pcap: record 0: the set-up is not that of ' "$DIR/a0.pcap" "$DIR/other.pcap" \
    "$DIR/b0.pcap"
{ cat "$DIR/head"; event 3 5 ''; packet 4 c1 | head -c 20; } >"$DIR/half.pcap"
no 'half.pcap: record 1' --packets-only "$DIR/a0.pcap" "$DIR/half.pcap" "$DIR/b0.pcap"
{ cat "$DIR/head"; event 9 1 0000000c00000001; packet 4 c1 | head -c 20; } >"$DIR/half.pcap"
no 'half.pcap: record 1' "$DIR/half.pcap" "$DIR/b0.pcap"
if [ -w /dev/full ]; then
    expect 2 '/dev/full: No space left' "$EGRET" trace merge "$DIR/a.pcap" "$DIR/b.pcap" \
        -o /dev/full
fi
head -c 90000 "$DIR/a.pcap" >"$DIR/short.pcap"
no 'short.pcap: record' "$DIR/a.pcap" "$DIR/short.pcap"
no 'head: ' "$DIR/a.pcap" "$DIR/head"
nothing_left x.pcap
expect 2 '-o FILE is missing' "$EGRET" trace merge "$DIR/a.pcap"
cp "$DIR/a.pcap" "$DIR/same.pcap"
expect 2 'the output is the input' "$EGRET" trace merge "$DIR/b.pcap" "$DIR/same.pcap" \
    -o "$DIR/same.pcap"
holds 'the input is as it was' cmp -s "$DIR/a.pcap" "$DIR/same.pcap"
# 65,536 operands, an option behind them; what cannot be opened is named.
mapfile -t none < <(yes n | head -65536)
egret=$(realpath "$EGRET")
cd "$DIR"
expect 2 'egret: n: No such file or directory' "$egret" trace merge "${none[@]}" -o x.pcap
nothing_left x.pcap
finish

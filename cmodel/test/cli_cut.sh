#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_cut.sh: egret trace cut against awk over the dump of the whole file: packets of the window,
# everything else up to its end; and what it refuses.
. cmodel/test/cli_lib.sh

# All kinds of events between packets, and stamps that step back.
"$EGRET" trace random --config lab --events 3000 --seed 5 -o "$DIR/random.pcap"
"$EGRET" trace dump "$DIR/random.pcap" >"$DIR/random"
events=$(wc -l <"$DIR/random")
packets=$(grep -c ' packet ' "$DIR/random")
# The middle third of the packets' stamps.
awk '$3 == "packet" { print $2 }' "$DIR/random" | sort -n >"$DIR/stamps"
stamp=$(sed -n "$((packets / 3))p" "$DIR/stamps")
later=$(sed -n "$((packets * 2 / 3))p" "$DIR/stamps")
holds 'the window of time is one' [ "$stamp" -lt "$later" ]
for kind in write read port queue tick fault packet; do
    holds "no $kind" grep -q "^[0-9]* [0-9]* $kind" "$DIR/random"
done

plain() { sed -E 's/^[0-9]+ //;s/ tag=[0-9]+//' "$1"; } # without the ordinals
# cut NAME P0 P1 E0 E1 T0 T1 OPTION...: as awk cuts it; -1 is no limit.
cut() {
    local name=$1
    awk -v p0="$2" -v p1="$3" -v e0="$4" -v e1="$5" -v t0="$6" -v t1="$7" '
        { late = (p1 >= 0 && n > p1) || (e1 >= 0 && $1 > e1) || (t1 >= 0 && $2 > t1) }
        $3 == "packet" { if (!late && n >= p0 && $1 >= e0 && $2 >= t0) print; n++; next }
        n == 0 || !late' "$DIR/random" >"$DIR/want"
    shift 7
    expect 0 '' "$EGRET" trace cut "$DIR/random.pcap" "$@" -o "$DIR/cut.pcap"
    "$EGRET" trace dump "$DIR/cut.pcap" >"$DIR/got"
    holds "$name" cmp -s <(plain "$DIR/want") <(plain "$DIR/got")
    holds "$name: all or nothing" [ "$(grep -c ' packet ' "$DIR/got")" -gt 0 ]
}
cut all 0 -1 0 -1 0 -1 --packets 0-
holds 'all of it' [ "$(wc -l <"$DIR/got")" = "$events" ]
cut packets 10 99 0 -1 0 -1 --packets 10-99
holds '90 packets' [ "$(grep -c ' packet ' "$DIR/got")" = 90 ]
cut 'one packet' 7 7 0 -1 0 -1 --packets 7
cut 'the last' $((packets - 1)) -1 0 -1 0 -1 --packets=$((packets - 1))-
holds 'one of them' [ "$(grep -c ' packet ' "$DIR/got")" = 1 ]
cut 'the first' 0 4 0 -1 0 -1 --packets -4
cut events 0 -1 1000 1999 0 -1 --events 1000-1999
cut 'events up to' 0 -1 0 1999 0 -1 --events=-1999
cut time 0 -1 0 -1 "$stamp" "$later" --time "${stamp}-${later}ns"
cut 'a unit' 0 -1 0 -1 $((stamp / 1000 * 1000)) -1 --time $((stamp / 1000))us-
cut both 100 -1 0 1500 "$stamp" -1 --packets 100- --events -1500 --time "$stamp-"

# A cut of a cut, and of a pipe, is the same; so are bytes and lengths of what stays.
"$EGRET" trace cut "$DIR/random.pcap" --packets 0-99 -o "$DIR/a.pcap"
"$EGRET" trace cut "$DIR/a.pcap" --packets 50-60 -o "$DIR/b.pcap"
"$EGRET" trace cut "$DIR/random.pcap" --packets 50-60 -o "$DIR/c.pcap"
holds 'a cut of a cut' cmp -s "$DIR/b.pcap" "$DIR/c.pcap"
"$EGRET" trace cut - --packets 50-60 -o - <"$DIR/random.pcap" >"$DIR/d.pcap"
holds 'of a pipe' cmp -s "$DIR/c.pcap" "$DIR/d.pcap"
"$EGRET" trace cut "$DIR/random.pcap" --packets 0- -o "$DIR/e.pcap"
holds 'the whole file' cmp -s "$DIR/random.pcap" "$DIR/e.pcap"
# Whole seconds, beyond what the core keeps of a stamp: the bytes are those of the file. The file is
# header 24 bytes, then a write and a packet with 12-byte addresses and no more.
{
    printf '\x4d\x3c\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x01\0\0\0'
    printf '\xff\xff\xff\xff\xff\xc9\x9a\x3b\x18\0\0\0\x3c\0\0\0'
    printf '\x02\0\0\0\0\x02\x02\0\0\0\0\x01\x88\xb5\x01\x01\0\0\0\x0c\x12\x34\x56\x78'
    printf '\xfe\xff\xff\xff\0\0\0\0\x0e\0\0\0\x40\0\0\0'
    printf '\x0a\0\0\0\0\x01\x0a\0\0\0\0\x02\x12\x34'
} >"$DIR/far.pcap"
expect 0 '' "$EGRET" trace cut "$DIR/far.pcap" --time -4294967294s -o "$DIR/cut.pcap"
holds 'large stamps' cmp -s "$DIR/far.pcap" "$DIR/cut.pcap"

if [ -w /dev/full ]; then
    expect 2 '/dev/full: No space left' "$EGRET" trace cut "$DIR/random.pcap" --packets 0-9 \
        -o /dev/full
fi

# ecmp does not look back: the decisions of the cut are those of the whole.
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --at edge:0 \
    --scheme ecmp -o "$DIR/ecmp.pcap"
"$EGRET" trace cut "$DIR/ecmp.pcap" --packets 40-79 -o "$DIR/cut.pcap"
decided() { "$EGRET" model --config lab "$1" --csv - | sed 1d | cut_columns; }
cut_columns() { awk -F, '{ print $4, $5, $6, $7, $8, $9 }'; }
holds 'ecmp decides alike' cmp -s <(decided "$DIR/ecmp.pcap" | sed -n '41,80p') \
    <(decided "$DIR/cut.pcap")

rm -f "$DIR/x.pcap"
no() { expect 2 "$1" "$EGRET" trace cut "${@:2}" -o "$DIR/x.pcap"; }
no 'no packet of' "$DIR/random.pcap" --packets "$packets-"
no '--packets, --events or --time is missing' "$DIR/random.pcap"
for bad in 5-4 - x 1-x 1-2-3 1.5 -1-2 18446744073709551616 99999999999999999999999999999999999; do
    no '--packets is A-B, A-, -B or A' "$DIR/random.pcap" --packets="$bad"
    no '--events is A-B, A-, -B or A' "$DIR/random.pcap" --events="$bad"
done
no '--time is A-B, A-, -B or A, in ns, us, ms or s' "$DIR/random.pcap" --time 1h-
no '--time is A-B' "$DIR/random.pcap" --time 99999999999s-
no 'a stimulus is missing' --packets 1
no 'unexpected argument' a b --packets 1
no 'No such file' "$DIR/none.pcap" --packets 1
head -c 30000 "$DIR/random.pcap" >"$DIR/short.pcap"
no 'short.pcap: record' "$DIR/short.pcap" --packets 0-
nothing_left x.pcap
expect 2 '-o FILE is missing' "$EGRET" trace cut "$DIR/random.pcap" --packets 1
cp "$DIR/random.pcap" "$DIR/same.pcap"
expect 2 'the output is the input' "$EGRET" trace cut "$DIR/same.pcap" --packets 1 \
    -o "$DIR/same.pcap"
holds 'the input is as it was' cmp -s "$DIR/random.pcap" "$DIR/same.pcap"
finish

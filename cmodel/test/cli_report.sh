#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_report.sh: what egret check says of a selector that differs: in each field of a decision, in
# a later burst, without words of its own, by bands; and what it replays.
. cmodel/test/cli_lib.sh

FAULTY=build/test/trace_faulty_selector.so
make=("$EGRET" trace make --topology fat-tree:4 --collective alltoall --bytes 64KiB --at edge:0)
"${make[@]}" --scheme ecmp -o "$DIR/e.pcap"
check=("$EGRET" check --config lab --selector "$FAULTY")
told() { # NAME TEXT...: the report has it
    local name=$1 text
    shift
    for text in "$@"; do
        holds "$name: no '$text' in $(head -c 600 "$DIR/out")" grep -qF -- "$text" "$DIR/out"
    done
}

# One field that differs is enough, whichever it is.
for field in tag kind data port choice scheme reason; do
    export EGRET_FAULT=$field:20
    expect 1 'DIFFERENT at event' "${check[@]}" "$DIR/e.pcap"
    told $field 'packet tag 20 ' 'the difference persists' 'compared 20 packets, 0 reads, 1 diff'
done
# In a burst behind the first: those before it are replayed as they were.
export EGRET_FAULT=port:20
expect 1 'DIFFERENT at event' "${check[@]}" --burst 7 "$DIR/e.pcap"
told 'a later burst' 'packet tag 20 ' 'the difference persists' ' --burst 7 '
# A selector that has no words for it, or an empty one, is not quoted.
for kind in speechless no_word; do
    export EGRET_FAULT=$kind:20
    expect 1 'the difference persists' "${check[@]}" "$DIR/e.pcap"
    holds "$kind: quoted" [ "$(grep -c 'selector says' "$DIR/out")" = 0 ]
done
export EGRET_FAULT=nothing:20
for words in "check --config lab $DIR/e.pcap" 'bench --decisions 1000'; do
    expect 3 "selector $FAULTY: a selector failed" "$EGRET" $words --selector "$FAULTY"
    holds "no reason behind: $words" grep -q ': a selector failed$' "$DIR/err"
done
# One that is quoted at a bench, has no words there, or says itself that it differs.
export EGRET_FAULT=mute:20
expect 3 'a selector failed' "$EGRET" bench --decisions 1000 --selector "$FAULTY"
export EGRET_FAULT=differ:20
expect 1 'fault on purpose' "$EGRET" bench --decisions 1000 --selector "$FAULTY"
# By quality: a band that differs is shown whichever port it is of.
"${make[@]}" --scheme spray-quality --drill 2,1 -o "$DIR/q.pcap"
export EGRET_FAULT=bands:20
expect 1 'DIFFERENT at event' "${check[@]}" "$DIR/q.pcap"
holds 'band of port 15' grep -qE '^  band +90003e .*<-$' "$DIR/out"
# State that differs, and the selector says so: the word is shown once.
export EGRET_FAULT=differ_word:20
expect 1 'state differs at ' "${check[@]}" "$DIR/e.pcap"
told 'a word' ' 1 different' 'selector says: fault on purpose'
# A scheme without a name is a question mark.
"$EGRET" trace random --config tiny --events 3000 --seed 3 -o "$DIR/r.pcap"
"$EGRET" model --config tiny --allow-illegal "$DIR/r.pcap" --csv "$DIR/r.csv" >"$DIR/out"
unset EGRET_FAULT
# --decisions compares no reads: a wrong one is not found, all packets are compared.
packets=$(sed -n 's/.* events*, \([0-9]*\) packets .*/\1/p' "$DIR/out")
export EGRET_FAULT=read:3
expect 0 "compared $packets packets, 0 reads, 0 differences" "$EGRET" check --config tiny \
    --allow-illegal --decisions --selector "$FAULTY" "$DIR/r.pcap"
expect 1 'DIFFERENT at event' "$EGRET" check --config tiny --allow-illegal --selector "$FAULTY" \
    "$DIR/r.pcap"

# ---- where rtl:CONFIG is looked for ----

mkdir -p "$DIR/bin" "$DIR/lib/egret/selectors" "$DIR/d:r"
cp "$FAULTY" "$DIR/lib/egret/selectors/rtl_lab.so"
cp "$EGRET" "$DIR/bin/egret"
unset EGRET_FAULT
expect 0 ' 0 differences' "$DIR/bin/egret" check --config lab --selector rtl:lab "$DIR/e.pcap"
export EGRET_FAULT=port:20
expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector rtl:lab \
    --selector-dir "$DIR/lib/egret/selectors" "$DIR/e.pcap"
told 'the folder' "replay: egret check --config lab --selector rtl:lab --selector-dir $DIR/lib/egr"
unset EGRET_FAULT
# A colon in the name of a folder is no rtl:CONFIG.
cp "$FAULTY" "$DIR/d:r/mine.so"
expect 0 ' 0 differences' "$EGRET" check --config lab --selector "$DIR/d:r/mine.so" "$DIR/e.pcap"
# Program headers that begin inside the file and end behind it.
python3 - "$FAULTY" "$DIR/phdr.so" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[32:40] = (len(data) - 8).to_bytes(8, "little")
open(sys.argv[2], "wb").write(data)
END
expect 2 'phdr.so: the file is cut short' "$EGRET" check --config lab --selector "$DIR/phdr.so" \
    "$DIR/e.pcap"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_model.sh: decisions as CSV, pcapng and JSON; outputs that appear only when complete; refusals.
# Faults of docs/verification.md: A13.
. cmodel/test/cli_lib.sh

make() {
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 128KiB --seed 3 "$@"
}
make --at edge:2 --scheme dr -o "$DIR/p.pcap"
expect 0 'chosen 256' "$EGRET" model --config lab "$DIR/p.pcap" --csv "$DIR/p.csv" \
    --pcapng "$DIR/p.pcapng" --stats "$DIR/p.json"
holds 'CSV header' [ "$(head -1 "$DIR/p.csv")" = \
    'event,cycle,tag,group,key,scheme,port,reason,choice,data' ]
holds 'a row a packet' [ "$(($(wc -l <"$DIR/p.csv") - 1))" = 256 ]
holds 'cycles rise' awk -F, 'NR > 2 && $2 <= last { exit 1 } { last = $2 }' "$DIR/p.csv"
holds 'no repair' awk -F, 'NR > 1 && ($7 != $9 || $8 != "chosen") { exit 1 }' "$DIR/p.csv"
grep -q '"destination_bins": {"used": [0-9]*, "worst_spread": 1,' "$DIR/p.json" && good ||
    bad "dr's spread: $(cat "$DIR/p.json")"
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$DIR/p.json" && good || bad 'no JSON'

# Pointers of spray-rr by group; what is dropped is left out.
make --at edge:2 --scheme spray-rr -o "$DIR/rr.pcap"
"$EGRET" model --config lab "$DIR/rr.pcap" --stats "$DIR/rr.json" >/dev/null
grep -q '"group_pointers": {"used": 1, ' "$DIR/rr.json" && good || bad 'pointers of spray-rr'
"$EGRET" trace random --config tiny --events 2000 --seed 2 -o "$DIR/x.pcap"
"$EGRET" model --config tiny --allow-illegal "$DIR/x.pcap" --stats "$DIR/x.json" >"$DIR/out"
grep -q '"left_out": [1-9]' "$DIR/x.json" && good || bad 'drops are left out'
# Every scheme at both kinds of switch drops nothing and uses more than one uplink, but for fixed.
for s in ecmp spray-rr dr fixed entropy spray-random; do
    for at in edge:2 agg:8; do
        make --at $at --scheme $s --agg-rotation 16 -o "$DIR/s.pcap"
        "$EGRET" model --config lab "$DIR/s.pcap" --csv "$DIR/s.csv" >"$DIR/out"
        ports=$(awk -F, 'NR > 1 && $4 == 0 { print $7 }' "$DIR/s.csv" | sort -u | wc -l)
        [ "$(grep -c '^drop-[a-z]* [1-9]' "$DIR/out")" = 0 ] &&
            [ $s = fixed ] && [ "$ports" = 1 ] || [ "$ports" -gt 1 ] && good ||
            bad "$s at $at: $ports ports"
    done
done

# The same through pipes, byte for byte.
"$EGRET" model --config lab - --csv - <"$DIR/p.pcap" | cmp -s - "$DIR/p.csv" && good || bad 'pipe'
make --at edge:2 --scheme dr -o - | cmp -s - "$DIR/p.pcap" && good || bad 'same seed, same file'
make --at edge:2 --scheme dr -o "$DIR/q.pcap" --hash-seed 5
cmp -s "$DIR/q.pcap" "$DIR/p.pcap" && bad 'another hash seed changes nothing' || good

# One fixed source port: every flow to a host hashes alike when only the ports are hashed.
make --at edge:2 --scheme ecmp --source-port fixed:49152 --fields L4_SRC_PORT,L4_DST_PORT \
    -o "$DIR/f.pcap"
"$EGRET" model --config lab "$DIR/f.pcap" --stats "$DIR/f.json"  >/dev/null
grep -q '"max_over_mean_packets": 4.000000' "$DIR/f.json" && good || bad 'one-path collapse'
make --at edge:2 --scheme ecmp --source-port fixed:49152 --fields RDMA_BTH_DEST_QP -o "$DIR/f.pcap"
"$EGRET" model --config lab "$DIR/f.pcap" --stats "$DIR/f.json" >/dev/null
grep -q '"max_over_mean_packets": 4.000000' "$DIR/f.json" && bad 'QP does not help' || good

# Flowlets: with an idle time that no pause exceeds each flow has one port; with none at all a flow
# moves whenever time does, which it counts.
outcomes() { # CSV, condition on n[first digit of data]
    awk -F, "NR > 1 && \$6 == \"flowlet\" { n[substr(\$10, 1, 1)]++ } END { exit !($2) }" "$1"
}
make --at edge:2 --scheme flowlet --no-acks --flowlet-idle never -o "$DIR/n.pcap"
"$EGRET" model --config lab "$DIR/n.pcap" --csv "$DIR/n.csv" >/dev/null
holds 'a hit but for the first packet of a flow' outcomes "$DIR/n.csv" 'n["0"] > 100 && n["4"] == 4'
make --at edge:2 --scheme flowlet --no-acks --flowlet-idle 0 --flowlet-entries 64 \
    --flowlet-path quality -o "$DIR/z.pcap"
"$EGRET" model --config lab "$DIR/z.pcap" --csv "$DIR/z.csv" >/dev/null
holds 'a new path a packet' outcomes "$DIR/z.csv" 'n["4"] > 100 && !n["0"]'
cmp -s "$DIR/n.pcap" "$DIR/z.pcap" && bad 'idle changes nothing' || good
"$EGRET" config show lab |
    sed -e 's/SCHEMES=510/SCHEMES=126/' -e 's/NUM_FLOWLETS=1024/NUM_FLOWLETS=0/' >"$DIR/old.cfg"
expect 2 'exceeds configuration old: SCHEMES: write addr=000025' \
    "$EGRET" model --config "$DIR/old.cfg" "$DIR/n.pcap"

# By quality the uplinks' bytes are near each other, though the acknowledgements are hashed; at
# random they are not.
bytes_spread() { # most less least bytes of the uplinks
    "$EGRET" model --config lab "$1" --stats - |
        awk -F'[:,}]' '/"port"/ { b = $6 + 0; if (!n++ || b < low) low = b; if (b > high) high = b }
            END { print high - low }'
}
for s in spray-random spray-quality; do
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 1MiB --seed 3 \
        --at edge:2 --scheme $s -o "$DIR/$s.pcap"
done
holds 'quality is even' [ "$(bytes_spread "$DIR/spray-quality.pcap")" -lt 60000 ]
holds 'random is not' [ "$(bytes_spread "$DIR/spray-random.pcap")" -gt 60000 ]
# Ticks at whole periods, and only with loads.
holds 'ticks' [ "$("$EGRET" trace dump "$DIR/spray-quality.pcap" | grep -c ' tick')" -gt 50 ]
holds 'no ticks' [ "$("$EGRET" trace dump "$DIR/spray-random.pcap" | grep -c ' tick')" = 0 ]

# Refusals leave nothing behind.
expect 2 'exceeds configuration tiny: ' "$EGRET" model --config tiny "$DIR/p.pcap" \
    --csv "$DIR/t.csv" --pcapng "$DIR/t.pcapng" --stats "$DIR/t.json"
head -c 60000 "$DIR/p.pcap" >"$DIR/cut.pcap"
expect 2 'cut short' "$EGRET" model --config lab "$DIR/cut.pcap" --csv "$DIR/t.csv" \
    --pcapng "$DIR/t.pcapng"
code=0
cat "$DIR/cut.pcap" | "$EGRET" model --config lab - --csv "$DIR/t.csv" --pcapng "$DIR/t.pcapng" \
    2>"$DIR/err" || code=$?
holds 'cut pipe' [ "$code" = 2 ]
code=0
cat "$DIR/cut.pcap" | "$EGRET" model --config lab - --csv - >"$DIR/out" 2>"$DIR/err" || code=$?
holds 'cut pipe, standard output' [ "$code:$(wc -l <"$DIR/err")" = 2:1 ]
code=0
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 1KB --seed 3 \
    --at edge:40 --scheme dr -o "$DIR/t.pcap" 2>"$DIR/err" || code=$?
holds 'no such edge' [ "$code" = 2 ]
for f in t.csv t.pcapng t.json t.pcap; do nothing_left "$f"; done
echo keep >"$DIR/keep.csv"
expect 2 'cut short' "$EGRET" model --config lab "$DIR/cut.pcap" --csv "$DIR/keep.csv"
holds 'old file stays' [ "$(cat "$DIR/keep.csv")" = keep ]
expect 2 'No such file or directory' "$EGRET" model --config lab "$DIR/p.pcap" --csv "$DIR/no/p.csv"
expect 2 'only one output' "$EGRET" model --config lab "$DIR/p.pcap" --csv - --pcapng -
if [ -w /dev/full ]; then
    expect 2 'No space left' "$EGRET" model --config lab "$DIR/p.pcap" --csv /dev/full
fi

# Standard output that fails: a message, and no second one for a reader that goes away.
if [ -w /dev/full ]; then
    for words in 'trace dump' 'model --config lab'; do
        code=0
        # shellcheck disable=SC2086
        "$EGRET" $words "$DIR/p.pcap" >/dev/full 2>"$DIR/err" || code=$?
        holds "$words: full" [ "$code:$(cat "$DIR/err")" = \
            '2:egret: standard output: No space left on device' ]
    done
    code=0
    "$EGRET" model --config lab "$DIR/p.pcap" --csv - >/dev/full 2>"$DIR/err" || code=$?
    holds 'CSV: full' [ "$code:$(cat "$DIR/err")" = \
        '2:egret: standard output: No space left on device' ]
    code=0
    "$EGRET" trace dump "$DIR/cut.pcap" >/dev/full 2>"$DIR/err" || code=$?
    holds 'one message' [ "$code:$(wc -l <"$DIR/err")" = 2:1 ]
    code=0
    cat "$DIR/cut.pcap" | "$EGRET" trace dump - >/dev/full 2>"$DIR/err" || code=$?
    holds 'the first message' [ "$code:$(wc -l <"$DIR/err")" = 2:1 ]
fi
# A count of events on a terminal, which goes away.
"$EGRET" trace random --config tiny --events 600000 --seed 1 -o "$DIR/long.pcap"
python3 - "$EGRET" "$DIR/long.pcap" >"$DIR/tty" 2>&1 <<'END'
import os, pty, sys
egret, path = sys.argv[1:]
sys.exit(os.waitstatus_to_exitcode(pty.spawn(
    ["sh", "-c", '"$1" model --config tiny --allow-illegal "$2" >/dev/null', "sh", egret, path])))
END
holds 'progress' grep -q $'\rmodel: 0.5 M events\r\033\\[K$' "$DIR/tty"

# A reader that goes away is no error message.
code=0
"$EGRET" trace dump "$DIR/p.pcap" 2>"$DIR/err" | head -1 >/dev/null || code=$?
holds 'closed pipe' [ ! -s "$DIR/err" ]

# A dump has a line an event; stress and random stimuli run on what they are made for.
holds 'dump' [ "$("$EGRET" trace dump "$DIR/p.pcap" | grep -c ' packet ')" = 256 ]
for s in ecmp spray-rr dr spray-quality flowlet; do
    make --at agg:9 --scheme $s --stress 5 -o "$DIR/s.pcap"
    expect 2 'exceeds configuration lab' "$EGRET" model --config lab "$DIR/s.pcap"
    expect 0 'repaired' "$EGRET" model --config lab "$DIR/s.pcap" --allow-illegal
done
for c in $("$EGRET" config list); do
    "$EGRET" trace random --config "$c" --events 20000 --seed 5 -o "$DIR/r.pcap"
    holds 'events' [ "$("$EGRET" trace dump "$DIR/r.pcap" | wc -l)" = 20000 ]
    "$EGRET" model --config "$c" "$DIR/r.pcap" --allow-illegal >"$DIR/out"
    for reason in chosen repaired drop-empty drop-down drop-scheme drop-index; do
        grep -q "^$reason [1-9]" "$DIR/out" && good ||
            [ "$c:$reason" = p1:repaired ] || bad "random $c: no $reason"
    done
done
finish

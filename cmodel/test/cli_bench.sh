#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_bench.sh: egret bench: rows and figures that agree with each other; no figure is judged.
. cmodel/test/cli_lib.sh

bench() { expect 0 'plain loop' "$EGRET" bench --decisions 500 "$@"; }
# rows NAME...: the loads of the rows, in order.
rows() {
    holds "rows: $(awk 'NR > 2' "$DIR/out")" \
        [ "$(sed 's/plain loop/plain-loop/' "$DIR/out" |
            awk 'NR > 2 { printf "%s ", $1 }')" = "$*" ]
}
bench
rows plain-loop ecmp{,} spray-rr{,} dr{,} fixed{,} entropy{,} spray-random{,} \
    spray-quality{,} flowlet{,} ''
# Figures are positive; decisions a second are 10^9 / ns, and the ratio is to the plain loop, both
# to what rounding leaves.
awk 'NR > 2 { ns = $(NF - 2); rate = $(NF - 1); ratio = $NF
        if (NR == 3) base = ns
        slack = 0.05e9 + 0.06 * rate
        if (!(ns > 0) || ns * rate < 1e9 - slack || ns * rate > 1e9 + slack) bad = 1
        d = ratio - ns / base; if (d < 0) d = -d
        if (d > 0.02 + 0.1 * ratio / base + 0.1 / base) bad = 1 }
    END { exit bad || NR < 4 }' "$DIR/out" && good || bad "figures: $(cat "$DIR/out")"
bench --scheme dr --burst 1
rows plain-loop dr ''
holds 'singly' grep -q '^dr  *singly ' "$DIR/out"
bench --scheme flowlet --burst 7
rows plain-loop flowlet flowlet ''
holds 'bursts of 7' grep -q '^flowlet  *bursts 7 ' "$DIR/out"
bench --burst 65536 --scheme ecmp
bench --config tiny tb/traces/edge_dr.pcap
rows plain-loop stimulus stimulus ''
piped 0 'stimulus' tb/traces/edge_dr.pcap "$EGRET" bench --config tiny --decisions 100 -
# Events between the packets are handed over, too: the plain loop passes them by.
"$EGRET" trace random --config tiny --events 2000 -o "$DIR/random.pcap"
bench --config tiny "$DIR/random.pcap"
rows plain-loop stimulus stimulus ''
for c in $("$EGRET" config list); do
    expect 0 'plain loop' "$EGRET" bench --config "$c" --decisions 100
    loads=$(awk 'NR > 3 { print $1 }' "$DIR/out" | uniq | wc -l)
    schemes=$("$EGRET" config show "$c" | sed -n 's/^SCHEMES=//p')
    want=0
    for s in 1 2 3 4 5 6 7 8; do want=$((want + (schemes >> s & 1))); done
    holds "$c: $loads loads, not $want" [ "$loads" = "$want" ]
done
{ "$EGRET" config show lab | sed 's/^SCHEMES=.*/SCHEMES=0/;s/^NUM_FLOWLETS=.*/NUM_FLOWLETS=0/'; } \
    >"$DIR/none.cfg"
expect 2 'configuration none has no such scheme' "$EGRET" bench --config "$DIR/none.cfg"
expect 2 'configuration tiny has no such scheme' "$EGRET" bench --config tiny --scheme flowlet
expect 2 "unknown scheme 'drr'" "$EGRET" bench --scheme drr
expect 2 "unknown scheme 'none'" "$EGRET" bench --scheme none
expect 2 '--burst: 1 to 65536' "$EGRET" bench --burst 0
expect 2 '--burst: 1 to 65536' "$EGRET" bench --burst 65537
expect 2 '--decisions: 1 to' "$EGRET" bench --decisions 0
expect 2 '--scheme is for' "$EGRET" bench --scheme dr tb/traces/edge_dr.pcap
expect 2 'No such file' "$EGRET" bench "$DIR/none.pcap"
head -c 3000 tb/traces/edge_dr.pcap >"$DIR/short.pcap"
expect 2 'short.pcap: record' "$EGRET" bench "$DIR/short.pcap"
expect 2 'no such file' "$EGRET" bench --selector "$DIR/none.so"
finish

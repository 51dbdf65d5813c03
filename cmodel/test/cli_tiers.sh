#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_tiers.sh: two tiers that differ in the hash seed only: a warning of one line, and what it
# warns of: aggregation switches that leave uplinks idle, and the rotation that cures it. And the
# queue pairs of one job on few members: evenness of bytes is not that of packets.
# Faults of docs/verification.md: A2, A14.
. cmodel/test/cli_lib.sh

warning='egret: warning: edge and aggregation switches differ in the seed of crc32c only, so both'
make_at() {
    local words=("$@")
    rm -f "$DIR/s.pcap"
    [[ $* == *--bytes* ]] || words+=(--bytes 4KiB)
    "$EGRET" trace make --topology fat-tree:8 --collective alltoall --seed 3 \
        -o "$DIR/s.pcap" "${words[@]}" >"$DIR/made" 2>"$DIR/said"
}

# warned N OPTION...: it works, and says N lines.
warned() {
    local n=$1
    shift
    if make_at "$@" && [ "$(wc -l <"$DIR/said")" -eq "$n" ] &&
        [ "$(grep -c "^$warning" "$DIR/said")" -eq "$n" ]; then
        good
    else
        bad "$*: $(cat "$DIR/said")"
    fi
}

warned 1 --at agg:3 --scheme ecmp
warned 1 --at agg:3 --scheme ecmp --hash-seed 77
warned 1 --at agg:3 --scheme ecmp --rotation 8
warned 0 --at agg:3 --scheme ecmp --agg-rotation 8
warned 0 --at agg:3 --scheme ecmp --config lab_lookup3
warned 0 --at edge:3 --scheme ecmp
for s in dr spray-rr entropy spray-random; do
    warned 0 --at agg:3 --scheme $s
done
# Whatever goes by the hash's buckets beside the scheme: what keeps order, conflicts, small packets.
also() {
    warned 1 --at agg:3 "$@"
    warned 0 --at agg:3 "$@" --agg-rotation 8
    warned 0 --at edge:3 "$@"
}
also --scheme dr --write first-middle-last --bytes 64KiB
also --scheme spray-quality # --small 100 of htsim-ar
also --scheme spray-quality --small 9000
also --scheme flowlet --flowlet-entries 1
also --scheme dr --ordered-scheme flowlet
warned 0 --at agg:3 --scheme spray-quality --small 0
warned 0 --at agg:3 --scheme dr --ordered-scheme fixed
warning='egret: warning: edge and aggregation switches differ in the seed of crc16 only'
warned 1 --at agg:3 --scheme ecmp --hash crc16

# Uplinks of a pod's aggregation switch that carry its packets of scheme $by.
by=ecmp
uplinks() {
    make_at --at agg:3 "$@"
    "$EGRET" model --config lab "$DIR/s.pcap" --csv "$DIR/m.csv" >"$DIR/model"
    awk -F, -v use="$by" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["scheme"] == use && $at["port"] != "" && $at["port"] >= 4 { used[$at["port"]] = 1 }
        END { for (p in used) n++; print n + 0 }' "$DIR/m.csv"
}
compare() {
    alone=$(uplinks "$@")
    rotated=$(uplinks "$@" --agg-rotation 8)
    echo "$*: uplinks of agg:3 in use: $alone with seeds alone, $rotated with --agg-rotation 8"
    [ "$alone" -lt "$rotated" ] && [ "$alone" -gt 0 ] && good || bad "$*: uplinks: $alone, $rotated"
}
compare --scheme ecmp
compare --scheme dr --write first-middle-last --bytes 64KiB --rounds 8
by=spray-quality compare --scheme spray-quality --small 9000 --rounds 32
by=flowlet compare --scheme flowlet --flowlet-entries 1 --rounds 32

# Slices of the entropy: 4 uplinks are two bits, the edge's lower and the aggregation switch's upper
# ones, or the other way round. Either way each switch spreads its packets over all its uplinks.
offset() { # SWITCH OPTION...: entropy offset of the uplinks' group
    make_at --at "$@" --scheme entropy --rounds 8
    "$EGRET" trace dump "$DIR/s.pcap" | sed -n 's/.*write addr=100000 data=\(..\).*/\1/p' | tail -1
}
holds 'offset of an edge' [ "$(offset edge:0)" = 00 ]
holds 'offset of an aggregation switch' [ "$(offset agg:0)" = 02 ]
holds 'exchanged: edge' [ "$(offset edge:0 --entropy-swap)" = 02 ]
holds 'exchanged: aggregation switch' [ "$(offset agg:0 --entropy-swap)" = 00 ]
by=entropy
holds 'uplinks' [ "$(uplinks --scheme entropy)" = 4 ]
holds 'uplinks, exchanged' [ "$(uplinks --scheme entropy --entropy-swap)" = 4 ]

# Acknowledgements make packets look even; the bytes of 128 KiB a queue pair are not. From the bytes
# and packets of each port.
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 128KiB --seed 3 \
    --at edge:2 --scheme ecmp --source-port fixed:49152 --fields RDMA_BTH_DEST_QP -o "$DIR/q.pcap"
"$EGRET" model --config lab "$DIR/q.pcap" --stats "$DIR/q.json" >"$DIR/model"
python3 - "$DIR/q.json" <<'END' && good || bad 'imbalance in bytes'
import json
import sys
with open(sys.argv[1], encoding="utf-8") as f:
    stats = json.load(f)
ports, worst = stats["ports"], {}
for what in ("packets", "bytes"):
    worst[what] = max(p[what] for p in ports) * len(ports) / sum(p[what] for p in ports)
    assert abs(worst[what] - stats["max_over_mean_" + what]) < 1e-5, what
print(f"the fullest of {len(ports)} uplinks: {worst['packets']:.2f} times the mean of packets,",
      f"{worst['bytes']:.2f} of bytes")
assert worst["packets"] < 2 < worst["bytes"]
END
finish

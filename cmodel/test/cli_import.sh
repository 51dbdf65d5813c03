#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_import.sh: connection matrices: own samples always, the public ones where EGRET_DATA has them.
. cmodel/test/cli_lib.sh

run() {
    local name=$1 packets=$2
    shift 2
    expect 0 '' "$EGRET" trace import "$@" -o "$DIR/i.pcap"
    holds "$name: $packets packets" [ "$("$EGRET" trace dump "$DIR/i.pcap" |
        grep -c ' packet ')" = "$packets" ]
}

if [ "${1:-}" = data ]; then
    data=${EGRET_DATA:-../shared/data}/cm
    if [ ! -d "$data" ]; then
        echo 'SKIP: EGRET_DATA has no cm folder'
        exit 77
    fi
    # 2,000,000 bytes are 489 packets of 4096.
    run one 489 "$data/one.cm" --topology fat-tree:4 --at edge:0 --scheme dr
    run bidir 978 "$data/bidir.cm" --topology fat-tree:4 --at edge:0 --scheme dr
    run incast 978 "$data/incast.cm" --topology fat-tree:4 --at edge:0 --scheme spray-rr
    run outcast $((489 * 24)) "$data/outcast_incast.cm" --topology fat-tree:8 --at edge:0 \
        --scheme dr
    run serial $((489 * 15 * 2 * 2)) "$data/alltoall_serial_16n.cm" --topology fat-tree:4 \
        --at edge:1 --scheme ecmp
    run perm32 $((489 * 8 * 2)) "$data/perm_32n_32c_2MB.cm" \
        --topology "$data/leaf_spine_tiny.topo" --at edge:1 --scheme dr
    run perm1024 $((489 * 8 * 2)) "$data/perm_1024n_1024c_0u_2000000b.cm" \
        --topology "$data/fat_tree_1024_1os.topo" --at edge:77 --scheme dr
    run messages 200 "$data/test_cr_1f10m10p.cm" --topology "$data/fat_tree_128_4os.topo" \
        --at edge:0 --scheme dr
    expect 2 '1024 nodes on a topology of 128 hosts' "$EGRET" trace import \
        "$data/perm_1024n_1024c_0u_2000000b.cm" --topology fat-tree:8 --at edge:0 --scheme dr \
        -o "$DIR/t.pcap"
    expect 2 'with two tiers only an edge' "$EGRET" trace import "$data/perm_32n_32c_2MB.cm" \
        --topology "$data/leaf_spine_tiny.topo" --at agg:1 --scheme dr -o "$DIR/t.pcap"
    nothing_left t.pcap
    finish
    exit
fi

# Hosts 0 and 1 send 3 + 1 + 2 + 2 + 2 packets and acknowledge 2 + 1 + 1 + 1.
run triggers 15 tb/traces/triggers.cm --topology fat-tree:4 --at edge:0 --scheme dr
run messages 5 tb/traces/messages.cm --topology tb/traces/leaf_spine.topo --at edge:0 --scheme dr \
    --zero-size 5000
expect 2 'messages.cm:7: size 0 means without end' "$EGRET" trace import tb/traces/messages.cm \
    --topology tb/traces/leaf_spine.topo --at edge:0 --scheme dr -o "$DIR/t.pcap"
sed 's/^Connections .*/Connections 99/' tb/traces/triggers.cm >"$DIR/bad.cm"
expect 2 'Connections 99, but the file has 9' "$EGRET" trace import "$DIR/bad.cm" \
    --topology fat-tree:4 --at edge:0 --scheme dr -o "$DIR/t.pcap"
expect 2 'trace import: a file is missing' "$EGRET" trace import --topology fat-tree:4
expect 2 'No such file' "$EGRET" trace import "$DIR/none.cm" --topology fat-tree:4 --at edge:0 \
    --scheme dr -o "$DIR/t.pcap"
expect 2 '--scheme is ecmp' "$EGRET" trace import tb/traces/triggers.cm --topology fat-tree:4 \
    --at edge:0 --scheme flow -o "$DIR/t.pcap"
expect 2 '--at is edge:N' "$EGRET" trace import tb/traces/triggers.cm --topology fat-tree:4 \
    --at spine:0 --scheme dr -o "$DIR/t.pcap"
expect 2 'no packet enters' "$EGRET" trace import tb/traces/triggers.cm --topology fat-tree:8 \
    --at edge:31 --scheme dr -o "$DIR/t.pcap"
expect 2 'triggers.cm: no packet enters edge:31 from below' "$EGRET" trace import \
    tb/traces/triggers.cm --topology fat-tree:8 --at edge:31 --scheme dr -o "$DIR/t.pcap"
expect 2 'triggers.cm: no packet enters agg:31 from below' "$EGRET" trace import \
    tb/traces/triggers.cm --topology fat-tree:8 --at agg:31 --scheme dr -o "$DIR/t.pcap"
expect 2 '--at agg:32: fat-tree:8 has 32 of them' "$EGRET" trace import \
    tb/traces/triggers.cm --topology fat-tree:8 --at agg:32 --scheme dr -o "$DIR/t.pcap"
expect 2 'triggers.cm: 16 nodes on a topology of 2 hosts (fat-tree:2)' "$EGRET" trace import \
    tb/traces/triggers.cm --topology fat-tree:2 --at edge:0 --scheme dr -o "$DIR/t.pcap"
expect 2 '--at edge:32: fat-tree:8 has 32 of them' "$EGRET" trace import \
    tb/traces/triggers.cm --topology fat-tree:8 --at edge:32 --scheme dr -o "$DIR/t.pcap"
tier() {
    printf 'Tier %s\nDownlink_speed_Gbps 100\nRadix_Down %s\nDownlink_Latency_ns 9\n' "$1" "$2"
    [ -z "${3:-}" ] || echo "Radix_Up $3"
}
{ printf 'Nodes 8192\nTiers 3\nPodsize 32\n' && tier 0 1 2 && tier 1 32 2 && tier 2 256; } \
    >"$DIR/wide.topo"
expect 2 'wide.topo: more than 4096 routes: 8192 edges, 1 hosts at each' "$EGRET" trace import \
    tb/traces/triggers.cm --topology "$DIR/wide.topo" --at edge:0 --scheme ecmp -o "$DIR/t.pcap"
for device in /dev/zero /dev/null; do
    expect 2 "$device: is a device" "$EGRET" trace import $device --topology fat-tree:4 \
        --at edge:0 --scheme dr -o "$DIR/t.pcap"
    expect 2 "$device: is a device" "$EGRET" trace import tb/traces/triggers.cm \
        --topology $device --at edge:0 --scheme dr -o "$DIR/t.pcap"
done
expect 2 "$DIR: Is a directory" "$EGRET" trace import "$DIR" --topology fat-tree:4 --at edge:0 \
    --scheme dr -o "$DIR/t.pcap"
expect 2 "$DIR: Is a directory" "$EGRET" trace import tb/traces/triggers.cm --topology "$DIR" \
    --at edge:0 --scheme dr -o "$DIR/t.pcap"
expect 2 'only one input can be' "$EGRET" trace import - --topology - --at edge:0 --scheme dr \
    -o "$DIR/t.pcap"
nothing_left t.pcap
# A matrix on standard input, and on a pipe.
"$EGRET" trace import tb/traces/triggers.cm --topology fat-tree:4 --at edge:0 --scheme dr \
    -o "$DIR/named.pcap"
piped 0 '' tb/traces/triggers.cm "$EGRET" trace import - --topology fat-tree:4 --at edge:0 \
    --scheme dr -o "$DIR/piped.pcap"
holds 'the same from a pipe' cmp -s "$DIR/named.pcap" "$DIR/piped.pcap"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_model.sh: decisions as CSV, pcapng and JSON; outputs that appear only when complete; refusals.
# Faults of docs/verification.md: A10, A13, A14.
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
flag='"one_path": \[\{"group": 0, "only_port": [4-7], "queue_pairs": 8\}\],'
grep -qE "$flag" "$DIR/f.json" && good || bad "not flagged: $(grep one_path "$DIR/f.json")"
expect 0 'one path: all 8 queue pairs of group 0 leave by port ' "$EGRET" model --config lab \
    "$DIR/f.pcap" --queue-pairs "$DIR/f.csv"
make --at edge:2 --scheme ecmp --source-port fixed:49152 --fields RDMA_BTH_DEST_QP -o "$DIR/f.pcap"
"$EGRET" model --config lab "$DIR/f.pcap" --stats "$DIR/f.json" >/dev/null
grep -q '"max_over_mean_packets": 4.000000' "$DIR/f.json" && bad 'QP does not help' || good
grep -qF '"one_path": [],' "$DIR/f.json" && good || bad 'flagged, and is spread'
# Several queue pairs of two hosts: by the 5-tuple with one source port on one path, by QP not.
cat >"$DIR/job.cm" <<'END'
Nodes 128
Connections 8
0->100 id 1 start 0 size 65536
0->100 id 2 start 0 size 65536
0->100 id 3 start 0 size 65536
0->100 id 4 start 0 size 65536
1->101 id 5 start 0 size 65536
1->101 id 6 start 0 size 65536
1->101 id 7 start 0 size 65536
1->102 id 8 start 0 size 65536
END
host_pairs() { # OPTION...
    "$EGRET" trace import "$DIR/job.cm" --topology fat-tree:8 --at edge:0 --scheme ecmp --no-acks \
        --seed 2 -o "$DIR/j.pcap" "$@"
    "$EGRET" model --config lab "$DIR/j.pcap" --stats - | sed -n 's/.*"host_pairs": //p'
}
one='{"used": 3, "with_several_queue_pairs": 2, "on_one_path": 2},'
holds 'two pairs of hosts on one path each' [ "$(host_pairs --source-port fixed:49152)" = "$one" ]
none=${one/path\": 2/path\": 0}
holds 'by queue pair' \
    [ "$(host_pairs --source-port fixed:49152 --fields RDMA_BTH_DEST_QP)" = "$none" ]

# Where each queue pair went: from the frames and the decisions, by another program.
make --at edge:2 --scheme spray-random -o "$DIR/p2.pcap"
for s in p p2; do
    "$EGRET" model --config lab "$DIR/$s.pcap" --csv "$DIR/$s.csv" --stats "$DIR/$s.json" \
        --queue-pairs "$DIR/$s.qp" >"$DIR/out"
    "$EGRET" hash --algorithm crc32c --fields SRC_IP,DST_IP,RDMA_BTH_DEST_QP \
        --packets "$DIR/$s.pcap" >"$DIR/$s.bytes"
    python3 - "$DIR/$s" <<'END' && good || bad "placement of $s"
import csv, json, socket, struct, sys
base = sys.argv[1]
data, at, frames = open(base + ".pcap", "rb").read(), 24, []
while at < len(data):
    captured, length = struct.unpack_from("<II", data, at + 8)
    frame = data[at + 16:at + 16 + captured]
    at += 16 + captured
    if frame[12:14] == b"\x08\x00":
        frames.append((frame[26:30], frame[30:34], frame[47:50], length))
rows = list(csv.DictReader(open(base + ".csv")))
qps, uplinks = {}, {}
assert len(rows) == len(frames) > 100
for row, (src, dst, qp, length) in zip(rows, frames):
    if row["group"] != "0":
        continue
    name = (socket.inet_ntoa(src), socket.inet_ntoa(dst), "0x" + qp.hex())
    one = qps.setdefault(name, [0, 0, set()])
    one[0] += 1
    one[1] += length
    one[2].add(int(row["port"]))
got = {(r["source"], r["destination"], r["qp"]): [int(r["packets"]), int(r["bytes"]),
       set(map(int, r["ports"].split()))] for r in csv.DictReader(open(base + ".qp"))}
assert got == qps and len(qps) == 8
ports = [len(one[2]) for one in qps.values()]
stats = json.load(open(base + ".json"))
assert stats["queue_pairs"] == {"used": 8, "min_ports": min(ports), "max_ports": max(ports),
                                "on_one_port": ports.count(1)}, stats["queue_pairs"]
for port in stats["ports"]:
    assert port["queue_pairs"] == sum(port["port"] in one[2] for one in qps.values())
# The bytes hashed: fields not asked for are zero.
for line, (src, dst, qp, _) in zip(open(base + ".bytes"), frames):
    assert line.split()[1] == (src + bytes(12) + dst + bytes(17) + qp + bytes(1)).hex(), line
END
done
holds 'sprayed queue pairs use several ports' grep -q '"min_ports": [234]' "$DIR/p2.json"

# The bytes hashed and their hash, packet by packet: what the selector says it hashed. Edge 2 with
# seed 3 has the hash seed XOR 1.
hashed() { # CONFIG ALGORITHM LAYOUT OPTION...
    local config=$1 a=$2 layout=$3
    shift 3
    make --at edge:2 --scheme ecmp --config "$config" --hash "$a" --layout "$layout" \
        --hash-seed 84 --rotation 5 -o "$DIR/h.pcap" "$@"
    "$EGRET" model --config "$config" "$DIR/h.pcap" --csv - |
        awk -F, 'NR > 1 { print $3, $10 }' >"$DIR/said"
    "$EGRET" hash --algorithm "$a" --layout "$layout" --seed 85 --rotation 5 \
        --packets "$DIR/h.pcap" "$@" | tee "$DIR/bytes" | awk '{ print $1, $3 }' >"$DIR/hashed"
    [ -s "$DIR/said" ] && sed -i 's/ 0x/ /' "$DIR/said"
    holds "$a $layout $*" cmp -s "$DIR/said" "$DIR/hashed"
}
hashed lab crc32c ipv4-5tuple
hashed lab crc16 record --fields SRC_IP,RDMA_BTH_DEST_QP
hashed lab xor32 rss-ipv4-addr
hashed lab_lookup3 lookup3 record
# A key whose words read otherwise backwards; the bytes are those of the published vectors' order.
hashed lab toeplitz rss-ipv4 --key 00aBcDEF12345678
head -1 "$DIR/bytes" >"$DIR/first"
holds "bytes: $(cat "$DIR/first")" \
    grep -qE '^0 0a[0-9a-f]{6}0a[0-9a-f]{6}[0-9a-f]{4}12b7 [0-9a-f]{8}$' "$DIR/first"
while read -r _ bytes want; do
    holds "hash of $bytes" [ "$("$EGRET" hash --algorithm toeplitz --key 00abcdef12345678 \
        --seed 85 --rotation 5 --hex "$bytes")" = "$want" ]
done < <(sort -u -k2,2 "$DIR/bytes" | head -5)

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

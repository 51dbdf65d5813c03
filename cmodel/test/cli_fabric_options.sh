#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_fabric_options.sh: egret fabric: what each option refuses, its limits, and what it changes.
. cmodel/test/cli_lib.sh

F=("$EGRET" fabric)
P=("${F[@]}" --topology fat-tree:4 --collective permutation --packets 8)
json() { python3 -c "import json,sys; r=json.load(open('$DIR/a.json')); sys.exit(0 if $1 else 1)"; }
# still COMMAND...: results without the settings, and without what a clock on the wall measured.
still() {
    "$@" --json - | python3 -c "import json, sys
r = json.load(sys.stdin)
for part in (r, *r['runs']):
    for key in ('settings', 'threads', 'work', 'failures', 'wall_s', 'critical_path_s', 'cpu_s'):
        part.pop(key, None)
print(json.dumps(r, indent=1))"
}
# alike NAME COMMAND... -- COMMAND...: the results of both.
alike() {
    local name=$1 one=()
    shift
    while [ "$1" != -- ]; do
        one+=("$1")
        shift
    done
    shift
    still "${one[@]}" >"$DIR/one"
    still "$@" >"$DIR/more"
    holds "$name: results" [ "$(grep -c '"cct_ps"' "$DIR/one")" -ge 1 ]
    holds "$name" cmp -s "$DIR/one" "$DIR/more"
}

# ---- flowlets ----

L=("${P[@]}" --scheme flowlet)
expect 2 '--flowlet-idle is for --scheme flowlet' "${P[@]}" --flowlet-idle never
expect 2 '--flowlet-path is for --scheme flowlet' "${P[@]}" --flowlet-path random
expect 2 '--flowlet-entries is for --scheme flowlet' "${P[@]}" --flowlet-entries 64
expect 2 '--flowlet-idle: 0 to 267386848 ns, or never' "${L[@]}" --flowlet-idle soon
expect 2 '--flowlet-idle: 0 to' "${L[@]}" --flowlet-idle 267386849
expect 0 'cct' "${L[@]}" --flowlet-idle 267386848
expect 2 '--flowlet-entries: a power of two, 1 to 65536' "${L[@]}" --flowlet-entries 3
expect 2 '--flowlet-entries: a power of two' "${L[@]}" --flowlet-entries 131072
expect 0 'cct' "${L[@]}" --flowlet-entries 65536
expect 2 '--flowlet-path is random, quality or better' "${L[@]}" --flowlet-path best
for path in quality better; do
    expect 0 'scheme    flowlet' "${L[@]}" --flowlet-path $path --load conga --period 1000
done
# A flow keeps its path as long as its flowlet does: with one that never ends none is overtaken.
# With one that ends at once each packet has a path of its own.
M=("${F[@]}" --topology fat-tree:4 --collective permutation --packets 256 --scheme flowlet)
"${M[@]}" --flowlet-idle never --json "$DIR/a.json" >"$DIR/out"
holds 'never: in order' json "r['runs'][0]['reordered'] == 0"
"${M[@]}" --flowlet-idle 0 --json "$DIR/a.json" >"$DIR/out"
holds 'at once: not in order' json "r['runs'][0]['reordered'] > 0"

# ---- loads ----

Q=("${P[@]}" --scheme spray-quality)
expect 2 '--load is for --scheme spray-quality' "${P[@]}" --load sai
expect 2 '--period is for --scheme spray-quality' "${P[@]}" --period 1000
expect 2 '--period is for --scheme spray-quality, or --flowlet-path' "${L[@]}" --period 1000
expect 2 "not 'odd'" "${Q[@]}" --load odd
expect 2 '--period: 1 to 1000000000 ns' "${Q[@]}" --period 0
expect 2 '--period: 1 to' "${Q[@]}" --period 1000000001
expect 0 'cct' "${Q[@]}" --period 1000000000 --rate 1G
for drill in 3,1 1,2 '1;1' 1,1, 1 a,1; do
    expect 2 '--drill is D,M: 0 to 2 samples, 0 or 1 remembered' "${Q[@]}" --drill "$drill"
done
expect 2 'without samples none is remembered' "${Q[@]}" --drill 0,1
expect 0 'cct' "${Q[@]}" --drill 2,1
alike 'drill 0,0 is what there is without' "${Q[@]}" -- "${Q[@]}" --drill 0,0

# ---- hashes and ACKs ----

expect 2 "--ack-path is alike or hashed, not 'both'" "${P[@]}" --ack-path both
expect 2 "--hash: unknown algorithm 'crc33'" "${P[@]}" --hash crc33
expect 2 "--hash: unknown algorithm 'matrix'" "${P[@]}" --hash matrix
expect 2 "--fields: no field 'src_mac'; there are SRC_IP" "${P[@]}" --fields src_mac
expect 2 '--agg-rotation: 0 to 31' "${P[@]}" --agg-rotation 32
expect 0 'cct' "${P[@]}" --agg-rotation 31
expect 2 '--wraps: 0 to 15' "${P[@]}" --scheme spray-rr --wraps 16
expect 0 'cct' "${P[@]}" --scheme spray-rr --wraps 15
alike 'spray-rr hashes ACKs' "${P[@]}" --scheme spray-rr -- \
    "${P[@]}" --scheme spray-rr --ack-path hashed
alike 'dr does not' "${P[@]}" --scheme dr -- "${P[@]}" --scheme dr --ack-path alike
still "${P[@]}" --scheme dr --ack-path hashed >"$DIR/more"
still "${P[@]}" --scheme dr >"$DIR/one"
holds 'dr with hashed ACKs is another run' [ "$(cmp -s "$DIR/one" "$DIR/more" || echo other)" ]
alike 'ecmp hashes them in any case' "${P[@]}" --scheme ecmp -- \
    "${P[@]}" --scheme ecmp --ack-path hashed

# ---- packets, hosts, transport ----

expect 2 '--gap: 0 to 1024 bytes' "${P[@]}" --gap 1025
expect 2 '--header, --ack: 8 to 1024 bytes' "${P[@]}" --ack 1025
expect 0 'cct' "${P[@]}" --gap 1024 --header 1024 --ack 1024 --payload 16384
expect 0 'cct' "${P[@]}" --gap 0 --header 8 --ack 8 --payload 1
expect 2 '--host is flow, subflow:N, random or drb' "${P[@]}" --host sprayed
expect 2 '--host is flow, subflow:N, random or drb' "${P[@]}" --host subflow:65536
expect 0 'hosts subflow' "${P[@]}" --host subflow:65535
alike 'four subflows' "${P[@]}" --host subflow -- "${P[@]}" --host subflow:4
expect 2 '--transport is ideal or sack' "${P[@]}" --transport tcp
alike 'the ideal transport' "${P[@]}" -- "${P[@]}" --transport ideal
expect 2 '--reorder-threshold is for --transport sack' "${P[@]}" --reorder-threshold 1
expect 2 '--reorder-threshold: 1 to 4294967295' "${P[@]}" --transport sack --reorder-threshold 0
# Full bisection, nothing failed: the links bear the hosts' full rate.
alike 'rho max' "${P[@]}" -- "${P[@]}" --rho max
expect 2 '--placement is linear or random' "${P[@]}" --placement odd
alike 'linear' "${P[@]}" -- "${P[@]}" --placement linear
expect 2 '3 rails do not divide 8 edges' "${P[@]}" --rails 3
expect 2 'exclude each other' "${P[@]}" --rails 4 --placement random

# ---- times: whole picoseconds below 2^64 ----

expect 2 '--limit is a time' "${P[@]}" --limit 0
expect 2 '--limit is a time' "${P[@]}" --limit soon
expect 2 '--limit is a time' "${P[@]}" --limit .5us
expect 2 '--limit is a time' "${P[@]}" --limit 5.0.1us
expect 2 '--limit is a time' "${P[@]}" --limit 18446744073709551616ps
expect 2 '--limit is a time' "${P[@]}" --limit 18446744073709552ns
expect 2 '--limit is a time' "${P[@]}" --limit 18446744073709551.616ns
expect 0 'cct' "${P[@]}" --limit 18446744073709551.615ns
expect 2 'not over at the time limit' "${P[@]}" --limit 1 # ns
expect 2 '--latency is a time' "${P[@]}" --latency far
expect 2 'the shortest latency of a link' "${P[@]}" --latency 5ms
expect 2 '--samples is a time' "${P[@]}" --samples 0
expect 2 '--samples is a time' "${P[@]}" --samples often
expect 2 'more than 1048576 periods' "${P[@]}" --samples 1ps

# ---- work ----

expect 2 "--algorithm: unknown algorithm 'odd'" "${P[@]}" --algorithm odd
expect 2 '--packets: at least 1' "${F[@]}" --topology fat-tree:4 --collective ring --packets 0
expect 2 '--packets: at least 1' "${F[@]}" --topology fat-tree:4 --collective ring \
    --packets 4503599627370496
expect 2 '--rounds is for ring and alltoall' "${P[@]}" --rounds 2
expect 2 'only one input can be standard input' "${F[@]}" --topology fat-tree:4 - -
for o in bytes packets rounds channels root chunk window experts skew; do
    expect 2 "--$o is for --collective" "${F[@]}" --topology fat-tree:4 --$o 1 x.cm
done
corpus=cmodel/test/corpus/capture
expect 2 'one capture at a time' "${F[@]}" --topology fat-tree:4 $corpus/nano.pcap $corpus/nano.pcap
expect 0 'messages' "${F[@]}" --topology fat-tree:4 $corpus/write.pcapng

# ---- failures and switches by name ----

for fail in edge:x:0@1us edge:0:x@1us edge:0:0@ "edge:$(printf '%070d' 0):0@1us" \
    edge:0:0@1us, ,edge:0:0@1us; do
    expect 2 '--fail is edge:I:UPLINK@TIME' "${P[@]}" --fail "$fail"
done
matrix() { # failure TYPE SWITCH LINK
    printf 'Nodes 16\nConnections 1\nFailures 1\n0->11 id 1 start 0 size 65536\n'
    printf 'failure switch_type %s switch_id %s link_id %s\n' "$@"
}
# Core 2 of fat-tree:4 is above the second aggregation switch of each pod, at its first uplink; its
# link 2 goes to pod 2, whose second aggregation switch is number 5.
matrix CORE 2 2 >"$DIR/core.cm"
matrix AGG 5 0 >"$DIR/agg.cm"
printf 'Nodes 16\nConnections 1\n0->11 id 1 start 0 size 65536\n' >"$DIR/none.cm"
T=("${F[@]}" --topology fat-tree:4)
alike 'a link of a core' "${T[@]}" "$DIR/core.cm" -- "${T[@]}" "$DIR/agg.cm"
alike 'as an option' "${T[@]}" "$DIR/core.cm" -- "${T[@]}" "$DIR/none.cm" --fail agg:5:0
matrix CORE 4 0 >"$DIR/bad.cm"
expect 2 'core 4 has no link 0' "${T[@]}" "$DIR/bad.cm"
matrix CORE 3 4 >"$DIR/bad.cm"
expect 2 'core 3 has no link 4' "${T[@]}" "$DIR/bad.cm"
matrix CORE 0 0 >"$DIR/bad.cm"
expect 2 'core 0 has no link 0' "${F[@]}" --topology leaf-spine:4,2,4 "$DIR/bad.cm"
matrix TOR 8 0 >"$DIR/bad.cm"
expect 2 'edge:8:0: there are 8 such' "${T[@]}" "$DIR/bad.cm"
for at in top:0 edge:x core: core:-1; do
    expect 2 "no switch $at" "${P[@]}" --record "$at=$DIR/r.pcap"
done
long=$(printf '%063d' 0)
expect 2 'no switch edge' "${P[@]}" --record "edge:${long:0:57}9=$DIR/r.pcap"
expect 2 'SWITCH=FILE' "${P[@]}" --record "edge:$long=$DIR/r.pcap"
expect 2 'the name of the file is too long' "${P[@]}" --record "edge:0=$(printf '%04092d' 0)"
expect 2 '--record cannot be standard output' "${P[@]}" --record edge:0=-
if [ "$EGRET" = build/bin/egret ]; then
    FAULTY=build/test/trace_faulty_selector.so
    expect 2 'no switch core:4 in fat-tree:4' "${P[@]}" --selector "$FAULTY" --selector-at core:4
    expect 2 '--selector-at is edge:0' "${P[@]}" --selector "$FAULTY" --selector-at edge:0,
fi

# ---- nothing arrives ----

# Both uplinks of the edge are down for good.
none=("${T[@]}" "$DIR/none.cm" --payload 1 --rho 1 --fail edge:0:0,edge:0:1)
expect 2 'host 0 to host 11: no live path' "${none[@]}" --scheme jsq
expect 2 'host 0 to host 11: no live path' "${none[@]}" --scheme dr --threads 2
# Both fail while the message is under way, and their switch knows: jsq has no port for a packet.
printf 'Nodes 16\nConnections 1\n0->11 id 1 start 0 size 65536000\n' >"$DIR/late.cm"
expect 2 'none has arrived: host 0 to host 11: no live path' "${T[@]}" "$DIR/late.cm" --scheme jsq \
    --fail edge:0:0@2us,edge:0:1@2us --convergence 0

# ---- outputs ----

# A recording stays only if all outputs do.
expect 2 'No space left on device' "${P[@]}" --record "edge:0=$DIR/r.pcap" --csv /dev/full
nothing_left r.pcap
nothing_left r.pcap.cfg
expect 2 'record: the file cannot be written' "${Q[@]}" --period 100 \
    --record edge:0=/dev/full
expect 0 '"bound_us": null' "${T[@]}" "$DIR/none.cm" --json -
# A name with what JSON must not have as it is.
odd=$DIR/$'a"b\\c\td.topo'
cp tb/traces/leaf_spine.topo "$odd"
"${F[@]}" --topology "$odd" --collective permutation --packets 1 --samples 1us \
    --json "$DIR/a.json" >"$DIR/out"
holds 'a name with quotes' json "r['topology'] == '$DIR/a\"b\\\\c\\td.topo'"
# Two tiers have four queues: no core, no uplink of an aggregation switch.
holds 'queues of two tiers' json "set(r['runs'][0]['utilisation']) == set(r['runs'][0]['queues'])
    == {'host', 'edge_up', 'agg_down', 'edge_down'}"

# ---- on a terminal: how far it is, and the line is gone at the end ----

if [ "$(uname)" = Linux ]; then
    python3 - "${F[@]}" --topology fat-tree:8 --collective alltoall --packets 32 >"$DIR/out" <<'EOF'
import os, pty, re, sys
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    text += part
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
told = re.findall(rb"\rfabric: (\d+) of (\d+) operations, ([\d.]+) us\x1b\[K", text)
done = [int(t[0]) for t in told]
print("code", code)
print("told" if told and {t[1] for t in told} == {b"16256"} else text)
print("forward" if done == sorted(set(done)) else done)
print("gone" if text.endswith(b"\r\x1b[K") and len(text.split(b"\n")) == 1 else text)
EOF
    holds "a terminal: $(cat "$DIR/out")" \
        [ "$(tr '\n' ' ' <"$DIR/out")" = 'code 0 told forward gone ' ]
fi
finish

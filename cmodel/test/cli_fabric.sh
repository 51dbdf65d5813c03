#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_fabric.sh: egret fabric: arguments, outputs, and that threads change nothing.
. cmodel/test/cli_lib.sh

F=("$EGRET" fabric)
P=("${F[@]}" --topology fat-tree:4 --collective permutation --packets 32)

# ---- arguments ----

"$EGRET" config show lab >"$DIR/lab.cfg" # and what others lack
sed 's/^SCHEMES=.*/SCHEMES=2/; s/^NUM_FLOWLETS=.*/NUM_FLOWLETS=0/' "$DIR/lab.cfg" >"$DIR/e.cfg"
sed 's/^SCHEMES=.*/SCHEMES=258/' "$DIR/lab.cfg" >"$DIR/f.cfg"
sed 's/^HASH_KIND=.*/HASH_KIND=2/; s/^RSP_DEPTH=.*/RSP_DEPTH=64/' "$DIR/lab.cfg" >"$DIR/l.cfg"
sed 's/^HASH_KIND=.*/HASH_KIND=0/' "$DIR/lab.cfg" >"$DIR/m.cfg"

expect 2 '--topology is missing' "${F[@]}"
expect 2 'k of a fat-tree is even' "${F[@]}" --topology fat-tree:7 --collective ring --bytes 1
expect 2 '--collective is missing' "${F[@]}" --topology fat-tree:4
expect 2 'say the same thing' "${P[@]}" --bytes 1KiB
expect 2 "not 'sprey'" "${P[@]}" --scheme sprey
expect 2 "not 'sprey'" "${P[@]}" --scheme edge=dr,agg=sprey
expect 2 'edge=NAME,agg=NAME' "${P[@]}" --scheme edge=dr,top=dr
expect 2 'edge=NAME,agg=NAME' "${P[@]}" --scheme edge=dr,
expect 2 '--host is' "${P[@]}" --host subflow:0
expect 2 'says the path' "${P[@]}" --host drb --scheme edge=entropy,agg=dr,core=dr
expect 2 'flowlet-idle is for' "${P[@]}" --flowlet-idle 100
expect 2 'drill is for' "${P[@]}" --drill 2,1
expect 2 '--load: sai' "${P[@]}" --scheme spray-quality --load none
expect 2 'rto is for' "${P[@]}" --rto 1us
expect 2 '--rto is a time' "${P[@]}" --transport sack --rto 1.0005ns
expect 2 '--rho is max' "${P[@]}" --rho 1.01
expect 2 '--rho is max' "${P[@]}" --rho 0
expect 2 '--buffer is SIZE' "${P[@]}" --buffer top=20p
expect 2 '--buffer is SIZE' "${P[@]}" --buffer edge-up=20q
expect 2 '--payload: 1 to' "${P[@]}" --payload 0
expect 2 '--payload: 1 to 16384' "${P[@]}" --payload 16385
expect 2 '--header, --ack: 8 to' "${P[@]}" --header 7
expect 2 '--rto is a time' "${P[@]}" --transport sack --rto 999ps
expect 2 '--threads: 1 to 64' "${P[@]}" --threads 65
expect 2 '--seeds: 1 to' "${P[@]}" --seeds 0
expect 2 '--seeds: 1 to' "${P[@]}" --seed 4294967295 --seeds 2
expect 2 'edge:8:0: there are 8 such' "${P[@]}" --fail edge:8:0@1us
expect 2 'with 2 uplinks' "${P[@]}" --fail agg:0:2@1us
expect 2 '--fail is edge' "${P[@]}" --fail edge:0@1us
expect 2 '--fail is edge' "${P[@]}" --fail edge:0:0@1xs
expect 2 'is a percentage' "${P[@]}" --fail-links 1
expect 2 'is a percentage' "${P[@]}" --fail-links 101%
expect 2 '--convergence is' "${P[@]}" --convergence later
expect 2 '--convergence is' "${P[@]}" --convergence 18446744073709551615ps
expect 2 'no switch core:4' "${P[@]}" --record "core:4=$DIR/c.pcap"
L=("${F[@]}" --topology leaf-spine:2,2,2 --collective permutation --packets 4)
expect 0 'cct' "${L[@]}" --record "spine:1=$DIR/c.pcap"
expect 0 'cct' "${L[@]}" --record "agg:1=$DIR/d.pcap"
holds 'a spine is an agg' cmp -s "$DIR/c.pcap" "$DIR/d.pcap"
expect 2 'no switch spine:2' "${L[@]}" --record "spine:2=$DIR/c.pcap"
expect 2 'less than 2^64 bytes' "${F[@]}" --topology fat-tree:4 --collective permutation \
    --packets 4503599627370496
for o in --packets --payload --header --ack --gap; do # 2^64 - 1 is a number as any other
    expect 2 "$o" "${F[@]}" --topology fat-tree:4 --collective permutation \
        $o 18446744073709551615
done
expect 2 '--period: 1 to' "${P[@]}" --scheme spray-quality --period 18446744073709551615
expect 2 '--reorder-threshold: 1 to' "${P[@]}" --transport sack \
    --reorder-threshold 18446744073709551615
expect 2 '--flowlet-entries: a power' "${P[@]}" --scheme flowlet \
    --flowlet-entries 18446744073709551615
expect 2 '--flowlet-entries: a power' "${P[@]}" --scheme flowlet --flowlet-entries 0
expect 2 '--flowlet-entries is for' "${P[@]}" --flowlet-entries 0
expect 0 'cct' "${P[@]}" --scheme flowlet --flowlet-entries 65536 --payload 4KiB --gap 0
# A name twice: not the last one.
expect 2 '--scheme: edge= is given twice' "${P[@]}" --scheme edge=dr,edge=ecmp
expect 2 '--scheme: agg= is given twice' "${P[@]}" --scheme agg=dr,core=dr,spine=ecmp
expect 2 '--buffer: edge-up= is given twice' "${P[@]}" --buffer edge-up=0,edge-up=1
expect 2 '--ecn: host= is given twice' "${P[@]}" --ecn host=1,agg-up=2p,host=1
for t in fat-tree:4 leaf-spine:2,2,2; do
    expect 2 'gbps= is given twice' "${F[@]}" --topology $t,gbps=1,gbps=2 --collective permutation
    expect 2 'ns= is given twice' "${F[@]}" --topology $t,ns=1,gbps=2,ns=1 --collective permutation
done
expect 2 'one switch a run, not a list' "${P[@]}" --record "edge:0=$DIR/l.pcap,core:1=$DIR/k.pcap"
nothing_left "l.pcap,core:1=$DIR/k.pcap"
expect 0 'cct' "${P[@]}" --record "edge:0=$DIR/l,core:x=1.pcap" # no switch: a name as any other
# What is wrong, in the words of the options.
expect 2 '--scheme flowlet needs scheme flowlet, which configuration tiny does not have' \
    "${P[@]}" --scheme flowlet --config tiny
expect 2 '--scheme simple-rr needs scheme spray-rr' "${P[@]}" --scheme simple-rr \
    --config "$DIR/e.cfg"
expect 2 'its SCHEMES are ecmp' "${P[@]}" --config "$DIR/e.cfg"
expect 2 '--flowlet-path by quality needs scheme spray-quality' "${P[@]}" --scheme flowlet \
    --flowlet-path quality --config "$DIR/f.cfg"
expect 2 '--hash lookup3: configuration lab has every hash but' "${P[@]}" \
    --hash lookup3 --config lab
expect 2 '--hash xor32: configuration l has lookup3 alone' "${P[@]}" --hash xor32 \
    --config "$DIR/l.cfg"
expect 2 '--hash xor32: configuration m has crc16 and crc32c' "${P[@]}" --hash xor32 \
    --config "$DIR/m.cfg"
expect 2 "no field 'foo'; there are SRC_IP, DST_IP" "${P[@]}" --fields foo
for k in rtl check; do
    expect 2 "--selector $k:: the name of a configuration is missing: $k:lab" "${P[@]}" \
        --selector $k:
done
expect 2 'is even, 2 to 64' "${F[@]}" --topology fat-tree:7 --collective permutation
# A link has one name, that of its lower end.
expect 0 'cct' "${L[@]}" --fail leaf:0:1@1us
expect 0 'cct' "${L[@]}" --fail edge:0:1@1us
expect 0 'cct' "${P[@]}" --fail leaf:0:1@1us,spine:0:1
expect 2 'leaf:2:0: there are 2 such' "${L[@]}" --fail leaf:2:0
expect 2 'spine:0:0: a link is named from below: leaf:I:UPLINK' "${L[@]}" --fail spine:0:0
expect 2 'agg:0:0: a link is named from below: leaf:I:UPLINK' "${L[@]}" --fail agg:0:0
expect 2 'core:0:0: a link is named from below: agg:I:UPLINK' "${P[@]}" --fail core:0:0
expect 2 '--fail is edge' "${P[@]}" --fail leaf:0
expect 0 'need make selectors CONFIG=lab' "$EGRET" fabric --help
expect 0 'read, perm.cm, are your own' "$EGRET" fabric --help
expect 0 'selectors CONFIG=lab first, and so with' "$EGRET" --man
expect 2 'SWITCH=FILE' "${P[@]}" --record core:0
expect 2 'SWITCH=FILE' "${P[@]}" --record core:0=
expect 2 'not with --seeds' "${P[@]}" --record "core:0=$DIR/c.pcap" --seeds 2
expect 2 'needs --selector' "${P[@]}" --selector-at edge:0
expect 2 'has no selector' "${P[@]}" --scheme jsq --selector rtl:lab
expect 2 'no such file' "${P[@]}" --selector ./nothing.so --config lab
expect 2 'needs --samples' "${P[@]}" --samples-csv "$DIR/s.csv"
expect 2 'only one output' "${P[@]}" --json - --csv -
expect 2 'No such file or directory' "${P[@]}" --json "$DIR/none/r.json"
expect 2 'does not go with files' "${P[@]}" --trace tb/traces/leaf_spine.topo
expect 2 '--bytes is for --collective' "${F[@]}" --topology fat-tree:4 --bytes 1 x.cm
for o in '--packets 1' '--rounds 1' '--channels 2' '--root 1' '--chunk 1KiB' '--window 1' \
    '--experts 1' '--skew 1'; do # shellcheck disable=SC2086
    expect 2 "${o% *} is for --collective" "${F[@]}" --topology fat-tree:4 $o x.cm
done
printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\1\0\0\0' >"$DIR/c.pcap" # nothing in it
expect 2 '--comm-groups is for files' "${P[@]}" --comm-groups "$DIR/groups.json"
expect 2 '--zero-size is for files' "${P[@]}" --zero-size 1
expect 2 '--zero-size is not for a capture' "${F[@]}" --topology fat-tree:4 --zero-size 1 \
    "$DIR/c.pcap"
expect 2 '--algorithm is not for a capture' "${F[@]}" --topology fat-tree:4 \
    --algorithm allreduce=ring "$DIR/c.pcap"
expect 2 '--group-size is not for a capture' "${F[@]}" --topology fat-tree:4 --group-size 2 \
    "$DIR/c.pcap"
for o in --no-compute --allow-counts --allow-unmatched --allow-dangling --allow-zero \
    --allow-trailing; do
    expect 2 "$o is for files" "${P[@]}" $o
    expect 2 "$o is not for a capture" "${F[@]}" --topology fat-tree:4 $o "$DIR/c.pcap"
done
expect 2 'No such file' "${F[@]}" --topology fat-tree:4 --trace "$DIR/none.cm"
expect 2 'not over at the time limit' "${P[@]}" --limit 2us
printf 'Nodes 4\nConnections 1\n3->0 id 1 start 0 size 9\n' >"$DIR/four.cm"
expect 2 'ranks on' "${F[@]}" --topology fat-tree:2 --trace "$DIR/four.cm"
"${P[@]}" --json "$DIR/a.json" >"$DIR/out"
expect 2 '' "${P[@]}" --json "$DIR/a.json" --csv "$DIR/a.json"
expect 2 'time limit' "${P[@]}" --limit 2us --json "$DIR/l.json" --record "edge:0=$DIR/l.pcap"
nothing_left l.json
nothing_left l.pcap
nothing_left l.pcap.cfg

# ---- not too long, and not given up too soon ----

# More than a million packets on their way before the first can arrive.
M=("${F[@]}" --topology fat-tree:4 --collective permutation)
expect 2 'not over at the time limit' "${M[@]}" --packets 70000 --payload 1 --latency 4ms \
    --limit 1ms
# 0.83 ns from packet to packet: more than a million are lost in 2 ms, but then there is a way.
printf 'Nodes 16\nConnections 1\n0->15 id 1 start 0 size 8192\n' >"$DIR/one.cm"
P1=("${F[@]}" --topology fat-tree:4 --trace "$DIR/one.cm")
expect 0 'cct       2' "${P1[@]}" --scheme ecmp --rho 1 --payload 1 --convergence 2ms \
    --fail edge:0:0,agg:0:0,agg:1:0
# Packets far apart, windows short: 16.7 billion of them between two packets.
expect 0 'cct       3' timeout 60 "${M[@]}" --packets 4 --latency 2ps --rate 1M

# ---- bounds ----

# One message alone: its sender has no ACKs to send, so there is no bound.
expect 0 'none known' "${P1[@]}"
below() { "$@" --json "$DIR/b.json" >"$DIR/out"
    python3 -c "import json; r = json.load(open('$DIR/b.json'))
assert r['cct_best_us'] >= r['bound_us'] > 0" 2>"$DIR/err"; }
holds 'messages shorter than a packet' below "${F[@]}" --topology fat-tree:8 --scheme dr \
    --collective all-to-all --packets 16
holds 'a last packet that is short' below "${F[@]}" --topology leaf-spine:2,8,8 --scheme jsq \
    --collective alltoall --bytes 66KiB
# Other links fail with each seed, so rho_max and the bound are others.
below "${M[@]}" --packets 64 --fail-links 10% --seeds 4 --csv "$DIR/b.csv"
holds 'the least bound' [ "$(cut -d, -f4 "$DIR/b.csv" | tail -n +2 | sort -n | head -1 |
    sed 's/......$/.&/')" = "$(sed -n 's/^  "bound_us": \(.*\),$/\1/p' "$DIR/b.json")" ]
expect 0 'cct' "${F[@]}" --topology fat-tree:2 --collective permutation --packets 1 \
    --seed 4294967295

# ---- output ----

# A message of 32 packets between pods takes at least the round trip and 32 times data and gap:
# 6.25332 us + 31 * 0.04178; docs/fabric-bounds.md. The first ACKs come behind the last data.
expect 0 'bound     7.548500 us' "${P[@]}"
expect 0 'fat-tree:4: 16 hosts, 20 switches, 3 tiers' "${P[@]}"
json() { python3 -c "import json,sys; r=json.load(open('$DIR/a.json')); sys.exit(0 if $1 else 1)"; }
holds 'keys of the issue' json "all(k in r for k in ('cct_us','bound_us','packet_hops','wall_s'))"
holds 'a run' json "len(r['runs']) == 1 and r['runs'][0]['seed'] == 1 and r['threads'] == 1"
holds 'bound in JSON' json "r['bound_us'] == 7.5485 and r['cct_us'] >= r['bound_us']"
holds 'data' json "r['runs'][0]['data_received'] == 16 * 32 == r['runs'][0]['acks_sent']"
holds 'queues' json "all({'mean_packets', 'max_packets'} <= set(q)
    for q in r['runs'][0]['queues'].values())"
holds 'six tiers' json "len(r['runs'][0]['queues']) == 6"
holds 'hops' json "r['packet_hops'] == sum(q['packets'] for q in r['runs'][0]['queues'].values())"
holds 'ps' json "r['runs'][0]['cct_ps'] == round(r['cct_us'] * 1e6)"
"${P[@]}" --seeds 3 --json "$DIR/a.json" --csv "$DIR/a.csv" --samples 1us \
    --samples-csv "$DIR/s.csv" >"$DIR/out"
holds 'seeds' json "[x['seed'] for x in r['runs']] == [1, 2, 3]"
holds 'mean' json "abs(sum(x['cct_ps'] for x in r['runs']) / 3e6 - r['cct_us']) < 1e-6"
holds 'best' json "min(x['cct_us'] for x in r['runs']) == r['cct_best_us'] <= r['cct_max_us']"
holds 'samples' json "all(len(x['utilisation']['host']) >= 7 for x in r['runs'])"
holds 'busy' json "0.9 < r['runs'][0]['utilisation']['host'][0] <= 1"
holds 'best is printed' grep -q '^best  ' "$DIR/out"
holds 'rows' [ "$(wc -l <"$DIR/a.csv")" = 19 ]
holds 'sample rows' [ "$(wc -l <"$DIR/s.csv")" -gt 21 ]
expect 0 '"cct_us"' "${P[@]}" --json -
holds 'JSON alone' python3 -c "import json; json.load(open('$DIR/out'))"

# ---- settings: an option that changes alone changes its keys, and no others ----

printf 'Nodes 16\nConnections 2\n0->15 id 1 start 0 size 8192\n1->2 id 2 start 0 size 0\n' \
    >"$DIR/zero.cm"
printf '{"1": [0, 1]}' >"$DIR/groups.json"
N=0
with() {
    "${F[@]}" --json "$1" "${@:2}" >/dev/null 2>"$DIR/err" ||
        bad "settings: ${*:2}: $(cat "$DIR/err")"
}
setting() { # KEYS[=VALUE of the first as JSON] OPTIONS...: against B
    N=$((N + 1))
    cp "$DIR/base.json" "$DIR/set.$N.base"
    with "$DIR/set.$N.json" "${B[@]}" "${@:2}"
    printf '%s\n%s\n' "$1" "${*:2}" >"$DIR/set.$N.keys"
}
base() { B=("$@"); with "$DIR/base.json" "$@"; }
base --topology fat-tree:4 --collective permutation --packets 2
B=(--topology fat-tree:4 --collective permutation)
setting 'message_bytes=12288' --packets 3
setting 'message_bytes=5000' --bytes 5000
B+=(--packets 2)
setting 'link_gbps=[400, 400, 400]' --rate 400G
setting 'link_gbps=[2.5, 2.5, 2.5]' --rate 2500M
setting 'latency_ps=[100000, 100000, 100000]' --latency 100ns
setting 'rails=2' --rails 2
Q='"agg_up": 83160, "core_down": 83160, "agg_down": 83160, "edge_down": 83160'
setting 'buffer_bytes={"host": 0, "edge_up": 83160, '"$Q}" --buffer 20p
Q='"core_down": 0, "agg_down": 0, "edge_down": 0'
setting 'ecn_bytes={"host": 0, "edge_up": 0, "agg_up": 9, '"$Q}" --ecn agg-up=9
setting 'trim=true' --trim
setting 'placement="random"' --placement random
setting 'scheme="edge=dr,agg=ecmp,core=dr"' --scheme edge=dr,agg=ecmp
setting 'ack_path="hashed"' --ack-path hashed
setting 'hash="xor16"' --hash xor16
setting 'fields=["SRC_IP", "L4_SRC_PORT"]' --fields L4_SRC_PORT,SRC_IP
setting 'hash_seed=7' --hash-seed 7
setting 'agg_rotation_bits=0' --agg-rotation 0
setting 'config="lab"' --config lab
setting 'host,scheme="random"' --host random
setting 'transport,reorder_threshold_packets="sack"' --transport sack
setting 'rho_ppm=950000' --rho 95%
setting 'rho_ppm=null' --rho max
setting 'payload_bytes,message_bytes=1000' --payload 1000
setting 'header_bytes=70' --header 70
setting 'ack_bytes=70' --ack 70
setting 'gap_bytes=0' --gap 0
setting 'window_packets=8' --window-packets 8
setting 'fail,rho_ppm=[{"switch": "edge:1", "uplink": 0, "time_ps": 2500000}]' \
    --fail edge:1:0@2500ns
setting 'fail_links_ppm,rho_ppm=50000' --fail-links 5%
setting 'convergence_ps=10000000' --convergence 10us
setting 'convergence_ps=null' --convergence inf
setting 'seed=5' --seed 5
setting 'seeds=2' --seeds 2
setting 'limit_ps=10000000000' --limit 10ms
setting 'sample_ps=1000000' --samples 1us
setting '' --threads 2
base --topology fat-tree:4 --collective permutation --packets 2 --host subflow:3
B=(--topology fat-tree:4 --collective permutation --packets 2)
setting 'subflows=5' --host subflow:5
base --topology fat-tree:4 --collective permutation --packets 2 --transport sack
setting 'rto_ps=50000000' --rto 50us
setting 'reorder_threshold_packets=6' --reorder-threshold 6
base --topology fat-tree:4 --collective permutation --packets 2 --scheme spray-rr
setting 'wraps=0' --wraps 0
base --topology fat-tree:4 --collective permutation --packets 2 --scheme flowlet
setting 'flowlet_idle_ns=100' --flowlet-idle 100
setting 'flowlet_idle_ns=null' --flowlet-idle never
setting 'flowlet_path="better"' --flowlet-path better
setting 'flowlet_entries=64' --flowlet-entries 64
base --topology fat-tree:4 --collective permutation --packets 2 --scheme spray-quality
setting 'drill_samples,drill_memory=2' --drill 2,1
setting 'load,period_ns="conga"' --load conga
setting 'period_ns=5000' --period 5000
base --topology fat-tree:4 --collective ring --bytes 64KiB
setting 'rounds=2' --rounds 2
base --topology fat-tree:4 --collective all-reduce --algorithm ring --bytes 64KiB
setting 'channels=2' --channels 2
base --topology fat-tree:4 --collective all-reduce --bytes 64KiB
setting 'algorithm="halving-doubling"' --algorithm halving-doubling
base --topology fat-tree:4 --collective all-reduce --algorithm double-binary-tree --bytes 64KiB
setting 'chunk_bytes=4096' --chunk 4KiB
base --topology leaf-spine:2,2,2 --collective broadcast --bytes 64KiB
setting 'root=1' --root 1
base --topology leaf-spine:2,2,2 --collective alltoall --bytes 64KiB
setting 'window_messages=1' --window 1
base --topology leaf-spine:2,2,2 --collective incast --bytes 64KiB
setting 'group_size=2' --group-size 2
base --topology fat-tree:4 --collective moe --bytes 64KiB --chunk 1KiB
setting 'experts=3' --experts 3
setting 'skew_percent=50' --skew 50
base --topology fat-tree:4 --zero-size 10 "$DIR/zero.cm"
B=(--topology fat-tree:4 "$DIR/zero.cm")
setting 'zero_size_bytes=9' --zero-size 9
base --topology fat-tree:4 "$DIR/one.cm"
cp "$DIR/one.cm" "$DIR/same.cm"
B=(--topology fat-tree:4)
setting 'files=["'"$DIR/same.cm"'"]' "$DIR/same.cm"
B+=("$DIR/one.cm")
for o in --no-compute --allow-counts --allow-unmatched --allow-dangling --allow-zero \
    --allow-trailing; do
    key=${o#--}
    setting "${key//-/_}=true" $o
done
setting 'comm_groups="'"$DIR/groups.json"'"' --comm-groups "$DIR/groups.json"
base --topology fat-tree:2 --collective permutation --packets 2
B=(--collective permutation --packets 2)
setting 'topology="fat-tree:2,oversub=1"' --topology fat-tree:2,oversub=1
B=(--topology fat-tree:2 --packets 2)
setting 'collective="tornado"' --collective tornado
python3 - "$DIR" "$N" >"$DIR/settings" <<'END'
import json, sys
for i in range(1, int(sys.argv[2]) + 1):
    name = f"{sys.argv[1]}/set.{i}"
    want, options = open(name + ".keys").read().splitlines()
    keys, _, value = want.partition("=")
    try:
        a, b = (json.load(open(name + e)).get("settings", {}) for e in (".base", ".json"))
        changed = {k for k in set(a) | set(b) if a.get(k) != b.get(k)}
        ok = a and changed == set(filter(None, keys.split(",")))
        ok = ok and (not value or b[keys.split(",")[0]] == json.loads(value))
        print("ok" if ok else "bad", f"settings: {options}: {sorted(changed)}")
    except (OSError, ValueError) as e:
        print("bad", f"settings: {options}: {e}")
END
while read -r verdict what; do
    holds "$what" [ "$verdict" = ok ]
done <"$DIR/settings"
holds 'settings were compared' [ "$(wc -l <"$DIR/settings")" = "$N" ]

# The same seed, the same bytes, with any number of threads; another seed, others.
still() { "$@" --json "$DIR/t.json" --csv "$DIR/t.csv" >/dev/null; cat "$DIR/t.csv"
    grep -vE '"(wall_s|critical_path_s|cpu_s|threads)"' "$DIR/t.json"; }
for s in dr spray-quality flowlet jsq; do
    still "${P[@]}" --scheme $s --samples 1us >"$DIR/one"
    for n in 2 3; do
        still "${P[@]}" --scheme $s --samples 1us --threads $n >"$DIR/more"
        holds "$s: $n threads" cmp -s "$DIR/one" "$DIR/more"
    done
done
still "${P[@]}" --scheme jsq --samples 1us --seed 2 >"$DIR/more"
holds 'another seed' [ "$(cmp -s "$DIR/one" "$DIR/more" || echo other)" = other ]

# ---- work that cannot be over; threads that have little to do ----

cut='host 0 to host 15: no live path'
for g in 0 inf 1us; do
    expect 2 "$cut: all uplinks of edge switch 0 have failed" "${P1[@]}" --convergence $g \
        --fail edge:0:0,edge:0:1
done
expect 2 "$cut: all uplinks of edge switch 7 have failed" "${P1[@]}" --fail edge:7:0,edge:7:1
# Uplinks 0 of one end and 1 of the other; then cores 2 and 3, one from each side.
expect 2 "$cut: each one from edge switch 0 to 7 has a failed link" "${P1[@]}" \
    --fail edge:0:0,edge:7:1
expect 2 "$cut: each one from edge switch 0 to 7 has a failed link" "${P1[@]}" \
    --fail edge:0:0,agg:1:0,agg:7:1
expect 0 'cct' "${P1[@]}" --fail edge:0:0,agg:1:0,agg:7:0
expect 2 'nor for 55 messages more' "${F[@]}" --topology fat-tree:4 --collective all-to-all \
    --bytes 1 --fail edge:0:0,edge:0:1 --limit 1us
expect 2 ' messages more (seed 3)' "${P[@]}" --fail-links 100% --seed 3 --seeds 2
# Hosts of one edge need no uplink.
printf 'Nodes 16\nConnections 1\n0->1 id 1 start 0 size 8192\n' >"$DIR/near.cm"
N1=("${F[@]}" --topology fat-tree:4 --trace "$DIR/near.cm")
expect 0 'cct' "${N1[@]}" --fail edge:0:0,edge:0:1
# In the midst of 1 MiB, 11 us: there is no path from then on.
printf 'Nodes 16\nConnections 1\n0->15 id 1 start 0 size 1048576\n' >"$DIR/long.cm"
for g in 0 inf; do
    expect 2 "none has arrived: $cut: all uplinks of edge switch 0 have failed" \
        "${F[@]}" --topology fat-tree:4 --trace "$DIR/long.cm" --convergence $g \
        --fail edge:0:0@5us,edge:0:1@5us
done
# Spine 1 reaches both, but the empty queue of the dead link to spine 0 is always the best.
S=("${F[@]}" --topology leaf-spine:4,2,4 --collective all-to-all --bytes 1 --transport sack
    --scheme spray-quality --buffer 0 --fail-links 15% --convergence inf --seed 2730608053)
expect 2 ' has a live path to host ' "${S[@]}"
expect 2 'on failed links, of which no switch is told, 0 in full queues, and 0 had no' "${S[@]}"
# 4096 and 62 bytes go in a packet.
for b in 1 4157 host=4157 core-down=4157 "4157 --trim" "61 --trim"; do # shellcheck disable=SC2086
    expect 2 'bytes: the largest packet of this work has 4158' "${P1[@]}" --buffer $b
done
expect 0 'cct' "${P1[@]}" --buffer 4158
expect 0 'cct' "${N1[@]}" --buffer agg-up=1 # not on its way
printf 'Nodes 16\nConnections 1\n0->15 id 1 start 0 size 1\n' >"$DIR/byte.cm"
expect 2 '(edge-up) of 63 bytes: the largest packet of this work has 64' "${F[@]}" \
    --topology fat-tree:4 --trace "$DIR/byte.cm" --buffer edge-up=63
expect 0 'cct' "${F[@]}" --topology fat-tree:4 --trace "$DIR/byte.cm" --buffer 64

# 3908 hops, 4 us from packet to packet, windows of 3 ns: those in between are left out, and no
# thread is woken for a few packets. It took a minute.
I=("${F[@]}" --topology fat-tree:4,gbps=7,ns=3 --collective incast --bytes 40000 --transport sack
    --host subflow:4 --scheme spray-random --buffer 0 --window-packets 8 --seed 3560246056)
still "${I[@]}" >"$DIR/one"
for n in 2 3 64; do
    still timeout 20 "${I[@]}" --threads $n >"$DIR/more"
    holds "little work, $n threads" cmp -s "$DIR/one" "$DIR/more"
done
"${I[@]}" --json "$DIR/a.json" >/dev/null
holds 'windows' json "0 < r['runs'][0]['windows'] <= 2 * r['packet_hops']"
# 128 hosts send 12 packets a window: enough for three.
B=("${F[@]}" --topology fat-tree:8 --collective permutation --packets 96 --fail-links 3%)
still "${B[@]}" >"$DIR/one"
for n in 2 3; do
    still "${B[@]}" --threads $n >"$DIR/more"
    holds "much work, $n threads" cmp -s "$DIR/one" "$DIR/more"
done

# ---- schemes, hosts, work ----

for s in ecmp spray-rr dr fixed entropy spray-random spray-quality flowlet simple-rr jsq; do
    expect 0 "scheme    $s;" "${P[@]}" --scheme $s
done
expect 0 'edge=spray-quality,agg=dr,core=ecmp' "${P[@]}" \
    --scheme edge=spray-quality,agg=dr,core=ecmp
expect 0 'scheme    ecmp; hosts subflow' "${P[@]}" --host subflow:4
expect 0 'scheme    entropy; hosts drb' "${P[@]}" --host drb
expect 0 'hosts random, sack' "${P[@]}" --host random --transport sack --reorder-threshold 6 \
    --rto 50us
expect 0 'rate 0.9500' "${P[@]}" --rho 95%
expect 0 '3 tiers' "${P[@]}" --rate 400G --latency 100ns --placement random --window-packets 8
expect 0 ' lost' "${P[@]}" --scheme fixed --buffer edge-up=2p --trim --ecn 1p
"${P[@]}" --scheme fixed --buffer 2p --json "$DIR/a.json" >/dev/null
holds 'a short buffer loses' json "r['runs'][0]['queues']['edge_up']['lost'] > 0"
holds 'and is no longer' json "r['runs'][0]['queues']['edge_up']['max_bytes'] <= 2 * 4158"
printf 'Nodes 16\nConnections 2\nTriggers 1\nFailures 1\n%s\n%s\n%s\n%s\n' \
    '0->15 id 1 start 0 size 8192 send_done_trigger 1' '15->0 id 2 trigger 1 size 8192' \
    'trigger id 1 oneshot' 'failure switch_type AGG switch_id 0 link_id 1' >"$DIR/two.cm"
expect 0 '2 messages, 16384 bytes' "${F[@]}" --topology fat-tree:4 --trace "$DIR/two.cm"
expect 0 '2 messages, 16384 bytes' "${F[@]}" --topology fat-tree:4 "$DIR/two.cm" --convergence inf
"${F[@]}" --topology fat-tree:4 --workload "$DIR/two.cm" --json "$DIR/a.json" >/dev/null
holds 'a failure of the matrix' json "r['failures'] == 1"
holds 'it is in the settings' json "r['settings']['fail'] ==
    [{'switch': 'agg:0', 'uplink': 1, 'time_ps': 0}]"
# Two round trips of two packets, one after the other: 2 * (6.25332 + 0.04178) us at least.
holds 'one after the other' json "r['cct_us'] >= 2 * 6.2951"
expect 0 'failures' "${P[@]}" --fail edge:0:0@2us,agg:3:1@2500ns --convergence 1us --json -
expect 0 'sack' "${P[@]}" --fail-links 5% --convergence inf --transport sack

# ---- weights that do not fit a row: 17 aggregation switches of 17 cores are the first ----

# One link has failed: 16 * 17 + 16 = 288 slots of 256. 16 times 15 and 14, 254 slots:
# 15/17 * 288/254 = 1.000463. Edges of pod 0 have one such group, the other 33 * 17 one to pod 0.
printf 'Nodes 9826\nConnections 1\n0->9000 id 1 start 0 size 8192\n' >"$DIR/one34.cm"
P34=("${F[@]}" --topology fat-tree:34 --trace "$DIR/one34.cm" --fail agg:0:0)
for s in dr spray-rr simple-rr; do
    expect 0 '578 groups rounded to fit, oversubscription at most 1.000463' "${P34[@]}" --scheme $s
done
"${P34[@]}" --scheme dr --json "$DIR/a.json" >/dev/null
holds 'rounded' json "r['runs'][0]['rounded_groups'] == 578"
holds 'oversubscription' json "r['runs'][0]['oversubscription'] == 1.000463"
"${P[@]}" --fail agg:0:0 --json "$DIR/a.json" >"$DIR/out"
holds 'exact' json "r['runs'][0]['rounded_groups'] == 0 and r['runs'][0]['oversubscription'] == 1"
holds 'nothing is said of it' [ "$(grep -c rounded "$DIR/out")" = 0 ]

# ---- a recorded switch ----

for at in edge:0 agg:3 core:1; do
    expect 0 'cct' "${P[@]}" --scheme spray-quality --record "$at=$DIR/r.pcap"
    expect 0 ' 0 differences' "$EGRET" check --config "$DIR/r.pcap.cfg" --selector model \
        "$DIR/r.pcap"
done
expect 0 'cct' "${P[@]}" --config lab --record "core:1=$DIR/r.pcap"
"$EGRET" config show lab >"$DIR/lab.cfg"
holds 'the configuration is beside it' cmp -s "$DIR/lab.cfg" "$DIR/r.pcap.cfg"
if [ -e build/selectors/check_lab.so ] && [ "$EGRET" = build/bin/egret ]; then
    expect 0 ' 0 differences' "$EGRET" check --config lab --selector rtl:lab "$DIR/r.pcap"
    expect 0 'cct' "${P[@]}" --selector check:lab
    expect 0 'cct' "${P[@]}" --selector rtl:lab --selector-at edge:0,core:1 --threads 2
fi

# ---- a selector that differs, fails, or ends the process (ASan refuses such a library) ----

FAULTY=build/test/trace_faulty_selector.so
if [ "$EGRET" = build/bin/egret ]; then
    expect 0 'cct' "${P[@]}" --selector "$FAULTY" --selector-at core:1 --json "$DIR/a.json"
    holds 'it is in the settings, too' json "[r['settings'][k] for k in
        ('selector', 'selector_at', 'config')] == ['$FAULTY', 'core:1', 'lab']"
    expect 0 'cct' "${P[@]}" --selector "$FAULTY" --json "$DIR/a.json"
    still "${P[@]}" --selector "$FAULTY" | grep -v '"selector":' >"$DIR/one"
    still "${P[@]}" --config lab | grep -v '"selector":' >"$DIR/more"
    holds 'another selector, the same results' cmp -s "$DIR/one" "$DIR/more"
    rm -f "$DIR/a.json"
    cp "$FAULTY" "$DIR/own.so"
    expect 2 'the output is the input' "${P[@]}" --selector "$DIR/own.so" --json "$DIR/own.so"
    holds 'the selector is what it was' cmp -s "$FAULTY" "$DIR/own.so"
    export EGRET_FAULT=differ:20
    expect 1 'edge switch' "${P[@]}" --selector "$FAULTY" --json "$DIR/a.json" --record \
        "edge:0=$DIR/f.pcap"
    nothing_left a.json
    nothing_left f.pcap
    expect 1 'core switch 1' "${P[@]}" --selector "$FAULTY" --selector-at core:1
    expect 1 'edge switch' "${P[@]}" --selector "$FAULTY" --threads 2
    export EGRET_FAULT=internal:20
    expect 3 'edge switch' "${P[@]}" --selector "$FAULTY"
    export EGRET_FAULT=exit:20
    expect 3 'ended the process' "${P[@]}" --selector "$FAULTY"
    export EGRET_FAULT=config:0
    expect 2 'cannot be configuration' "${P[@]}" --selector "$FAULTY"
    unset EGRET_FAULT
fi
finish

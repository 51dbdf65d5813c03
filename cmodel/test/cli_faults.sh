#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_faults.sh: the system fails: no memory, wherever it is asked for; files that cannot be opened,
# named or closed. One line says so, no output is left, nothing leaks (the command is built with the
# sanitizers, and so that its calls fail on demand: cli_faults.c).
. cmodel/test/cli_lib.sh
EGRET=build/test/egret_faults
unset EGRET_FAIL

# Both kinds of output file: without names until the end, and where the system has no such files.
unnamed=
named=tmpfile+:1:95
make=(trace make --topology fat-tree:4 --collective permutation --bytes 4KiB --scheme dr --at)
"$EGRET" "${make[@]}" edge:0 -o "$DIR/p.pcap"
"$EGRET" trace random --config tiny --events 200 -o "$DIR/r.pcap"
"$EGRET" config show lab >"$DIR/my.cfg"

# no_memory NAME OUTPUTS COMMAND...: every allocation fails once. The exit code is 3 and one line
# says that there is no memory, or all is as without the fault; OUTPUTS are files in $DIR. Those of
# jansson with alloc=json.
alloc=alloc
no_memory() {
    local name=$1 outputs=$2 n code o want=0
    shift 2
    "$EGRET" "$@" >"$DIR/want" 2>&1 || want=$?
    holds "$name: exit code $want" [ "$want" -le 1 ]
    for o in $outputs; do mv "$DIR/$o" "$DIR/want.$o"; done
    for ((n = 1; n < 500; n++)); do
        code=0
        EGRET_FAIL="$alloc+:$n" "$EGRET" "$@" >"$DIR/out" 2>&1 || code=$?
        if [ $code = $want ]; then break; fi
        holds "$name: all from allocation $n on: exit code $code" [ $code = 3 ]
    done
    holds "$name: $n allocations" [ "$n" -gt 2 ]
    while [ $((--n)) -gt 0 ]; do
        for o in $outputs; do rm -f "$DIR/$o"; done
        code=0
        EGRET_FAIL="$alloc:$n" "$EGRET" "$@" >"$DIR/out" 2>"$DIR/err" || code=$?
        if [ $code = $want ]; then
            holds "$name: allocation $n: output" cmp -s "$DIR/out" "$DIR/want"
            for o in $outputs; do holds "$name: $o" cmp -s "$DIR/$o" "$DIR/want.$o"; done
        elif [ $code = 3 ] && [ "$(grep -vac '^egret: warning: ' "$DIR/err")" = 1 ] &&
            tail -1 "$DIR/err" |
            LC_ALL=C grep -qE '^egret: .*(out of memory|no memory for .*)$'; then
            good
            for o in $outputs; do nothing_left "$o"; done
        else
            bad "$name: allocation $n: exit code $code: $(head -c 300 "$DIR/err")"
        fi
    done
}

for at in edge agg; do
    no_memory "make at $at" m.pcap "${make[@]}" $at:0 --placement random --stress 1 -o "$DIR/m.pcap"
done
no_memory 'make a ring' m.pcap trace make --topology fat-tree:4 --collective ring --bytes 4KiB \
    --scheme ecmp --at edge:0 -o "$DIR/m.pcap"
no_memory 'import messages' i.pcap trace import tb/traces/messages.cm --at edge:0 --scheme dr \
    --topology tb/traces/leaf_spine.topo --zero-size 5000 -o "$DIR/i.pcap"
for f in all edge_dr; do
    no_memory "settings $f" s.pcap config emit "cmodel/test/config/$f.yaml" -o "$DIR/s.pcap"
done
no_memory 'settings shown' '' config show cmodel/test/config/all.yaml
no_memory 'settings of SONiC' '' config emit cmodel/test/config/sonic.json --quiet
no_memory 'make with settings' m.pcap "${make[@]}" edge:0 -o "$DIR/m.pcap" \
    --config-file cmodel/test/config/edge_dr.yaml
# More flows, triggers, failures and text than the first piece of memory holds, and more that start
# at once than do at the beginning.
{
    printf '# %150000s\n' x
    printf 'Nodes 16\nConnections 271\nTriggers 71\nFailures 70\ntrigger id 99 oneshot\n'
    echo '0->1 start 0 size 1 send_done_trigger 99'
    for i in {1..130}; do echo "0->$((i % 15 + 1)) trigger 99 size 1"; done
    for i in {1..70}; do
        echo "0->1 id $i start 0 size 1 send_done_trigger $i"
        echo "0->2 id $((100 + i)) trigger $i size 1"
        echo "trigger id $i oneshot"
        echo "failure switch_type TOR switch_id $i link_id 0"
    done
} >"$DIR/many.cm"
no_memory 'import many' i.pcap trace import "$DIR/many.cm" --topology fat-tree:4 --at edge:0 \
    --scheme dr -o "$DIR/i.pcap"
# Hundreds of acknowledgements on their way, of a few flows.
{
    printf 'Nodes 1024\nConnections 8\n'
    for i in {0..7}; do echo "$((512 + i))->$i start 0 size 500000"; done
} >"$DIR/wide.cm"
no_memory 'import wide' i.pcap trace import "$DIR/wide.cm" --topology fat-tree:16 --at edge:0 \
    --scheme ecmp -o "$DIR/i.pcap"
no_memory random a.pcap trace random --config tiny --events 50 -o "$DIR/a.pcap"
# More queue pairs than the order oracle's first table holds.
"$EGRET" trace make --topology fat-tree:4 --collective alltoall --bytes 4KiB --scheme dr \
    --at edge:0 -o "$DIR/q.pcap"
no_memory 'model --order' o.json model --config lab "$DIR/q.pcap" --order spread:500,2000 \
    --order-json "$DIR/o.json"
no_memory 'check --order' o.json check --config lab --selector model "$DIR/q.pcap" \
    --order spread:500,2000 --order-json "$DIR/o.json"
no_memory 'model --queue-pairs' 'm.json m.qp' model --config lab "$DIR/q.pcap" \
    --stats "$DIR/m.json" --queue-pairs "$DIR/m.qp"
no_memory model 'm.csv m.pcapng m.json' model --config lab "$DIR/p.pcap" --csv "$DIR/m.csv" \
    --pcapng "$DIR/m.pcapng" --stats "$DIR/m.json"
no_memory check '' check --config lab --selector model "$DIR/p.pcap"
no_memory 'check all' '' check --config tiny --selector model --allow-illegal "$DIR/r.pcap"
no_memory 'hash --packets' '' hash --algorithm crc32 --packets "$DIR/p.pcap"
no_memory dump '' trace dump "$DIR/p.pcap"
no_memory cut x.pcap trace cut "$DIR/p.pcap" --packets 3-5 -o "$DIR/x.pcap"
no_memory merge x.pcap trace merge "$DIR/p.pcap" "$DIR/p.pcap" -o "$DIR/x.pcap"
no_memory 'bench a stimulus' '' bench --config tiny --decisions 10 "$DIR/p.pcap"
fabric=(fabric --topology fat-tree:2 --collective permutation --packets 2)
no_memory fabric 'f.json f.pcap f.pcap.cfg' "${fabric[@]}" --samples 1us --transport sack \
    --host drb --record "edge:0=$DIR/f.pcap" --csv "$DIR/f.json" --samples-csv -
no_memory 'fabric, failed links' '' fabric --topology leaf-spine:2,2,1 --collective permutation \
    --packets 2 --fail edge:0:0@1us --convergence 1us --csv -
no_memory bench '' bench --config tiny --decisions 10 --scheme spray-rr
no_memory 'fabric, a selector at one switch' '' "${fabric[@]}" --selector-at edge:0 \
    --selector build/test/trace_faulty_selector.so
no_memory 'settings in order' '' config validate cmodel/test/config/all.yaml
no_memory 'settings as CSV' s.csv config emit cmodel/test/config/all.yaml --csv -o "$DIR/s.csv"
no_memory 'a log' '' compare "$DIR/m.csv" "$DIR/m.csv"
"$EGRET" model --config tiny --allow-illegal "$DIR/r.pcap" --csv "$DIR/r.csv" >"$DIR/out"
sed 's/,chosen,/,repaired,/' "$DIR/r.csv" >"$DIR/other.csv"
no_memory 'another log' '' compare "$DIR/r.csv" "$DIR/other.csv"
no_memory 'a log and the model' '' compare --config tiny --allow-illegal --stimulus "$DIR/r.pcap" \
    --partial "$DIR/r.csv"
# What is in each format.
corpus=cmodel/test/corpus
for f in tb/traces/triggers.cm chakra/one.et goal/small.goal nccl/init.txt nccl/rccl.txt \
    capture/nano.pcap capture/write.pcapng; do
    [ -e "$f" ] || f=$corpus/$f
    no_memory "stats $f" '' trace stats "$f"
done
no_memory 'stats of flows' '' trace stats --json --allow-trailing $corpus/hpcc/flow.txt
gzip -c $corpus/goal/small.goal >"$DIR/g.gz"
no_memory 'stats, packed' '' trace stats "$DIR/g.gz"
no_memory 'import --check' '' trace import --check tb/traces/triggers.cm
# The object of --json; a name that is no UTF-8 is null in any case.
cp $corpus/nccl/init.txt "$DIR/"$'\xff'
alloc=json
for f in "$DIR/"$'\xff' tb/traces/triggers.cm $corpus/capture/nano.pcap; do
    no_memory "object of ${f##*/}" '' trace stats --json "$f"
done
alloc=alloc
"$EGRET" trace stats --json "$DIR/"$'\xff' >"$DIR/out"
holds 'no name' [ "$(grep -A1 '"files"' "$DIR/out" | tr -d ' \n')" = '"files":[null' ]
# Each way to search: linear hashes, tables, an unknown key, lookup3.
if command -v python3 >/dev/null; then
    log() { python3 cmodel/test/identify_log.py "$@" >"$DIR/o.csv"; }
    identify=(hash --quick --threads 1 --identify "$DIR/o.csv")
    log algorithm=crc32 layout=record seed=5 count=64 log_seed=1
    no_memory 'identify a linear hash' '' "${identify[@]}"
    log algorithm=crc32c layout=record mapping=modulo members=6 count=64 log_seed=2
    no_memory 'identify a modulo' '' "${identify[@]}"
    log algorithm=toeplitz layout=rss-ipv4 key=00112233445566778899aabbccddeeff0123456789abcdef \
        mapping=hash count=200 log_seed=3 fields=src_ip,dst_ip,l4_src_port,l4_dst_port
    no_memory 'identify a key' '' "${identify[@]}" --layout rss-ipv4
    log algorithm=lookup3 layout=ipv4-5tuple seed=9 count=64 log_seed=4
    no_memory 'identify lookup3' '' "${identify[@]}" --layout ipv4-5tuple
    log mapping=random count=64 log_seed=5
    no_memory 'identify a table' '' "${identify[@]}" --layout ipv4-5tuple
    log algorithm=lookup3 layout=ipv4-5tuple seed=9 count=64 log_seed=4
else
    bad 'python3 is not installed'
fi

# fails CODE TEXT FAULTS COMMAND...: expect with faults.
fails() {
    local code=$1 text=$2
    export EGRET_FAIL=$3
    shift 3
    expect "$code" "$text" "$EGRET" "$@"
    unset EGRET_FAIL
}
# each_call NAME WANT OUTPUTS COMMAND...: every opening, naming and closing of a file fails once.
# Exit code 2, one line with the reason and no output, or all is as without the fault; WANT of the
# calls, at least, must have failed.
each_call() {
    local name=$1 least=$2 outputs=$3 call n code o refused=0 want=0
    shift 3
    "$EGRET" "$@" >"$DIR/want" 2>&1 || want=$?
    for o in $outputs; do mv "$DIR/$o" "$DIR/want.$o"; done
    for call in fopen open tmpfile fdopen linkat rename fclose fseeko; do
        for n in 1 2 3 4 5 6; do
            for o in $outputs; do rm -f "$DIR/$o"; done
            code=0
            EGRET_FAIL="$call:$n:5" "$EGRET" "$@" >"$DIR/out" 2>"$DIR/err" || code=$?
            if [ $code = $want ] && [ ! -s "$DIR/err" ]; then
                holds "$name: $call $n: output" cmp -s "$DIR/out" "$DIR/want"
                for o in $outputs; do
                    holds "$name: $call $n: $o" cmp -s "$DIR/$o" "$DIR/want.$o"
                done
            elif [ $code = 2 ] && [ "$(wc -l <"$DIR/err")" = 1 ] &&
                grep -qE '^egret: .*(Input.output error|read twice|is a capture, packed)' \
                    "$DIR/err"; then
                refused=$((refused + 1))
                for o in $outputs; do nothing_left "$o"; done
            else
                bad "$name: $call $n: exit code $code: $(head -c 300 "$DIR/err")"
            fi
        done
    done
    holds "$name: $refused calls failed, $least wanted" [ $refused -ge "$least" ]
}
each_call fabric 4 'f.pcap f.pcap.cfg' "${fabric[@]}" --csv - --record "edge:0=$DIR/f.pcap"
each_call 'two outputs' 6 'm.pcap m.csv' model --config lab "$DIR/p.pcap" --csv "$DIR/m.csv" \
    --pcapng "$DIR/m.pcap"
each_call 'two logs' 2 '' compare "$DIR/r.csv" "$DIR/other.csv"
each_call 'a log and the model' 2 '' compare --config tiny --allow-illegal \
    --stimulus "$DIR/r.pcap" --partial "$DIR/r.csv"
each_call identify 1 '' hash --quick --threads 1 --layout ipv4-5tuple --identify "$DIR/o.csv"
each_call validate 1 '' config validate cmodel/test/config/all.yaml
each_call 'validate SONiC' 1 '' config validate --quiet cmodel/test/config/sonic.json
each_call show 1 '' config show cmodel/test/config/all.yaml
each_call emit 3 s.pcap config emit cmodel/test/config/all.yaml -o "$DIR/s.pcap"
each_call 'emit as CSV' 3 s.csv config emit cmodel/test/config/all.yaml --csv -o "$DIR/s.csv"
each_call 'make with settings' 3 m.pcap "${make[@]}" edge:0 -o "$DIR/m.pcap" \
    --config-file cmodel/test/config/edge_dr.yaml
for f in tb/traces/triggers.cm chakra/one.et goal/small.goal nccl/init.txt capture/nano.pcap; do
    [ -e "$f" ] || f=$corpus/$f
    each_call "stats $f" 1 '' trace stats "$f"
    each_call "stats --json $f" 1 '' trace stats --json "$f"
done

random=(trace random --config tiny --events 200)
for kind in "$unnamed" "$named"; do
    fails 0 '' "$kind" "${random[@]}" -o "$DIR/a.pcap"
    holds "the same file: $kind" cmp -s "$DIR/a.pcap" "$DIR/r.pcap"
    (cd "$DIR" && EGRET_FAIL=$kind "$OLDPWD/$EGRET" "${random[@]}" -o here.pcap)
    holds "here: $kind" cmp -s "$DIR/here.pcap" "$DIR/r.pcap"
    rm "$DIR/a.pcap" "$DIR/here.pcap"
    fails 2 'a.pcap: Permission denied' "$kind,rename:1:13" "${random[@]}" -o "$DIR/a.pcap"
    fails 2 'a.pcap: Input/output error' "$kind,fclose:1:5" "${random[@]}" -o "$DIR/a.pcap"
    fails 2 'a.pcap: Too many open files' "$kind,fdopen:1:24" "${random[@]}" -o "$DIR/a.pcap"
    head -c $(($(stat -c %s "$DIR/p.pcap") - 5)) "$DIR/p.pcap" >"$DIR/cut.pcap"
    code=0
    cat "$DIR/cut.pcap" | EGRET_FAIL=$kind "$EGRET" model --config lab - --csv "$DIR/a.pcap" \
        2>"$DIR/err" || code=$?
    holds "cut short: $kind" [ $code = 2 ]
    nothing_left a.pcap
done
# Names beside the target that are taken: the next one; all hundred, or another error: none.
fails 0 '' "$named,open:1:17" "${random[@]}" -o "$DIR/a.pcap"
fails 0 '' linkat:1:17 "${random[@]}" -o "$DIR/b.pcap"
holds 'the next name' cmp -s "$DIR/a.pcap" "$DIR/b.pcap"
rm "$DIR/a.pcap" "$DIR/b.pcap"
fails 2 'a.pcap: File exists' "$named,open+:1:17" "${random[@]}" -o "$DIR/a.pcap"
fails 2 'a.pcap: Permission denied' "$named,open:1:13" "${random[@]}" -o "$DIR/a.pcap"
fails 2 'a.pcap: File exists' linkat+:1:17 "${random[@]}" -o "$DIR/a.pcap"
fails 2 'a.pcap: Permission denied' linkat:1:13 "${random[@]}" -o "$DIR/a.pcap"
nothing_left a.pcap

fails 2 'Permission denied' fopen:1:13 model --config "$DIR/my.cfg" "$DIR/p.pcap"
fails 2 'Permission denied' fopen:2:13 trace dump "$DIR/p.pcap"
fails 2 'Permission denied' open:2:13 trace import tb/traces/triggers.cm --topology fat-tree:4 \
    --at edge:0 --scheme dr -o "$DIR/a.pcap"
# A stimulus that cannot be opened again: what differs is told, but not replayed.
EGRET_FAULT=port:0 fails 1 'not replayed one event at a time' fopen:4:13 check --config lab \
    --selector build/test/trace_faulty_selector.so "$DIR/p.pcap"
# Standard input that cannot be wound back.
code=0
EGRET_FAIL=fseeko:1:29 "$EGRET" trace dump - <"$DIR/p.pcap" >"$DIR/out" 2>"$DIR/err" || code=$?
holds 'standard input: exit code' [ $code = 2 ]
holds 'standard input' grep -q '^egret: -: cannot be read twice$' "$DIR/err"
# Where the command is: unknown, so its selectors are looked for from here; a selector that goes
# between the test whether it is there and the test whether it is whole.
fails 2 'rtl:lab: no ../selectors/rtl_lab.so' readlink:1:2 check --config lab --selector rtl:lab \
    "$DIR/p.pcap"
echo text >"$DIR/bad.so"
fails 2 'bad.so: file too short' fopen:2:2 check --config lab --selector "$DIR/bad.so" "$DIR/p.pcap"
finish

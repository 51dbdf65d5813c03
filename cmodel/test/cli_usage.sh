#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_usage.sh: help, wrong arguments, configurations, hashes.
. cmodel/test/cli_lib.sh

expect 0 'usage: egret COMMAND' "$EGRET" --help
# The commands that the help names; every one's own help has an example, and names options that the
# parser knows.
"$EGRET" --help | sed '1,/^commands:/d;/^$/,$d' | sed 's/^  //;s/  .*//' >"$DIR/names"
mapfile -t COMMANDS <"$DIR/names"
for c in 'trace make' 'trace import' 'trace random' 'trace dump' model check compare hash config; do
    holds "no command $c" grep -qx "$c" "$DIR/names"
done
for c in "${COMMANDS[@]}"; do
    # shellcheck disable=SC2086
    expect 0 "usage: egret $c" "$EGRET" $c --help
    grep -q '^examples:' "$DIR/out" && grep -q "^  .*egret $c" "$DIR/out" && good ||
        bad "$c --help has no example"
    sed -n '/^options:/,/^$/s/^  \(-[^ ]*\) .*/\1/p' "$DIR/out" >"$DIR/options"
    holds "$c --help: no options" grep -qx -e --help "$DIR/options"
    while read -r o; do
        # shellcheck disable=SC2086
        "$EGRET" $c "$o" 1 --help >"$DIR/out" 2>"$DIR/err" </dev/null || true
        holds "$c $o: $(cat "$DIR/err")" [ "$(grep -c 'unknown option' "$DIR/err")" = 0 ]
        case $o in --help | -?) continue ;; esac
        # One letter more, and the help must be what it says.
        # shellcheck disable=SC2086
        expect 2 "unknown option '${o}x'; did you mean '$o'?" "$EGRET" $c "${o}x"
    done <"$DIR/options"
    # shellcheck disable=SC2086
    expect 2 "unknown option '--hepl'; did you mean '--help'?" "$EGRET" $c --hepl
    # shellcheck disable=SC2086
    expect 2 "unknown option '--xyzzyxyzzy' (see egret $c --help)" "$EGRET" $c --xyzzyxyzzy
done
# Every example runs as it is printed; files that it reads are there.
mkdir "$DIR/ex"
for c in "${COMMANDS[@]}" ''; do
    # shellcheck disable=SC2086
    "$EGRET" $c --help </dev/null | sed '1,/^examples:/d' >"$DIR/ex/examples"
    sed -i -e 's/rtl:lab/model/' -e 's/--at agg:3 --scheme dr/--at edge:0 --scheme dr/' \
        -e 's/64MiB/1MiB/' "$DIR/ex/examples"
    cat >"$DIR/ex/run" <<END
set -euo pipefail
egret() { "$(realpath "$EGRET")" "\$@"; }
cp '$PWD/tb/traces/leaf_spine.topo' leaf.topo
sed 's/size 0/size 4096/' '$PWD/tb/traces/messages.cm' >perm.cm
egret config show lab >my.cfg
cp '$PWD/cmodel/test/config/all.yaml' leaf.yaml
cp '$PWD/cmodel/test/config/sonic.json' config_db.json
egret trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --at edge:0 \\
    --scheme dr -o perm.pcap
cp '$PWD/build/test/trace_faulty_selector.so' libmine.so
cp '$PWD/cmodel/test/corpus/capture/write.pcapng' roce.pcapng
# Chakra: the metadata, and one collective of 65536 bytes.
for rank in 0 1 2 3; do
    for name in all_to_all:'\6' allreduce:'\0' llm:'\0'; do
        printf '\2\12\0\42\30\7\122\15\12\11comm_type\110'"\${name#*:}"\
'\122\17\12\11comm_size\110\200\200\4' >\${name%%:*}.\$rank.et
    done
done
{
    echo num_ranks 32
    for rank in {0..31}; do
        echo "rank \$rank {"
        [ \$rank != 0 ] || echo send 1000000b to 31
        [ \$rank != 31 ] || echo recv 1000000b from 0
        echo }
    done
} >tree.goal
egret trace make --topology fat-tree:8 --collective alltoall --bytes 64KiB --at edge:0 \\
    --scheme ecmp --limit 100 -o ecmp.pcap
egret model --config lab perm.pcap --csv mine.csv
cp mine.csv before.csv
cp mine.csv after.csv
python3 '$PWD/cmodel/test/identify_log.py' members=4 >three
awk -F, -v OFS=, 'NR > 1 { \$NF += 4 } { print }' three >observed.csv
$(cat "$DIR/ex/examples")
END
    (cd "$DIR/ex" && bash run >out 2>&1) && good ||
        bad "$c --help: an example: $(tail -3 "$DIR/ex/out")"
done
expect 0 'usage: egret COMMAND' "$EGRET" help
expect 0 'usage: egret model' "$EGRET" help model
expect 0 'usage: egret trace make' "$EGRET" help trace make
expect 2 "unknown command 'modl'" "$EGRET" help modl
expect 0 'usage: egret COMMAND' "$EGRET" -h
expect 0 'usage: egret COMMAND' "$EGRET" trace --help
expect 0 'usage: egret COMMAND' "$EGRET" trace -h
expect 0 'usage: egret hash' "$EGRET" hash -h
expect 0 'egret, API version 1, ' "$EGRET" --version
expect 2 "--version stands alone: 'x' is one word too many" "$EGRET" --version x
expect 2 "--man stands alone: '--help' is one word too many" "$EGRET" --man --help
expect 2 'command is missing' "$EGRET"
expect 2 "unknown command 'modl'; did you mean 'model'?" "$EGRET" modl
expect 2 "unknown command 'trace dmup'; did you mean 'trace dump'?" "$EGRET" trace dmup
expect 2 "unknown command 'dump'; did you mean 'trace dump'?" "$EGRET" dump
expect 2 "unknown command 'xyzzyxyzzy' (see egret --help)" "$EGRET" xyzzyxyzzy
expect 2 "unknown option '--hlep'" "$EGRET" --hlep
expect 2 'trace: make, import' "$EGRET" trace
expect 2 "unknown option '--colour'" "$EGRET" model --colour red
expect 2 'stimulus is missing' "$EGRET" model --config lab
expect 2 '--config is missing' "$EGRET" model x.pcap
expect 2 'unexpected argument' "$EGRET" model a b
expect 2 '--csv needs F' "$EGRET" model --csv
for o in --pcapng --colour --; do
    expect 2 'model: --csv needs F' "$EGRET" model --config lab x.pcap --csv $o
done
expect 2 'trace random: -o needs FILE' "$EGRET" trace random --config lab -o -o
expect 2 'model: --csv is given twice' "$EGRET" model --config lab x.pcap --csv a --csv=b
expect 2 'model: --allow-illegal is given twice' "$EGRET" model --allow-illegal --allow-illegal
expect 2 'trace random: -o is given twice' "$EGRET" trace random -o a -o a
expect 2 'no good value' "$EGRET" trace random --config lab --events -3 -o "$DIR/x"
for v in 5TB x 5k 18446744073709551616 17179869184GiB 99999999999999999999999; do
    expect 2 "'$v' is no good value for --bytes SIZE" "$EGRET" trace make --bytes $v
done
for v in 0G 5T x; do
    expect 2 "'$v' is no good value for --rate" "$EGRET" trace make --rate $v
done
for v in 4294967296 12x 0x 0xg -1 99999999999999999999 ''; do
    expect 2 "'$v' is no good value for --seed" "$EGRET" trace make --seed "$v"
done
expect 2 "'' is no good value for --config" "$EGRET" model --config ''
expect 2 '--allow-illegal=1 takes no value' "$EGRET" model --allow-illegal=1
expect 2 "unknown option '-c'" "$EGRET" model -c lab
expect 2 "unknown option '--o'" "$EGRET" trace random --o x
# Behind -- everything is a name; - alone is one, too.
cp tb/traces/edge_dr.pcap "$DIR/--edge.pcap"
(cd "$DIR" && "$(realpath "$OLDPWD/$EGRET")" model --config tiny -- --edge.pcap >out) && good ||
    bad 'a name behind --'
expect 2 'unexpected argument' "$EGRET" model --config lab - -
# Options before, behind and between operands.
for words in '--config=tiny tb/traces/edge_dr.pcap' 'tb/traces/edge_dr.pcap --config tiny' \
    '--config tiny -- tb/traces/edge_dr.pcap'; do
    # shellcheck disable=SC2086
    expect 0 'packets' "$EGRET" model $words
done
expect 2 'no good value for --rate' "$EGRET" trace make --rate=
expect 2 'neither a configuration' "$EGRET" model --config labb x.pcap
expect 2 'No such file' "$EGRET" model --config lab "$DIR/none.pcap"
expect 2 'at least 16' "$EGRET" trace random --config lab --events 15 -o "$DIR/x"

# Configurations: every named one can be shown, and read back as a user's file.
expect 0 'tor64' "$EGRET" config list
for c in $("$EGRET" config list); do
    expect 0 'RSP_DEPTH=' "$EGRET" config show "$c"
    cp "$DIR/out" "$DIR/mine.cfg"
    expect 0 'RSP_DEPTH=' "$EGRET" config show "$DIR/mine.cfg"
    holds "config $c" cmp -s "$DIR/out" "$DIR/mine.cfg"
done
printf '# 48 ports\nNUM_PORTS=48 NUM_GROUPS=32 NUM_KEYS=64 NUM_BINS=2\nNUM_ROWS=32 ROW_LEN=64 ' \
    >"$DIR/my48.cfg"
printf 'NUM_BUCKETS=1024 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=126 NUM_FLOWLETS=0\n' >>"$DIR/my48.cfg"
expect 0 'NUM_PORTS=48' "$EGRET" config show "$DIR/my48.cfg"
expect 0 '' "$EGRET" trace random --config "$DIR/my48.cfg" --events 2000 -o "$DIR/r.pcap"
expect 0 'packets' "$EGRET" model --config "$DIR/my48.cfg" --allow-illegal "$DIR/r.pcap"
sed 's/SCHEMES=126/SCHEMES=0/' "$DIR/my48.cfg" >"$DIR/none.cfg"
expect 0 '' "$EGRET" trace random --config "$DIR/none.cfg" --events 200 -o "$DIR/r.pcap"
expect 0 'chosen 0' "$EGRET" model --config "$DIR/none.cfg" --allow-illegal "$DIR/r.pcap"
sed 's/NUM_PORTS=48/NUM_PORTS=65/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_PORTS is out of its range' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_FLOWLETS=0/NUM_FLOWLETS=16/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_FLOWLETS is out of its range' "$EGRET" config show "$DIR/bad.cfg"
sed 's/SCHEMES=126/SCHEMES=382/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_FLOWLETS is out of its range' "$EGRET" config show "$DIR/bad.cfg"
sed 's/SCHEMES=126 NUM_FLOWLETS=0/SCHEMES=382 NUM_FLOWLETS=4096/' "$DIR/my48.cfg" >"$DIR/f48.cfg"
expect 0 'NUM_FLOWLETS=4096' "$EGRET" config show "$DIR/f48.cfg"
sed 's/NUM_FLOWLETS=0//' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_FLOWLETS is missing' "$EGRET" config show "$DIR/bad.cfg"
expect 0 'PARITY=0' "$EGRET" config show "$DIR/my48.cfg" # not given
sed 's/NUM_FLOWLETS=0/NUM_FLOWLETS=0 PARITY=1/' "$DIR/my48.cfg" >"$DIR/p48.cfg"
expect 0 'PARITY=1' "$EGRET" config show "$DIR/p48.cfg"
sed 's/NUM_FLOWLETS=0/NUM_FLOWLETS=0 PARITY=2/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'PARITY is out of its range' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_PORTS=48/NUM_PORT=48/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'bad.cfg:2: unknown parameter NUM_PORT' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_PORTS=48//' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_PORTS is missing' "$EGRET" config show "$DIR/bad.cfg"
echo 'NUM_PORTS' >"$DIR/bad.cfg"
expect 2 "bad.cfg:1: 'NUM_PORTS' is not KEY=VALUE" "$EGRET" config show "$DIR/bad.cfg"
printf '# %2000s\n' x >"$DIR/bad.cfg"
expect 2 'bad.cfg:1: line too long' "$EGRET" config show "$DIR/bad.cfg"
expect 2 "$DIR: Is a directory" "$EGRET" config show "$DIR"
for words in '' show 'show lab more' 'list lab' 'print lab'; do
    # shellcheck disable=SC2086
    expect 2 'config: ' "$EGRET" config $words
done
# A name without an extension, and one that is nothing else; a line without an end.
"$EGRET" config show lab | grep -v '^SCHEMES=' >"$DIR/thirty_two_characters_and_some_more"
printf 'SCHEMES=510' >>"$DIR/thirty_two_characters_and_some_more"
cp "$DIR/thirty_two_characters_and_some_more" "$DIR/.cfg"
for name in thirty_two_characters_and_some_more .cfg; do
    expect 0 'SCHEMES=510' "$EGRET" config show "$DIR/$name"
    (cd "$DIR" && "$(realpath "$OLDPWD/$EGRET")" config show "$name" >out) && good ||
        bad "config show $name"
done
sed 's/NUM_PORTS=48/NUM_PORTS=many/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 "'many' is no number" "$EGRET" config show "$DIR/bad.cfg"
echo 'NUM_PORTS=4' >>"$DIR/my48.cfg"
expect 2 'my48.cfg:4: NUM_PORTS is given twice' "$EGRET" config show "$DIR/my48.cfg"
# A number means the same to every tool that reads the file.
for n in 010 0x10 00; do
    "$EGRET" config show lab | sed "s/^NUM_PORTS=.*/NUM_PORTS=$n/" >"$DIR/zero.cfg"
    expect 2 "zero.cfg:1: NUM_PORTS: '$n' has a leading zero" "$EGRET" config show "$DIR/zero.cfg"
done
printf 'CONFIGS := a\nCONFIG_a := NUM_PORTS=1 NUM_PORTS=2\n' >"$DIR/twice.mk"
holds 'a key twice in configs.mk' grep -q 'a: NUM_PORTS is given twice' \
    <<<"$(awk -f scripts/gen_configs.awk "$DIR/twice.mk" 2>&1)"

for v in 0 1; do
    { "$EGRET" config show lab && echo "BLOCK_RAM=$v"; } >"$DIR/ram.cfg"
    expect 0 'NUM_PORTS=16' "$EGRET" config show "$DIR/ram.cfg"
done
echo 'BLOCK_RAM=1' >>"$DIR/ram.cfg"
last=$(wc -l <"$DIR/ram.cfg")
expect 2 "ram.cfg:$last: BLOCK_RAM is given twice" "$EGRET" config show "$DIR/ram.cfg"
sed -i "$((last - 1)),${last}d" "$DIR/ram.cfg"
echo 'BLOCK_RAM=2' >>"$DIR/ram.cfg"
expect 2 "ram.cfg:$((last - 1)): BLOCK_RAM is 0 or 1" "$EGRET" config show "$DIR/ram.cfg"

# Options of trace make that do nothing, or too much.
make() {
    expect 2 "$1" "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 4KiB \
        --at edge:0 --scheme dr -o "$DIR/x" "${@:2}"
}
make '--rotation: 0 to 31' --rotation 32
make '--agg-rotation: 0 to 31' --agg-rotation 40
make '--rounds is for ring and alltoall' --rounds 2
make '--key is for --hash toeplitz' --key 00
make '--flowlet-idle is for --scheme flowlet' --flowlet-idle 5
make '--flowlet-entries is for --scheme flowlet' --flowlet-entries 16
make '--flowlet is for --scheme flowlet' --flowlet sai
make '--entropy-swap is for --scheme entropy' --entropy-swap
make '--flowlet-path is for --scheme flowlet' --flowlet-path random
flowlet() {
    expect 2 "$1" "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 4KiB \
        --at edge:0 --scheme flowlet -o "$DIR/x" "${@:2}"
}
flowlet '--flowlet-idle: 0 to 267386848 ns, or never' --flowlet-idle 267386849
flowlet '--flowlet-idle: 0 to 267386848 ns, or never' --flowlet-idle soon
flowlet '--flowlet-entries: a power of two, 1 to 65536' --flowlet-entries 100
flowlet '--flowlet-entries: a power of two, 1 to 65536' --flowlet-entries 131072
flowlet '--flowlet-entries: a power of two, 1 to 65536' --flowlet-entries 0
flowlet '--flowlet is sai or cisco' --flowlet juniper
flowlet '--flowlet-path is random, quality or better' --flowlet-path best
flowlet 'configuration tor64 is too small: NUM_FLOWLETS' --flowlet-entries 65536
flowlet 'configuration lab is too small: NUM_FLOWLETS' --flowlet-entries 2048 --config lab
flowlet 'configuration tiny is too small' --config tiny
flowlet 'configuration f48 is too small: SCHEMES' --config "$DIR/f48.cfg" --flowlet-path better
for o in '--load sai' '--drill 2,1' '--small 64' '--period 100' '--buffer 1MB'; do
    # shellcheck disable=SC2086
    make "${o% *} is for --scheme spray-quality" $o
done
quality() {
    expect 2 "$1" "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 4KiB \
        --at edge:0 --scheme spray-quality -o "$DIR/x" "${@:2}"
}
quality "--load: sai, cisco-aci, cisco-nxos, conga or htsim-ar, not 'rand'" --load rand
for d in 3,0 0,2 2 2,1,0 ,1 -1,0; do
    quality '--drill is D,M: 0 to 2 samples, 0 or 1 remembered' --drill=$d
done
quality '--drill 0,1: without samples none is remembered' --drill 0,1
quality '--small: out of range for the loads of fat-tree:8: 0 to 65535 bytes' --small 65536
quality '--period: out of range' --period 0
quality '--period: out of range for the loads of fat-tree:8: 1 to 1000000000 ns' --period 0
# Cisco's longest interval: 1.6 GB of 800 Gb/s, times 4.
too_much='what a link sends in it, times 2^exponent of --load, is 2^32 bytes or more'
quality "--period: out of range for the loads of fat-tree:8: $too_much" --load sai \
    --period 50000000
quality "$too_much" --load cisco-aci --period 16384000
quality '--buffer: out of range' --buffer 0
quality '--buffer: out of range' --buffer 4294967296
quality 'configuration tiny is too small' --config tiny
"$EGRET" config show lab | sed 's/^SCHEMES=.*/SCHEMES=382/' >"$DIR/none.cfg"
quality 'configuration none is too small: SCHEMES' --config "$DIR/none.cfg"
for l in sai cisco-aci cisco-nxos conga htsim-ar; do
    expect 0 '' "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB \
        --at edge:0 --scheme spray-quality --load $l --period 500 --small 0 --buffer 1MB \
        --drill 2,1 -o "$DIR/q.pcap"
    expect 0 'chosen 128' "$EGRET" model --config lab "$DIR/q.pcap"
done
# At its own period a preset measures, and is heeded: other ports than without a tick. Where it does
# not, that is said.
presets() { # LOAD BYTES OPTION...
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --rate 100G --at edge:0 \
        --scheme spray-quality --load "$1" --bytes "$2" --small 0 -o "$DIR/q.pcap" "${@:3}" \
        2>"$DIR/said"
    "$EGRET" model --config lab "$DIR/q.pcap" --csv - | cut -d, -f4,7 >"$DIR/ports"
}
for l in sai cisco-aci cisco-nxos conga htsim-ar; do
    presets $l 2MiB --buffer 100KB
    cp "$DIR/ports" "$DIR/with"
    holds "$l: nothing said" [ ! -s "$DIR/said" ]
    holds "$l: ticks" [ "$("$EGRET" trace dump "$DIR/q.pcap" | grep -c ' tick')" -ge 3 ]
    presets $l 2MiB --buffer 100KB --period 9000000
    holds "$l: few ticks" grep -q '^egret: warning: 0 ticks of 9000000 ns, ' "$DIR/said"
    cmp -s "$DIR/ports" "$DIR/with" && bad "$l is not heeded" || good
done
presets sai 256KiB
holds 'one tick' grep -q '^egret: warning: 1 tick of 16000 ns, and loads decide from' "$DIR/said"
# Flowlets as others have them: idle, entries and load; each option still counts by itself.
settings() { # OPTION...: words 5 and 6 of the uplinks, exponent and weights of the loads
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB \
        --at edge:0 --scheme flowlet --period 500 -o "$DIR/q.pcap" "$@"
    "$EGRET" trace dump "$DIR/q.pcap" | awk '/write addr=100000/ { exit }
        / addr=00002[5689] / { sub(/.*data=/, ""); printf "%s ", $0 }'
}
holds 'flowlet sai' [ "$(settings --flowlet sai)" = '00000002 00800080 01ff0000 01003e80 ' ]
holds 'flowlet cisco' [ "$(settings --flowlet cisco)" = '00000002 00000100 03ff0000 01007a12 ' ]
holds 'flowlet sai, but' [ "$(settings --flowlet sai --flowlet-idle 160 --flowlet-entries 64 \
    --load conga --flowlet-path better)" = '00000003 00000100 003f0000 0300000a ' ]
# What a configuration lacks is named, also of a memory's port.
expect 2 'exceeds configuration none: SCHEMES: write addr=000028' "$EGRET" model \
    --config "$DIR/none.cfg" "$DIR/q.pcap"
"$EGRET" config show lab | sed 's/^NUM_PORTS=.*/NUM_PORTS=7/' >"$DIR/seven.cfg"
expect 2 'exceeds configuration seven: NUM_PORTS: write addr=90001c' "$EGRET" model \
    --config "$DIR/seven.cfg" "$DIR/q.pcap"
rm "$DIR/q.pcap"
for key in 0 0g "$(printf '%0130d' 0)"; do
    make '--key: 1 to 64 bytes of hexadecimal' --hash toeplitz --key "$key"
done
make 'configuration lab has no such hash: algorithm; --config lab_lookup3 has it' --hash lookup3
make 'configuration lab_lookup3 has no such hash: algorithm; --config lab has it' \
    --config lab_lookup3 --hash crc32c
expect 2 'configuration tor64 has no such hash: algorithm' "$EGRET" trace make --hash lookup3 \
    --topology fat-tree:32 --collective permutation --bytes 4KiB --at edge:0 --scheme dr -o "$DIR/x"
for o in ecmp flowlet; do
    make '--fields: by RDMA_BTH_OPCODE the First, Middle and Last of a message would part' \
        --write first-middle-last --fields SRC_IP,DST_IP,RDMA_BTH_OPCODE --ordered-scheme $o
done
make "--hash: unknown algorithm 'md5'" --hash md5
make "--hash: unknown algorithm 'matrix'" --hash matrix
make "--layout: unknown layout 'rss'" --layout rss
make "--fields: no field 'L5'" --fields L4_SRC_PORT,L5
make "--fields: no field 'THIRTY_TWO_" --fields L4_SRC_PORT,THIRTY_TWO_CHARACTERS_AND_SOME_MORE
make '--placement is linear or random' --placement here
make '--stress needs a seed' --stress x
make '--payload: 1 to 16384' --payload 0
make '--payload: 1 to 16384' --payload 4294967296
for port in any fixed fixed: fixed:65536; do
    make '--source-port is linux or fixed:PORT' --source-port $port
done
nothing_left x
# What is asked for must be given.
without() {
    local text=$1 words=(--topology fat-tree:8 --collective ring --bytes 4KiB --at edge:0 \
        --scheme dr -o "$DIR/x") i
    shift
    for i in "${!words[@]}"; do
        if [ "${words[i]:-}" = "$1" ]; then unset "words[i]" "words[i+1]"; fi
    done
    shift
    expect 2 "$text" "$EGRET" trace make "${words[@]}" "$@"
}
without '-o FILE is missing' -o
without '--topology is missing' --topology
without '--collective is missing' --collective
without '--at is edge:N or agg:N' --at
without '--at is edge:N or agg:N' --at --at edge:x
without '--scheme is ecmp' --scheme
without '--scheme is ecmp' --scheme --scheme none
without "unknown collective 'star'" --collective --collective star
without 'at least two ranks and one byte' --bytes
without 'one byte for each of 128 ranks' --bytes --bytes 127
expect 2 'trace random: -o FILE is missing' "$EGRET" trace random --config lab
expect 2 'trace dump: a file is missing' "$EGRET" trace dump
expect 2 'none.pcap: No such file' "$EGRET" trace dump "$DIR/none.pcap"
# What is set is used: the same options twice are one file, another value is another.
set_up() {
    local out=$1 words=("${@:2}")
    [[ $* == *--collective* ]] || words+=(--collective alltoall)
    [[ $* == *--rounds* ]] || words+=(--rounds 1)
    "$EGRET" trace make --topology fat-tree:4 --bytes 4KiB --at edge:0 --scheme ecmp \
        -o "$DIR/$out" "${words[@]}"
}
set_up plain.pcap
set_up same.pcap --rate 800G --placement linear --source-port linux --hash crc32c --layout record
holds 'defaults' cmp -s "$DIR/plain.pcap" "$DIR/same.pcap"
for c in ring alltoall; do
    set_up rounds.pcap --collective=$c
    set_up all.pcap --collective=$c --rounds=0
    set_up more.pcap --collective=$c --rounds=1000
    cmp -s "$DIR/rounds.pcap" "$DIR/all.pcap" && bad "$c: one round is all" || good
    holds "$c: no more than all rounds" cmp -s "$DIR/more.pcap" "$DIR/all.pcap"
done
for o in '--rate 100Mbps' '--rate 400G' '--source-port fixed:5' '--hash crc32' '--hash-seed 1' \
    '--layout ipv4-5tuple' '--rotation 3' '--fields L4_SRC_PORT' '--no-acks' \
    '--hash toeplitz' '--hash toeplitz --key 00aBcDEF'; do
    # shellcheck disable=SC2086
    set_up other.pcap $o
    cmp -s "$DIR/plain.pcap" "$DIR/other.pcap" && bad "$o changes nothing" || good
done
expect 2 '--key is for --algorithm toeplitz' "$EGRET" hash --algorithm crc32 --hex 00 --key 00
# Numbers are decimal, with or without zeros before them.
for seed in 010 10 0x0a; do
    "$EGRET" trace random --config lab --events 500 --seed $seed -o "$DIR/seed.$seed"
    holds "--seed $seed" cmp -s "$DIR/seed.010" "$DIR/seed.$seed"
done
for k in 66 90 100 128; do
    expect 2 "fat-tree:$k: configuration tor64 is too small: NUM_PORTS is 64, a switch has $k" \
        "$EGRET" trace make --topology fat-tree:$k --collective permutation --bytes 4KiB \
        --at edge:0 --scheme dr -o "$DIR/x"
done
nothing_left x

# Hashes: check values of the published catalogues.
hash() { expect 0 "$1" "$EGRET" hash --hex "${4:-313233343536373839}" --algorithm "$2" ${3:-}; }
hash bb3d crc16
hash 29b1 crc16-ccitt
hash cbf43926 crc32
hash e3069283 crc32c
hash 51ccc178 toeplitz '' 420995bba18e64500aea06e6
hash 323e8fc2 toeplitz '' 420995bba18e6450
hash 17770551 lookup3 '' 466f75722073636f726520616e6420736576656e2079656172732061676f
hash cd628161 lookup3 '--seed 1' 466f75722073636f726520616e6420736576656e2079656172732061676f
hash 1428 xor16 '' 0bb81f90
hash ae5a crc16 '' 0a0000010a00010211c12312b7
hash 95fc619a crc32c '' 0a0000010a00010211c12312b7
expect 0 83e30692 "$EGRET" hash --algorithm crc32c --hex 313233343536373839 --rotation 8
expect 0 1cf96d7c "$EGRET" hash --algorithm crc32c --hex 313233343536373839 --seed 0xffffffff
hash 14142828 xor32 '' 0b0bb8b81f1f9090
# A seed or a rotation makes 32 bits of 16: above them stand those of crc32c.
expect 0 e306bb3c "$EGRET" hash --algorithm crc16 --hex 313233343536373839 --seed 1
expect 0 3de306bb "$EGRET" hash --algorithm crc16 --hex 313233343536373839 --rotation 8
expect 0 e30629b2 "$EGRET" hash --algorithm crc16-ccitt --hex 313233343536373839 --seed 3
expect 2 'unknown algorithm' "$EGRET" hash --algorithm md5 --hex 00
expect 2 'unknown algorithm' "$EGRET" hash --algorithm matrix --hex 00
expect 2 '--algorithm and --hex are needed' "$EGRET" hash --algorithm crc32
expect 2 '--algorithm and --hex are needed' "$EGRET" hash --hex 00
expect 2 '--algorithm and --hex are needed' "$EGRET" hash --algorithm crc32 --hex 00 --packets x
expect 2 '--layout is for --packets' "$EGRET" hash --algorithm crc32 --hex 00 --layout record
expect 2 '--fields is for --packets' "$EGRET" hash --algorithm crc32 --hex 00 --fields SRC_IP
expect 2 "--layout: unknown layout 'rss'" "$EGRET" hash --algorithm crc32 --packets x --layout rss
expect 2 "--fields: no field 'L5'" "$EGRET" hash --algorithm crc32 --packets x --fields L5
expect 2 'No such file' "$EGRET" hash --algorithm crc32 --packets "$DIR/none"
for key in 0 0g "$(printf '%0130d' 0)"; do
    expect 2 'hash: --key: not an even' "$EGRET" hash --algorithm toeplitz --hex 00 --key "$key"
done
expect 2 'even number' "$EGRET" hash --algorithm crc32 --hex 0G
expect 2 'even number' "$EGRET" hash --algorithm crc32 --hex 0:
expect 2 'even number' "$EGRET" hash --algorithm crc32 --hex 012
expect 2 '--rotation: 0 to 31' "$EGRET" hash --algorithm crc32 --hex 00 --rotation 32
finish

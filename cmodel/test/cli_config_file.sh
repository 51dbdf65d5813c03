#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_config_file.sh: --config-file beside options: an option of the command line comes first, what
# no option says is taken from the file (docs/config.md, section 5).
. cmodel/test/cli_lib.sh

make=("$EGRET" trace make --topology fat-tree:4 --collective permutation --bytes 64KiB --at edge:0)
# same NAME YAML OPTIONS OTHER: the file with OPTIONS makes what OTHER makes without a file.
same() {
    local name=$1 options=$3 other=$4
    printf '%s\n' "$2" >"$DIR/s.yaml"
    rm -f "$DIR/one.pcap" "$DIR/two.pcap"
    "${make[@]}" -o "$DIR/one.pcap" --config-file "$DIR/s.yaml" $options >"$DIR/out" 2>&1 || true
    "${make[@]}" -o "$DIR/two.pcap" $other >>"$DIR/out" 2>&1 || true
    holds "$name: $(head -c 300 "$DIR/out" "$DIR/s.yaml")" cmp -s "$DIR/one.pcap" "$DIR/two.pcap"
}
group='groups: [{id: 0, members: [1]'
hash='hash: {seed: 5, rotation: 3, fields: [SRC_IP, DST_IP]}'
ecmp="$hash
seed: 9
$group, scheme: ecmp}]"
same 'all of the file' "$ecmp" '' \
    '--scheme ecmp --hash-seed 5 --rotation 3 --seed 9 --fields SRC_IP,DST_IP'
same 'seeds of the line' "$ecmp" '--hash-seed 6 --seed 8' \
    '--scheme ecmp --hash-seed 6 --rotation 3 --seed 8 --fields SRC_IP,DST_IP'
same 'with an equals sign' "$ecmp" '--hash-seed=6 --rotation=4' \
    '--scheme ecmp --hash-seed 6 --rotation 4 --seed 9 --fields SRC_IP,DST_IP'
same 'the value that is the default' "$ecmp" '--rotation 0 --hash-seed 0' \
    '--scheme ecmp --seed 9 --fields SRC_IP,DST_IP'
same 'fields of the line' "$ecmp" '--fields L4_SRC_PORT --' \
    '--scheme ecmp --hash-seed 5 --rotation 3 --seed 9 --fields L4_SRC_PORT'
# Behind -- nothing is an option: there it is a word too many.
expect 2 "unexpected argument '--seed=3'" "${make[@]}" --config-file "$DIR/s.yaml" \
    -o "$DIR/x.pcap" -- --seed=3
same 'another scheme' "$ecmp" '--scheme dr' \
    '--scheme dr --hash-seed 5 --rotation 3 --seed 9 --fields SRC_IP,DST_IP'
# A key is of its algorithm: with another one of the line it is left.
key=00112233445566778899aabbccddeeff00112233
toeplitz="hash: {algorithm: toeplitz, key: $key}
$group, scheme: ecmp}]"
same 'key of the file' "$toeplitz" '' "--scheme ecmp --hash toeplitz --key $key"
same 'another algorithm' "$toeplitz" '--hash crc32' '--scheme ecmp --hash crc32'
same 'the same algorithm by the line' "$toeplitz" '--hash toeplitz' '--scheme ecmp --hash toeplitz'

# Flowlets: those of a group of the scheme, unless a preset of the line stands for them all.
flowlet="$group, scheme: flowlet, flowlet: {idle: 1000, entries: 64, path: quality}}]"
same 'flowlets' "$flowlet" '' \
    '--scheme flowlet --flowlet-idle 1000 --flowlet-entries 64 --flowlet-path quality'
same 'flowlet entries of the line' "$flowlet" '--flowlet-entries 32' \
    '--scheme flowlet --flowlet-idle 1000 --flowlet-entries 32 --flowlet-path quality'
same 'a preset of the line' "$flowlet" '--flowlet sai' '--scheme flowlet --flowlet sai'
same 'flowlets of another scheme' "$group, scheme: ecmp}]" '--scheme flowlet' '--scheme flowlet'
same 'flowlets that keep order' \
    "$group, scheme: dr, ordered-scheme: flowlet, flowlet: {idle: 1000}}]" '' \
    '--scheme dr --ordered-scheme flowlet --flowlet-idle 1000'
same 'ordered by another scheme' "$flowlet" '--scheme dr --ordered-scheme ecmp' \
    '--scheme dr --ordered-scheme ecmp'
same 'drill of another scheme' \
    "$group, scheme: spray-quality, drill: {samples: 2, memory: 1}}]" '--scheme dr' '--scheme dr'

# Loads: for spray-quality, and for flowlets by quality; else they are left.
load='load: {preset: sai, period: 500, buffer: 40000}'
quality='--scheme spray-quality --load sai --period 500 --buffer 40000'
same 'loads' "$load
$group, scheme: spray-quality}]" '' "$quality"
same 'a buffer of the line' "$load
$group, scheme: spray-quality}]" '--buffer 50000' "${quality% *} 50000"
same 'loads that nothing looks at' "$load
$group, scheme: ecmp}]" '' '--scheme ecmp'
same 'loads of flowlets by chance' "$load
$group, scheme: flowlet}]" '' '--scheme flowlet --flowlet-path random'
same 'loads of flowlets by quality' "$load
$group, scheme: flowlet, flowlet: {path: quality}}]" '' \
    '--scheme flowlet --flowlet-path quality --load sai --period 500 --buffer 40000'

# A file without a group says no scheme.
echo "$load" >"$DIR/s.yaml"
expect 2 '--scheme is ' "${make[@]}" --config-file "$DIR/s.yaml" -o "$DIR/x.pcap"
same 'no group' "$load" '--scheme spray-quality' "$quality"
# Group 0 goes first wherever it stands; without one, the first.
two='groups: [{id: 2, members: [1], scheme: dr}, {id: '
same 'group 0' "${two}0, members: [2], scheme: ecmp}]" '' '--scheme ecmp'
same 'no group 0' "${two}1, members: [2], scheme: ecmp}]" '' '--scheme dr'
# Classes: packets shorter than short-below are of classes that keep order, if the file says so.
classes="classes: {short-below: 200, ordered: [8, 9, 10, 11, 12, 13, 14, 15]}
$group, scheme: dr}]"
printf '%s\n' "$classes" >"$DIR/s.yaml"
expect 0 '' "${make[@]}" --config-file "$DIR/s.yaml" -o "$DIR/one.pcap"
expect 0 '' "$EGRET" trace dump "$DIR/one.pcap"
cp "$DIR/out" "$DIR/dump"
holds 'short ones' grep -qE ' class=(8|9|1[0-5]) ' "$DIR/dump"
holds 'and not the others' grep -qE ' class=[0-7] length=([2-9][0-9]{2}|[0-9]{4}) ' "$DIR/dump"
same 'they keep order as by --ordered-below' "classes: {preset: rdma, short-below: 200}
$group, scheme: dr}]" '' '--scheme dr --ordered-below 200'
same 'the line first' "classes: {preset: rdma, short-below: 200}
$group, scheme: dr}]" '--ordered-below 200' '--scheme dr --ordered-below 200'
awk '/ packet / { match($0, / class=[0-9]+/); class = substr($0, RSTART + 7, RLENGTH - 7) + 0
        match($0, / length=[0-9]+/); bytes = substr($0, RSTART + 8, RLENGTH - 8) + 0
        n++
        if ((class >= 8) != (bytes < 200)) exit 1 }
    END { exit !n }' "$DIR/dump" && good || bad 'classes by length'
nothing_left x.pcap
finish

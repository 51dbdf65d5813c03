#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_man.sh: the manual page: no tool that reads it has anything to say, and everything is in it.
. cmodel/test/cli_lib.sh

if ! command -v mandoc >/dev/null; then
    echo 'SKIP: no mandoc'
    exit 77
fi
"$EGRET" --man >"$DIR/egret.1"
holds 'mandoc has something to say' [ -z "$(mandoc -T lint "$DIR/egret.1" 2>&1)" ]
if command -v groff >/dev/null; then
    said=$(groff -man -Tascii -ww -z "$DIR/egret.1" 2>&1) || true
    holds "groff says: $said" [ -z "$said" ]
fi
mandoc -T ascii "$DIR/egret.1" | sed 's/.\x08//g' >"$DIR/text"
for section in NAME SYNOPSIS DESCRIPTION COMMANDS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
    holds "no section $section" grep -qx "$section" "$DIR/text"
done
# Commands and options from the helps, not from the table.
"$EGRET" --help | sed '1,/^commands:/d;/^$/,$d' | sed 's/^  //;s/  .*//' >"$DIR/commands"
holds 'commands' [ "$(wc -l <"$DIR/commands")" -ge 8 ]
while read -r command; do
    sed -n "/^   egret $command\$/,/^   egret \|^EXIT/p" "$DIR/text" >"$DIR/part"
    holds "no $command" [ -s "$DIR/part" ]
    # shellcheck disable=SC2086
    "$EGRET" $command --help </dev/null | sed '1,/^options:/d;/^$/,$d' | awk '{ print $1 }' |
        grep -vx -e --help >"$DIR/options" || true
    while read -r option; do
        holds "$command: no $option" grep -qE -e "^       $option( |\$)" "$DIR/part"
    done <"$DIR/options"
    example=$("$EGRET" $command --help </dev/null | sed '1,/^examples:/d;s/^  //' | head -1)
    holds "$command: no '$example'" grep -qF -e "$example" "$DIR/part"
done <"$DIR/commands"
for code in 0 1 2 3; do
    holds "exit code $code" grep -q "^       $code  " <<<"$(sed -n '/^EXIT/,/^ENV/p' "$DIR/text")"
done
finish

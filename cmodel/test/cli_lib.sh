# SPDX-License-Identifier: Apache-2.0
# cli_lib.sh: checks for the tests of the command; sourced, from the top of the repository.

set -euo pipefail
EGRET=${EGRET:-build/bin/egret}
DIR=$(mktemp -d "${TMPDIR:-/tmp}/egret_cli.XXXXXX")
trap 'rm -rf "$DIR"' EXIT
PASS=0
FAIL=0

good() { PASS=$((PASS + 1)); }
bad() {
    FAIL=$((FAIL + 1))
    echo "FAIL: $*"
}

# expect CODE TEXT COMMAND...: exit code, and TEXT in the output. A refusal (2) is exactly one line
# that starts with `egret: `.
expect() {
    local want=$1 text=$2 code=0
    shift 2
    "$@" >"$DIR/out" 2>"$DIR/err" </dev/null || code=$?
    if [ "$code" != "$want" ]; then
        bad "$*: exit code $code, wanted $want: $(head -c 300 "$DIR/err")"
    elif [ -n "$text" ] && ! grep -qF -- "$text" "$DIR/out" "$DIR/err"; then
        bad "$*: no '$text' in: $(head -c 300 "$DIR/out" "$DIR/err")"
    elif [ "$want" = 2 ] && [ "$(grep -c '^egret: ' "$DIR/err")/$(wc -l <"$DIR/err")" != 1/1 ]; then
        bad "$*: not one line: $(cat "$DIR/err")"
    else
        good
    fi
}

# piped CODE TEXT FILE COMMAND...: expect with FILE on a pipe as standard input.
piped() {
    local want=$1 text=$2 file=$3 code=0
    shift 3
    cat "$file" | "$@" >"$DIR/out" 2>"$DIR/err" || code=$?
    if [ "$code" = "$want" ] &&
        { [ -z "$text" ] || grep -qF -- "$text" "$DIR/out" "$DIR/err"; }; then
        good
    else
        bad "pipe: $*: exit code $code, wanted $want and '$text': $(head -c 300 "$DIR/err")"
    fi
}

# holds TEXT CONDITION...: a test(1) condition or any command.
holds() {
    local what=$1
    shift
    if "$@"; then good; else bad "$what"; fi
}

# nothing_left NAME: no such file, and no temporary one beside it.
nothing_left() {
    if [ -e "$DIR/$1" ] || compgen -G "$DIR/.$1.*" >/dev/null; then bad "$1 is left"; else good; fi
}

finish() {
    echo "RESULT pass=$PASS fail=$FAIL"
    [ "$FAIL" = 0 ]
}

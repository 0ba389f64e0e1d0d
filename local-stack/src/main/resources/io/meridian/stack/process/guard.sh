#!/bin/sh
# Guards one child process: the child never outlives the launcher.
#
#   sh guard.sh SIGNAL GRACE_SECONDS LOG COMMAND [ARGUMENT...]
#
# Standard input is a pipe whose other end only the launcher holds. It closes when the launcher closes it or dies in
# whatever way, kill -9 included; the child then gets SIGNAL, and KILL when it is still there GRACE_SECONDS later. The first
# line of output is the child's process id. The exit code is the child's.

signal=$1
grace=$2
log=$3
shift 3

# Ctrl-C and a closed terminal reach every process of the group. Only the launcher acts on them, so that the order of the
# stop is its own.
trap '' INT QUIT HUP

# A shell gives its background processes an empty standard input, hence the copy for the watcher.
exec 3<&0 </dev/null

"$@" >>"$log" 2>&1 3<&- &
child=$!
echo "$child"
exec >/dev/null

(
    while read -r line; do :; done
    kill -s "$signal" "$child"
    sleep "$grace" &
    alarm=$!
    trap 'kill "$alarm"; exit' TERM
    wait "$alarm"
    kill -s KILL "$child"
) <&3 2>/dev/null &
watcher=$!
exec 3<&-

trap 'kill -s "$signal" "$child" 2>/dev/null' TERM
wait "$child"
code=$?
while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
done

kill "$watcher" 2>/dev/null
exit "$code"

#!/bin/sh
# Makes the lowest layer of an image: a Java runtime, the C library it runs on, and the few files that both look for.
#
#   sh runtime.sh BASE JAVA_HOME MODULES FOLDER
#
# The layer is FOLDER/runtime, empty if BASE is not scratch: such a base brings all of this itself. There is no registry to take
# a base from, so Java is linked from the JDK that builds (jlink), and of the C library and its like exactly those files are
# copied that the runtime's own files name (ldd). Where this machine cannot do that, FOLDER/SKIPPED says why, and the exit code
# is 0: images are then not made, and nothing else is amiss.
set -eu

base=$1
java_home=$2
modules=$3
folder=$4

layer=$folder/runtime
stamp=$folder/stamp
user=10001

skip() {
    echo "SKIPPED: no images are made: $1"
    echo "no images are made: $1" >"$folder/SKIPPED"
    exit 0
}

mkdir -p "$folder"
rm -f "$folder/SKIPPED"

# What made the layer that is there; the same makes the same.
made_by="$base $modules $("$java_home/bin/java" -version 2>&1 | tr '\n' ' ') $(cksum <"$0")"
if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$made_by" ]; then
    exit 0
fi
rm -rf "$layer" "$stamp"
mkdir -p "$layer"

if [ "$base" != scratch ]; then
    printf '%s\n' "$made_by" >"$stamp"
    exit 0
fi

[ "$(uname -s)" = Linux ] || skip "they hold this machine's C library, and it is no Linux"
command -v ldd >/dev/null 2>&1 || skip "ldd, which tells what a program needs, is not there"
[ -x "$java_home/bin/jlink" ] || skip "$java_home has no jlink"

java=$layer/opt/java
mkdir -p "$layer/opt"
if ! "$java_home/bin/jlink" --add-modules "$modules" --output "$java" \
    --strip-java-debug-attributes --no-header-files --no-man-pages >"$folder/jlink.log" 2>&1; then
    # A JDK without jmods may be able to link all the same, from itself. One with them must be.
    [ -e "$java_home/jmods" ] || skip "$java_home has no jmods (some systems have them in a package of that name)"
    cat "$folder/jlink.log" >&2
    exit 1
fi

# Some systems keep the trusted certificates outside Java, and a link in their place.
if [ -e "$java_home/lib/security/cacerts" ]; then
    rm -f "$java/lib/security/cacerts"
    cp -L "$java_home/lib/security/cacerts" "$java/lib/security/cacerts"
fi

# The files that the programs and libraries of the runtime name, at the places where they were found. libjvm.so is not found
# by those that expect it to be loaded already.
needed() {
    find "$java/bin" "$java/lib" -type f \( -path '*/bin/*' -o -name '*.so' -o -name jspawnhelper \) |
        while read -r file; do
            ldd "$file" 2>/dev/null || true
        done |
        sed -n -e 's/^.* => \(\/[^ ]*\) (0x.*$/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (0x.*$/\1/p' |
        sort -u | grep -v "^$java/"
}

needed >"$folder/needed" || true
[ -s "$folder/needed" ] || skip "ldd names no library that the runtime needs"

# How names become addresses is loaded on demand, so no file names it. Newer C libraries have it within.
while read -r library; do
    case $library in
        */libc.so.*)
            for more in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
                [ ! -e "$(dirname "$library")/$more" ] || echo "$(dirname "$library")/$more"
            done
            ;;
    esac
done <"$folder/needed" >"$folder/on-demand"

cat "$folder/needed" "$folder/on-demand" | sort -u | while read -r library; do
    mkdir -p "$layer$(dirname "$library")"
    cp -L "$library" "$layer$library"
    chmod 755 "$layer$library"
done

mkdir -p "$layer/etc" "$layer/tmp"
echo "meridian:x:$user:$user:Meridian:/tmp:/nonexistent" >"$layer/etc/passwd"
echo "meridian:x:$user:" >"$layer/etc/group"
echo "hosts: files dns" >"$layer/etc/nsswitch.conf"

printf '%s\n' "$made_by" >"$stamp"

#!/usr/bin/env bash
# Draws every diagram for light and for dark pages, with PlantUML (Debian: apt-get install plantuml).
# A drawing holds the text that it was made from, so that a test sees when the text has changed since.
set -euo pipefail
cd "$(dirname "$0")"

draw() {  # the source, the drawing, PlantUML's flags
    plantuml -pipe -tsvg -nometadata -charset UTF-8 "${@:3}" <"$1" >"$2"
    { printf '<metadata><![CDATA[\n'; cat "$1"; printf ']]></metadata></svg>\n'; } >"$2.end"
    sed -i -e 's|</svg>[[:space:]]*$||' -e 's|preserveAspectRatio="none" ||' \
        -e 's|font-family="Helvetica"|font-family="Helvetica, Arial, sans-serif"|g' "$2"
    cat "$2.end" >>"$2"
    rm "$2.end"
}

for source in *.puml; do
    name=${source%.puml}
    draw "$source" "../ProductKit.docc/$name.svg"
    draw "$source" "../ProductKit.docc/$name~dark.svg" -DDARK=1
done

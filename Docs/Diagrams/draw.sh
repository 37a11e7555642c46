#!/usr/bin/env bash
# Draws every diagram for light and for dark pages, and the picture of the shop program.
# Requires PlantUML (Debian: apt-get install plantuml) and Python 3.
# Each drawing contains its source, so that a test notices when the source has changed.
set -euo pipefail
cd "$(dirname "$0")"

draw() {  # source, drawing, flags of PlantUML
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

output=$(swift run --package-path ../Examples shop)
./draw-terminal.py "Output of the shop program" <<<"$output" >../ProductKit.docc/shop.svg
./draw-terminal.py --dark "Output of the shop program" <<<"$output" >"../ProductKit.docc/shop~dark.svg"

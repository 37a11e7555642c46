#!/usr/bin/env bash
# Follows the article “Getting started” as a reader would: creates the package from the code in the
# article, runs it against the sample shop and without a shop, and runs its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'kill "${shop:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
article=$PWD/Docs/ProductKit.docc/GettingStarted.md
ln -s "$PWD" "$folder/ProductKit"
mkdir "$folder/Boots"

# A code block that begins with a file name becomes that file; a package manifest becomes Package.swift.
awk -v folder="$folder/Boots" '
    /^```/ { isFence = !isFence; isFirst = isFence; file = ""; next }
    !isFence { next }
    isFirst && /^\/\/ swift-tools-version/ { file = folder "/Package.swift" }
    isFirst && /^\/\/ [A-Za-z\/]+\.swift$/ { file = folder "/" substr($0, 4) }
    isFirst && file { place = file; sub(/\/[^\/]*$/, "", place); system("mkdir -p \"" place "\"") }
    { isFirst = 0; if (file) print > file }
' "$article"

swift run --package-path Docs/Examples shop serve >"$folder/shop.log" &
shop=$!
until grep -q "^  base URL" "$folder/shop.log"; do
    kill -0 "$shop"
    sleep 0.2
done
address=$(sed -n 's/^  base URL *//p' "$folder/shop.log")
sed -i.bak "s|http://127.0.0.1:8080/v1|$address|" "$folder/Boots/Sources/Boots/Boots.swift"
rm "$folder/Boots/Sources/Boots/Boots.swift.bak"

grep -E '^(☆|★) ' "$article" >"$folder/expected.txt"

cd "$folder/Boots"
LC_ALL=en_US.UTF-8 swift run | tee "$folder/shown.txt"
diff "$folder/expected.txt" "$folder/shown.txt"

kill "$shop"
wait "$shop" || true
if swift run --skip-build >"$folder/failure.txt"; then
    echo "The program exited with 0 although the shop was stopped." >&2
    exit 1
fi
diff <(grep '^The server cannot be reached' "$article") "$folder/failure.txt"
swift test

#!/usr/bin/env bash
# Builds the documentation site in .build/site. Fails on any warning (on Linux), and on symbols of other modules.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/docs
graphs=$PWD/$scratch/symbol-graphs
rm -rf "$scratch"  # the compiler emits symbols only for files that it compiles
# Without DOCUMENTATION the library re-exports the system's networking, which would fill the site.
# Its files then get the import from the command line.
networking=()
if [ "$(uname)" = Linux ]; then
    networking=(-Xswiftc -Xfrontend -Xswiftc -import-module -Xswiftc -Xfrontend -Xswiftc FoundationNetworking)
fi
swift build --target ProductKit --scratch-path "$scratch" \
    -Xswiftc -DDOCUMENTATION ${networking[@]+"${networking[@]}"} \
    -Xswiftc -emit-symbol-graph \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" \
    -Xswiftc -symbol-graph-skip-synthesized-members

foreign=$(grep -oh '"identifier":{"precise":"[^"]*"' "$graphs"/*.json | grep -v 10ProductKit || true)
if [ -n "$foreign" ]; then
    echo "The site would contain symbols of other modules:" >&2
    echo "$foreign" | head >&2
    exit 1
fi

# The compiler describes a property that a macro such as @Observable expands without its `private(set)`.
python3 - "$graphs" <<'END'
import json, pathlib, sys, urllib.parse

for path in pathlib.Path(sys.argv[1]).glob("*.json"):
    graph = json.loads(path.read_text())
    for symbol in graph["symbols"]:
        location = symbol.get("location")
        if not location:
            continue
        source = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path))
        declaration = source.read_text().split("\n")[location["position"]["line"]]
        if any(word in declaration for word in ("private(set)", "internal(set)")):
            fragments = symbol["declarationFragments"]
            setters = [i for i, part in enumerate(fragments) if part["spelling"] == "set"]
            for index in setters:
                del fragments[index - 1:index + 1]  # with the space before it
    path.write_text(json.dumps(graph))
END

# On a Mac, the tool is in Xcode, and CurlTransport has no page: links to it are warnings.
docc=(docc) options=(--warnings-as-errors)
if [ "$(uname)" = Darwin ]; then docc=(xcrun docc) options=(); fi
"${docc[@]}" convert Docs/ProductKit.docc \
    --additional-symbol-graph-dir "$graphs" \
    --fallback-bundle-identifier ProductKit \
    --hosting-base-path "${HOSTING_BASE_PATH:-/}" \
    --output-path .build/site \
    ${options[@]+"${options[@]}"}
echo "The site is in .build/site."

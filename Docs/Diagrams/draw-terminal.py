#!/usr/bin/env python3
"""Draws the output of a program, read from standard input, as an SVG of a terminal.

Usage: shop | draw-terminal.py TITLE >shop.svg, and with --dark for pages with a dark background.
The text is part of the drawing as metadata, so that a test can compare it with the program.
"""
import html
import sys
import unicodedata

CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, TITLE_HEIGHT = 7.8, 18, 16, 34
LIGHT = {"page": "#F5F5F7", "line": "#D2D2D7", "text": "#1D1D1F", "faint": "#6E6E73"}
DARK = {"page": "#1C1C1E", "line": "#38383A", "text": "#F5F5F7", "faint": "#98989D"}


def width(text):
    """Columns that a terminal uses for the text."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def draw(title, text, colors):
    lines = text.rstrip("\n").split("\n")
    columns = max(map(width, lines))
    picture_width = columns * CHARACTER_WIDTH + 2 * MARGIN
    picture_height = TITLE_HEIGHT + len(lines) * LINE_HEIGHT + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture_width:.0f}" '
        f'height="{picture_height:.0f}" viewBox="0 0 {picture_width:.0f} {picture_height:.0f}">'
    )
    yield f"<title>{html.escape(title)}</title>"
    yield (
        f'<rect x="0.5" y="0.5" width="{picture_width - 1:.0f}" height="{picture_height - 1:.0f}" '
        f'rx="10" fill="{colors["page"]}" stroke="{colors["line"]}"/>'
    )
    for index, color in enumerate(["#FF5F57", "#FEBC2E", "#28C840"]):
        yield f'<circle cx="{MARGIN + 4 + index * 18}" cy="17" r="5.5" fill="{color}"/>'
    yield (
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" '
        f'fill="{colors["text"]}" xml:space="preserve">'
    )
    for number, line in enumerate(lines):
        if line:
            y = TITLE_HEIGHT + number * LINE_HEIGHT + 13
            color = f' fill="{colors["faint"]}"' if line.lstrip().startswith("→") else ""
            yield (
                f'<text x="{MARGIN}" y="{y}" textLength="{width(line) * CHARACTER_WIDTH:.1f}"'
                f"{color}>{html.escape(line)}</text>"
            )
    yield "</g>"
    yield f"<metadata><![CDATA[\n{text}]]></metadata></svg>"


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--dark"]
    colors = DARK if "--dark" in sys.argv else LIGHT
    print("\n".join(draw(arguments[0], sys.stdin.read(), colors)))

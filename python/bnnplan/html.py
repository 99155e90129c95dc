"""How things show themselves in a notebook."""

from __future__ import annotations

from html import escape


def page_frame(page: str, height: int = 640) -> str:
    """A whole page, with scripts of its own, as a part of a notebook: in a frame that can reach nothing outside."""
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;height:{height}px;border:1px solid #ccc" '
        f'srcdoc="{escape(page, quote=True)}"></iframe>'
    )


def facts_table(text: str) -> str:
    """Lines `name   what is said of it` as a table."""
    rows = []
    for line in text.splitlines():
        name, _, fact = line.partition("  ")
        if line.startswith(" ") or not name:
            rows.append(("", line.strip()))
        else:
            rows.append((name, fact.strip()))
    cells = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(fact)}</td></tr>'
        for name, fact in rows
    )
    return f"<table>{cells}</table>"

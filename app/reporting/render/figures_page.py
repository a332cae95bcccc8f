"""Every plot of a session on one page that is attached: a report prints the few that carry its decisions."""

from collections.abc import Sequence
from html import escape
from typing import Final
from xml.etree import ElementTree

from app.domain.plot import Figure
from app.foundation.texts import _, language_tag
from app.reporting.blocks import Attachment

_SVG: Final = "http://www.w3.org/2000/svg"
_LINKS: Final = frozenset({"href", "{http://www.w3.org/1999/xlink}href"})


def figures_page(svgs: Sequence[bytes], plots: Sequence[Figure]) -> tuple[Attachment, ...]:
    """Return a page of all plots, () where there are none."""
    if not plots:
        return ()
    title = _("All plots of this session")
    figures = "\n".join(
        f"<h2>{escape(plot.title)}</h2>\n<figure>{inline_figure(svg, plot, f'figure-{number}-')}"
        f"<figcaption>{escape(plot.alt)}</figcaption></figure>"
        for number, (svg, plot) in enumerate(zip(svgs, plots, strict=True))
    )
    page = f"""<!DOCTYPE html>
<html lang="{language_tag()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>body {{ font-family: sans-serif; max-width: 60rem }} svg {{ width: 100%; height: auto }}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{figures}
</body>
</html>
"""
    what = _("Every plot of the session, including those not printed.")
    return (Attachment("figures.html", page.encode("utf-8", "replace"), "text/html", what, "supplement"),)


def inline_figure(svg: bytes, plot: Figure, prefix: str) -> str:
    """Return a figure as part of a page: ids of its own, described for a reader who cannot see it."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)
    for name in ("title", "desc", "style"):
        for child in root.findall(f"{{{_SVG}}}{name}"):
            root.remove(child)
    for element in root.iter():
        for key, value in element.attrib.items():
            # Only an address begins with the sign of a place; a colour does as well ("#0072b2").
            if key == "id":
                element.set(key, prefix + value)
            elif key in _LINKS and value.startswith("#"):
                element.set(key, f"#{prefix}{value[1:]}")
            else:
                element.set(key, value.replace("url(#", f"url(#{prefix}"))
    root.set("role", "img")
    root.set("aria-label", f"{plot.title}. {plot.alt}")
    return ElementTree.tostring(root, encoding="unicode")

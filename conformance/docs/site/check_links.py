"""Follows every link of a built site, without the network.

check_links.py SITE     exit status 1: a link, an anchor or a loaded file is missing, or loaded from elsewhere
"""

import html.parser
import pathlib
import sys
import urllib.parse

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class Page(html.parser.HTMLParser):
    """The anchors, links and loaded files of a page."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href") is not None:
            self.links.append(values["href"])
        for name, value in attributes:
            canonical = tag == "link" and values.get("rel") in ("canonical", "prev", "next")
            if (tag, name) in LOADED and value and not canonical:
                self.loaded.append(value)


class Site:
    def __init__(self, folder):
        self.folder = folder.resolve()
        self.pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}

    def file(self, page, address):
        """The file of an address that stands on a page; None for one outside the site."""
        path = urllib.parse.unquote(address.path)
        found = self.folder / path.lstrip("/") if path.startswith("/") else page.parent / path if path else page
        found = found.resolve()
        if found.is_dir():
            found = found / "index.html"
        return found if found.is_relative_to(self.folder) else None

    def broken(self):
        for path, page in self.pages.items():
            name = path.relative_to(self.folder).as_posix()
            for target in page.links + page.loaded:
                address = urllib.parse.urlsplit(target)
                if address.scheme or address.netloc:
                    if target in page.loaded and address.scheme != "data":
                        yield f"{name}: {target} is loaded from elsewhere"
                    continue
                if path.name == "404.html" and address.path.startswith("/"):
                    # It may stand in for any page, so that its links begin at the root of the host.
                    address = address._replace(path=address.path.replace("/dlspec/", "/", 1))
                found = self.file(path, address)
                if found is None or not found.is_file():
                    yield f"{name}: {target} is not there"
                elif found in self.pages and urllib.parse.unquote(address.fragment) not in self.pages[found].anchors:
                    yield f"{name}: {target} has no such anchor"


def main():
    site = Site(pathlib.Path(sys.argv[1]))
    broken = sorted(set(site.broken()))
    print("\n".join(broken[:50]), end="\n" if broken else "")
    count = sum(len(page.links) for page in site.pages.values())
    print(f"{len(site.pages)} pages, {count} links, {len(broken)} broken")
    return 1 if broken or not site.pages else 0


if __name__ == "__main__":
    sys.exit(main())

"""The page where tasks of several sites begin: it links the task's sites and says how to come back."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from werkzeug.wrappers import Request, Response

from eval.suites.web.transport import Site

PLACEHOLDER = "__HOMEPAGE__"
"""What stands for its address in task files."""
BASE_URL = "http://homepage.test"

SITES = {
    "shopping": ("Shop", "Harbor & Pine: look for things, order them, see your orders and your wish list."),
    "shopping_admin": ("Back office", "Harbor & Pine Admin: orders, products, customers, coupons and reports."),
    "gitlab": ("Code hosting", "Codeyard: projects, issues, merge requests and commits."),
    "reddit": ("Forum", "Townsquare: forums, posts and comments."),
}
"""What a site is called here, and what it is for."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Start page</title></head>
<body>
<main>
<h1>Start page</h1>
<p>These sites belong together. You are signed in on each of them. This page is at {home}, open this address to come
back to it.</p>
<ul>
{links}
</ul>
</main>
</body>
</html>
"""


def home_page(addresses: Mapping[str, str]) -> Site:
    """The page for sites by their names, which links their addresses. It has no state."""
    links = [
        f'<li><a href="{escape(address)}/">{escape(SITES[name][0])}</a> <span>{escape(SITES[name][1])}</span></li>'
        for name, address in addresses.items()
    ]
    html = PAGE.format(home=BASE_URL, links="\n".join(links))

    @Request.application
    def home(request: Request) -> Response:
        found = request.path == "/"
        text = html if found else html.replace("Start page", "Page not found")
        return Response(text, status=200 if found else 404, mimetype="text/html")

    return Site(home)

# SPDX-License-Identifier: MIT
"""A small object store in memory that also lists any number of generated objects, which it does not hold.

Usage: listing_server.py; prints its port.

It speaks as much of S3 as a mirror in a bucket needs, ignores signatures, and runs until its standard input ends. The
request `PUT /generate/N` makes it list N objects below `PREFIX`, in pages of 1,000.
"""

import email.utils
import hashlib
import heapq
import http.server
import sys
import threading
import urllib.parse
from xml.sax.saxutils import escape

PREFIX = "photos/originals/"
PAGE = 1000
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
TIME = "2026-01-31T09:30:00.000Z"


class Store:
    """The stored objects by key, and the number of generated ones."""

    lock = threading.Lock()
    objects = {}
    generated = 0


def element(key, bytes, tag):
    """Returns an object's element of a listing."""
    return (f"<Contents><Key>{key}</Key><LastModified>{TIME}</LastModified><ETag>&quot;{tag}&quot;</ETag><Size>{bytes}</Size>"
            "<StorageClass>STANDARD</StorageClass></Contents>")


def generated_entries(prefix, after):
    """Yields the keys of generated objects and their elements, in order."""
    if not PREFIX.startswith(prefix):
        return
    quoted = urllib.parse.quote_plus(PREFIX)
    first = int(after[len(PREFIX):-4]) + 1 if after.startswith(PREFIX) else 0 if after < PREFIX else Store.generated
    for number in range(first, Store.generated):
        name = f"{number:08d}.jpg"
        yield PREFIX + name, element(quoted + name, 130_000 + number % 1000, f"{number:032x}")


def stored_entries(prefix, after):
    """Yields the same of stored objects."""
    with Store.lock:
        objects = sorted((key, len(body), tag) for key, (body, tag, _) in Store.objects.items())
    for key, bytes, tag in objects:
        if key.startswith(prefix) and key > after:
            yield key, element(urllib.parse.quote_plus(key), bytes, tag.strip('"'))


def listing(query):
    """Returns a page; its continuation token is its last key, or the last common prefix."""
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
    after, size = query.get("continuation-token", ""), min(int(query.get("max-keys", PAGE)), PAGE)
    if delimiter and PREFIX != prefix and PREFIX.startswith(prefix) and Store.generated:
        folder = prefix + PREFIX[len(prefix):].split("/")[0] + "/"
        generated = [] if after >= folder else [(folder, "")]
    else:
        generated = generated_entries(prefix, after)
    elements, folders, last, isTruncated = [], [], after, False
    for key, entry in heapq.merge(generated, stored_entries(prefix, after)):
        if folders and key.startswith(folders[-1]) or delimiter and after.endswith("/") and key.startswith(after):
            continue
        if len(elements) + len(folders) == size:
            isTruncated = True
            break
        if delimiter and "/" in key[len(prefix):]:
            folders.append(prefix + key[len(prefix):].split("/")[0] + "/")
            last = folders[-1]
        else:
            elements.append(entry)
            last = key
    return "".join([
        XML, "<ListBucketResult><EncodingType>url</EncodingType>", f"<IsTruncated>{str(isTruncated).lower()}</IsTruncated>",
        f"<NextContinuationToken>{escape(last)}</NextContinuationToken>" if isTruncated else "", *elements,
        *(f"<CommonPrefixes><Prefix>{urllib.parse.quote_plus(one)}</Prefix></CommonPrefixes>" for one in folders),
        "</ListBucketResult>"])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body would otherwise wait for each other.
    disable_nagle_algorithm = True
    wbufsize = 1 << 20

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Content-Length" for name, _ in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def target(self):
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        _, _, key = urllib.parse.unquote(parts.path)[1:].partition("/")
        return key, query

    def fail(self, status, code):
        body = "" if self.command == "HEAD" else f"{XML}<Error><Code>{code}</Code></Error>"
        self.answer(status, body.encode())

    def violates_condition(self, key):
        tag = Store.objects.get(key, (b"", None, {}))[1]
        wanted = self.headers.get("If-Match")
        return self.headers.get("If-None-Match") == "*" and tag is not None or wanted is not None and wanted != tag

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key, _ = self.target()
        if self.path.startswith("/generate/"):
            Store.generated = int(key)
            return self.answer(200)
        checksum = self.headers.get("x-amz-checksum-sha256")
        with Store.lock:
            if self.violates_condition(key):
                return self.fail(412, "PreconditionFailed")
            tag = f'"{hashlib.md5(body).hexdigest()}"'
            Store.objects[key] = (body, tag, {"x-amz-checksum-sha256": checksum} if checksum else {})
        self.answer(200, headers=[("ETag", tag), *Store.objects[key][2].items()])

    def do_GET(self):
        key, query = self.target()
        if not key:
            body = f"{XML}<ListMultipartUploadsResult/>" if "uploads" in query else listing(query)
            return self.answer(200, body.encode(), [("Content-Type", "application/xml")])
        with Store.lock:
            found = Store.objects.get(key)
        if found is None:
            return self.fail(404, "NoSuchKey")
        body, tag, checksums = found
        headers = [("ETag", tag), ("Last-Modified", email.utils.formatdate(usegmt=True)), *checksums.items()]
        if self.command == "HEAD":
            return self.answer(200, headers=[("Content-Length", str(len(body))), *headers])
        self.answer(200, body, headers)

    do_HEAD = do_GET

    def do_DELETE(self):
        key, _ = self.target()
        with Store.lock:
            if self.violates_condition(key):
                return self.fail(412, "PreconditionFailed")
            Store.objects.pop(key, None)
        self.answer(204)


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()

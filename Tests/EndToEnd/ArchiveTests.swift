// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// WARC files of real runs, read with the libraries of web archives.
@Suite("WARC", .timeLimit(.minutes(10))) struct ArchiveTests {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Serves photos of every kind: plain, in chunks, with the same bytes as another, behind a redirect, and missing.
    init() throws {
        let pictures = try DemoPictures(5, in: folder)
        var replies = pictures.replies
        replies["/same.jpg"] = pictures.reply(0)
        replies["/old.jpg"] = DemoPictures.reply("302 Found\r\nLocation: /4.jpg?b=1&a=2")
        replies["/4.jpg?b=1&a=2"] = pictures.reply(4, headers: "X-A: ä\r\n")
        let file = pictures.files[3]
        let half = file.count / 2
        replies["/3.jpg"] = [
            .text("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .text(String(half, radix: 16) + "\r\n"), .raw(Array(file[..<half])), .text("\r\n"),
            .text(String(file.count - half, radix: 16) + "\r\n"), .raw(Array(file[half...])),
            .text("\r\n0\r\n\r\n"), .again,
        ]
        server = try RawServer(replies)
        let names = ["/0.jpg", "/1.jpg", "/2.jpg", "/3.jpg", "/same.jpg", "/old.jpg", "/missing.jpg"]
        try folder.write(names.map { server.url($0) + "\n" }.joined(), to: "list.txt")
    }

    private func mirror(_ out: String, warc: String, _ more: String...) throws -> Binary.Result {
        try Binary.run(
            [
                "mirror", "list.txt", "-o", out, "--sizes", "64", "--allow-private", "--allow-port", "\(server.port)",
                "--retries", "0", "--concurrency", "1", "--warc", warc,
            ] + more, folder: folder.url)
    }

    @Test(
        "warcio checks every record, cdxj-indexer writes the same index, and every photo is in the WARC",
        .enabled(if: PythonPackages.hasArchives, "warcio or cdxj-indexer is missing: Scripts/setup --tests"),
        arguments: ["w.warc.gz", "w.warc"])
    func judges(warc: String) throws {
        try mirror("m", warc: warc).expect(3)
        // A second run finds its place, and asks only for what failed.
        #expect(try mirror("m", warc: warc).code == 3)
        #expect(try mirror("again", warc: warc).code == 3)
        let output = try PythonPackages.run(
            """
            import hashlib, io, json, sys
            from warcio.archiveiterator import ArchiveIterator
            from warcio.checker import Checker
            from cdxj_indexer.main import CDXJIndexer
            name = sys.argv[1]
            payloads, kinds, requests = {}, [], []
            with open(name, 'rb') as file:
                for record in ArchiveIterator(file, check_digests='raise'):
                    kinds.append(record.rec_type)
                    url = record.rec_headers['WARC-Target-URI']
                    body = record.content_stream().read()
                    if record.rec_type == 'response' and record.http_headers.get_statuscode() == '200':
                        payloads[url] = body
                    if record.rec_type == 'revisit':
                        payloads[url] = payloads[record.rec_headers['WARC-Refers-To-Target-URI']]
                    if record.rec_type == 'request':
                        requests.append(record.http_headers.protocol + ' ' + record.http_headers.statusline)
            done = [json.loads(line) for line in open('m/manifest.jsonl')]
            done = [line for line in done if line['state'] == 'done']
            for line in done:
                body = payloads[line.get('final_url', line['url'])]
                assert hashlib.sha256(body).hexdigest() == line['sha256'], line
                assert body == open('m/' + line['file'], 'rb').read()
            out = io.StringIO()
            CDXJIndexer(out, [name], sort=True).process_all()
            assert out.getvalue() == open('w.cdxj').read(), out.getvalue() + open('w.cdxj').read()
            class Words: pass
            words = Words()
            words.inputs, words.verbose = [name], False
            checker = Checker(words)
            checker.process_all()
            assert checker.exit_value == 0
            print(len(done), kinds.count('response'), kinds.count('revisit'), len(requests), kinds[0])
            print(requests[0])
            """, [warc.replacing(".warc", with: "-00001.warc")], in: folder.url)
        let lines = output.split(separator: "\n")
        // robots.txt, tdmrep.json, 5 payloads, the redirect and the 404; then the first two and the 404; then all
        // again.
        #expect(lines.first == "6 16 7 23 warcinfo", "\(output)")
        #expect(lines.last == "GET /robots.txt HTTP/1.1", "\(output)")
    }

    @Test(
        "A WACZ file is valid, has the index that cdxj-indexer makes, and pywb replays every photo from it",
        .enabled(if: PythonPackages.hasReplay, "wacz or pywb is missing: Scripts/setup --tests"))
    func package() throws {
        #expect(try mirror("m", warc: "Wärc.warc.gz").code == 3)
        #expect(try mirror("m", warc: "Wärc.warc.gz", "--refresh").code == 3)
        let words = ["export", "m", "--layout", "wacz", "--warc", "Wärc.warc.gz", "-o"]
        let result = try Binary.run(words + ["x.wacz"], folder: folder.url)
        #expect(result.code == 0 && result.err.hasPrefix("6 photos, "), "\(result)")
        #expect(try Binary.run(words + ["sub/y.wacz"], folder: folder.url).code == 0)
        #expect(try folder.bytes(of: "x.wacz") == folder.bytes(of: "sub/y.wacz"))
        let output = try PythonPackages.runReplay(
            """
            import gzip, io, json, sys, zipfile
            from cdxj_indexer.main import CDXJIndexer
            with zipfile.ZipFile('x.wacz') as file:
                file.extractall('x')
                names = file.namelist()
            data = open('x/indexes/index.cdx.gz', 'rb').read()
            lines = open('x/indexes/index.idx').read().splitlines()
            assert json.loads(lines[0].split(' ', 2)[2])['filename'] == 'index.cdx.gz'
            text = ''
            for line in lines[1:]:
                key, time, place = line.split(' ', 2)
                place = json.loads(place)
                block = gzip.decompress(data[place['offset']:place['offset'] + place['length']]).decode()
                assert block.startswith(key + ' ' + time + ' ')
                text += block
            out = io.StringIO()
            CDXJIndexer(out, ['x/archive/Wärc-00001.warc.gz'], sort=True).process_all()
            assert out.getvalue() == text, out.getvalue() + text
            # It changes the indexer above.
            from wacz.main import main
            assert main(['validate', '-f', 'x.wacz']) == 0
            print(names)
            """, [], in: folder.url)
        #expect(
            output.hasSuffix(
                "['archive/Wärc-00001.warc.gz', 'indexes/index.cdx.gz', 'indexes/index.idx', 'pages/pages.jsonl', "
                    + "'datapackage.json', 'datapackage-digest.json']\n"), "\(output)")
        #expect(try replay("x.wacz", of: "m") == "6")
    }

    /// Replays all photos of a mirror with pywb, compares them with its originals, and returns their number.
    private func replay(_ package: String, of mirror: String) throws -> String? {
        try PythonPackages.runReplay(
            """
            import io, json, sys
            from pywb.manager.manager import main
            main(['init', 'photos'])
            main(['add', '--unpack-wacz', 'photos', sys.argv[1]])
            from pywb.apps.frontendapp import FrontEndApp
            app = FrontEndApp(config_file=None)
            def load(time, url):
                path, _, query = f'/photos/{time}id_/{url}'.partition('?')
                replies = []
                environment = {
                    'REQUEST_METHOD': 'GET', 'SCRIPT_NAME': '', 'PATH_INFO': path, 'QUERY_STRING': query,
                    'SERVER_NAME': 'localhost', 'SERVER_PORT': '80', 'SERVER_PROTOCOL': 'HTTP/1.1',
                    'HTTP_HOST': 'localhost', 'REMOTE_ADDR': '127.0.0.1', 'wsgi.url_scheme': 'http',
                    'wsgi.input': io.BytesIO(), 'wsgi.errors': sys.stderr}
                body = b''.join(app(environment, lambda status, headers, error=None: replies.append(status)))
                assert replies[-1].startswith('200'), (url, replies)
                return body
            pages = [json.loads(line) for line in open('x/pages/pages.jsonl')][1:]
            done = [json.loads(line) for line in open(sys.argv[2] + '/manifest.jsonl')]
            done = [line for line in done if line['state'] == 'done']
            assert [page['url'] for page in pages] == [line.get('final_url', line['url']) for line in done]
            for page, line in zip(pages, done):
                time = ''.join(c for c in page['ts'] if c.isdigit())
                assert load(time, page['url']) == open(sys.argv[2] + '/' + line['file'], 'rb').read(), page
            print(len(pages))
            """, [package, mirror], in: folder.url
        ).split(separator: "\n").last.map(String.init)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// WARC files of real runs, read with the libraries of web archives.
@Suite("WARC", .timeLimit(.minutes(10))) struct ArchiveTests {
    private let folder: TemporaryFolder
    private let server: RawServer

    /// Serves photos of every kind: plain, in chunks, with the same bytes as another, behind a redirect, and missing.
    init() throws {
        folder = try TemporaryFolder()
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
        try Data(names.map { server.url($0) + "\n" }.joined().utf8).write(to: folder.url.appending(path: "list.txt"))
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
        let result = try mirror("m", warc: warc)
        #expect(result.code == 3, "\(result.err)")
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
        // robots.txt, 5 payloads, the redirect and the 404; then robots.txt and the 404; then all again.
        #expect(lines.first == "6 13 7 20 warcinfo", "\(output)")
        #expect(lines.last == "GET /robots.txt HTTP/1.1", "\(output)")
    }

    @Test("Only names of WARC files are accepted, and a mirror's own settings may not name one")
    func names() throws {
        let result = try mirror("m", warc: "w.zip")
        #expect(result.code == 2 && result.err.contains(".warc.gz"), "\(result.err)")
        try FileManager.default.createDirectory(at: folder.url.appending(path: "m"), withIntermediateDirectories: true)
        #expect(try mirror("m", warc: "w.warc").code == 3)
        try Data(#"{"warc": "x.warc"}"#.utf8).write(to: folder.url.appending(path: "m/sluice.json"))
        let refused = try Binary.run(["mirror", "--out", "m"], folder: folder.url)
        #expect(refused.code == 2 && refused.err.contains("warc"), "\(refused.err)")
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        replacingOccurrences(of: part, with: other)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import TestSupport
import Testing

/// Exports whose pictures have the feed's facts, read with ExifTool and Pillow.
@Suite("Exports with embedded metadata", .timeLimit(.minutes(10))) struct EmbeddedMetadataTests {
    private static let hasJudges =
        PythonPackages.hasDatasets && FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool")

    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Serves a picture in each format, and the first one again with other facts in it.
    init() throws {
        let pixels = (0..<(4 * 48 * 33)).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0 * 5) }
        var replies: [String: [RawServer.Step]] = [:]
        var lines: [String] = []
        for name in ["jpeg", "png", "webp", "lossless", "gif"] {
            var encoder = ImageEncoder(ImageFormat(rawValue: name) ?? .webp)
            encoder.isLossless = name == "lossless"
            if name == "jpeg" { encoder.orientation = 3 }
            let file =
                name == "gif"
                ? Array(Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data())
                : try encoder.encode(pixels, width: 48, height: 33)
            replies["/\(name)"] = DemoPictures.reply("200 OK\r\nContent-Type: image/x", file)
            lines.append("URL/\(name)")
        }
        server = try RawServer(replies)
        let facts = """
            "caption":"Grüße & <Kisses>\\nsecond line","author":"Ærø Ånonymous","license":"CC BY 4.0",
            "license_url":"https://creativecommons.org/licenses/by/4.0/","date":"2026-01-31T09:30:00Z","tags":["a b","日本"]
            """.replacingOccurrences(of: "\n", with: "")
        let list = lines.map { "{\"url\":\"\($0.replacingOccurrences(of: "URL", with: server.url("")))\",\(facts)}\n" }
        try folder.write(list.joined(), to: "list.jsonl")
    }

    private func run(_ words: String...) throws -> Binary.Result { try Binary.run(words, folder: folder.url) }

    private func mirror(_ list: String, _ out: String) throws -> Binary.Result {
        try run(
            "mirror", list, "-o", out, "--sizes", "none", "--allow-private", "--allow-port", "\(server.port)",
            "--no-robots")
    }

    @Test("The mirror stays intact, both hashes are recorded, and other formats are unchanged")
    func export() throws {
        try mirror("list.jsonl", "m").expect()
        try run("export", "m", "-o", "x", "--embed", "xmp,iptc").expect(
            err: "wrote metadata into 4 photos, and left 1 as they are")
        #expect(try run("export", "m", "-o", "y", "--embed", "xmp,iptc").code == 0)
        #expect(try folder.bytes(of: "x/00000.tar") == folder.bytes(of: "y/00000.tar"))
        #expect(try run("verify", "m").code == 0)
        try run("export", "m", "-o", "z", "--embed", "exif").expect(2, err: "xmp or iptc")
    }

    @Test(
        "ExifTool reads every fact, and neither Pillow's pixels nor the compressed data change",
        .enabled(if: hasJudges, "Scripts/setup --tests installs ExifTool and the Python packages"))
    func judges() throws {
        #expect(try mirror("list.jsonl", "m").code == 0)
        #expect(try run("export", "m", "-o", "plain", "--layout", "folder").code == 0)
        #expect(try run("export", "m", "-o", "x", "--layout", "folder", "--embed", "iptc,xmp").code == 0)
        #expect(try run("export", "m", "-o", "t", "--embed", "iptc,xmp").code == 0)
        let output = try PythonPackages.run(
            """
            import hashlib, io, json, subprocess, tarfile
            import pyarrow.parquet as pq
            from PIL import Image
            rows = pq.read_table('x/00000/metadata.parquet').to_pylist()
            def data(file):
                # The bytes from the first scan on, or those of the chunks with pixels.
                if file[:2] == b'\\xff\\xd8': return file[file.index(b'\\xff\\xda'):]
                if file[:4] == b'RIFF':
                    start = file.index(b'VP8L' if b'VP8L' in file[:64] else b'VP8 ')
                    return file[start:start + 8 + int.from_bytes(file[start + 4:start + 8], 'little')]
                return file[file.index(b'IDAT') - 4:]
            judged = []
            for row in rows:
                name = '00000/' + row['file_name']
                old, new = open('plain/' + name, 'rb').read(), open('x/' + name, 'rb').read()
                assert row['sha256'] == hashlib.sha256(old).hexdigest()
                assert row['stored_sha256'] == hashlib.sha256(new).hexdigest() and row['stored_bytes'] == len(new)
                before, after = Image.open(io.BytesIO(old)), Image.open(io.BytesIO(new))
                assert before.tobytes() == after.tobytes() and before.mode == after.mode
                if name.endswith('gif'):
                    assert old == new
                    continue
                assert data(old) == data(new), name
                valid = [
                    subprocess.run(['exiftool', '-s3', '-validate', folder + name], capture_output=True).stdout
                    for folder in ('plain/', 'x/')]
                assert valid[0] == valid[1] != b'', valid
                text = subprocess.run(['exiftool', '-j', '-G1', '-c', '%f', 'x/' + name], capture_output=True).stdout
                tags = json.loads(text)[0]
                caption = 'Grüße & <Kisses>\\nsecond line'
                assert tags['XMP-dc:Title'] == 'Grüße & <Kisses>', tags
                assert tags['XMP-dc:Description'].replace('..', '\\n') in (caption, caption.replace('\\n', '.')), tags
                assert tags['XMP-dc:Creator'] == 'Ærø Ånonymous' and tags['XMP-dc:Subject'] == ['a b', '日本'], tags
                assert tags['XMP-xmpRights:WebStatement'] == 'https://creativecommons.org/licenses/by/4.0/', tags
                assert tags['XMP-photoshop:DateCreated'] == '2026:01:31 09:30:00Z', tags
                if name.endswith('jpg'):
                    assert tags['IPTC:By-line'] == 'Ærø Ånonymous' and tags['IPTC:Keywords'] == ['a b', '日本'], tags
                    assert tags['IPTC:DateCreated'] == '2026:01:31' and tags['IPTC:ObjectName'] == 'Grüße & <Kisses>', tags
                    assert tags['IFD0:Orientation'] == 'Rotate 180', tags
                judged.append(name[-4:])
            with tarfile.open('t/00000.tar') as tar:
                line = json.load(tar.extractfile('000000001.json'))
                picture = tar.extractfile('000000001.jpg').read()
                assert hashlib.sha256(picture).hexdigest() == line['stored_sha256'] != line['sha256']
            print(judged)
            """, [], in: folder.url)
        #expect(output.split(separator: "\n").last == "['.jpg', '.png', 'webp', 'webp']", "\(output)")
    }

    @Test(
        "Facts that a picture has stay, and missing ones are added to its packet",
        .enabled(if: hasJudges, "Scripts/setup --tests installs ExifTool and the Python packages"))
    func merged() throws {
        #expect(try mirror("list.jsonl", "m").code == 0)
        let names = folder.names().filter { $0.hasPrefix("m/originals/") }
        let made = try PythonPackages.run(
            """
            import os, shutil, subprocess, sys
            os.makedirs('in')
            for name in sys.argv[1:]:
                if name.endswith('gif'): continue
                shutil.copy(name, 'in')
                own = ['-XMP-dc:Title=own title', '-XMP-dc:Creator=own author', '-XMP-xmp:Label=own']
                if name.endswith('jpg'): own.append('-IPTC:By-line=own author')
                subprocess.run(
                    ['exiftool', '-q', '-overwrite_original'] + own + ['in/' + os.path.basename(name)], check=True)
            """, names, in: folder.url)
        #expect(made.isEmpty, "\(made)")
        // The same facts as before, for the files that have some of their own.
        let list = try folder.text("list.jsonl")
        let files = folder.names().filter { $0.hasPrefix("in/") }.sorted()
        var replies: [String: [RawServer.Step]] = [:]
        for file in files {
            let path = "/" + (file.split(separator: "/").last ?? "")
            replies[path] = DemoPictures.reply("200 OK\r\nContent-Type: image/x", try folder.bytes(of: file))
        }
        let second = try RawServer(replies)
        let facts = try #require(
            list.split(separator: "\n").first.flatMap { $0.split(separator: ",", maxSplits: 1).last })
        let lines = replies.keys.sorted().map { "{\"url\":\"\(second.url($0))\",\(facts)\n" }
        try folder.write(lines.joined(), to: "second.jsonl")
        try run(
            "mirror", "second.jsonl", "-o", "n", "--sizes", "none", "--allow-private", "--allow-port", "\(second.port)",
            "--no-robots"
        ).expect()
        #expect(try run("export", "n", "-o", "x", "--layout", "folder", "--embed", "xmp,iptc").code == 0)
        let output = try PythonPackages.run(
            """
            import glob, json, subprocess
            for name in sorted(glob.glob('x/00000/0*')):
                text = subprocess.run(['exiftool', '-j', '-G1', name], capture_output=True).stdout
                tags = json.loads(text)[0]
                assert tags['XMP-dc:Title'] == 'own title' and tags['XMP-dc:Creator'] == 'own author', tags
                assert tags['XMP-xmp:Label'] == 'own' and tags['XMP-dc:Subject'] == ['a b', '日本'], tags
                assert tags.get('IPTC:By-line', 'own author') == 'own author', tags
                assert 'ExifTool:Warning' not in tags, tags
            print(len(glob.glob('x/00000/0*')))
            """, [], in: folder.url)
        #expect(output == "4\n", "\(output)")
    }
}

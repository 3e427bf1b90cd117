// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

/// Thousands of valid, odd and broken files of public test suites, with two other decoders' verdicts on each.
@Suite("Corpus", .enabled(if: SharedData.isThere, "the shared pictures are not here"), .timeLimit(.minutes(10)))
struct CorpusTests {
    struct Entry {
        let name: String
        let pillow: String
        let tools: String
        let file: URL
    }

    static func entries() throws -> [Entry] {
        let images = try #require(SharedData.folder).appending(path: "images")
        let index = try String(contentsOf: images.appending(path: "index.tsv"), encoding: .utf8)
        return index.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Entry(name: fields[0], pillow: fields[7], tools: fields[8], file: images.appending(path: fields[0]))
        }
    }

    @Test("Each file is judged as it deserves, and soon")
    func verdicts() throws {
        for entry in try Self.entries() {
            let handle = try FileHandle(forReadingFrom: entry.file)
            let start = ContinuousClock.now
            let error = failure { () throws(ImagingError) in
                try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor)
            }
            #expect(ContinuousClock.now - start < .seconds(2), "\(entry.name)")
            Self.expect(error?.code, entry)
        }
    }

    @Test("Without sizes every file is looked at too, and none that is whole is refused")
    func checks() throws {
        var options = ThumbnailOptions()
        options.sizes = []
        for entry in try Self.entries() {
            let handle = try FileHandle(forReadingFrom: entry.file)
            let error = failure { () throws(ImagingError) in
                try Thumbnailer(options).thumbnails(ofFileAt: handle.fileDescriptor)
            }
            #expect(error == nil || entry.pillow != "ok" || entry.tools != "ok", "\(entry.name)")
        }
    }

    @Test("No profile and no EXIF block fails a thumbnail that is to keep it", arguments: ProfileOptionTests.formats)
    func metadata(format: ThumbnailOptions.Format) throws {
        for entry in try Self.entries() where entry.pillow == "ok" {
            let file = try Array(Data(contentsOf: entry.file))
            guard let header = try? PictureHeader(of: PictureBytes(file)) else { continue }
            guard header.info.hasProfile || header.exif != nil else { continue }
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: 24, height: 24)]
            options.format = format
            let plain = failure(of: file, options)
            options.profile = .keep
            options.keeps = Set(ThumbnailOptions.Metadata.allCases)
            #expect(failure(of: file, options)?.code == plain?.code, "\(entry.name)")
        }
    }

    private static func expect(_ code: ImagingError.Code?, _ entry: Entry) {
        if let refused = Disputes.refused[entry.name] {
            #expect(code == refused, "\(entry.name)")
        } else if entry.pillow == "ok" || Disputes.taken.contains(entry.name) {
            #expect(code == nil, "\(entry.name)")
        } else {
            #expect(code != nil, "\(entry.name)")
        }
    }
}

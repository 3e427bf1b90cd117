// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import TestSupport

@testable import SluiceGallery

/// A folder for a sample mirror, with real pictures.
struct SampleMirror {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    /// The front page's URL.
    var address: String { page("index.html") }

    /// The URL of a file.
    func page(_ name: String) -> String { temporary.url.appending(path: name).absoluteString }

    /// The content of a file as text.
    func text(_ name: String) throws -> String { String(decoding: try temporary.bytes(of: name), as: UTF8.self) }

    /// Writes the gallery of these entries.
    @discardableResult
    func write(_ entries: some Sequence<LedgerEntry>, options: GalleryOptions = sampleOptions) throws -> GalleryChange {
        var writer = GalleryWriter(into: LocalStore(folder), options: options)
        for entry in entries { try writer.add(entry) }
        return try writer.finish()
    }

    /// Writes a few pictures of different shapes, which the entries of ``LedgerEntry/sample(_:)`` share.
    func addPictures() throws {
        try folder.makeFolder("originals")
        try folder.makeFolder("thumbs/256")
        for (index, shape) in sampleShapes.enumerated() {
            let shade = UInt8(40 + 30 * index)
            let large = TinyPNG(width: shape.width, height: shape.height, color: (shade, 120, 200 - shade)).bytes
            let small = TinyPNG(width: shape.width / 2, height: shape.height / 2, color: (shade, 120, 200)).bytes
            try folder.write(large, to: "originals/\(index).png", flushed: false)
            try folder.write(small, to: "thumbs/256/\(index).png", flushed: false)
        }
    }
}

/// The shapes of the sample pictures.
let sampleShapes: [(width: Int, height: Int)] = [(96, 64), (64, 96), (80, 80), (120, 50), (90, 60)]

/// The options of a sample gallery.
let sampleOptions: GalleryOptions = {
    var options = GalleryOptions(title: "Sample")
    options.isResumable = true
    options.flushed = false
    return options
}()

extension LedgerEntry {
    /// A photo that is done.
    static func sample(_ seq: Int) -> LedgerEntry {
        let index = seq % sampleShapes.count
        let shape = sampleShapes[index]
        var photo = Photo(id: "photo-\(seq)")
        photo.caption = "Caption \(seq)"
        photo.author = "Author \(seq % 7)"
        photo.pageURL = "https://example.org/photos/\(seq)"
        photo.license = "CC BY 4.0"
        photo.licenseURL = "https://creativecommons.org/licenses/by/4.0/"
        var receipt = Receipt(.done)
        receipt.original = StoredFile(path: "originals/\(index).png", bytes: 1024 * seq, sha256: "")
        receipt.format = "png"
        (receipt.width, receipt.height) = (shape.width, shape.height)
        receipt.color = "#3366cc"
        receipt.thumbs = [
            Thumb(
                size: "256", width: shape.width / 2, height: shape.height / 2, format: "png",
                file: StoredFile(path: "thumbs/256/\(index).png", bytes: 500, sha256: ""))
        ]
        return LedgerEntry(item: Item(seq: seq, feed: "demo", page: seq / 30 + 1, photo: photo), receipt: receipt)
    }

    /// A failed photo.
    static func failed(_ seq: Int, _ cause: Cause = .httpClientError(404), _ detail: String = "Not Found")
        -> LedgerEntry
    {
        var entry = LedgerEntry.sample(seq)
        entry.receipt = Receipt(.failed, failure: Failure(cause, detail))
        return entry
    }

    /// A copy with changes.
    func with(_ change: (inout LedgerEntry) -> Void) -> LedgerEntry {
        var entry = self
        change(&entry)
        return entry
    }
}

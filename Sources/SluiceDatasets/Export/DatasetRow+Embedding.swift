// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

extension DatasetRow {
    /// Whether metadata can be written into pictures of this format.
    var takesMetadata: Bool { picture?.format.flatMap(ImageFormat.init(rawValue:))?.embedsMetadata == true }

    /// Replaces the picture by a copy with the facts of the feed; returns false if it stays as it is.
    mutating func embedMetadata(_ options: DatasetOptions, content: [UInt8]) -> Bool {
        guard let picture, let format = picture.format.flatMap(ImageFormat.init(rawValue:)) else { return false }
        var metadata = EmbeddedMetadata()
        if options.embedded.contains(.xmp) {
            let xmp = PhotoXMP(of: entry.item.photo, at: entry.receipt?.url)
            metadata.xmp = { xmp.packet(addedTo: $0) }
        }
        if options.embedded.contains(.iptc) {
            let record = PhotoIPTC(of: entry.item.photo).bytes
            metadata.iptc = record.isEmpty ? nil : record
        }
        guard let copy = format.embedding(metadata, in: content) else { return false }
        self.picture = Picture(
            file: StoredFile(path: picture.file.path, bytes: copy.count, sha256: SHA256.digest(of: copy)),
            format: picture.format, width: picture.width, height: picture.height, content: copy)
        return true
    }
}

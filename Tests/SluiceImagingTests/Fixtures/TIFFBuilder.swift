// SPDX-License-Identifier: MIT

/// Builds uncompressed TIFF files from tags and pixels.
enum TIFFBuilder {
    /// A page: its tags with values, and its pixels in one strip.
    struct Page {
        var width = 8
        var height = 8
        /// Tags with one or several values, besides those for size and strip; tags without values are left out.
        var tags: [Int: [Int]] = [:]
        var pixels: [UInt8]

        /// Creates a page of one colour.
        init(_ width: Int, _ height: Int, pixel: [UInt8], tags: [Int: [Int]] = [:]) {
            (self.width, self.height, self.tags) = (width, height, tags)
            pixels = (0..<width * height).flatMap { _ in pixel }
        }
    }

    static let rgb = [258: [8, 8, 8], 262: [2], 277: [3]]
    static let grey = [258: [8], 262: [1], 277: [1]]

    /// Makes a file in which directories follow their pixels.
    static func file(_ pages: Page...) -> [UInt8] {
        var file = Array("II*\0".utf8) + UInt32(0).littleEndianBytes
        var link = 4
        for page in pages {
            var tags = page.tags
            tags[256] = [page.width]
            tags[257] = [page.height]
            tags[273] = [file.count]
            tags[279] = tags[279] ?? [page.pixels.count]
            tags = tags.filter { !$0.value.isEmpty }
            file += page.pixels
            if file.count % 2 == 1 { file.append(0) }
            var directory: [UInt8] = []
            for (tag, values) in tags.sorted(by: { $0.key < $1.key }) {
                directory += UInt16(tag).littleEndianBytes + UInt16(4).littleEndianBytes
                directory += UInt32(values.count).littleEndianBytes
                directory += UInt32(values.count == 1 ? values[0] : file.count).littleEndianBytes
                if values.count > 1 { file += values.flatMap { UInt32($0).littleEndianBytes } }
            }
            file.replaceSubrange(link..<link + 4, with: UInt32(file.count).littleEndianBytes)
            file += UInt16(tags.count).littleEndianBytes + directory
            link = file.count
            file += UInt32(0).littleEndianBytes
        }
        return file
    }
}

// SPDX-License-Identifier: MIT

/// The places of a raw photo's parts, as its directories or boxes state them.
struct RAWLayout {
    /// The byte ranges that may be previews; they may lie beyond the end of the file.
    var previews: [Range<Int>] = []
    /// A smaller preview, for files without another one.
    var fallback: Range<Int>?
    /// The end of the sensor's data; 0 if the file does not tell.
    var dataEnd = 0
    /// The photo's orientation; `nil` if only the preview may state one.
    var orientation: Int?

    /// Throws `truncated` if a file of `count` bytes lacks a part of the sensor's data.
    func checkEnd(count: Int) throws(ImagingError) {
        guard dataEnd <= count else { throw ImagingError(.truncated, "\(count) of \(dataEnd) bytes") }
    }
}

/// The structures of raw files.
enum RAWStructure {
    /// A TIFF file, possibly with another magic number (CR2, DNG, NEF, ARW, PEF, ORF, RW2).
    case directories
    /// A Canon CR3, whose boxes are those of a film.
    case boxes
    /// A Fujifilm RAF, whose header names the preview.
    case header

    func layout(_ window: inout ByteWindow) throws(ImagingError) -> RAWLayout {
        switch self {
        case .directories: try RAWLayout(directories: &window)
        case .boxes: try RAWLayout(boxes: &window)
        case .header: try RAWLayout(header: &window)
        }
    }
}

extension RAWLayout {
    fileprivate init(header window: inout ByteWindow) throws(ImagingError) {
        let (start, count) = (try window.uint32(at: 84), try window.uint32(at: 88))
        previews = [start..<start + count]
        dataEnd = try window.uint32(at: 100) + window.uint32(at: 104)
    }
}

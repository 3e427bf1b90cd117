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

/// The first directory of a TIFF file, which in raw photos describes a preview or the sensor's data.
struct RAWFirstDirectory {
    private static let subfileTag = 0x00FE
    private static let colorsTag = 0x0106
    private static let makeTag = 0x010F
    private static let subdirectoriesTag = 0x014A
    private static let dngVersionTag = 0xC612
    /// The colours of a sensor's filters.
    private static let sensorColors: UInt32 = 32803

    private var tags: Set<Int> = []
    private var make = ""
    private var isReduced = false
    private var isSensor = false

    /// Reads the directory from the file's first bytes; `nil` if it is not there.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("II".utf8)) || bytes.starts(with: Array("MM".utf8)) else { return nil }
        do throws(EXIFReader.InvalidBlock) {
            let reader = try EXIFReader(bytes)
            for offset in try reader.entries(at: reader.firstDirectory) {
                let tag = try reader.tag(at: offset)
                tags.insert(tag)
                switch tag {
                case Self.subfileTag: isReduced = try reader.number(at: offset + 8, 4) & 1 == 1
                case Self.colorsTag:
                    let colors = try reader.entry(at: offset)?.value.prefix(4)
                    isSensor = colors?.number(bigEndian: reader.isBigEndian) == Self.sensorColors
                case Self.makeTag:
                    make = String(decoding: (try? reader.entry(at: offset))?.value ?? [], as: UTF8.self)
                default: break
                }
            }
        } catch {
            // The directory may extend beyond the first bytes.
            if tags.isEmpty { return nil }
        }
    }

    var isDNG: Bool { tags.contains(Self.dngVersionTag) }

    /// Whether the directory is that of a preview beside a maker's raw image, unlike in a TIFF from the same maker.
    func isPreview(by make: String) -> Bool {
        isReduced && tags.contains(Self.subdirectoriesTag) && self.make.hasPrefix(make)
    }

    /// Whether the directory is that of a raw image by one of these makers, whose previews are in the next directories.
    func isSensorData(by makers: String...) -> Bool { isSensor && makers.contains { make.hasPrefix($0) } }
}

// SPDX-License-Identifier: MIT

extension Codec {
    /// The raw formats of cameras, which Sluice cannot read.
    ///
    /// Many are TIFF files with a preview, so they precede TIFF in ``Codecs/all``.
    static let rawPhotos = [
        raw("cr2", "Canon CR2", "x-canon-cr2", ImageSignature((0, tiffStart), (8, [0x43, 0x52, 0x02]))),
        raw("cr3", "Canon CR3", "x-canon-cr3", ImageSignature(brand: "crx ")),
        raw("dng", "DNG", "x-adobe-dng", ImageSignature { RawPhotoDirectory($0)?.isDNG == true }),
        raw("nef", "Nikon NEF", "x-nikon-nef", ImageSignature { isPreview($0, by: "NIKON") }),
        raw("arw", "Sony ARW", "x-sony-arw", ImageSignature { isPreview($0, by: "SONY") }),
        raw("pef", "Pentax PEF", "x-pentax-pef", ImageSignature { isPreview($0, by: "PENTAX") }),
        raw("raf", "Fujifilm RAF", "x-fuji-raf", ImageSignature((0, Array("FUJIFILMCCD-RAW".utf8)))),
        raw(
            "orf", "Olympus ORF", "x-olympus-orf", ImageSignature(0x49, 0x49, 0x52, 0x4F),
            ImageSignature(0x49, 0x49, 0x52, 0x53), ImageSignature(0x4D, 0x4D, 0x4F, 0x52)),
        raw("rw2", "Panasonic RW2", "x-panasonic-rw2", ImageSignature(0x49, 0x49, 0x55, 0x00)),
    ]

    private static let tiffStart: [UInt8] = [0x49, 0x49, 0x2A, 0x00]

    private static func raw(_ name: String, _ title: String, _ type: String, _ signatures: ImageSignature...) -> Codec {
        Codec(
            format: ImageFormat(named: name), title: title, mediaType: "image/\(type)", fileExtensions: [name],
            signatures: signatures)
    }

    private static func isPreview(_ bytes: [UInt8], by make: String) -> Bool {
        RawPhotoDirectory(bytes)?.isPreview(by: make) == true
    }
}

/// The first directory of a TIFF file, which in raw photos describes a preview.
private struct RawPhotoDirectory {
    private static let subfileTag = 0x00FE
    private static let makeTag = 0x010F
    private static let subdirectoriesTag = 0x014A
    private static let dngVersionTag = 0xC612

    private var tags: Set<Int> = []
    private var make = ""
    private var isReduced = false

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
}

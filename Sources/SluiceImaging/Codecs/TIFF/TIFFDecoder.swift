// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CSluice

/// Decodes a page of a TIFF with libtiff: the smallest copy of the first page that suffices.
struct TIFFDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let layout = try TIFFLayout(&window)
        var header = ImageHeader(try layout.main.info())
        if header.info.hasProfile, let profile = layout.main.profile { header.profileRanges = [profile] }
        header.creditLocations.xmp = layout.main.xmp
        header.creditLocations.iptc = layout.main.iptc
        header.reducedSizes = layout.reduced.map { ($0.width, $0.height) }
        header.wholeImageBytes = ([layout.main] + layout.reduced).map { $0.memory(fileBytes: window.count) }.max() ?? 0
        if !layout.main.statesColors { header.notes.append("the TIFF does not state the meaning of its samples") }
        if layout.others > 0 { header.notes.append("only the first of \(layout.others + 1) pages is used") }
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        let layout = try TIFFLayout(&window)
        let structure = try TIFFStructure(&window)
        for page in [layout.main] + layout.reduced { try page.checkEnd(structure, &window, watchdog: watchdog) }
    }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let sufficient = header.reducedSizes.filter { $0.width >= minimumSize.width && $0.height >= minimumSize.height }
        return sufficient.min { $0.width < $1.width } ?? (header.info.width, header.info.height)
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        var window = ByteWindow(job.input)
        let page = try TIFFLayout(&window).page(minimumSize: job.minimumSize)
        let shape = RowShape(of: job.header.info, width: page.width, height: page.height)
        let memory = job.limits.memory
        return try unsafe job.input.withCInput { (input) throws(ImagingError) in
            let reader = try unsafe TIFFReader(input, memory: memory)
            try reader.start(page, shape)
            try receiver.begin(shape)
            let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
            let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
                for number in 0..<shape.height {
                    try job.watchdog.check(row: number)
                    try reader.readRow(into: row)
                    row.withSpan(0..<row.count) { receiver.receive($0) }
                }
            }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: flaw ?? damage)
        }
    }
}

extension ImageFormat {
    /// TIFF, which archives, scanners and geographers use; Sluice reads it in sandboxed processes only.
    public static let tiff = ImageFormat(named: "tiff")
}

extension Codec {
    static let tiff = Codec(
        format: .tiff, title: "TIFF", mediaType: "image/tiff", fileExtensions: ["tiff", "tif"],
        signatures: [
            ImageSignature(0x49, 0x49, 0x2A, 0x00), ImageSignature(0x4D, 0x4D, 0x00, 0x2A),
            ImageSignature(0x49, 0x49, 0x2B, 0x00), ImageSignature(0x4D, 0x4D, 0x00, 0x2B),
        ],
        decoder: TIFFDecoder(),
        statedSize: { (window) throws(ImagingError) in
            let page = try TIFFLayout(&window).main
            return (page.width, page.height)
        },
        loader: CodecLoader(
            package: "libtiff6", load: { clibraries_load(clibraries_tiff) },
            library: {
                guard clibraries_is_loaded(clibraries_tiff) else { return nil }
                // For example "LIBTIFF, Version 4.5.0" and a copyright.
                let line = unsafe String(cString: csluice_tiff_version()).prefix { $0 != "\n" }
                return CodecVersion(name: "libtiff", version: String(line.drop { !$0.isNumber }))
            }), isRestricted: true,
        makeTestFile: { tiffTestFile })

    /// The self-test's picture without compression.
    private static var tiffTestFile: [UInt8] {
        let entries = [
            (256, 16), (257, 16), (258, 8), (259, 1), (262, 2), (273, 8), (277, 3), (278, 16),
            (279, testPicture.bytes.count),
        ]
        var directory = little(entries.count, 2)
        for (tag, value) in entries { directory += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4) }
        return Array("II*\0".utf8) + little(8 + testPicture.bytes.count, 4) + testPicture.bytes + directory
            + little(0, 4)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// Owns a reader of libtiff for one page.
@safe struct TIFFReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file; `memory` limits each allocation.
    init(_ input: csluice_input, memory: Int) throws(ImagingError) {
        guard clibraries_is_loaded(clibraries_tiff) else {
            throw ImagingError(
                .unsupported, "TIFF needs a sandboxed process with libtiff (Debian package libtiff6)"
            ).of(.tiff)
        }
        guard let handle = unsafe csluice_tiff_open(input, memory) else {
            throw ImagingError(.decodeLimit, "no memory for a TIFF decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_tiff_close(handle) }

    /// Starts to read a page, whose rows must have a shape.
    func start(_ page: TIFFPage, _ shape: RowShape) throws(ImagingError) {
        guard let width = UInt32(exactly: shape.width), let height = UInt32(exactly: shape.height) else {
            throw ImagingError(.corrupt, "\(shape.width)x\(shape.height) pixels")
        }
        let wanted = csluice_tiff_shape(
            width: width, height: height, channels: Int32(shape.layout.channels), depth: Int32(shape.depth),
            has_inks: shape.layout == .cmyk)
        try check(unsafe csluice_tiff_start(handle, UInt64(page.offset), wanted))
    }

    func readRow(into row: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        try check(unsafe csluice_tiff_read_row(handle, row.base))
    }

    /// The library's harmless complaints about the pixels.
    var notes: [String] {
        let note = unsafe String(cString: csluice_tiff_note(handle))
        return note.isEmpty ? [] : ["TIFF: \(note)"]
    }

    private func check(_ status: CodecStatus) throws(ImagingError) {
        let message = unsafe String(cString: csluice_tiff_message(handle))
        if let error = ImagingError(status: status, "TIFF: \(message)") { throw error }
    }
}

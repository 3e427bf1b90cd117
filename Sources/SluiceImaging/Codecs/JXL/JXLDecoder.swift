// SPDX-License-Identifier: MIT

internal import CAVIF
internal import CSluice

/// Decodes the first frame of a JPEG XL with libjxl, which keeps the whole picture in memory.
///
/// The library offers no decode to a smaller size: its previews have the size of the picture.
struct JXLDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .jxl(&window)
    }

    /// Returns the profile of the decoded samples, which the library unpacks or makes from the stated colours.
    func readProfile(of header: ImageHeader, _ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        let file = try input.read(at: 0, count: input.count)
        return try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            try unsafe JXLReader(bytes).profile()
        }
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        // The end of a codestream without a container is found by decoding.
        guard try !JXLLayout(&window).isIncomplete else { throw ImagingError(.truncated, "\(input.count) bytes") }
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        if let range = job.header.dynamicRange {
            return try decodeSamples(job, into: ToneMapper(range, for: receiver))
        }
        return try decodeSamples(job, into: receiver)
    }

    private func decodeSamples(
        _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> DecodeOutcome {
        let info = job.header.info
        let shape = RowShape(of: info, width: info.width, height: info.height)
        try receiver.begin(shape)
        let file = try job.input.read(at: 0, count: job.input.count)
        let pixels = SampleBuffer<UInt8>(count: shape.rowBytes * shape.height, zero: 0)
        try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            let reader = try unsafe JXLReader(bytes)
            try reader.decode(shape, into: pixels)
        }
        for row in 0..<shape.height {
            try job.watchdog.check(row: row)
            pixels.withSpan(row * shape.rowBytes..<(row + 1) * shape.rowBytes) { receiver.receive($0) }
        }
        return DecodeOutcome()
    }
}

extension ImageFormat {
    /// JPEG XL, into which JPEGs can be packed without loss; Sluice reads it in sandboxed processes only.
    public static let jxl = ImageFormat(named: "jxl")
}

extension Codec {
    static let jxl = Codec(
        format: .jxl, title: "JPEG XL", mediaType: "image/jxl", fileExtensions: ["jxl"],
        signatures: [
            ImageSignature(0xFF, 0x0A), ImageSignature(0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A),
        ],
        decoder: JXLDecoder(),
        statedSize: { (window) throws(ImagingError) in
            let info = try ImageHeader.jxl(&window).info
            return (info.width, info.height)
        },
        loader: CodecLoader(
            package: jxlPackage, load: { csluice_jxl_load() },
            library: {
                let number = Int(csluice_jxl_version())
                return number == 0 ? nil : CodecVersion(name: "libjxl", number: number, base: 1000)
            }), isRestricted: true,
        makeTestFile: { jxlTestFile })

    /// Whether the command was built with the libraries of Debian 13, which has libavif 1.0 or later.
    private static var isDebian13: Bool { AVIF_VERSION_MAJOR >= 1 }

    /// The library's package, whose name has the version.
    static let jxlPackage = isDebian13 ? "libjxl0.11" : "libjxl0.7"

    /// The self-test's picture as a JPEG XL of cjxl without loss.
    private static let jxlTestFile: [UInt8] = [
        0xFF, 0x0A, 0x43, 0x40, 0x40, 0x71, 0x21, 0x08, 0x02, 0x01, 0x00, 0xB8, 0x00, 0x4B, 0x18, 0x93, 0x8E, 0x83,
        0x83, 0x29, 0x11, 0xE3, 0x06, 0xC4, 0x23, 0x5D, 0x31, 0x06, 0x2F, 0x8D, 0x31, 0x78, 0xE9, 0x05, 0x02, 0x02,
        0x90, 0x81, 0x3E, 0x1A, 0x00, 0x00, 0xE4, 0xD4, 0x10, 0x00, 0x40, 0x00, 0x40, 0x06, 0xA9, 0x95, 0xCE, 0xFB,
        0x90, 0x46, 0x07, 0x78, 0x3C,
    ]
}

/// Owns a decoder of libjxl, which decodes one picture in the calling thread.
@safe struct JXLReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file, whose bytes must stay in place.
    init(_ file: UnsafeBufferPointer<UInt8>) throws(ImagingError) {
        guard let start = file.baseAddress else { throw ImagingError(.truncated, "0 bytes") }
        guard let handle = unsafe csluice_jxl_open(start, file.count) else {
            guard csluice_jxl_version() != 0 else {
                throw ImagingError(
                    .unsupported, "JPEG XL needs a sandboxed process with libjxl (Debian package \(Codec.jxlPackage))"
                ).of(.jxl)
            }
            throw ImagingError(.decodeLimit, "no memory for a JPEG XL decoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe csluice_jxl_close(handle) }

    /// Returns the profile of the decoded samples; `nil` if there is none, or if it is too large.
    func profile() throws(ImagingError) -> [UInt8]? {
        var count = 0
        try check(unsafe csluice_jxl_find_profile(handle, &count))
        guard count > 0, count <= ImageHeader.maxProfileBytes else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        let status = unsafe profile.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return CodecStatus.corrupt }
            return unsafe csluice_jxl_copy_profile(handle, start, bytes.count)
        }
        try check(status)
        return profile
    }

    /// Decodes the picture, whose rows must have a shape.
    func decode(_ shape: RowShape, into pixels: borrowing SampleBuffer<UInt8>) throws(ImagingError) {
        guard let width = UInt32(exactly: shape.width), let height = UInt32(exactly: shape.height) else {
            throw ImagingError(.corrupt, "\(shape.width)x\(shape.height) pixels")
        }
        let wanted = csluice_jxl_shape(
            width: width, height: height, channels: UInt32(shape.layout.channels), depth: UInt32(shape.depth))
        try check(unsafe csluice_jxl_decode(handle, wanted, pixels.base))
    }

    private func check(_ status: CodecStatus) throws(ImagingError) {
        let reason = status == .truncated ? "the codestream ends early" : "the picture is damaged"
        if let error = ImagingError(status: status, "JPEG XL: \(reason)") { throw error }
    }
}

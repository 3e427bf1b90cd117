// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Reads the header of a supported format; if `salvages` is on, tolerates damage after the pixels.
    init(of input: ImageInput, salvages: Bool = false) throws(ImagingError) {
        guard input.count > 0 else { throw ImagingError(.emptyInput, "0 bytes") }
        var window = ByteWindow(input)
        let start = Array(try window.bytes(at: 0, count: min(ImageSignature.maxBytes, input.count)))
        guard let format = Codecs.format(of: start) else {
            guard !Codecs.couldStart(with: start) else { throw ImagingError(.truncated, "\(input.count) bytes") }
            throw ImagingError(.notAnImage, Self.describe(start))
        }
        do throws(ImagingError) {
            self = try Codecs.decoder(for: format).readHeader(&window, salvages: salvages)
        } catch {
            throw error.of(format)
        }
        guard info.width > 0, info.height > 0 else {
            throw ImagingError(.corrupt, "\(info.width)x\(info.height) pixels")
        }
    }

    /// Returns the embedded colour profile, or one made from the header's colours.
    ///
    /// Returns `nil` if the colours are sRGB or the profile is too large.
    func readProfile(_ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        if dynamicRange != nil { return nil }
        if let overridingColors { return makeProfile(of: overridingColors) }
        if info.hasProfile, let embedded = try Codecs.decoder(for: info.format).readProfile(of: self, input) {
            return embedded
        }
        return fallbackColors.flatMap(makeProfile)
    }

    private func makeProfile(of colors: Colorimetry) -> [UInt8]? {
        colors.isSRGB ? nil : colors.profile(isGrey: info.colorModel == .grey)
    }

    /// Describes the first bytes for a message: as text if they are printable, else in hexadecimal.
    private static func describe(_ start: [UInt8]) -> String {
        let text = start.prefix(12)
        if text.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return "starts with \"\(String(decoding: text, as: UTF8.self))\""
        }
        let digits = Array("0123456789abcdef")
        let numbers = start.prefix(8).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
        return "starts with \(numbers.joined(separator: " "))"
    }
}

extension ImageInfo {
    /// Reads the header of an open file; the file's position is neither used nor changed.
    ///
    /// Reads only the first kilobytes, whatever sizes the file declares.
    public init(descriptor: Int32) throws(ImagingError) {
        self = try ImageHeader(of: ImageInput(descriptor: descriptor)).info
    }

    /// Reads the header from a file's first bytes; throws `truncated` if they are too few.
    public init(bytes: [UInt8]) throws(ImagingError) {
        self = try ImageHeader(of: ImageInput(bytes)).info
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A URL that a gallery may link to: http or https, without characters that browsers ignore or reinterpret.
struct WebLink {
    let address: String
    /// The length limit in bytes; longer URLs are not plausible.
    private static let maxBytes = 4000

    init?(_ address: String) {
        let bytes = address.utf8Span.span
        guard bytes.count <= Self.maxBytes, let start = Self.hostStart(bytes), start < bytes.count else { return nil }
        // Browsers remove tabs and line breaks from URLs and read a backslash as a slash, so the target may differ.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.address = address
    }

    /// Where the host begins; `nil` without one of the schemes, which may be in upper case.
    private static func hostStart(_ bytes: borrowing Span<UInt8>) -> Int? {
        let scheme = bytes.count < 5 ? "" : bytes[4] | 0x20 == UInt8(ascii: "s") ? "https" : "http"
        let isScheme = scheme.utf8.enumerated().allSatisfy { bytes[$0] | 0x20 == $1 }
        let end = scheme.utf8.count
        return isScheme && end > 0 && bytes.contains("://", at: end) ? end + 3 : nil
    }
}

/// The URL of a mirror's file, relative to the mirror's folder; empty if the path contains `..`.
///
/// All bytes with a meaning in URLs are percent-encoded, so that the path cannot become a query, a scheme or a host.
func relativeAddress(of path: String) -> String {
    // Most paths have nothing to encode.
    if isPlainAddress(path) { return path }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return "" }
    var address: [UInt8] = []
    for part in parts {
        if !address.isEmpty { address.append(UInt8(ascii: "/")) }
        for byte in part {
            if byte.isPlainInAddress { address.append(byte) } else { address += byte.percentEncoded }
        }
    }
    return String(decoding: address, as: UTF8.self)
}

/// Whether a path is its own address: all bytes are plain, and no component is empty or begins with a dot.
private func isPlainAddress(_ path: String) -> Bool {
    let bytes = path.utf8Span.span
    var isAtStart = true
    for index in bytes.indices {
        let byte = bytes[index]
        guard byte == UInt8(ascii: "/") else {
            guard byte.isPlainInAddress, !(isAtStart && byte == UInt8(ascii: ".")) else { return false }
            isAtStart = false
            continue
        }
        if isAtStart { return false }
        isAtStart = true
    }
    return !isAtStart
}

extension UInt8 {
    /// Whether the byte has no meaning in a URL.
    fileprivate var isPlainInAddress: Bool { isDigit || isLetter || self == 0x2D || self == 0x5F || self == 0x2E }
}

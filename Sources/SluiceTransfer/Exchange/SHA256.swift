// SPDX-License-Identifier: MIT

internal import CCrypto

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A SHA-256 under way.
@safe public struct SHA256: ~Copyable {
    private let context: OpaquePointer

    init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    borrowing func update(_ bytes: UnsafeRawBufferPointer) {
        _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The digest of some bytes at once, 64 hexadecimal digits.
    public static func digest(of bytes: [UInt8]) -> String {
        let hash = SHA256()
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
        return hash.finish()
    }

    /// The digest of an open file, 64 hexadecimal digits; `nil` if it cannot be read to its end.
    ///
    /// The descriptor's position does not matter and stays.
    public static func digest(ofFileAt descriptor: Int32) -> String? {
        let hash = SHA256()
        var offset = 0
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        while true {
            let count = unsafe pread(descriptor, &buffer, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? hash.finish() : nil }
            unsafe buffer.withUnsafeBytes { unsafe hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
        }
    }

    /// The digest of all that came until now, 64 hexadecimal digits; more may follow.
    borrowing func soFar() -> String {
        let copy = SHA256()
        _ = unsafe EVP_MD_CTX_copy_ex(copy.context, context)
        return copy.finish()
    }

    /// The digest of all that came, 64 hexadecimal digits; the next one starts with nothing.
    borrowing func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = unsafe EVP_DigestFinal_ex(context, &digest, nil)
        _ = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

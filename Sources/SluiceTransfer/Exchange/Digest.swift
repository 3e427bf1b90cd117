// SPDX-License-Identifier: MIT

internal import CCrypto
public import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A hash under way, by any of the algorithms that feeds state.
@safe struct Digest: ~Copyable {
    private let context: OpaquePointer
    private let algorithm: Checksum.Algorithm

    init(_ algorithm: Checksum.Algorithm) {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
        unsafe self.context = context
        self.algorithm = algorithm
        begin()
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    borrowing func update(_ bytes: UnsafeRawBufferPointer) {
        _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The hash of all that came until now; more may follow.
    borrowing func soFar() -> String {
        let copy = Digest(algorithm)
        _ = unsafe EVP_MD_CTX_copy_ex(copy.context, context)
        return copy.finish()
    }

    /// The hash of all that came, in hexadecimal digits; the next one starts with nothing.
    borrowing func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        _ = unsafe EVP_DigestFinal_ex(context, &digest, &count)
        begin()
        let digits = Array("0123456789abcdef".utf8)
        let bytes = digest.prefix(Int(count))
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The hash of an open file; `nil` if it cannot be read to its end.
    ///
    /// The descriptor's position does not matter and stays.
    static func of(fileAt descriptor: Int32, by algorithm: Checksum.Algorithm) -> String? {
        let digest = Digest(algorithm)
        var offset = 0
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        while true {
            let count = unsafe pread(descriptor, &buffer, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? digest.finish() : nil }
            unsafe buffer.withUnsafeBytes { unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
        }
    }

    private borrowing func begin() {
        let type =
            switch algorithm {
            case .sha256: unsafe EVP_sha256()
            case .sha1: unsafe EVP_sha1()
            case .md5: unsafe EVP_md5()
            }
        let code = unsafe EVP_DigestInit_ex(context, type, nil)
        precondition(code == 1, "libcrypto has no \(algorithm)")
    }
}

extension Checksum {
    /// Hashes an open file; `nil` if it cannot be read to its end.
    public init?(of descriptor: Int32, by algorithm: Algorithm) {
        guard let digits = Digest.of(fileAt: descriptor, by: algorithm) else { return nil }
        self.init(algorithm, digits)
    }

    /// Throws unless the open file has this hash; `sha256` is what it has by that algorithm.
    public func check(_ descriptor: Int32, sha256: String) throws(Failure) {
        let found = algorithm == .sha256 ? sha256 : Digest.of(fileAt: descriptor, by: algorithm)
        guard let found else { throw Failure(.disk, "what was downloaded cannot be read") }
        guard found == digits else {
            throw Failure(.corrupt, "its \(algorithm) is \(found), where the feed says \(digits)")
        }
    }
}

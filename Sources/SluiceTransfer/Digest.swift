// SPDX-License-Identifier: MIT

internal import CCrypto
internal import CLibraries
package import SluiceModel
internal import SluiceSystem

/// An incremental hash with any of the algorithms that feeds use.
///
/// SHA-256 is computed by the processor's instructions if it has them, and everything else by libcrypto.
@safe struct Digest: ~Copyable {
    @safe private enum State {
        case processor(UnsafeMutablePointer<clibraries_sha256>)
        case libcrypto(OpaquePointer)
    }

    private let state: State
    private let algorithm: Checksum.Algorithm

    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm
        if algorithm == .sha256, clibraries_has_sha256() {
            unsafe state = .processor(.allocate(capacity: 1))
        } else {
            guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
            unsafe state = .libcrypto(context)
        }
        begin()
    }

    deinit {
        switch state {
        case .processor(let hash): unsafe hash.deallocate()
        case .libcrypto(let context): unsafe EVP_MD_CTX_free(context)
        }
    }

    borrowing func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .processor(let hash): unsafe clibraries_sha256_update(hash, bytes.baseAddress, bytes.count)
        case .libcrypto(let context): _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        }
    }

    /// Returns the hash of all bytes so far; more may follow.
    borrowing func currentValue() -> String {
        let copy = Digest(algorithm)
        switch (copy.state, state) {
        case (.processor(let to), .processor(let from)): unsafe to.pointee = unsafe from.pointee
        case (.libcrypto(let to), .libcrypto(let from)): _ = unsafe EVP_MD_CTX_copy_ex(to, from)
        default: preconditionFailure("both compute the same algorithm in the same way")
        }
        return copy.finish()
    }

    /// Returns the hash of all bytes, in hexadecimal digits, and resets the state.
    borrowing func finish() -> String { finishedBytes().hexadecimal }

    /// Returns the hash of all bytes, and resets the state.
    borrowing func finishedBytes() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        switch state {
        case .processor(let hash):
            unsafe clibraries_sha256_finish(hash, &digest)
            count = 32
        case .libcrypto(let context):
            _ = unsafe EVP_DigestFinal_ex(context, &digest, &count)
            begin()
        }
        digest.removeLast(digest.count - Int(count))
        return digest
    }

    /// Returns the hash of the first `size` bytes of an open file, or of all that there are; `nil` if they cannot be
    /// read, or if the token is cancelled before.
    ///
    /// The descriptor's position is neither used nor changed.
    static func of(
        fileAt descriptor: Int32, by algorithm: Checksum.Algorithm, upTo size: Int = .max,
        token: CancellationToken? = nil
    ) -> String? {
        let digest = Digest(algorithm)
        return unsafe withUnsafeTemporaryAllocation(byteCount: 128 << 10, alignment: 64) { buffer in
            var offset = 0
            while token?.isCancelled != true {
                // Without the call that finds the end of a file whose size is known.
                let wanted = min(buffer.count, size - offset)
                let count = wanted == 0 ? 0 : unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 ? digest.finish() : nil }
                unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
            return nil
        }
    }

    private borrowing func begin() {
        switch state {
        case .processor(let hash): unsafe clibraries_sha256_begin(hash)
        case .libcrypto(let context):
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
}

/// An incremental SHA-256, the hash by which Sluice identifies file contents.
package struct SHA256: ~Copyable {
    private let digest = Digest(.sha256)

    package init() {}

    borrowing func update(_ bytes: UnsafeRawBufferPointer) { unsafe digest.update(bytes) }

    package borrowing func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe digest.update($0) } }

    /// Returns the digest of the bytes, 64 hexadecimal digits.
    package static func digest(of bytes: [UInt8]) -> String {
        let hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Returns the digest of the bytes, 32 bytes.
    package static func bytes(of bytes: [UInt8]) -> [UInt8] {
        let hash = SHA256()
        hash.update(bytes)
        return hash.digest.finishedBytes()
    }

    /// Returns the digest of the first `size` bytes of an open file, or of all that there are, 64 hexadecimal digits;
    /// `nil` if they cannot be read, or if the token is cancelled before.
    ///
    /// The descriptor's position is neither used nor changed.
    package static func digest(
        ofFileAt descriptor: Int32, upTo size: Int = .max, token: CancellationToken? = nil
    ) -> String? {
        Digest.of(fileAt: descriptor, by: .sha256, upTo: size, token: token)
    }

    /// Returns the digest of all bytes so far, 64 hexadecimal digits; more may follow.
    package borrowing func currentValue() -> String { digest.currentValue() }

    /// Returns the digest of all bytes, 64 hexadecimal digits, and resets the state.
    package borrowing func finish() -> String { digest.finish() }
}

extension Checksum {
    /// Hashes an open file; `nil` if it cannot be read to its end.
    package init?(of descriptor: Int32, by algorithm: Algorithm) {
        guard let digits = Digest.of(fileAt: descriptor, by: algorithm) else { return nil }
        self.init(algorithm, digits)
    }

    /// Throws unless the open file has this checksum; pass its SHA-256 as `sha256` so that it is not computed again.
    package func check(_ descriptor: Int32, sha256: String) throws(Failure) {
        let found = algorithm == .sha256 ? sha256 : Digest.of(fileAt: descriptor, by: algorithm)
        guard let found else { throw Failure(.disk, "cannot read the downloaded file", scope: .run) }
        guard found == digits else {
            throw Failure(.corrupt, "\(algorithm) is \(found), but the feed lists \(digits)")
        }
    }
}

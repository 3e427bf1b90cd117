// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// Lets the file `other` share the bytes of `first`, which must be the same; says whether it did not share them before.
    ///
    /// The blocks are shared where the file system can do that: it compares them once more, and the files stay two. Else
    /// `other` becomes a second name of the one file, by way of the name `temporary`, so that it is never missing.
    /// With `flushed` no power cut takes that back.
    public func share(
        _ first: String, with other: String, temporary: String, flushed: Bool = true
    ) throws(FileError) -> Bool {
        let source = try openForReading(first)
        let target = try open(other, O_RDWR, operation: "open")
        let (old, new) = (try source.status(), try target.status())
        guard old.st_ino != new.st_ino || old.st_dev != new.st_dev else { return false }
        #if !canImport(Darwin)
            if source.shareBlocks(with: target, count: Int(old.st_size)) { return true }
        #endif
        try remove(temporary)
        try atParent(of: first) { (from, name) throws(FileError) in
            try atParent(of: temporary) { (to, link) throws(FileError) in
                guard unsafe linkat(from.descriptor, name, to.descriptor, link, 0) == 0 else {
                    throw FileError(code: errno, operation: "link", path: full(other))
                }
            }
        }
        try rename(temporary, to: other)
        if flushed { try flushParent(of: other) }
        return true
    }

    /// Whether both names are of one file.
    public func areOneFile(_ first: String, _ other: String) -> Bool {
        guard let (first, other) = (try? (openForReading(first).status(), openForReading(other).status())) else {
            return false
        }
        return first.st_ino == other.st_ino && first.st_dev == other.st_dev
    }
}

extension PartialFile {
    /// Lets the file share the blocks of another that it was copied from, where the file system can do that.
    public func shareBlocks(of source: borrowing OpenFile) {
        #if !canImport(Darwin)
            withFile { file in
                guard let size = try? file.size else { return }
                _ = source.shareBlocks(with: file, count: size)
            }
        #endif
    }
}

#if !canImport(Darwin)
    extension OpenFile {
        /// Lets another file with the same bytes share this one's blocks; false where the file system cannot.
        ///
        /// It is `FIDEDUPERANGE`, whose number and struct no header gives to Swift: the kernel locks both files, compares
        /// them, and shares what is the same.
        borrowing func shareBlocks(with other: borrowing OpenFile, count: Int) -> Bool {
            let (request, most) = (UInt(0xC018_9436), 16 << 20)
            var offset = 0
            while offset < count {
                let part = min(most, count - offset)
                // src_offset, src_length; dest_count and two reserved; dest_fd, dest_offset, bytes_deduped; status, reserved.
                var words: [UInt64] = [
                    UInt64(offset), UInt64(part), 1, UInt64(other.descriptor), UInt64(offset), 0, 0,
                ]
                let code = unsafe words.withUnsafeMutableBytes { buffer in
                    guard let start = buffer.baseAddress else { return Int32(-1) }
                    return unsafe ioctl(descriptor, request, start)
                }
                let (shared, status) = (words[5], Int32(truncatingIfNeeded: words[6]))
                guard code == 0, status == 0, shared == UInt64(part) else {
                    // What was shared before it refused is shared, and the files are what they were.
                    return false
                }
                offset += part
            }
            return true
        }
    }
#endif

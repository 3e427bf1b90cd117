// SPDX-License-Identifier: MIT
internal import SluiceSystem

extension Folder {
    /// Makes two identical files share their storage; returns false if they already share it.
    ///
    /// If the file system supports shared blocks, it compares the blocks again and the files stay separate. Otherwise
    /// `other` is atomically replaced by a hard link, created under the name `temporary`. With `flushed` the change is
    /// durable on return.
    package func shareContent(
        of first: String, with other: String, temporary: String, flushed: Bool = true
    ) throws(FileError) -> Bool {
        let source = try openForReading(first)
        let target = try open(other, O_RDWR, operation: "open")
        let (old, new) = (try source.status(), try target.status())
        guard old.st_ino != new.st_ino || old.st_dev != new.st_dev else { return false }
        #if !canImport(Darwin)
            if source.shareBlocks(with: target, count: Int(old.st_size)) { return true }
        #endif
        try remove(temporary)
        try link(first, to: temporary)
        try rename(temporary, to: other)
        if flushed { try flushParent(of: other) }
        return true
    }

    /// Writes a whole file durably unless the name is taken; returns false if it is.
    package func writeIfAbsent(_ bytes: [UInt8], to name: String, temporary: String) throws(FileError) -> Bool {
        try makeParent(of: name)
        let staged = try stage(bytes, as: name, temporary: temporary, flushed: true)
        defer { try? remove(temporary) }
        do throws(FileError) {
            try link(staged.temporary, to: name)
        } catch {
            if error.code == EEXIST { return false }
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
            throw FileError(
                code: error.code, operation: "create", path: fullPath(of: name),
                reason: "the file system cannot create a file only if it is new, because it has no hard links")
        }
        try flushParent(of: name)
        return true
    }

    /// Creates a hard link, in another folder if one is given; throws if its name is taken.
    func link(_ existing: String, to new: String, in folder: Folder? = nil) throws(FileError) {
        let folder = folder ?? self
        try atParent(of: existing) { (from, name) throws(FileError) in
            try folder.atParent(of: new) { (to, link) throws(FileError) in
                guard unsafe linkat(from.descriptor, name, to.descriptor, link, 0) == 0 else {
                    throw FileError(code: errno, operation: "link", path: folder.fullPath(of: new))
                }
            }
        }
    }

    /// Whether two names refer to the same file.
    package func areSameFile(_ first: String, _ other: String) -> Bool {
        guard let (first, other) = (try? (openForReading(first).status(), openForReading(other).status())) else {
            return false
        }
        return first.st_ino == other.st_ino && first.st_dev == other.st_dev
    }
}

extension PartialFile {
    /// Shares the blocks of the file that this one was copied from, if the file system supports it.
    package func shareBlocks(of source: borrowing OpenFile) {
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
        /// Shares this file's blocks with an identical file; returns false if the file system does not support it.
        ///
        /// It calls `FIDEDUPERANGE`: the kernel locks and compares both files and shares identical ranges. The number
        /// and the struct are spelled out, because Swift cannot import them from a header.
        borrowing func shareBlocks(with other: borrowing OpenFile, count: Int) -> Bool {
            let (request, maxLength) = (UInt(0xC018_9436), 16 << 20)
            var offset = 0
            while offset < count {
                let part = min(maxLength, count - offset)
                // src_offset, src_length; dest_count and two reserved; dest_fd, dest_offset, bytes_deduped; status,
                // reserved.
                var words: [UInt64] = [
                    UInt64(offset), UInt64(part), 1, UInt64(other.descriptor), UInt64(offset), 0, 0,
                ]
                let code = unsafe words.withUnsafeMutableBytes { buffer in
                    guard let start = buffer.baseAddress else { return Int32(-1) }
                    return unsafe ioctl(descriptor, request, start)
                }
                let (shared, status) = (words[5], Int32(truncatingIfNeeded: words[6]))
                guard code == 0, status == 0, shared == UInt64(part) else {
                    // Ranges shared before the refusal stay shared; the content of the files is unchanged.
                    return false
                }
                offset += part
            }
            return true
        }
    }
#endif

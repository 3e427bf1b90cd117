// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The lock of a dataset: a photo's hashes and address on each line after the first.
///
/// A photo with another hash does not fail: the run stores it, and compares it with the lock afterwards.
struct LockFormat: ListFormat {
    /// Whether a list begins with the first line of a lock.
    static func begins(_ text: some Collection<UInt8>) -> Bool { text.starts(with: LockedPhoto.header.utf8) }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = buffer.window[line.range]
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            guard let locked = String(utf8: text.span).flatMap(LockedPhoto.init(line:)) else {
                let reason = "expected a SHA-256, a size, a perceptual hash or -, and an address"
                return ListRecord.invalid(line: line.number, reason)
            }
            if let problem = ListAddress.problem(with: locked.url.utf8) {
                return ListRecord.invalid(line: line.number, problem)
            }
            return ListRecord.photo(at: locked.url)
        }
        return nil
    }
}

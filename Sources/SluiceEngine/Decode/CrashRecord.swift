// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceFiles
internal import SluiceModel

/// Records which items a process was decoding when a decoder crashed it.
///
/// The record is written by a signal handler, so a process that is killed from outside leaves none: a kill says nothing
/// about a photo. The next run counts the recorded crashes in the ledger.
struct CrashRecord: Sendable {
    private static let name = ".sluice/crashed-decodes"

    private let path: String?

    /// Creates the record of the mirror in `folder`.
    ///
    /// Nothing is written unless a decoder crashes.
    init(in folder: Folder) {
        path = (try? folder.resolvedPath()).map { "\($0)/\(Self.name)" }
    }

    /// Runs `decode`, and records the item if a decoding thread crashes the process during it.
    func during<Result>(decodeOf item: Int, _ decode: () -> Result) -> Result {
        guard let path else { return decode() }
        let mark = unsafe path.withCString { unsafe csandbox_begin_decode($0, item) }
        defer { csandbox_end_decode(mark) }
        return decode()
    }

    /// Removes the record of an earlier run and returns its items; empty if no decoder has crashed.
    static func take(from folder: Folder) throws(FileError) -> Set<Int> {
        guard folder.size(of: name) != nil else { return [] }
        let lines = try folder.read(name).split(separator: UInt8(ascii: "\n"))
        // Removed first: if this process is killed now, the crash is forgotten and not counted twice.
        try folder.remove(name)
        return Set<Int>(lines.compactMap { Int(String(decoding: $0, as: UTF8.self))?.within(Quantity.range) })
    }
}

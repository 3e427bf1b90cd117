// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel

/// `--metrics`: the run in numbers, in a file that is written anew every few seconds and at the end, whole each time.
final class MetricsFile: Sendable {
    private static let interval = DispatchTimeInterval.seconds(5)

    private let folder: Folder
    private let name: String
    private let make: @Sendable () -> String
    private let ticker = Locked<Ticker?>(nil)
    private let failure = Locked<FileError?>(nil)
    private let queue = DispatchQueue(label: "sluice.metrics", qos: .utility)

    /// Writes the file for the first time, so that a bad name shows at once; `make` gives what is to be in it.
    init(_ path: String, make: @escaping @Sendable () -> String) throws(MirrorError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        self.make = make
        do throws(FileError) {
            let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            folder = try Folder(parent)
            try folder.write(Array(make().utf8), to: name, flushed: false)
        } catch {
            throw MirrorError(.local, "the metrics cannot be written (\(error)): give another file with --metrics")
        }
        let ticker = Ticker(every: Self.interval, leeway: .milliseconds(100), on: queue) { [weak self] in
            self?.write()
        }
        self.ticker.withLock { $0 = ticker }
    }

    /// Writes it for the last time.
    func end() {
        ticker.withLock { $0 = nil }
        queue.sync { write() }
    }

    /// Why it could not be written the last time, if so.
    var trouble: String? { failure.withLock { $0?.description } }

    private func write() {
        do throws(FileError) {
            try folder.write(Array(make().utf8), to: name, flushed: false)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = error }
        }
    }
}

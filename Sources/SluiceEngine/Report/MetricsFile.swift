// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel

/// Writes the run's metrics to a file, every five seconds and at the end.
///
/// Each write replaces the file.
final class MetricsFile: Sendable {
    private static let interval = DispatchTimeInterval.seconds(5)

    private let folder: Folder
    private let name: String
    private let content: @Sendable () -> String
    private let ticker = Locked<RepeatingTimer?>(nil)
    private let failure = Locked<FileError?>(nil)
    private let queue = DispatchQueue(label: "sluice.metrics", qos: .utility)

    /// Writes the file for the first time, so that an invalid path fails immediately.
    ///
    /// `content` returns the text.
    init(_ path: String, content: @escaping @Sendable () -> String) throws(MirrorError) {
        self.content = content
        (folder, name) = try Self.opening(path) { (folder, name) throws(FileError) in
            try folder.write(Array(content().utf8), to: name, flushed: false)
        }
        let ticker = RepeatingTimer(every: Self.interval, leeway: .milliseconds(100), on: queue) { [weak self] in
            self?.write()
        }
        self.ticker.withLock { $0 = ticker }
    }

    /// Throws if the file could not be written; changes nothing.
    static func check(_ path: String) throws(MirrorError) {
        _ = try opening(path) { (folder, _) throws(FileError) in try folder.checkWriteAccess() }
    }

    /// Opens the folder of the file, and passes it with the file's name to `body`.
    private static func opening(
        _ path: String, _ body: (Folder, String) throws(FileError) -> Void
    ) throws(MirrorError) -> (Folder, String) {
        let place = Folder.place(of: path)
        do throws(FileError) {
            let folder = try Folder(place.folder)
            try body(folder, place.name)
            return (folder, place.name)
        } catch {
            throw MirrorError(.local, "cannot write the metrics: \(error)", hint: .chooseMetricsFile)
        }
    }

    /// Stops the timer and writes the file for the last time.
    func end() {
        ticker.withLock { $0 = nil }
        queue.sync { write() }
    }

    /// The reason why the last write failed; `nil` if it succeeded.
    var writeError: String? { failure.withLock { $0?.description } }

    private func write() {
        do throws(FileError) {
            try folder.write(Array(content().utf8), to: name, flushed: false)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = error }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The transfers of a run, read from its trace, that a replay repeats.
package struct Recording: Sendable, Hashable {
    /// A recorded transfer of a photo.
    struct Photo: Sendable, Hashable {
        /// The number of its host, in the order of the hosts' first requests.
        var host: Int
        /// The number of received bytes.
        var bytes: Int
        /// The time from its slot to the body's first byte, including failed attempts, in microseconds.
        var wait: Int
        /// The time from the body's first to its last byte, in microseconds.
        var body: Int
        /// Whether the photo arrived completely; a failed one held its slot for the time `wait`.
        var isDone: Bool
    }

    /// The photos in the order in which they got their slots.
    let photos: [Photo]
    /// The recorded run's own setting and result.
    package let run: RecordedRun
}

/// A recorded run: its setting and its result.
package struct RecordedRun: Sendable, Hashable {
    /// The trace file.
    package var file: String
    /// The number of hosts.
    package var hosts: Int
    /// The run's setting, from its report or else estimated from the trace.
    package var setting: LoaderSetting
    /// The run's result; values that no file records are zero.
    package var sample: LoaderSample

    /// The average time of a photo, in seconds.
    var secondsPerImage: Double { sample.done > 0 ? sample.slotSeconds / Double(sample.done + sample.failed) : 0 }
}

extension RecordedRun {
    /// The run as a point, for comparison with its replays.
    var point: LoaderPoint { LoaderPoint(setting: setting, samples: [sample]) }

    /// Returns the replayed run as a sentence.
    func sentence(bandwidth: Int?) -> String {
        let total = bandwidth.map { "\(rounded(Double($0) / 1e6)) MB/s in total" } ?? "unlimited total bandwidth"
        return """
            \(sample.done + sample.failed) photos from \(hosts == 1 ? "1 host" : "\(hosts) hosts") as recorded in \(file), \
            \(sample.failed) of them failed; \(total).
            """
    }

    func write(to json: inout JSONWriter, bandwidth: Int?) {
        json.member("file", file)
        json.member("hosts", hosts)
        json.member("bandwidth", bandwidth)
        json.object("setting") { setting.write(to: &$0) }
        json.object("sample") { sample.write(to: &$0) }
    }
}

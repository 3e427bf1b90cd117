// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RecordedCourse {
    /// The run as a point beside those of its replays.
    var point: LoaderPoint { LoaderPoint(setting: setting, samples: [sample]) }

    /// What is played again, as a sentence.
    func sentence(bandwidth: Int?) -> String {
        let line = bandwidth.map { "\(rounded(Double($0) / 1e6)) MB/s in all" } ?? "no bound in all"
        return """
            \(sample.done + sample.failed) photos of \(hosts == 1 ? "1 host" : "\(hosts) hosts") as \(file) recorded them, \
            \(sample.failed) of which failed; \(line).
            """
    }

    func write(to json: inout JSONWriter, bandwidth: Int?) {
        json.member("file", file)
        json.member("hosts", hosts)
        json.member("bandwidth", bandwidth)
        json.member("setting", object: { setting.write(to: &$0) })
        json.member("sample", object: { sample.write(to: &$0) })
    }
}

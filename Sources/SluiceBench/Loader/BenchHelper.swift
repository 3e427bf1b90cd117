// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// The helper processes of a benchmark, which the program starts from its own executable.
package enum BenchHelper: String, Sendable {
    /// Serves images until standard input ends.
    case origin
    /// Takes one sample: loads the images once and reports the cost.
    case sample

    /// The first argument of a helper process; no command has this name.
    package static let firstArgument = "bench-part"

    /// Creates the helper that the arguments name; `nil` if they name none.
    package init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == Self.firstArgument else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// Runs the helper: reads a job and requests as lines from standard input and passes each reply line to `reply`.
    package func run(replying reply: @escaping @Sendable ([UInt8]) -> Void) async throws {
        // A signal often reaches the whole process group; the benchmark ends its helpers itself.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        var lines = LineReader(try InputFile("-"))
        guard let job = try lines.next() else { return }
        let json = try JSON(parsing: job)
        switch self {
        case .origin:
            let origin = try BenchOrigin(json)
            reply(origin.statusLine)
            while try lines.next() != nil { reply(origin.statusLine) }
            origin.stop()
        case .sample:
            let watch = ParentWatch()
            reply(try await SampleRunner(SampleJob(json)).run().json)
            watch.end()
        }
    }
}

/// Ends this process when standard input ends, which means that its parent has ended.
final class ParentWatch {
    private let source: any DispatchSourceRead

    init() {
        source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: DispatchQueue(label: "sluice.bench.parent"))
        source.setEventHandler {
            var byte: UInt8 = 0
            if unsafe read(0, &byte, 1) <= 0 { _exit(0) }
        }
        source.activate()
    }

    func end() { source.cancel() }
}

/// The instructions for a process that takes one sample, sent as a line of JSON.
struct SampleJob: Sendable {
    enum Source: Sendable {
        /// The simulated origin with this number of images.
        case origin(port: Int, count: Int)
        /// The URLs of third-party hosts, which get polite limits.
        case addresses([String])
    }

    var setting: LoaderSetting
    var source: Source
    /// The folder to load into; it exists and is empty.
    var folder: String
    /// The longest wait for a host's response.
    var timeout: Duration
    var retries: Int
    /// The time after which no more loads start.
    var maximumSampleTime: Duration
}

extension SampleJob {
    init(_ json: JSON) throws(BenchError) {
        setting = try LoaderSetting(json)
        if let addresses = json["addresses"]?.elements {
            source = .addresses(addresses.compactMap(\.text))
        } else {
            source = .origin(port: try json.count("port"), count: try json.count("count"))
        }
        folder = try json.string("folder")
        timeout = .milliseconds(try json.number("timeout_ms"))
        retries = try json.count("retries")
        maximumSampleTime = .milliseconds(try json.number("longest_ms"))
    }

    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            setting.write(to: &json)
            switch source {
            case .origin(let port, let count):
                json.member("port", port)
                json.member("count", count)
            case .addresses(let addresses):
                json.array("addresses") { list in for address in addresses { list.value(address) } }
            }
            json.member("folder", folder)
            json.member("timeout_ms", decimal: timeout.milliseconds)
            json.member("retries", retries)
            json.member("longest_ms", decimal: maximumSampleTime.milliseconds)
        }
        return json.bytes
    }
}

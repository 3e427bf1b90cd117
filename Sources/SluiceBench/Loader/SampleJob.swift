// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The instructions for a process that takes one sample, sent as a line of JSON.
struct SampleJob: Sendable {
    /// The source of the images.
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

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What a sample's process is told to do.
struct SampleOrder: Sendable {
    /// Where the pictures are.
    enum Source: Sendable {
        /// The origin of the sweep, with so many pictures.
        case origin(port: Int, count: Int)
        /// The origin of a replay, with each photo's host by its number.
        case replay(port: Int, hosts: [Int])
        /// Strangers' hosts, which are to be treated well.
        case addresses([String])
    }

    var setting: LoaderSetting
    var source: Source
    /// The folder to load into; it is there, and empty.
    var folder: String
    /// How long a host may keep silent.
    var timeout: Duration
    var retries: Int
    /// Behind so much time nothing more is begun.
    var longest: Duration
}

extension SampleOrder {
    init(_ json: JSON) throws(BenchError) {
        setting = try LoaderSetting(json)
        if let addresses = json["addresses"]?.elements {
            source = .addresses(addresses.compactMap(\.text))
        } else if let hosts = json["hosts"]?.elements {
            source = .replay(port: try json.count("port"), hosts: hosts.compactMap(\.integer))
        } else {
            source = .origin(port: try json.count("port"), count: try json.count("count"))
        }
        folder = try json.string("folder")
        timeout = .milliseconds(try json.number("timeout_ms"))
        retries = try json.count("retries")
        longest = .milliseconds(try json.number("longest_ms"))
    }

    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            setting.write(to: &json)
            switch source {
            case .origin(let port, let count):
                json.member("port", port)
                json.member("count", count)
            case .replay(let port, let hosts):
                json.member("port", port)
                json.member("hosts", array: { list in for host in hosts { list.value(host) } })
            case .addresses(let addresses):
                json.member("addresses", array: { list in for address in addresses { list.value(address) } })
            }
            json.member("folder", folder)
            json.member("timeout_ms", decimal: timeout.milliseconds)
            json.member("retries", retries)
            json.member("longest_ms", decimal: longest.milliseconds)
        }
        return json.bytes
    }
}

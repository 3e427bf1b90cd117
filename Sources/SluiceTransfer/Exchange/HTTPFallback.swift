// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Which hosts say that they speak HTTP/2 and do it so badly that HTTP/1.1 is the better choice.
struct HTTPFallback {
    /// So many faults in a row, and a host is spoken to in HTTP/1.1.
    static let patience = 3
    /// More hosts than this are forgotten, however long a run is.
    private static let mostHosts = 10_000

    private var faults: [String: Int] = [:]

    /// What to speak with the host.
    func version(for host: String, wanted: HTTPVersion) -> HTTPVersion {
        faults[host, default: 0] < Self.patience ? wanted : .one
    }

    /// Takes note of how an exchange ended.
    mutating func note(_ ending: Exchange.Ending, of host: String) {
        if ending.mayBlameHTTP2 {
            if faults.count >= Self.mostHosts { faults = [:] }
            faults[host, default: 0] += 1
        } else if case .success = ending.result, let count = faults[host], count < Self.patience {
            faults[host] = nil
        }
    }
}

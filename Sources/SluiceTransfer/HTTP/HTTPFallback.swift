// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Remembers hosts whose HTTP/2 is faulty and selects HTTP/1.1 for them.
struct HTTPFallback {
    /// The number of consecutive faults after which a host is requested over HTTP/1.1.
    static let faultLimit = 3
    /// The counts are cleared when they cover more hosts than this.
    private static let maxHosts = 10_000

    private var faults: [String: Int] = [:]

    /// The version to use with a host.
    func version(for host: String, wanted: HTTPVersion) -> HTTPVersion {
        faults[host, default: 0] < Self.faultLimit ? wanted : .http1
    }

    /// Records how an exchange ended.
    mutating func record(_ result: ExchangeResult, of host: String) {
        if result.mayBlameHTTP2 {
            if faults.count >= Self.maxHosts { faults = [:] }
            faults[host, default: 0] += 1
        } else if case .success = result.result, let count = faults[host], count < Self.faultLimit {
            faults[host] = nil
        }
    }
}

// SPDX-License-Identifier: MIT

package import SluiceModel

/// An estimate of what a run would take, from a sample of its photos.
///
/// It covers downloads only: neither decoding nor what the mirror already has.
public struct Forecast: Sendable, Hashable {
    /// A host of photos.
    public struct Host: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The estimated number of photos.
        public internal(set) var photos: Int
        /// The sizes of the sampled photos in bytes.
        public let sizes: [Int]
        /// The mean time of a download over an open connection, in seconds.
        public let seconds: Double
        /// The number of sampled photos that could not be downloaded.
        public let failures: Int
        /// The number of concurrent downloads.
        public let connections: Int
        /// The minimum time between two requests in seconds; `nil` for none.
        public let interval: Double?

        /// The mean size of a photo in bytes.
        public var meanSize: Double { sizes.isEmpty ? 0 : Double(sizes.reduce(0, +)) / Double(sizes.count) }
        /// The estimated number of bytes.
        public var bytes: Double { meanSize * Double(photos) }

        /// Twice the standard error of ``bytes``; all of them if the sample is too small.
        var error: Double {
            guard sizes.count > 2 else { return sizes.count < photos ? bytes : 0 }
            let squares = sizes.reduce(0) { $0 + (Double($1) - meanSize) * (Double($1) - meanSize) }
            // Nothing is uncertain if the sample has all photos.
            let rest = max(0, 1 - Double(sizes.count) / Double(max(photos, 1)))
            return 2 * Double(photos) * (squares / Double(sizes.count - 1) / Double(sizes.count) * rest).squareRoot()
        }

        /// The estimated time in seconds, if no other host and no limit of the run slows it, and what decides it.
        public var time: (seconds: Double, isRate: Bool) {
            let working = seconds / Double(max(connections, 1))
            if let interval, interval > working { return (interval * Double(photos), true) }
            return (working * Double(photos), false)
        }
    }

    /// The limit that decides the time.
    public enum Limit: Sendable, Hashable {
        /// The rate of requests to this host.
        case rate(String)
        /// The number of concurrent downloads from this host.
        case connections(String)
        /// The number of concurrent downloads of the run.
        case concurrency
        /// The bandwidth that the user allows.
        case bandwidth
        /// The time in which the source sends its pages.
        case pages
    }

    /// The hosts, those with the most photos first.
    public let hosts: [Host]
    /// The number of photos.
    public let photos: Int
    /// Whether the source has more photos, of an unknown number.
    public let hasMore: Bool
    /// The number of requests for pages of the source.
    public let pages: Int
    /// The time that a page takes, in seconds.
    public let secondsPerPage: Double
    /// The number of concurrent downloads of the run.
    public let concurrency: Int
    /// The allowed number of bytes per second; `nil` for no limit.
    public let bandwidth: Int?
    /// The failure of the source's pages or of a photo, if there was one.
    public let failure: String?

    /// The estimated number of bytes.
    public var bytes: Double { hosts.reduce(0) { $0 + $1.bytes } }

    /// The range that probably has the number of bytes.
    public var bytesRange: ClosedRange<Double> {
        let error = hosts.reduce(0) { $0 + $1.error * $1.error }.squareRoot()
        return max(0, bytes - error)...bytes + error
    }

    /// The estimated number of requests, with one for the `robots.txt` of each host.
    public var requests: Int { pages + photos + hosts.count }

    package var estimate: RunReport.Estimate {
        RunReport.Estimate(
            photos: photos, bytes: Int(rounding: bytes),
            bytesRange: Int(rounding: bytesRange.lowerBound)...Int(rounding: bytesRange.upperBound),
            seconds: time.seconds)
    }

    /// The estimated time in seconds, and what decides it.
    public var time: (seconds: Double, limit: Limit) {
        let working = hosts.reduce(0) { $0 + $1.seconds * Double($1.photos) }
        var slowest: (seconds: Double, limit: Limit) = (working / Double(max(concurrency, 1)), .concurrency)
        for host in hosts where host.time.seconds > slowest.seconds {
            slowest = (host.time.seconds, host.time.isRate ? .rate(host.name) : .connections(host.name))
        }
        let paging = secondsPerPage * Double(pages)
        if paging > slowest.seconds { slowest = (paging, .pages) }
        if let bandwidth, bytes / Double(max(bandwidth, 1)) > slowest.seconds {
            slowest = (bytes / Double(max(bandwidth, 1)), .bandwidth)
        }
        return slowest
    }
}

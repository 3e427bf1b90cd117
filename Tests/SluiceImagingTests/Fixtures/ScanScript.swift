// SPDX-License-Identifier: MIT

import CJPEG
import SluiceModel

/// A random order of the scans of a progressive JPEG, in which all bits of all coefficients arrive.
struct ScanScript {
    /// Coefficients of a component; `lowBit` is the lowest bit in the scans so far.
    private struct Band {
        let component: Int32
        let coefficients: ClosedRange<Int32>
        var lowBit: Int32?
    }

    private(set) var scans: [jpeg_scan_info] = []
    private var random: SplitMix64

    /// `joinsComponents` decides whether scans of the first coefficients contain all components.
    init(components: Int32, joinsComponents: Bool, seed: Int) {
        random = SplitMix64(seed: UInt64(seed))
        var lowBit = next(3)
        appendFirst(components, joinsComponents, high: 0, low: lowBit)
        var bands = (0..<components).flatMap { self.bands(of: $0) }
        while lowBit > 0 || !bands.isEmpty {
            if lowBit > 0, next(2) == 0 || bands.isEmpty {
                lowBit -= 1
                appendFirst(components, joinsComponents, high: lowBit + 1, low: lowBit)
            } else {
                let index = Int(next(Int32(bands.count)))
                let (band, low) = (bands[index], bands[index].lowBit.map { $0 - 1 } ?? next(4))
                append([band.component], band.coefficients, high: band.lowBit ?? 0, low: low)
                bands[index].lowBit = low
                if low == 0 { bands.remove(at: index) }
            }
        }
    }

    private mutating func next(_ count: Int32) -> Int32 { .random(in: 0..<count, using: &random) }

    private mutating func bands(of component: Int32) -> [Band] {
        var (bands, first): ([Band], Int32) = ([], 1)
        while first < 64 {
            let last = next(2) == 0 ? 63 : first + next(64 - first)
            bands.append(Band(component: component, coefficients: first...last))
            first = last + 1
        }
        return bands
    }

    private mutating func appendFirst(_ components: Int32, _ joinsComponents: Bool, high: Int32, low: Int32) {
        let all = Array(0..<components)
        for part in joinsComponents ? [all] : all.map({ [$0] }) { append(part, 0...0, high: high, low: low) }
    }

    private mutating func append(_ components: [Int32], _ band: ClosedRange<Int32>, high: Int32, low: Int32) {
        let indices = components + [0, 0, 0]
        scans.append(
            jpeg_scan_info(
                comps_in_scan: Int32(components.count), component_index: (indices[0], indices[1], indices[2], 0),
                Ss: band.lowerBound, Se: band.upperBound, Ah: high, Al: low))
    }
}

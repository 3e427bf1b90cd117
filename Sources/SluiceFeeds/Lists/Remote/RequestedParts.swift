// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceParquet

/// Opens a file of which parts are requested.
package typealias PartsOpener = @Sendable () throws(FileError) -> RequestedParts

/// A Parquet file of which only the parts that are read are requested.
///
/// The end of the file is kept, because it has the metadata. Of each announced part, memory has one block, which is
/// larger than a read if few parts are read at the same time. Parts that fit into one block together are one request.
package final class RequestedParts: ParquetBytes {
    /// Requests a part of the file.
    package typealias Requester = (Range<Int>) throws(FileError) -> [UInt8]

    /// The number of bytes at the end that are requested first; most files have no more metadata.
    package static let endSize = 64 << 10
    /// The memory for the blocks of all parts together, if there are not too many parts.
    private static let memory = 32 << 20
    private static let blockSizes = 64 << 10...4 << 20

    private struct Part {
        /// Where the part begins and ends in the file.
        var range: Range<Int>
        var start: Int
        var block: ArraySlice<UInt8> = []

        init(_ range: Range<Int>) { (self.range, start) = (range, range.lowerBound) }
    }

    package let size: Int
    private let request: Requester
    private var end: [UInt8]
    /// The parts that are read at present, in the order of their places.
    private var parts: [Part] = []
    private var blockSize = blockSizes.upperBound

    /// Reads a file of `size` bytes of which the last ones are known.
    package init(size: Int, end: [UInt8], request: @escaping Requester) {
        (self.size, self.end, self.request) = (size, end, request)
    }

    package func willRead(_ ranges: [Range<Int>]) {
        blockSize = min(max(Self.memory / max(ranges.count, 1), Self.blockSizes.lowerBound), Self.blockSizes.upperBound)
        parts = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = parts.last?.range, range.lowerBound <= last.upperBound + Self.blockSizes.lowerBound,
                range.upperBound - last.lowerBound <= blockSize || range.upperBound <= last.upperBound
            {
                parts[parts.count - 1] = Part(last.lowerBound..<max(last.upperBound, range.upperBound))
            } else {
                parts.append(Part(range))
            }
        }
    }

    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let wanted = offset..<(offset + min(count, size - offset))
        if wanted.lowerBound >= size - end.count { return known(wanted) }
        if let index = parts.lastIndex(where: { $0.range.contains(offset) && wanted.upperBound <= $0.range.upperBound })
        {
            return try read(wanted, of: &parts[index])
        }
        guard wanted.upperBound > size - end.count else { return try request(wanted) }
        // The metadata, if they are longer than the known end.
        if wanted.lowerBound < size - end.count {
            end = try request(wanted.lowerBound..<size - end.count) + end
        }
        return known(wanted)
    }

    /// Returns bytes of the end.
    private func known(_ wanted: Range<Int>) -> [UInt8] {
        let start = size - end.count
        return Array(end[(wanted.lowerBound - start)..<(wanted.upperBound - start)])
    }

    private func read(_ wanted: Range<Int>, of part: inout Part) throws(FileError) -> [UInt8] {
        let known = part.start..<part.start + part.block.count
        if !(known.contains(wanted.lowerBound) && wanted.upperBound <= known.upperBound) {
            // A page may begin in this block and end in the next one.
            let rest =
                known.contains(wanted.lowerBound) ? part.block.dropFirst(wanted.lowerBound - known.lowerBound) : []
            let first = wanted.lowerBound + rest.count
            let last = min(part.range.upperBound, max(wanted.upperBound, first + blockSize))
            part.block = try rest + request(first..<last)
            part.start = wanted.lowerBound
        }
        let first = part.block.startIndex + wanted.lowerBound - part.start
        return Array(part.block[first..<first + wanted.count])
    }
}

// SPDX-License-Identifier: MIT

/// The configuration of an HEVC picture (`hvcC`): its parameter sets, and what they say about the picture.
struct HEVCConfiguration {
    /// How many samples of brightness share a sample of colour, as HEVC numbers it.
    enum Chroma: Int {
        case grey, quarter, half, full

        /// The pixels in a row and in a column that share a sample of colour.
        var divisors: (Int, Int) {
            switch self {
            case .quarter: (2, 2)
            case .half: (2, 1)
            case .grey, .full: (1, 1)
            }
        }
    }

    private static let maxSets = 64
    private static let maxBytes = 65536

    /// The parameter sets in order, as NAL units without their lengths.
    private(set) var sets: [[UInt8]] = []
    /// The number of bytes of each length in the picture's data.
    let lengthBytes: Int
    /// The size of the coded picture, of which the edges may be cut off.
    private(set) var width = 0
    private(set) var height = 0
    /// The number of bits of each sample.
    let depth: Int
    let chroma: Chroma

    init(_ range: Range<Int>, _ window: inout ByteWindow) throws(ImagingError) {
        guard range.count >= 23, range.count <= Self.maxBytes else {
            throw ImagingError(.corrupt, "HEVC configuration of \(range.count) bytes")
        }
        let bytes = Array(try window.bytes(range))
        chroma = Chroma(rawValue: Int(bytes[16] & 3)) ?? .grey
        depth = Int(bytes[17] & 7) + 8
        lengthBytes = Int(bytes[21] & 3) + 1
        guard bytes[18] & 7 == bytes[17] & 7, [8, 10, 12].contains(depth) else {
            throw ImagingError(.unsupported, "HEIC of \(depth) bits per sample")
        }
        var fields = BoxFields(range.dropFirst(23))
        for _ in 0..<Int(bytes[22]) {
            _ = try fields.number(1, in: &window)
            for _ in 0..<(try fields.number(2, in: &window)) {
                let count = try fields.number(2, in: &window)
                let unit = Array(try fields.data(count, in: &window))
                guard let kind = unit.first.map({ HEVCUnitKind($0) }), kind.isParameterSet else { continue }
                guard sets.count < Self.maxSets else { throw ImagingError(.badChunk, "HEVC parameter sets") }
                sets.append(unit)
                if kind == .sequenceSet { try readSequenceSet(unit) }
            }
        }
        guard width > 0, height > 0 else { throw ImagingError(.corrupt, "HEVC without the size of its picture") }
    }

    /// Reads the picture's size; the largest one counts if there are several.
    private mutating func readSequenceSet(_ unit: [UInt8]) throws(ImagingError) {
        var bits = HEVCBits(unit.dropFirst(2))
        try bits.skip(4)
        let layers = try bits.number(3)
        // The profile and the level, also of each lower layer.
        try bits.skip(1 + 88 + 8)
        var layerBits = 0
        for layer in 0..<8 where layers > 0 {
            let flags = try bits.number(2)
            if layer < layers { layerBits += (flags & 2 == 0 ? 0 : 88) + (flags & 1 == 0 ? 0 : 8) }
        }
        try bits.skip(layerBits)
        _ = try bits.exponential()
        let chroma = try bits.exponential()
        if chroma == 3 { try bits.skip(1) }
        guard chroma == self.chroma.rawValue else { throw ImagingError(.corrupt, "HEVC with two kinds of colours") }
        width = max(width, try bits.exponential())
        height = max(height, try bits.exponential())
    }
}

/// The type of a NAL unit.
struct HEVCUnitKind: Equatable {
    static let sequenceSet = HEVCUnitKind(number: 33)

    private let number: Int

    private init(number: Int) { self.number = number }

    /// Reads the type in the unit's first byte.
    init(_ byte: UInt8) { number = Int(byte >> 1 & 63) }

    /// Whether the unit is a part of a picture that depends on no other.
    var isIntraPicture: Bool { (16...21).contains(number) }
    /// Whether the unit has the parameters of a video, a sequence or a picture.
    var isParameterSet: Bool { (32...34).contains(number) }
}

/// Reads the bits of a NAL unit, whose bytes are interrupted by bytes that prevent start codes.
private struct HEVCBits {
    private var bytes: [UInt8] = []
    private var position = 0

    init(_ unit: ArraySlice<UInt8>) {
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
    }

    mutating func skip(_ count: Int) throws(ImagingError) {
        guard count <= bytes.count * 8 - position else { throw ImagingError(.corrupt, "HEVC parameters end early") }
        position += count
    }

    mutating func number(_ count: Int) throws(ImagingError) -> Int {
        let start = position
        try skip(count)
        return (start..<position).reduce(0) { $0 << 1 | Int(bytes[$1 / 8] >> (7 - $1 % 8) & 1) }
    }

    /// Reads a number that is preceded by as many zero bits as it has bits after its first.
    mutating func exponential() throws(ImagingError) -> Int {
        var zeros = 0
        while try number(1) == 0 {
            zeros += 1
            guard zeros < 32 else { throw ImagingError(.corrupt, "HEVC parameters are too large") }
        }
        return (1 << zeros | (try number(zeros))) - 1
    }
}

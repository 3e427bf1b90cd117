// SPDX-License-Identifier: MIT

/// The facts about the pixels in the header of a JPEG XL's codestream.
struct JXLMetadata {
    private static let maxExtraChannels = 256
    private enum Channel { static let alpha = 0, black = 4, spot = 2, filter = 5 }

    private(set) var orientation = 1
    private(set) var isAnimated = false
    /// Whether samples have or need more than 8 bits.
    private(set) var isDeep = false
    private(set) var hasAlpha = false
    private(set) var hasBlack = false
    private(set) var colors = JXLColors()
    private(set) var dynamicRange: HighDynamicRange?
    /// Whether 8 bits per sample would make steps in dark parts.
    private(set) var needsDeepSamples = false
    /// Whether the picture consists of a single frame of coefficients, which libjxl decodes group by group.
    private var isStreamed = false
    private var extraChannels = 0

    init(_ bits: inout JXLBits) {
        var isXYB = true
        // A picture may have all fields by default.
        if !bits.flag(), !readFields(&bits, isXYB: &isXYB) { return }
        isStreamed = !isAnimated && extraChannels == 0 && !colors.hasProfile && bits.startsStreamedFrame(isXYB: isXYB)
    }

    /// Reads the fields of a picture; returns false if the first frame's header does not follow them directly.
    private mutating func readFields(_ bits: inout JXLBits, isXYB: inout Bool) -> Bool {
        var hasPreview = false
        let hasMore = bits.flag()
        if hasMore {
            orientation = bits.number(3) + 1
            if bits.flag() { _ = bits.size() }
            hasPreview = bits.flag()
            if hasPreview { bits.skipPreview() }
            isAnimated = bits.flag()
            if isAnimated { bits.skipAnimation() }
        }
        isDeep = bits.isDeep()
        // Whether buffers of 16 bits suffice.
        _ = bits.flag()
        extraChannels = bits.choice(.value(0), .value(1), .bits(4, 2), .bits(12, 1))
        guard extraChannels <= Self.maxExtraChannels else {
            bits.end()
            return false
        }
        for _ in 0..<extraChannels { readExtraChannel(&bits) }
        isXYB = bits.flag()
        colors = JXLColors(&bits)
        dynamicRange = HighDynamicRange(primariesCode: colors.primaries, transferCode: colors.transfer)
        // Of XYB with a profile the library makes linear light.
        needsDeepSamples = colors.isLinear || isXYB && colors.hasProfile || dynamicRange != nil
        if hasMore, !bits.flag() {
            dynamicRange?.addPeaks(content: bits.half())
            // The darkest light, and below which light the curve is linear.
            _ = bits.number(33)
        }
        // Extensions have a length that is not read here.
        return !hasPreview && bits.choice(.value(0), .bits(4, 1), .bits(8, 17), .value(1)) == 0
    }

    /// The memory in bytes that libjxl takes for each pixel, with the decoded samples.
    ///
    /// Versions 0.7 and 0.10 took up to 29 for colours without transparency, and 44 with it. Of a single frame of
    /// coefficients 0.7 took up to 7, and 21 with samples of 16 bits.
    func bytesPerPixel(isDeep: Bool) -> Int {
        isStreamed ? (isDeep ? 23 : 8) : (isDeep ? 8 : 4) + 28 + extraChannels * 16
    }

    private mutating func readExtraChannel(_ bits: inout JXLBits) {
        guard !bits.flag() else {
            hasAlpha = true
            return
        }
        let type = bits.enumeration()
        _ = bits.isDeep()
        _ = bits.choice(.value(0), .value(3), .value(4), .bits(3, 1))
        let name = bits.choice(.value(0), .bits(4, 0), .bits(5, 16), .bits(10, 48))
        for _ in 0..<name { _ = bits.number(8) }
        switch type {
        case Channel.alpha:
            hasAlpha = true
            // Whether the colours are multiplied by it, which libjxl reverses.
            _ = bits.flag()
        case Channel.spot: for _ in 0..<4 { _ = bits.number(16) }
        case Channel.filter: _ = bits.choice(.value(1), .bits(2, 0), .bits(4, 3), .bits(8, 19))
        case Channel.black: hasBlack = true
        default: break
        }
    }
}

/// The colours that a codestream states, with the code points of ITU-T H.273 where these exist.
struct JXLColors {
    private enum Space { static let grey = 1, xyb = 2 }
    private static let custom = 2

    private(set) var isGrey = false
    private(set) var hasProfile = false
    /// Whether the colours are those of sRGB, or grey with its curve.
    private(set) var isSRGB = true
    /// The code point of the primaries; 2 for others.
    private(set) var primaries = 1
    /// The code point of the transfer function; 2 for others.
    private(set) var transfer = 13

    var isLinear: Bool { transfer == 8 }

    init() {}

    init(_ bits: inout JXLBits) {
        if bits.flag() { return }
        hasProfile = bits.flag()
        let space = bits.enumeration()
        isGrey = space == Space.grey
        guard !hasProfile, space != Space.xyb else {
            (isSRGB, primaries, transfer) = (false, 2, 2)
            return
        }
        let white = bits.enumeration()
        if white == Self.custom { bits.skipPoint() }
        if !isGrey {
            primaries = bits.enumeration()
            if primaries == Self.custom { for _ in 0..<3 { bits.skipPoint() } }
        }
        if bits.flag() {
            _ = bits.number(24)
            transfer = 2
        } else {
            transfer = bits.enumeration()
        }
        // The rendering intent.
        _ = bits.enumeration()
        isSRGB = white == 1 && primaries == 1 && transfer == 13 && space <= Space.grey
        // The primaries of P3 with its own white are others.
        if white != 1 { primaries = 2 } else if primaries == 11 { primaries = 12 }
    }
}

/// Reads the fields of a codestream's header, lowest bits first; after the end, all are 0.
struct JXLBits {
    /// The values of a field of variable length.
    enum Distribution {
        case value(Int)
        /// The number of bits, and the offset that is added to their value.
        case bits(Int, Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var hasEnded = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func end() { hasEnded = true }

    mutating func number(_ count: Int) -> Int {
        guard !hasEnded, position + count <= bytes.count * 8 else {
            hasEnded = true
            return 0
        }
        var value = 0
        for index in 0..<count {
            let bit = Int(bytes[(position + index) / 8] >> UInt8((position + index) % 8) & 1)
            value |= bit << index
        }
        position += count
        return value
    }

    mutating func flag() -> Bool { number(1) == 1 }

    /// Reads two bits, and then the value that they choose.
    mutating func choice(_ first: Distribution, _ second: Distribution, _ third: Distribution, _ fourth: Distribution)
        -> Int
    {
        switch [first, second, third, fourth][number(2)] {
        case .value(let value): return value
        case .bits(let count, let offset): return number(count) + offset
        }
    }

    mutating func enumeration() -> Int { choice(.value(0), .value(1), .bits(4, 2), .bits(6, 18)) }

    /// Reads a floating-point number of 16 bits; infinity and values without a number are 0.
    mutating func half() -> Double {
        let bits = number(16)
        let (exponent, mantissa) = (bits >> 10 & 31, Double(bits & 1023) / 1024)
        guard exponent < 31 else { return 0 }
        let size = exponent == 0 ? mantissa / 16384 : (1 + mantissa) * Double(1 << exponent) / 16384 / 2
        return bits >> 15 == 1 ? -size : size
    }

    /// Reads the bits of samples; returns whether they are more than 8, or floating-point numbers.
    mutating func isDeep() -> Bool {
        if flag() {
            _ = choice(.value(32), .value(16), .value(24), .bits(6, 1))
            _ = number(4)
            return true
        }
        return choice(.value(8), .value(10), .value(12), .bits(6, 1)) > 8
    }

    /// Reads the start of the first frame; returns whether it is the only one, is whole, and has coefficients.
    mutating func startsStreamedFrame(isXYB: Bool) -> Bool {
        // Other colours of XYB or filters of the frame's size, which are unusual; then the frame starts with a byte.
        guard flag() else { return false }
        position = (position + 7) / 8 * 8
        if flag() { return true }
        let (type, encoding) = (number(2), number(1))
        let flags = choice(.value(0), .bits(4, 1), .bits(8, 17), .value(1 << 5))
        // A frame that uses another one's means of blocks is preceded by that.
        guard !hasEnded, type == 0, encoding == 0, flags & 1 << 5 == 0 else { return false }
        if !isXYB, flag() { _ = number(6) }
        _ = number(2)
        if isXYB { _ = number(6) }
        if number(2) != 0 { return false }
        // Neither a part of the canvas nor blended with it, and the last one.
        return !flag() && number(2) == 0 && flag()
    }

    mutating func size() -> (width: Int, height: Int) {
        let isSmall = flag()
        let height = isSmall ? (number(5) + 1) * 8 : length()
        // Widths for one height, for usual proportions.
        let proportions = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let ratio = number(3)
        guard ratio == 0 else {
            let (across, down) = proportions[ratio - 1]
            return (height * across / down, height)
        }
        return (isSmall ? (number(5) + 1) * 8 : length(), height)
    }

    private mutating func length() -> Int { choice(.bits(9, 1), .bits(13, 1), .bits(18, 1), .bits(30, 1)) }

    mutating func skipPreview() {
        let isSmall = flag()
        func skipLength(_ bits: inout JXLBits) {
            _ =
                isSmall
                ? bits.choice(.value(16), .value(32), .bits(5, 1), .bits(9, 33))
                : bits.choice(.bits(6, 1), .bits(8, 65), .bits(10, 321), .bits(12, 1345))
        }
        skipLength(&self)
        if number(3) == 0 { skipLength(&self) }
    }

    mutating func skipAnimation() {
        _ = choice(.value(100), .value(1000), .bits(10, 1), .bits(30, 1))
        _ = choice(.value(1), .value(1001), .bits(8, 1), .bits(10, 1))
        _ = choice(.value(0), .bits(3, 0), .bits(16, 0), .bits(32, 0))
        _ = flag()
    }

    /// Skips a point in the chromaticity diagram.
    mutating func skipPoint() {
        for _ in 0..<2 { _ = choice(.bits(19, 0), .bits(19, 524_288), .bits(20, 1_048_576), .bits(21, 2_097_152)) }
    }
}

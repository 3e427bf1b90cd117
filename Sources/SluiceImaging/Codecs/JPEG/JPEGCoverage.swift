// SPDX-License-Identifier: MIT

/// Which coefficients the scans of a JPEG deliver, up to some byte or the end of the file.
///
/// A multi-scan JPEG without its end marker may lack whole scans, which libjpeg would not notice.
struct JPEGCoverage {
    private static let coefficients = 64

    /// The number of bits that each coefficient of a component still lacks; `nil` before the first scan has it.
    private var missingBits: [Int: [Int?]] = [:]
    /// The components that libjpeg decodes at a larger scale than the others.
    private var subsampledIDs: Set<Int> = []
    private var isProgressive = false
    /// Whether a missing end of the data would be noticed; arithmetic coding may omit trailing zeros.
    private var isHuffman = false

    /// Starts before the first scan.
    init() {}

    /// Reads the headers of all scans.
    init(of input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var segments = JPEGSegments()
        do throws(ImagingError) {
            while let segment = try segments.next(in: &window) {
                switch segment.marker {
                case 0xC0...0xC2: begin(Array(try window.bytes(segment.body)), isProgressive: segment.marker == 0xC2)
                case 0xDA:
                    try watchdog.check()
                    add(Array(try window.bytes(segment.body)))
                default: break
                }
            }
        } catch {
            guard error.isDamage else { throw error }
        }
    }

    /// Whether every coefficient of every component has arrived with all its bits.
    var isComplete: Bool {
        isHuffman && !missingBits.isEmpty && missingBits.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    /// Whether the scans so far make an image at `eighths`/8 of its size that looks like that of the whole file.
    ///
    /// Each pixel at 1/8 is the mean of a block, and libjpeg decodes subsampled components at twice the scale. The last
    /// bit of a coefficient is not needed, except that of means at larger scales.
    func suffices(eighths: Int) -> Bool {
        guard isHuffman, isProgressive, eighths < 8, !missingBits.isEmpty else { return false }
        return missingBits.allSatisfy { id, bits in
            guard let mean = bits[0], mean <= (eighths == 1 ? 1 : 0) else { return false }
            return eighths == 1 && !subsampledIDs.contains(id) || bits.allSatisfy { $0.map { $0 <= 1 } ?? false }
        }
    }

    mutating func begin(_ frame: [UInt8], isProgressive: Bool) {
        self.isProgressive = isProgressive
        isHuffman = true
        for start in stride(from: 6, to: frame.count - 2, by: 3) {
            missingBits[Int(frame[start])] = Array(repeating: nil, count: Self.coefficients)
        }
        subsampledIDs = Set(missingBits.keys).subtracting(JPEGScans.findFullResolutionIDs(of: frame))
    }

    /// Reads a scan's header, whose coefficients count from now on.
    mutating func add(_ scan: [UInt8]) {
        guard let count = scan.first.map(Int.init), scan.count >= 4 + 2 * count else { return }
        let (first, last) = (Int(scan[1 + 2 * count]), Int(scan[2 + 2 * count]))
        guard !isProgressive || first <= last && last < Self.coefficients else { return }
        let range = isProgressive ? first..<last + 1 : 0..<Self.coefficients
        let bits = isProgressive ? Int(scan[3 + 2 * count] & 15) : 0
        for component in 0..<count {
            for index in range { missingBits[Int(scan[1 + 2 * component])]?[index] = bits }
        }
    }
}

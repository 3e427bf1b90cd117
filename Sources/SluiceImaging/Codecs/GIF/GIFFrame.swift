// SPDX-License-Identifier: MIT

/// A frame of a GIF and its position on the canvas.
struct GIFFrame {
    /// The canvas in pixels; as in browsers, it is large enough for the first frame.
    let canvas: (width: Int, height: Int)
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    let control: GIFControl
    /// How often the animation is played, as stated before the frame.
    let loops: Int
    /// The byte range of the global colour table, with which the screen's description ends; it may be empty.
    let globalColors: Range<Int>
    /// The byte range of the frame's own colour table, which may be empty.
    let localColors: Range<Int>
    /// The offset of the frame's introducer.
    let start: Int

    /// Finds the next frame, and moves `blocks` past its descriptor; `nil` if there is none.
    init?(next blocks: inout GIFBlocks, in window: inout ByteWindow) throws(ImagingError) {
        var control = GIFControl()
        var loops = 1
        var found: Int?
        while found == nil {
            switch try blocks.next(in: &window) {
            case .image(let descriptor): found = descriptor
            case .control(let block): control = block
            case .loops(let count): loops = count
            case .other: continue
            case nil: return nil
            }
        }
        guard let descriptor = found else { preconditionFailure("the loop ends with an image") }
        x = try window.littleEndian(at: descriptor, count: 2)
        y = try window.littleEndian(at: descriptor + 2, count: 2)
        width = try window.littleEndian(at: descriptor + 4, count: 2)
        height = try window.littleEndian(at: descriptor + 6, count: 2)
        let flags = try window.uint8(at: descriptor + 8)
        guard width > 0, height > 0 else { throw ImagingError(.corrupt, "GIF frame of \(width)x\(height) pixels") }
        canvas = (
            max(try window.littleEndian(at: 6, count: 2), x + width),
            max(try window.littleEndian(at: 8, count: 2), y + height)
        )
        isInterlaced = flags & 0x40 != 0
        (self.control, self.loops) = (control, loops)
        globalColors = blocks.globalColors
        localColors = GIFBlocks.colors(at: descriptor + GIFBlocks.descriptorBytes, flags: flags)
        start = descriptor - 1
    }

    /// Finds the first frame, and moves `blocks` past its descriptor.
    init(_ blocks: inout GIFBlocks, _ window: inout ByteWindow) throws(ImagingError) {
        guard let frame = try GIFFrame(next: &blocks, in: &window) else {
            throw ImagingError(.corrupt, "GIF without an image")
        }
        self = frame
    }

    /// Finds the first frame of a file.
    init(of input: ImageInput) throws(ImagingError) {
        var window = ByteWindow(input)
        var blocks = try GIFBlocks(&window)
        try self.init(&blocks, &window)
    }

    /// The offset of the frame's data.
    var dataStart: Int { start + 1 + GIFBlocks.descriptorBytes + localColors.count }

    /// Whether some pixels of the canvas may be transparent.
    var hasAlpha: Bool { control.transparentColor != nil || canvas != (width, height) }

    /// The rows of the frame in the order in which they are stored.
    var storedRows: [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    /// Reads the 256 colours as RGBA; those that the table lacks are black, as in browsers.
    func readColors(_ input: ImageInput) throws(ImagingError) -> [UInt8] {
        let range = localColors.isEmpty ? globalColors : localColors
        guard !range.isEmpty else { throw ImagingError(.corrupt, "GIF without colours") }
        let table = try input.read(at: range.lowerBound, count: range.count)
        guard table.count == range.count else { throw ImagingError(.truncated, "\(input.count) bytes") }
        var colors: [UInt8] = []
        for color in 0..<256 {
            colors += color * 3 < table.count ? table[color * 3..<color * 3 + 3] : [0, 0, 0]
            colors.append(255)
        }
        if let transparentColor = control.transparentColor {
            let start = Int(transparentColor) * 4
            colors.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
        }
        return colors
    }
}

extension ImageHeader {
    /// Reads the blocks of a GIF up to its first image, and counts further images.
    static func gif(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        var blocks = try GIFBlocks(&window)
        let frame = try GIFFrame(&blocks, &window)
        var info = ImageInfo(format: .gif, width: frame.canvas.width, height: frame.canvas.height)
        info.hasAlpha = frame.hasAlpha
        info.isProgressive = frame.isInterlaced
        info.frames += try furtherFrames(blocks, window)
        var header = ImageHeader(info)
        header.loops = frame.loops
        header.wholeImageBytes = frame.isInterlaced ? frame.width * frame.height : 0
        return header
    }

    /// Counts the images after the first one, up to the first damage or to a limit of bytes.
    private static func furtherFrames(_ blocks: GIFBlocks, _ window: ByteWindow) throws(ImagingError) -> Int {
        var (blocks, window) = (blocks, window)
        let end = blocks.offset + maxCountedBytes
        var frames = 0
        do throws(ImagingError) {
            while blocks.offset < end, let block = try blocks.next(in: &window) {
                if case .image = block { frames += 1 }
            }
        } catch {
            if error.code == .disk { throw error }
        }
        return frames
    }

    /// Counting reads the file, which would delay the limits for a huge one.
    private static let maxCountedBytes = 64 << 20
}

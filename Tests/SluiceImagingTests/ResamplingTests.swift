// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Resampling", .timeLimit(.minutes(10))) struct ResamplingTests {
    /// Makes one thumbnail and decodes it; options that `change` leaves are the defaults, except the PNG format.
    static func thumbnail(
        _ image: Raster, _ size: String, orientation: Int = 1, _ change: (inout ThumbnailOptions) -> Void
    ) throws -> Raster {
        var options = ThumbnailOptions()
        options.sizes = [try #require(ThumbnailSize(size))]
        options.format = .png
        change(&options)
        var encoder = ImageEncoder(orientation == 1 ? .png : .jpeg)
        encoder.quality = 95
        encoder.subsampling = .full
        encoder.orientation = orientation
        let result = try Thumbnailer(options).thumbnails(of: encoder.encode(image))
        let decoded = try decode(result.thumbnails[0].bytes)
        #expect(decoded.width == result.thumbnails[0].width && decoded.height == result.thumbnails[0].height)
        return decoded
    }

    @Test(
        "Every kernel keeps the centre, plain images, and the mean brightness",
        arguments: ThumbnailOptions.Kernel.allCases)
    func kernels(kernel: ThumbnailOptions.Kernel) throws {
        let square = SampleImages.make(96, 96, .grey) { x, y in
            (40..<56).contains(x) && (40..<56).contains(y) ? [250] : [5]
        }
        for size in ["24", "32", "96", "17"] {
            let small = try Self.thumbnail(square, size) { $0.kernel = kernel }
            let last = small.width - 1
            for y in 0...last {
                for x in 0...last {
                    // If the centre lies between two pixels, rounding decides which of them is nearest.
                    guard kernel != .nearest || small.width % 2 == 1 || small.width == 96 else { continue }
                    #expect(abs(small.pixel(x, y)[0] - small.pixel(last - x, last - y)[0]) <= 1, "\(size): \(x),\(y)")
                }
            }
            let plain = SampleImages.plain(50, 70, .rgb, [7, 128, 250])
            let even = try Self.thumbnail(plain, size) { $0.kernel = kernel }
            #expect(even == SampleImages.plain(even.width, even.height, .rgb, [7, 128, 250]))
        }
        guard kernel != .nearest else { return }
        let fine = SampleImages.make(128, 128, .grey) { x, y in [(x + y) % 2 == 0 ? 40 : 200] }
        let mean = try Self.thumbnail(fine, "16") { $0.kernel = kernel }
        #expect(mean.bytes.allSatisfy { abs(Int($0) - 120) <= 2 })
    }

    @Test("The area kernel gives means, and the nearest kernel only existing colours")
    func exactKernels() throws {
        let image = SampleImages.make(12, 12, .grey) { x, y in [UInt8((x * 21 + y * 13) % 251)] }
        let mean = try Self.thumbnail(image, "4") { $0.kernel = .area }
        let picked = try Self.thumbnail(image, "4") { $0.kernel = .nearest }
        for y in 0..<4 {
            for x in 0..<4 {
                let block = (0..<9).map { image.pixel(x * 3 + $0 % 3, y * 3 + $0 / 3)[0] }
                #expect(abs(Double(mean.pixel(x, y)[0]) - Double(block.reduce(0, +)) / 9) <= 1)
                #expect(picked.pixel(x, y) == image.pixel(x * 3 + 1, y * 3 + 1))
            }
        }
        let large = try Self.thumbnail(image, "36") {
            $0.kernel = .nearest
            $0.enlarges = true
        }
        #expect(large == SampleImages.make(36, 36, .grey) { x, y in [UInt8(image.pixel(x / 3, y / 3)[0])] })
    }

    @Test("The kernel area-lanczos3 shrinks like area and enlarges like Lanczos, each axis for itself")
    func combinedKernel() throws {
        let image = SampleImages.make(24, 12, .grey) { x, y in [UInt8((x * 21 + y * 13) % 251)] }
        func thumbnail(_ size: String, _ kernel: ThumbnailOptions.Kernel) throws -> Raster {
            try Self.thumbnail(image, size) {
                $0.kernel = kernel
                $0.fit = .fill
            }
        }
        for (size, same, other): (String, ThumbnailOptions.Kernel, ThumbnailOptions.Kernel) in [
            ("8x4", .area, .lanczos3), ("36x18", .lanczos3, .area),
        ] {
            #expect(try thumbnail(size, .areaLanczos3) == thumbnail(size, same))
            #expect(try thumbnail(size, .areaLanczos3) != thumbnail(size, other))
        }
        #expect(try thumbnail("8x18", .areaLanczos3) != thumbnail("8x18", .area))
        #expect(try thumbnail("8x18", .areaLanczos3) != thumbnail("8x18", .lanczos3))
    }

    @Test("Mitchell rings less and blurs more than Lanczos")
    func mitchell() throws {
        let edge = SampleImages.make(90, 9, .grey) { x, _ in [x < 45 ? 60 : 200] }
        let soft = try Self.thumbnail(edge, "30") { $0.kernel = .mitchell }
        let sharp = try Self.thumbnail(edge, "30") { _ in }
        func swing(_ raster: Raster) -> Int { Int(raster.bytes.max() ?? 0) - Int(raster.bytes.min() ?? 0) }
        #expect(swing(soft) < swing(sharp) && swing(soft) >= 140)
        #expect(soft.pixel(15, 1)[0] - soft.pixel(14, 1)[0] < sharp.pixel(15, 1)[0] - sharp.pixel(14, 1)[0])
    }

    @Test("Small images are enlarged only on request")
    func enlarging() throws {
        let image = SampleImages.landscape(20, 10)
        #expect(try Self.thumbnail(image, "50") { _ in }.width == 20)
        let large = try Self.thumbnail(image, "50") { $0.enlarges = true }
        #expect(large.width == 50 && large.height == 25)
        #expect(abs(large.pixel(0, 0)[0]) <= 6 && large.pixel(49, 0)[0] >= 249)
        #expect(try Self.thumbnail(image, "x30") { $0.enlarges = true }.width == 60)
        let refused = failure { () throws(ImagingError) in
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: 16383, height: nil)]
            options.enlarges = true
            return try Thumbnailer(options).thumbnails(of: ImageEncoder(.png).encode(SampleImages.landscape(2, 90)))
        }
        #expect(refused?.code == .tooManyPixels)
    }

    typealias Corner = (gravity: ThumbnailOptions.Gravity, x: Int, y: Int)
    static let corners: [Corner] = [
        (.centre, 1, 1), (.north, 1, 0), (.northeast, 2, 0), (.east, 2, 1), (.southeast, 2, 2), (.south, 1, 2),
        (.southwest, 0, 2), (.west, 0, 1), (.northwest, 0, 0),
    ]

    @Test("Gravity chooses the kept part for every orientation", arguments: corners)
    func gravity(corner: Corner) throws {
        // Nine fields with different colours, which differ from the middle field in red or green.
        func color(_ x: Int, _ y: Int) -> [Int] { [20 + 100 * x, 20 + 100 * y, 128] }
        let upright = SampleImages.make(96, 96, .rgb) { x, y in color(x / 32, y / 32).map { UInt8($0) } }
        for orientation in 1...8 {
            let inverse = [0, 1, 2, 3, 4, 5, 8, 7, 6][orientation]
            let stored = upright.upright(from: inverse)
            for size in ["30x10", "10x30"] {
                let part = try Self.thumbnail(stored, size, orientation: orientation) {
                    $0.fit = .cover
                    $0.gravity = corner.gravity
                }
                let (x, y) = (size == "30x10" ? 1 : corner.x, size == "30x10" ? corner.y : 1)
                let middle = part.pixel(part.width / 2, part.height / 2)
                let isNear = zip(middle, color(x, y)).allSatisfy { abs($0 - $1) <= 12 }
                #expect(isNear, "\(size), turned \(orientation): \(middle)")
            }
        }
    }

    @Test("Attention picks the detailed part, or the centre of a uniform image", arguments: [0, 1, 2, 3])
    func attention(quarter: Int) throws {
        func busy(_ along: Int, _ across: Int) -> [UInt8] {
            along / 60 == quarter ? [UInt8((along * 7 ^ across * 13) % 200 + 20)] : [90]
        }
        let wide = SampleImages.make(240, 60, .grey, busy)
        let high = SampleImages.make(60, 240, .grey) { x, y in busy(y, x) }
        for (image, size) in [(wide, "30"), (high, "30"), (wide, "60"), (wide, "90")] {
            let part = try Self.thumbnail(image, size) {
                $0.fit = .cover
                $0.gravity = .attention
            }
            let still = part.bytes.filter { abs(Int($0) - 90) <= 1 }.count
            #expect(part.width == part.height && still * 5 < part.bytes.count, "\(size): \(still)")
        }
        let calm = SampleImages.make(90, 30, .grey) { x, _ in [UInt8(x)] }
        let middle = try Self.thumbnail(calm, "30") {
            $0.fit = .cover
            $0.gravity = .attention
        }
        #expect(abs(middle.pixel(15, 15)[0] - 45) <= 1)
    }

    @Test("A very long strip is cropped at its centre without a search")
    func strip() throws {
        let strip = SampleImages.make(3, 9000, .grey) { _, y in [UInt8(y * 255 / 9000)] }
        let part = try Self.thumbnail(strip, "60") {
            $0.fit = .cover
            $0.gravity = .attention
        }
        #expect(part.width == 60 && part.height == 60 && abs(part.pixel(30, 30)[0] - 127) <= 1)
    }

    @Test("Gravity positions a padded image on its background")
    func padding() throws {
        let image = SampleImages.plain(40, 20, .rgb, [10, 200, 30])
        for (gravity, top) in [(ThumbnailOptions.Gravity.centre, 10), (.north, 0), (.southeast, 20), (.attention, 10)] {
            let padded = try Self.thumbnail(image, "40") {
                $0.fit = .pad
                $0.gravity = gravity
                $0.background = BackgroundColor(red: 1, green: 2, blue: 3)
            }
            let expected = SampleImages.make(40, 40, .rgb) { _, y in
                (top..<top + 20).contains(y) ? [10, 200, 30] : [1, 2, 3]
            }
            #expect(padded == expected)
        }
        #expect(try Self.thumbnail(image, "80") { $0.fit = .pad }.pixel(20, 40) == [10, 200, 30])
        #expect(try Self.thumbnail(image, "80") { $0.fit = .pad }.pixel(19, 40) == [255, 255, 255])
        #expect(try Self.thumbnail(image, "x10") { $0.fit = .pad }.width == 20)
    }

    @Test("Padding keeps grey images grey and can be transparent")
    func paddingLayouts() throws {
        let grey = SampleImages.plain(20, 10, .grey, [77])
        #expect(try Self.thumbnail(grey, "20") { $0.fit = .pad }.layout == .grey)
        let clear = try Self.thumbnail(grey, "20") {
            $0.fit = .pad
            $0.background = .transparent
        }
        #expect(clear.pixel(0, 0)[3] == 0 && clear.pixel(10, 10) == [77, 77, 77, 255])
        let through = SampleImages.plain(20, 10, .rgba, [200, 0, 0, 0])
        let flat = try Self.thumbnail(through, "20") {
            $0.fit = .pad
            $0.format = .jpeg
            $0.background = .black
        }
        #expect(flat.bytes.allSatisfy { $0 <= 2 })
    }

    @Test("An image's colour and hashes ignore its padding")
    func paddedPlaceholder() throws {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 40, height: 40)]
        let file = try ImageEncoder(.png).encode(SampleImages.landscape(160, 20))
        let plain = try Thumbnailer(options).thumbnails(of: file)
        options.fit = .pad
        let padded = try Thumbnailer(options).thumbnails(of: file)
        #expect(padded.color == plain.color && padded.placeholder == plain.placeholder && padded.phash == plain.phash)
        #expect(padded.thumbnails[0].height == 40)
    }

    @Test("Sharpening steepens edges and leaves plain areas, alpha and hidden colours unchanged")
    func sharpening() throws {
        let edge = SampleImages.make(8, 4, .grey) { x, _ in [x < 4 ? 100 : 140] }
        #expect(edge.sharpened(0) == edge && edge.sharpened(.nan) == edge)
        // A quarter of the weighted neighbours differs by 40, so half of 10 is added.
        #expect(edge.sharpened(0.5).bytes[0..<8] == [100, 100, 100, 95, 145, 140, 140, 140])
        #expect(edge.sharpened(.infinity).bytes[0..<8] == [100, 100, 100, 60, 180, 140, 140, 140])
        #expect(edge.upright(from: 6).sharpened(0.5) == edge.sharpened(0.5).upright(from: 6))
        let even = SampleImages.plain(5, 5, .rgb, [3, 130, 255])
        #expect(even.sharpened(4) == even)
        let clear = SampleImages.make(8, 4, .rgba) { x, _ in x < 4 ? [90, 80, 70, 200] : [255, 0, 0, 0] }
        #expect(clear.sharpened(2) == clear)
        let sharp = try Self.thumbnail(edge, "8") { $0.sharpen = 0.5 }
        #expect(sharp == edge.sharpened(0.5))
    }

    @Test("Background colours are parsed from every documented form")
    func backgrounds() {
        let texts = [
            "white": "#ffffff", "#0af": "#00aaff", "102030": "#102030", "#10203040": "#10203040", "black": "#000000",
        ]
        for (text, meant) in texts { #expect(BackgroundColor(text)?.description == meant, "\(text)") }
        for text in ["", "#", "#12", "#12345", "red", "#1234567890", "#ggg", "#１２３"] {
            #expect(BackgroundColor(text) == nil, "\(text)")
        }
        #expect(BackgroundColor("transparent")?.alpha == 0)
    }
}

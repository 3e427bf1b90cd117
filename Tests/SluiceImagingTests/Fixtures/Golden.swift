// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// A test case with a stored thumbnail: the source file and the options.
struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let file: @Sendable () throws -> [UInt8]
    let change: @Sendable (inout ThumbnailOptions) -> Void

    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout ThumbnailOptions) -> Void = { _ in }) {
        self.init(name, of: try SampleImages.file(.png, Self.scene), change)
    }

    init(
        _ name: String, of file: @autoclosure @escaping @Sendable () throws -> [UInt8],
        _ change: @escaping @Sendable (inout ThumbnailOptions) -> Void = { _ in }
    ) {
        self.name = name
        self.file = file
        self.change = change
    }

    /// Makes the thumbnail with the current code.
    func thumbnail() throws -> Raster {
        try decode(
            ColorTests.thumbnail(file()) {
                $0.sizes = [ThumbnailSize(width: 32, height: 24)]
                change(&$0)
            }.file)
    }

    /// An asymmetric image with soft and hard edges, fine stripes, saturated and dark colours.
    static let scene = SampleImages.make(150, 90, .rgb) { x, y in
        if (x - 40) * (x - 40) + (y - 30) * (y - 30) < 400 { return [250, UInt8(x * 3), 20] }
        if x > 100, y > 50 { return x % 4 < 2 ? [255, 255, 255] : [0, 0, 0] }
        if y > 70 { return [10, 20, UInt8(x / 3)] }
        return [UInt8(x), UInt8(y * 2), UInt8(255 - x - y)]
    }

    /// The scene with transparency that increases to the right, and a hole.
    static let glass = SampleImages.make(150, 90, .rgba) { x, y in
        let isHole = (x - 100) * (x - 100) + (y - 40) * (y - 40) < 300
        return scene.pixel(x, y).map(UInt8.init) + [isHole ? 0 : UInt8(255 - x)]
    }

    static let all: [Golden] =
        [
            Golden("inside"), Golden("cover") { $0.fit = .cover },
            Golden("cover-north") {
                $0.fit = .cover
                $0.gravity = .northwest
                $0.sizes = [ThumbnailSize(width: 20, height: 32)]
            },
            Golden("cover-attention") {
                $0.fit = .cover
                $0.gravity = .attention
                $0.sizes = [ThumbnailSize(width: 20, height: 20)]
            },
            Golden("fill") { $0.fit = .fill },
            Golden("pad") {
                $0.fit = .pad
                $0.background = BackgroundColor(red: 0x33, green: 0x66, blue: 0x99)
            },
            Golden("pad-transparent") {
                $0.fit = .pad
                $0.background = .transparent
            },
            Golden("enlarge") {
                $0.enlarges = true
                $0.sizes = [ThumbnailSize(width: 180, height: 120)]
            },
            Golden("sharpen") { $0.sharpen = 1 }, Golden("linear") { $0.isLinear = true },
            Golden("fast", of: CustomJPEGs.file(scene)) { $0.qualityMode = .fast },
            Golden("good", of: CustomJPEGs.file(scene, across: 2, down: 2)),
        ] + kernels + orientations + glasses + colors

    private static let kernels = ThumbnailOptions.Kernel.allCases.map { kernel in
        Golden("kernel-\(kernel)") { $0.kernel = kernel }
    }

    private static let orientations = (2...8).map(turned)

    private static func turned(_ orientation: Int) -> Golden {
        Golden(
            "orientation-\(orientation)",
            of: try FilesWithMetadata.file(scene, .png, exif: EXIFBlock.block(orientation: orientation)))
    }

    private static let glasses =
        [
            Golden("glass", of: try SampleImages.file(.png, glass)),
            Golden("glass-linear", of: try SampleImages.file(.png, glass)) { $0.isLinear = true },
            Golden("glass-sharpen", of: try SampleImages.file(.png, glass)) { $0.sharpen = 1 },
        ] + [BackgroundColor.white, .black, BackgroundColor(red: 200, green: 40, blue: 90)].map(flattened)

    private static func flattened(_ background: BackgroundColor) -> Golden {
        Golden("glass-over-\(background.description.dropFirst())", of: try SampleImages.file(.png, glass)) {
            $0.format = .jpeg
            $0.quality = 100
            $0.subsampling = .full
            $0.background = background
        }
    }

    private static let colors = [
        Golden("profile-srgb", of: try FilesWithMetadata.file(scene, .png, LCMSProfiles.proPhoto)),
        Golden("profile-keep", of: try FilesWithMetadata.file(scene, .png, LCMSProfiles.proPhoto)) {
            $0.profile = .keep
        },
        Golden("profile-linear", of: try FilesWithMetadata.file(scene, .png, LCMSProfiles.adobeRGB)) {
            $0.isLinear = true
        },
        Golden(
            "gamma", of: FileBuilder.png(try SampleImages.file(.png, scene), inserting: PNGColorTests.gamma(62_500))),
        Golden("grey", of: try FilesWithMetadata.file(ColorTests.greys, .png, LCMSProfiles.grey22)),
        Golden(
            "inks",
            of: FilesWithMetadata.file(of: CustomJPEGs.file(ColorTests.inks), ColorTests.inks, .jpeg, LCMSProfiles.cmyk)
        ) { $0.fit = .fill },
    ]
}

// SPDX-License-Identifier: MIT

/// What becomes of one picture's colours on their way to its thumbnails.
struct ColorPlan {
    /// The profile that the thumbnails carry; empty for none, which stands for sRGB.
    private(set) var profile: [UInt8] = []
    /// What is odd about the picture's profile, or cannot be done with it.
    private(set) var notes: [String] = []
    private let way: ColorWay?

    /// Plans for pictures of a layout, which have an embedded profile or none.
    init(
        from embedded: [UInt8]?, of layout: PixelLayout, _ info: ImageInfo, _ options: ThumbnailOptions,
        by ways: ColorWays
    ) {
        guard let embedded, options.profile != .strip else {
            way = nil
            return
        }
        let found = ways.way(from: embedded, of: layout, isGrey: info.colorModel == .grey)
        way = found
        if let note = found.note {
            notes = [note]
        } else if options.profile == .keep {
            keep(found, layout, info, options)
        }
    }

    private mutating func keep(
        _ way: ColorWay, _ layout: PixelLayout, _ info: ImageInfo, _ options: ThumbnailOptions
    ) {
        if layout == .cmyk {
            notes = ["colours converted to sRGB: thumbnails are not made in CMYK"]
        } else if info.colorModel == .grey, !options.leavesGrey {
            notes = ["colours converted to sRGB: the thumbnail is not grey, as its profile is"]
        } else if way.embeddable.isEmpty {
            notes = ["colours converted to sRGB: their profile is faulty or too large"]
        } else {
            profile = way.embeddable
        }
    }

    /// A picture in the colours that thumbnails are to have.
    func apply(_ raster: Raster) -> Raster {
        profile.isEmpty ? inSRGB(raster) : raster
    }

    /// What comes of ``apply(_:)`` as it looks: in sRGB, whatever the thumbnails are in.
    func shown(_ raster: Raster) -> Raster {
        profile.isEmpty ? raster : inSRGB(raster)
    }

    private func inSRGB(_ raster: Raster) -> Raster { way?.apply(raster) ?? raster.withoutInks }
}

extension ThumbnailOptions {
    /// Whether a grey picture's thumbnail has no colour, and its format can say so.
    fileprivate var leavesGrey: Bool {
        format != .webp && background.red == background.green && background.green == background.blue
    }
}

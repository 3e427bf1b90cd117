// SPDX-License-Identifier: MIT

/// The colour handling of one image: its conversion to sRGB, and the profile that its thumbnails carry.
struct ColorPlan {
    /// The profile to write into the thumbnails; empty for none, which means sRGB.
    private(set) var profile: [UInt8] = []
    /// Notes about a profile that is ignored or cannot be kept.
    private(set) var notes: [String] = []
    private let conversion: ColorConversion?

    /// Creates a plan for images of a layout with an embedded profile, or without one.
    init(
        from embedded: [UInt8]?, of layout: PixelLayout, _ info: ImageInfo, _ options: ThumbnailOptions,
        using cache: ColorConversionCache
    ) {
        guard let embedded, options.profile != .strip else {
            conversion = nil
            return
        }
        let found = cache.conversion(from: embedded, of: layout, isGrey: info.colorModel == .grey)
        conversion = found
        if let note = found.note {
            notes = [note]
        } else if options.profile == .keep {
            keepProfile(found, layout, info, options)
        }
    }

    private mutating func keepProfile(
        _ conversion: ColorConversion, _ layout: PixelLayout, _ info: ImageInfo, _ options: ThumbnailOptions
    ) {
        if layout == .cmyk {
            notes = ["colours converted to sRGB: thumbnails cannot be CMYK"]
        } else if info.colorModel == .grey, !options.leavesGrey {
            notes = ["colours converted to sRGB: the profile is for grey, but the thumbnail has colours"]
        } else if conversion.embeddable.isEmpty {
            notes = ["colours converted to sRGB: their profile is invalid or too large"]
        } else if !options.accepts(profile: conversion.embeddable, of: info) {
            notes = ["colours converted to sRGB: the thumbnail's format does not allow their profile"]
        } else {
            profile = conversion.embeddable
        }
    }

    /// Returns the image in the thumbnails' colours.
    func apply(_ raster: Raster) -> Raster {
        profile.isEmpty ? inSRGB(raster) : raster
    }

    /// Returns the result of ``apply(_:)`` in sRGB, even if the thumbnails keep another profile.
    func convertedToSRGB(_ raster: Raster) -> Raster {
        profile.isEmpty ? raster : inSRGB(raster)
    }

    private func inSRGB(_ raster: Raster) -> Raster { conversion?.apply(raster) ?? raster.cmykAsRGB }
}

extension ThumbnailOptions {
    /// Whether thumbnails of grey images are grey and the format can store grey.
    fileprivate var leavesGrey: Bool {
        format.alwaysKeepsGrey && background.red == background.green && background.green == background.blue
    }

    /// Whether thumbnails of an image can carry a profile.
    fileprivate func accepts(profile: [UInt8], of info: ImageInfo) -> Bool {
        format.accepts(
            profile: profile, isGrey: info.colorModel == .grey,
            mayBeTransparent: info.hasAlpha || background.alpha < 255)
    }
}

/// Converts a decoder's rows to linear light and forwards them to the scalers.
final class LinearLightConverter: RowReceiving {
    private let receiver: ScalerSet
    private let profile: [UInt8]?
    private let isGrey: Bool
    private var curves: LinearLightCurves?
    private var row = SampleBuffer<UInt16>(count: 0, zero: 0)
    /// The reason why rows are forwarded unconverted, if they are.
    private(set) var note: String?

    /// Creates a converter that uses an embedded profile, or sRGB without one.
    init(_ receiver: ScalerSet, profile: [UInt8]?, isGrey: Bool) {
        (self.receiver, self.profile, self.isGrey) = (receiver, profile, isGrey)
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        curves = LinearLightCurves(profile, of: shape, isGrey: isGrey)
        guard let curves else {
            note = "not resampled in linear light: the profile has no tone curves"
            return receiver.begin(shape)
        }
        var light = shape
        light.depth = 16
        light.curves = curves
        receiver.begin(light)
        row = SampleBuffer(count: shape.width * shape.layout.channels, zero: 0)
    }

    func receive(_ row: Span<UInt8>) {
        guard let curves else { return receiver.receive(row) }
        curves.linearize(row, into: self.row)
        self.row.withBytes { receiver.receive($0) }
    }
}

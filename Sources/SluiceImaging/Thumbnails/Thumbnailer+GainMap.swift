// SPDX-License-Identifier: MIT

extension Thumbnailer {
    /// Adds the picture's gain map to its thumbnails, if the options ask for it and both formats have gain maps.
    ///
    /// A map that is damaged or too large is left out, as the note of the header says.
    func addGainMap(
        to result: inout ThumbnailResult, of image: OpenedImage, _ plans: [ThumbnailPlan], origins: [(x: Int, y: Int)],
        _ watchdog: DecodeWatchdog, _ times: inout ImagingTimes
    ) throws(ImagingError) {
        guard options.dynamicRange == .keep, let note = result.notes.firstIndex(of: ImageHeader.gainMapNote),
            !image.isCompleted, let map = Codecs.codec(of: image.info.format).gainMaps?.gainMap(in: image.input)
        else { return }
        do throws(ImagingError) {
            let added = try add(
                map, to: result.thumbnails, of: image.info, plans, origins: origins, watchdog, &times)
            guard !added.isEmpty else { return }
            result.thumbnails = added
            result.notes.remove(at: note)
        } catch {
            let isUnusable = [.notAnImage, .tooManyScans, .unsupported].contains(error.code)
            guard error.isDamage || isUnusable else { throw error }
        }
    }

    /// Returns the thumbnails with their parts of the map; none if the map does not fit the picture.
    private func add(
        _ map: GainMap, to thumbnails: [Thumbnail], of info: ImageInfo, _ plans: [ThumbnailPlan],
        origins: [(x: Int, y: Int)], _ watchdog: DecodeWatchdog, _ times: inout ImagingTimes
    ) throws(ImagingError) -> [Thumbnail] {
        let header = try ImageHeader(of: map.input)
        guard fits(header.info, info) else { return [] }
        let geometries = plans.indices.map {
            plans[$0].gainMapGeometry(from: origins[$0], of: info, map: header.info)
        }
        let rasters = try decode(header, map.input, geometries, watchdog, &times)
        var metadata = ImageMetadata()
        if !map.rule.usesBaseColors { metadata.profile = try header.readProfile(map.input) ?? [] }
        var added = thumbnails
        for index in thumbnails.indices {
            try watchdog.check()
            guard let handling = Codecs.codec(of: thumbnails[index].format).gainMaps else { return [] }
            let upright = plans[index].pad(
                rasters[index].upright(from: info.orientation), map.rule.neutralColor)
            let bytes = try ImagingTimes.measured(&times.encode) { () throws(ImagingError) in
                try options.encoder(for: upright, metadata).encode(upright)
            }
            added[index].bytes = handling.adding(bytes, map.rule, to: thumbnails[index].bytes)
            if let limit = options.maxBytes, added[index].bytes.count > limit { return [] }
        }
        return added
    }

    /// Whether a map has the picture's proportions, and no more pixels.
    private func fits(_ map: ImageInfo, _ picture: ImageInfo) -> Bool {
        let difference = abs(map.width * picture.height - map.height * picture.width)
        return map.colorModel != .cmyk && map.bitDepth == 8 && map.width <= picture.width
            && map.height <= picture.height && difference <= 2 * max(picture.width, picture.height)
    }

    private func decode(
        _ header: ImageHeader, _ input: ImageInput, _ geometries: [ScaleGeometry], _ watchdog: DecodeWatchdog,
        _ times: inout ImagingTimes
    ) throws(ImagingError) -> [Raster] {
        let scalers = ScalerSet(geometries, of: header.info, kernel: .area)
        let decoder = try Codecs.decoder(for: header.info.format)
        let memory = decoder.memory(for: header, count: input.count, scalers, isLinear: false)
        guard memory <= options.limits.memory else { throw ImagingError(.unsupported, "large gain map") }
        return try ImagingTimes.measured(&times.decode) { () throws(ImagingError) in
            let job = DecodeJob(
                input: input, header: header, minimumSize: scalers.minimumSize, limits: options.limits,
                watchdog: watchdog, usesReference: options.decoder == .reference)
            _ = try decoder.decode(job, into: scalers)
            return scalers.finish()
        }
    }
}

extension ThumbnailPlan {
    /// Returns the part of a stored map that belongs to the thumbnail's picture.
    ///
    /// Maps have half of the thumbnail's size, which costs a quarter of the bytes and is hardly visible; padded ones
    /// have all of it, so that their edges match.
    func gainMapGeometry(from origin: (x: Int, y: Int), of info: ImageInfo, map: ImageInfo) -> ScaleGeometry {
        func axis(_ axis: ScaleGeometry.Axis, _ length: Int, _ mapLength: Int) -> ScaleGeometry.Axis {
            var axis = axis.scaled(by: Double(mapLength) / Double(length))
            if !isPadded { axis.target = min(axis.target.half, max(1, Int(axis.extent.rounded()))) }
            return axis
        }
        let part = shownPart(from: origin, of: info)
        var geometry = part
        geometry.columns = axis(part.columns, info.width, map.width)
        geometry.rows = axis(part.rows, info.height, map.height)
        return geometry
    }
}

extension Int {
    /// Half of a length, rounded up.
    fileprivate var half: Int { (self + 1) / 2 }
}

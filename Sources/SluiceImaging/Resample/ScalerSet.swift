// SPDX-License-Identifier: MIT

/// Scales one image to all requested sizes while its rows arrive.
///
/// A size of at most half of another one is made from that one, which loses no visible detail and costs a fraction.
final class ScalerSet: RowReceiving {
    private let geometries: [ScaleGeometry]
    private let info: ImageInfo
    private let kernel: ThumbnailOptions.Kernel
    /// The number of decoded pixels per pixel of the largest size; `nil` decodes at full size.
    private let oversampling: Double?
    /// For each geometry, the index of the geometry that it is made from; `nil` for the decoder's rows.
    private let parents: [Int?]
    /// The scalers fed with the decoder's rows, and the indices of their geometries.
    private var scalers: [(index: Int, scaler: RowScaler)] = []
    /// The time spent scaling, extrapolated from every thirteenth row.
    ///
    /// Reading the clock for every row would cost as much as scaling a narrow one.
    private(set) var scalingTime = Duration.zero
    private var rows = 0

    init(
        _ geometries: [ScaleGeometry], of info: ImageInfo, kernel: ThumbnailOptions.Kernel = .lanczos3,
        mode: ThumbnailOptions.QualityMode = .good
    ) {
        let isExact = mode == .exact || kernel == .nearest
        self.kernel = kernel
        oversampling = isExact ? nil : mode == .fast ? 1 : 2
        self.geometries = geometries
        self.info = info
        parents = geometries.indices.map { child in
            guard !isExact else { return nil }
            let candidates = geometries.indices.filter { Self.canDerive(geometries[child], from: geometries[$0]) }
            return candidates.min { geometries[$0].rows.target < geometries[$1].rows.target }
        }
    }

    /// The minimum size to decode the image to.
    var minimumSize: (width: Int, height: Int) {
        guard let oversampling else { return (info.width, info.height) }
        let widths = geometries.map { $0.columns.minimumSource(of: info.width, oversampling: oversampling) }
        let heights = geometries.map { $0.rows.minimumSource(of: info.height, oversampling: oversampling) }
        return (widths.max() ?? info.width, heights.max() ?? info.height)
    }

    /// Estimates the scalers' memory in bytes; floating point, because a header may declare sizes that overflow an
    /// integer.
    func memory(_ shape: RowShape) -> Double {
        directIndices.reduce(0) { $0 + RowScaler.memory(shape, geometries[$1], scale: scale(of: shape)) }
    }

    func begin(_ shape: RowShape) {
        let scale = scale(of: shape)
        for index in directIndices {
            let scaler = RowScaler(
                shape, geometry: geometries[index], scale: scale, kernel: kernel, isShrunk: scale.x < 1 || scale.y < 1)
            scalers.append((index, scaler))
        }
    }

    /// The indices of the geometries that are made from the decoder's rows.
    private var directIndices: [Int] { geometries.indices.filter { parents[$0] == nil } }

    private func scale(of shape: RowShape) -> (x: Double, y: Double) {
        (x: shape.exactWidth / Double(info.width), y: shape.exactHeight / Double(info.height))
    }

    func receive(_ row: Span<UInt8>) {
        let isMeasured = rows % Self.measuringInterval == Self.measuringInterval / 2
        rows += 1
        let start = isMeasured ? ContinuousClock.now : nil
        for index in scalers.indices { scalers[index].scaler.receive(row) }
        if let start { scalingTime += (ContinuousClock.now - start) * Self.measuringInterval }
    }

    /// The interval of measured rows; a prime, because the cost of rows varies periodically with the scale.
    private static let measuringInterval = 13

    /// Returns the scaled images in the order of the geometries; call after the last row.
    func finish() -> [Raster] {
        let start = ContinuousClock.now
        defer { scalingTime += ContinuousClock.now - start }
        var made: [Int: Raster] = [:]
        for (index, scaler) in scalers { made[index] = scaler.raster }
        let largestFirst = geometries.indices.sorted { geometries[$0].rows.target > geometries[$1].rows.target }
        for index in largestFirst {
            guard let parent = parents[index], let source = made[parent] else { continue }
            made[index] = scale(source, from: geometries[parent], to: geometries[index])
        }
        return geometries.indices.compactMap { made[$0] }
    }

    private func scale(_ source: Raster, from parent: ScaleGeometry, to geometry: ScaleGeometry) -> Raster {
        let shape = RowShape(width: source.width, height: source.height, layout: source.layout)
        let scaler = RowScaler(
            shape, geometry: geometry,
            scale: (
                x: Double(source.width) / parent.columns.extent, y: Double(source.height) / parent.rows.extent
            ), kernel: kernel)
        source.forEachRow { scaler.receive($0) }
        return scaler.raster
    }

    private static func canDerive(_ child: ScaleGeometry, from parent: ScaleGeometry) -> Bool {
        func canDerive(_ child: ScaleGeometry.Axis, from parent: ScaleGeometry.Axis) -> Bool {
            child.start == 0 && parent.start == 0 && child.extent == parent.extent
                && child.target * 2 <= parent.target && Double(parent.target) <= parent.extent
        }
        return canDerive(child.columns, from: parent.columns) && canDerive(child.rows, from: parent.rows)
    }
}

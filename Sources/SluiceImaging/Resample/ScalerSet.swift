// SPDX-License-Identifier: MIT

/// All sizes of one picture, made while its rows go by.
///
/// A size that is at most half of another one is made from that one: it keeps all that the eye could see, and costs a
/// fraction.
final class ScalerSet: RowReceiving {
    private let fittings: [Fitting]
    private let info: ImageInfo
    private let limits: ImageLimits
    private let kernel: Kernel
    /// How often the largest size is to be decoded; `nil` decodes all of the picture.
    private let times: Double?
    /// For each fitting, the one that it is made from; `nil` for the decoder's rows.
    private let parents: [Int?]
    /// The scalers of the decoder's rows, with the places of their fittings.
    private var scalers: [(place: Int, scaler: RowScaler)] = []

    init(
        _ fittings: [Fitting], of info: ImageInfo, limits: ImageLimits,
        kernel: ThumbnailOptions.Kernel = .lanczos3, mode: ThumbnailOptions.QualityMode = .good
    ) {
        let isExact = mode == .exact || kernel == .nearest
        self.kernel = kernel.weights
        times = isExact ? nil : mode == .fast ? 1 : 2
        self.fittings = fittings
        self.info = info
        self.limits = limits
        parents = fittings.indices.map { child in
            guard !isExact else { return nil }
            let able = fittings.indices.filter { Self.isMade(fittings[child], from: fittings[$0]) }
            return able.min { fittings[$0].rows.target < fittings[$1].rows.target }
        }
    }

    /// The least size that the picture must be decoded to.
    var wanted: (width: Int, height: Int) {
        guard let times else { return (info.width, info.height) }
        let widths = fittings.map { $0.columns.leastSource(of: info.width, times: times) }
        let heights = fittings.map { $0.rows.leastSource(of: info.height, times: times) }
        return (widths.max() ?? info.width, heights.max() ?? info.height)
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        let scale = (x: shape.exactWidth / Double(info.width), y: shape.exactHeight / Double(info.height))
        let direct = fittings.indices.filter { parents[$0] == nil }
        let memory = direct.map { RowScaler.memory(shape, fittings[$0], scale: scale) }.reduce(0, +)
        guard memory <= Double(limits.memory) else {
            throw ImagingError(
                .decodeLimit, "scaling takes \(Int(memory / 1e6)) MB (limit \(limits.memory / 1_000_000))")
        }
        for index in direct {
            scalers.append((index, RowScaler(shape, fitting: fittings[index], scale: scale, kernel: kernel)))
        }
    }

    func receive(_ row: Span<UInt8>) {
        for index in scalers.indices { scalers[index].scaler.receive(row) }
    }

    /// The pictures, in the order of the fittings, once the last row has come.
    func finish() -> [Raster] {
        var made: [Int: Raster] = [:]
        for (place, scaler) in scalers { made[place] = scaler.raster }
        let largestFirst = fittings.indices.sorted { fittings[$0].rows.target > fittings[$1].rows.target }
        for index in largestFirst {
            guard let parent = parents[index], let source = made[parent] else { continue }
            made[index] = scale(source, from: fittings[parent], to: fittings[index])
        }
        return fittings.indices.compactMap { made[$0] }
    }

    private func scale(_ source: Raster, from parent: Fitting, to fitting: Fitting) -> Raster {
        let shape = RowShape(width: source.width, height: source.height, layout: source.layout)
        let scaler = RowScaler(
            shape, fitting: fitting,
            scale: (
                x: Double(source.width) / parent.columns.extent, y: Double(source.height) / parent.rows.extent
            ), kernel: kernel)
        source.forEachRow { scaler.receive($0) }
        return scaler.raster
    }

    private static func isMade(_ child: Fitting, from parent: Fitting) -> Bool {
        func isMade(_ child: Fitting.Axis, from parent: Fitting.Axis) -> Bool {
            child.start == 0 && parent.start == 0 && child.extent == parent.extent
                && child.target * 2 <= parent.target && Double(parent.target) <= parent.extent
        }
        return isMade(child.columns, from: parent.columns) && isMade(child.rows, from: parent.rows)
    }
}

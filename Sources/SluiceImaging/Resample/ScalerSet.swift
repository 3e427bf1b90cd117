// SPDX-License-Identifier: MIT

/// All sizes of one picture, made while its rows go by.
///
/// A size that is at most half of another one is made from that one: it keeps all that the eye could see, and costs a
/// fraction.
final class ScalerSet: RowReceiving {
    private let fittings: [Fitting]
    private let info: ImageInfo
    private let kernel: ThumbnailOptions.Kernel
    /// How often the largest size is to be decoded; `nil` decodes all of the picture.
    private let times: Double?
    /// For each fitting, the one that it is made from; `nil` for the decoder's rows.
    private let parents: [Int?]
    /// The scalers of the decoder's rows, with the places of their fittings.
    private var scalers: [(place: Int, scaler: RowScaler)] = []
    /// What scaling took so far, reckoned from every thirteenth row: to look at the clock for each would cost as much as the
    /// scaling of a narrow one.
    private(set) var spent = Duration.zero
    private var rows = 0

    init(
        _ fittings: [Fitting], of info: ImageInfo, kernel: ThumbnailOptions.Kernel = .lanczos3,
        mode: ThumbnailOptions.QualityMode = .good
    ) {
        let isExact = mode == .exact || kernel == .nearest
        self.kernel = kernel
        times = isExact ? nil : mode == .fast ? 1 : 2
        self.fittings = fittings
        self.info = info
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

    /// About how many bytes the scalers of such rows take; in floating point, as a header may claim what no integer holds.
    func memory(_ shape: RowShape) -> Double {
        direct.reduce(0) { $0 + RowScaler.memory(shape, fittings[$1], scale: scale(of: shape)) }
    }

    func begin(_ shape: RowShape) {
        let scale = scale(of: shape)
        for index in direct {
            let scaler = RowScaler(
                shape, fitting: fittings[index], scale: scale, kernel: kernel, isShrunk: scale.x < 1 || scale.y < 1)
            scalers.append((index, scaler))
        }
    }

    /// The fittings that are made of the decoder's rows.
    private var direct: [Int] { fittings.indices.filter { parents[$0] == nil } }

    private func scale(of shape: RowShape) -> (x: Double, y: Double) {
        (x: shape.exactWidth / Double(info.width), y: shape.exactHeight / Double(info.height))
    }

    func receive(_ row: Span<UInt8>) {
        let isMeasured = rows % Self.measured == Self.measured / 2
        rows += 1
        let start = isMeasured ? ContinuousClock.now : nil
        for index in scalers.indices { scalers[index].scaler.receive(row) }
        if let start { spent += (ContinuousClock.now - start) * Self.measured }
    }

    /// One row of so many is measured: a prime number, since what a row costs comes round with the scale.
    private static let measured = 13

    /// The pictures, in the order of the fittings, once the last row has come.
    func finish() -> [Raster] {
        let start = ContinuousClock.now
        defer { spent += ContinuousClock.now - start }
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

// SPDX-License-Identifier: MIT

extension Raster {
    /// The picture stretched to a size.
    func resized(to width: Int, _ height: Int) -> Raster {
        guard width != self.width || height != self.height else { return self }
        let size = ThumbnailSize(width: width, height: height)
        return resized(Fitting(width: self.width, height: self.height, into: size, .fill), by: .lanczos3)
    }

    /// The picture made smaller, if need be, so that no side is above `side`.
    func resized(within side: Int, by kernel: ThumbnailOptions.Kernel) -> Raster {
        guard max(width, height) > side else { return self }
        let size = ThumbnailSize(width: side, height: side)
        return resized(Fitting(width: width, height: height, into: size, .inside), by: kernel)
    }

    private func resized(_ fitting: Fitting, by kernel: ThumbnailOptions.Kernel) -> Raster {
        let shape = RowShape(width: width, height: height, layout: layout)
        let scaler = RowScaler(shape, fitting: fitting, scale: (x: 1, y: 1), kernel: kernel)
        forEachRow { scaler.receive($0) }
        return scaler.raster
    }
}

// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceFiles
package import SluiceImaging
package import SluiceModel

/// Converts pictures to another format without scaling them, as many at a time as the machine has cores.
///
/// The pictures are upright and have the colours of sRGB.
package final class PictureRecoder: Sendable {
    package struct Picture: Sendable {
        package let bytes: [UInt8]
        package let width: Int
        package let height: Int
        /// The properties of the picture before the conversion.
        package let info: ImageInfo
        /// See ``ThumbnailResult/sample``.
        package let sample: [UInt8]
        /// See ``OpenedImage/luminanceTable``.
        package let luminanceTable: [Int]
    }

    package final class Pending: Sendable {
        private let result = Locked<Result<Picture, Failure>?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        /// Blocks until the picture is converted; may be called once.
        package func picture() throws(Failure) -> Picture {
            isDone.wait()
            return try result.withLock { $0 ?? .failure(Failure(.internal, "")) }.get()
        }

        fileprivate func finish(_ result: Result<Picture, Failure>) {
            self.result.withLock { $0 = result }
            isDone.signal()
        }
    }

    /// The encoder's quality: higher than that of thumbnails, because the result replaces the original.
    private static let quality = 95
    private static let largestSize = ThumbnailSize(width: 16_383, height: 16_383)

    /// The number of concurrent conversions.
    package let width: Int
    private let thumbnailer: Thumbnailer
    private let lanes: [(queue: DispatchQueue, decoder: any ThumbnailMaking)]
    private let started = Locked(0)
    private let token: CancellationToken

    /// Creates a converter; `report` is called if the decode workers lack protections.
    package convenience init(
        to format: ImageFormat, isolation: Isolation, memory: Int, token: CancellationToken,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var options = ThumbnailOptions()
        options.sizes = [Self.largestSize]
        options.format = .fixed(format)
        options.quality = Self.quality
        options.acceptsMissingEnd = true
        self.init(options, isolation: isolation, memory: memory, token: token, report: report)
    }

    /// Creates a converter whose results are samples of whole pictures, for comparisons of their pixels.
    package convenience init(samplingIn isolation: Isolation, memory: Int, token: CancellationToken) {
        var options = ThumbnailOptions()
        let side = ThumbnailResult.sampleSide
        options.sizes = [ThumbnailSize(width: side, height: side)]
        options.fit = .fill
        options.kernel = .area
        options.format = .fixed(.jpeg)
        options.sampling = .brightness
        options.acceptsMissingEnd = true
        self.init(options, isolation: isolation, memory: memory, token: token, report: { _ in })
    }

    /// Creates a converter whose results have ``PictureTraits`` as samples, for comparisons of copies.
    package convenience init(measuringIn isolation: Isolation, memory: Int, token: CancellationToken) {
        var options = ThumbnailOptions()
        options.sizes = [Self.largestSize]
        options.format = .fixed(.jpeg)
        // Only the sample is used.
        options.quality = 1
        options.sampling = .traits
        options.acceptsMissingEnd = true
        self.init(options, isolation: isolation, memory: memory, token: token, report: { _ in })
    }

    /// Creates a converter that makes the first thumbnail of the options, as many at a time as `cores` allows.
    package init(
        _ options: ThumbnailOptions, isolation: Isolation, memory: Int, upTo cores: Int = Machine.cores,
        token: CancellationToken, report: @escaping @Sendable (String) -> Void
    ) {
        let budget = MemoryBudget(memory)
        width = budget.decoders(upTo: cores, isolation)
        var options = options
        options.allowedFormats = ImageFormat.restricted
        options.limits.memory = budget.decodes / width
        let thumbnailer = Thumbnailer(options)
        self.thumbnailer = thumbnailer
        self.token = token
        let launcher: WorkerLauncher? =
            if case .workers(let executable, let acceptsWeakSandbox) = isolation {
                WorkerLauncher(executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: report)
            } else {
                nil
            }
        lanes = (0..<width).map { number in
            let decoder: any ThumbnailMaking =
                if let launcher { SandboxedDecoder(launcher) } else { InProcessDecoder(thumbnailer: thumbnailer) }
            return (DispatchQueue(label: "sluice.recode.\(number)"), decoder)
        }
    }

    /// Starts the conversion of the file that `open` returns; a file that cannot be read ends the conversions.
    package func start(_ open: @escaping @Sendable () throws(FileError) -> OpenFile?) -> Pending {
        let number = started.withLock { started in
            defer { started += 1 }
            return started
        }
        let (queue, decoder) = lanes[number % lanes.count]
        let pending = Pending()
        queue.async { [self] in
            do throws(Failure) {
                guard let file = try Failure.onDisk(open()) else {
                    throw Failure(.disk, "the file is missing, or has changed")
                }
                pending.finish(.success(try convert(file, by: decoder)))
            } catch {
                var failure = error
                // The picture may be intact, and a complete export would lack it.
                if failure.cause == .disk { failure.scope = .run }
                pending.finish(.failure(failure))
            }
        }
        return pending
    }

    private func convert(
        _ file: borrowing OpenFile, by decoder: any ThumbnailMaking
    ) throws(Failure) -> Picture {
        let opened: OpenedImage
        do throws(ImagingError) {
            opened = try thumbnailer.openHeader(fileAt: file.descriptor)
        } catch {
            throw Failure(error)
        }
        var times = ImagingTimes()
        do throws(DecodingError) {
            let result = try decoder.thumbnails(of: opened, in: file.descriptor, token: token, timing: &times)
            guard let picture = result.thumbnails.first else { throw .failed(Failure(.internal, "no picture")) }
            return Picture(
                bytes: picture.bytes, width: picture.width, height: picture.height, info: opened.info,
                sample: result.sample, luminanceTable: opened.luminanceTable)
        } catch {
            switch error {
            case .failed(let failure), .crashed(let failure): throw failure
            case .noWorker(let reason, let hint): throw Failure(.disk, reason, scope: .run, hint: hint)
            }
        }
    }
}

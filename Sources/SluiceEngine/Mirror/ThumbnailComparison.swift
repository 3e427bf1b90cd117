// SPDX-License-Identifier: MIT

package import SluiceFiles
public import SluiceImaging
package import SluiceModel
package import SluiceStore
internal import SluiceTransfer

/// Makes the thumbnails of a photo again, and compares them with those in the mirror.
///
/// A photo that took over its decode worker may have falsified the thumbnails of photos after it. Their receipts were
/// written with the falsified bytes, so that only another decode finds them. Other versions of the codecs give slightly
/// other pixels, so the colours of parts are compared, and not the files.
package struct ThumbnailComparison: Sendable {
    package enum Result: Sendable, Hashable {
        /// The thumbnails that do not show their photo; empty if all do.
        case compared([FileFault])
        /// There is nothing to compare with: the options are unknown, or the photo cannot be decoded now.
        case impossible
    }

    private let store: any Store
    private let state: Folder
    private let makers: TextMap<ThumbnailMaker>
    private let sampler: ThumbnailMaker
    private let token: CancellationToken
    private let refusal = Locked<MirrorError?>(nil)

    /// Makes a comparison with thumbnails of these options in a mirror with this store and state folder.
    package init(
        in store: any Store, state: Folder, _ sample: ThumbnailSample, _ isolation: Isolation, token: CancellationToken,
        noting note: @escaping @Sendable (String) -> Void
    ) {
        (self.store, self.state, self.token) = (store, state, token)
        var makers: TextMap<ThumbnailMaker> = [:]
        for options in sample.options where !options.sizes.isEmpty && makers[options.fingerprint] == nil {
            makers[options.fingerprint] = ThumbnailMaker(options, isolation, note)
        }
        self.makers = makers
        sampler = ThumbnailMaker(SampledPicture.options, isolation, note)
    }

    /// Why no decode worker can be started; `nil` if that has not happened.
    package var startFailure: MirrorError? { refusal.withLock { $0 } }

    /// Makes the thumbnails of an entry again and compares them.
    ///
    /// Its files must match their receipts.
    package func result(for entry: LedgerEntry) -> Result {
        guard let receipt = entry.receipt, let original = receipt.original,
            let maker = receipt.stamp.flatMap({ makers[$0] })
        else { return .impossible }
        do {
            let file = try store.open(original.path)
            let made = try thumbnails(of: file.descriptor, by: maker)
            var faults: [FileFault] = []
            for new in made.thumbnails {
                guard let stored = receipt.thumbs.first(where: { $0.size === new.size.description }),
                    SHA256.digest(of: new.bytes) != stored.file.sha256
                else { continue }
                if let difference = try difference(between: new, and: stored.file, of: entry.item.seq) {
                    faults.append(FileFault(.different, stored.file.path, of: entry.item.seq, difference))
                }
            }
            return .compared(faults)
        } catch {
            return .impossible
        }
    }

    /// How a stored thumbnail differs from the new one; `nil` if both show the same.
    private func difference(
        between new: Thumbnail, and stored: StoredFile, of item: Int
    ) throws -> String? {
        let file = try store.open(stored.path)
        let found = try thumbnails(of: file.descriptor, by: sampler)
        guard abs(found.info.width - new.width) <= 1, abs(found.info.height - new.height) <= 1 else {
            return "\(found.info.width)x\(found.info.height), its photo gives \(new.width)x\(new.height)"
        }
        let copy = try PartialFile(inMemory: "\(MirrorFolder.partial)/compared-\(item)", in: state)
        defer { try? copy.remove() }
        try copy.write(new.bytes)
        let made = try thumbnails(of: copy.descriptor, by: sampler)
        guard let found = SampledPicture(found), let made = SampledPicture(made) else { return nil }
        return found.shows(made) ? nil : "it does not show its photo"
    }

    private func thumbnails(of descriptor: Int32, by maker: ThumbnailMaker) throws -> ThumbnailResult {
        do throws(DecodingError) {
            return try maker.thumbnails(of: descriptor, token: token)
        } catch {
            if case .noWorker(let reason, let hint) = error {
                refusal.withLock { $0 = MirrorError(.local, reason, hint: hint) }
            }
            throw error
        }
    }
}

/// Makes the thumbnails of pictures, each in a decode worker of its own.
private struct ThumbnailMaker: Sendable {
    private let thumbnailer: Thumbnailer
    /// Starts the workers; `nil` to decode in this process.
    private let launcher: WorkerLauncher?

    init(_ options: ThumbnailOptions, _ isolation: Isolation, _ note: @escaping @Sendable (String) -> Void) {
        var options = options
        options.acceptsMissingEnd = true
        options.allowedFormats = ImageFormat.restricted
        options.limits = FileCheck.limits
        thumbnailer = Thumbnailer(options)
        launcher =
            if case .workers(let executable, let acceptsWeakSandbox) = isolation {
                WorkerLauncher(executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: note)
            } else {
                nil
            }
    }

    func thumbnails(of descriptor: Int32, token: CancellationToken) throws(DecodingError) -> ThumbnailResult {
        let picture: OpenedImage
        do throws(ImagingError) {
            picture = try thumbnailer.open(fileAt: descriptor)
        } catch {
            throw .failed(Failure(error))
        }
        let decoder: any ThumbnailMaking =
            if let launcher { SandboxedDecoder(launcher) } else { InProcessDecoder(thumbnailer: thumbnailer) }
        var times = ImagingTimes()
        return try decoder.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
    }
}

/// The mean colours of a picture at 16 by 16 places.
///
/// Encoders keep them: the noise of lossy files is in finer details.
struct SampledPicture: Sendable {
    /// The number of places in each direction.
    private static let side = 16
    /// The largest mean difference of the colours of the same picture, of 255.
    private static let maxMeanDifference = 6.0
    /// The largest difference of one place, of 255, of which a few may exceed it.
    private static let maxDifference = 32
    /// The share of the places that may differ more.
    private static let outliers = 0.004

    /// Options for a result with a sample of the whole picture.
    static var options: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: ThumbnailResult.sampleSide, height: ThumbnailResult.sampleSide)]
        options.fit = .fill
        options.kernel = .area
        options.qualityMode = .exact
        options.format = .fixed(.jpeg)
        options.sampling = .colors
        return options
    }

    private let colors: [Int]

    /// Makes a sample from a result; `nil` if it has no pixels.
    init?(_ result: ThumbnailResult) {
        let (pixels, whole) = (result.sample, ThumbnailResult.sampleSide)
        guard pixels.count == ThumbnailOptions.Sampling.colors.length else { return nil }
        let step = whole / Self.side
        var sums = [Int](repeating: 0, count: 3 * Self.side * Self.side)
        for index in pixels.indices {
            let (place, channel) = (index / 3, index % 3)
            let (row, column) = (place / whole / step, place % whole / step)
            sums[3 * (row * Self.side + column) + channel] += Int(pixels[index])
        }
        colors = sums.map { $0 / (step * step) }
    }

    func shows(_ other: SampledPicture) -> Bool {
        let differences = zip(colors, other.colors).map { abs($0 - $1) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        let large = differences.count { $0 > Self.maxDifference }
        return mean <= Self.maxMeanDifference && Double(large) <= Self.outliers * Double(differences.count)
    }
}

/// Which photos of a mirror a verification makes the thumbnails of again, and with which options.
public struct ThumbnailSample: Sendable {
    /// The share of the photos from 0 to 1, beside the first ones of each host; 0 takes no photo at all.
    public var share = 0.01
    /// The options of earlier runs, the latest first.
    ///
    /// A photo is compared if its receipt names one of them.
    public var options: [ThumbnailOptions]

    /// The number of photos of each host that are always taken.
    package static let photosPerHost = 3
    /// The number of photos at most that are taken because they are the first ones of a host.
    package static let maxFirstPhotos = 1000

    /// Makes a sample of thumbnails that were made with one of these options.
    public init(of options: [ThumbnailOptions]) { self.options = options }
}

/// Decides for one photo after the other whether it belongs to a ``ThumbnailSample``.
///
/// The decision depends on the ledger alone, so that the same photos are compared each time.
package struct ThumbnailSampler {
    private let share: Double
    private var taken: TextMap<Int> = [:]
    private var firstPhotos = 0

    package init(_ sample: ThumbnailSample) { share = sample.share }

    /// Whether the entry belongs to the sample.
    ///
    /// Only photos that are done, with an intact original and a thumbnail, do.
    package mutating func takes(_ entry: LedgerEntry) -> Bool {
        guard share > 0, let receipt = entry.receipt, receipt.state == .done, receipt.failure == nil,
            receipt.original != nil, !receipt.thumbs.isEmpty
        else { return false }
        let host = receipt.url.flatMap { WebAddress($0)?.host } ?? ""
        if firstPhotos < ThumbnailSample.maxFirstPhotos, taken[host, default: 0] < ThumbnailSample.photosPerHost {
            taken[host, default: 0] += 1
            firstPhotos += 1
            return true
        }
        // A decode worker knows the photo, but not its number, with which it could spare the sample.
        let item = entry.item
        let hash = Fingerprint(of: [item.feed, item.photo.collection ?? "", item.photo.id, "\(item.seq)"]).value
        return Double(UInt64(bitPattern: Int64(hash)) >> 11) < share * Double(1 << 53 as UInt64)
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// What a photo must be, so that it is worth its download: told by the first bytes, while the others are on their way.
struct PictureRules: Sendable {
    private let limits: ImageLimits
    private let minSize: ThumbnailSize?
    private let aspect: ClosedRange<Double>?

    init(_ options: MirrorOptions) {
        limits = options.thumbnails.limits
        minSize = options.minSize
        aspect = options.aspect
    }

    /// Looks at a body's first bytes: whatever its name and its type claim, it must begin as a picture does.
    var judge: Judge {
        { (start, headers) throws(Failure) in
            do throws(ImagingError) {
                let info = try ImageInfo(bytes: start)
                try info.check(limits)
                return reason(against: info).map { .declined($0) } ?? .accepted
            } catch {
                if error.code == .truncated { return .undecided }
                var failure = Failure(error)
                if failure.cause == .notAnImage, let type = headers["content-type"] {
                    failure.detail = "\(type.prefix(60)), \(failure.detail)"
                }
                throw failure
            }
        }
    }

    /// Why the user's rules leave a photo out; `nil` if they do not.
    func reason(against info: ImageInfo) -> String? {
        let (width, height) = (info.uprightWidth, info.uprightHeight)
        if let minSize, width < minSize.width ?? 0 || height < minSize.height ?? 0 {
            return "\(width)x\(height) is smaller than \(minSize)"
        }
        if let aspect, !aspect.contains(Double(width) / Double(height)) {
            return "\(width)x\(height) is not of the shape that is wanted"
        }
        return nil
    }
}

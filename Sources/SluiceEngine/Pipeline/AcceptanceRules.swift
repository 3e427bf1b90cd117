// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// The user's rules for photos, checked against the header while the rest still downloads.
struct AcceptanceRules: Sendable {
    private let thumbnails: ThumbnailOptions
    private let minSize: ThumbnailSize?
    private let aspect: ClosedRange<Double>?
    /// Whether originals of known formats are kept even if they cannot be decoded, or not within the limits.
    private let keepsUndecodable: Bool

    init(_ options: MirrorOptions, for photo: Photo? = nil) {
        thumbnails = options.thumbnails
        minSize = options.minSize ?? photo?.iconSide.flatMap { ThumbnailSize(width: $0, height: $0) }
        aspect = options.aspect
        keepsUndecodable = options.keepsOriginals && options.keepsUndecodable
    }

    /// Checks the first bytes of a body.
    ///
    /// They must be those of a picture, whatever its name and content type are.
    var earlyCheck: EarlyCheck {
        { (start, headers) throws(Failure) in
            do throws(ImagingError) {
                let info = try ImageInfo(bytes: start)
                try thumbnails.check(info.format)
                // Without the original or its thumbnails, nothing of a picture would remain.
                if !keepsUndecodable, !thumbnails.sizes.isEmpty { try info.check(thumbnails.limits) }
                return rejectionReason(for: info).map { .rejected($0) } ?? .accepted
            } catch {
                if error.code == .truncated { return .undecided }
                var failure = Failure(error).advisingFormat(thumbnails)
                if keeps(failure) { return .accepted }
                if failure.cause == .notAnImage, let type = headers["content-type"] {
                    failure.detail = "\(type.prefix(60)), \(failure.detail)"
                }
                throw failure
            }
        }
    }

    /// Whether an original with this failure of its decoding is kept without thumbnails.
    ///
    /// A decode that takes too long is no reason, because another run may have more time.
    func keeps(_ failure: Failure) -> Bool {
        guard keepsUndecodable else { return false }
        if case .raiseMemory = failure.hint { return true }
        return [.unsupported, .tooManyPixels].contains(failure.cause) && failure.format != nil
    }

    /// Returns why the user's rules reject a photo; `nil` if they accept it.
    func rejectionReason(for info: ImageInfo) -> String? {
        let (width, height) = (info.uprightWidth, info.uprightHeight)
        if let minSize, width < minSize.width ?? 0 || height < minSize.height ?? 0 {
            return "\(width)x\(height) is smaller than \(minSize)"
        }
        if let aspect, !aspect.contains(Double(width) / Double(height)) {
            return "\(width)x\(height) is outside the allowed aspect ratios"
        }
        return nil
    }
}

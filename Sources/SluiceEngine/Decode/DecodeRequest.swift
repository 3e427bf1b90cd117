// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// The picture that a decode worker is asked for, with the limits of its reply.
///
/// A picture may have taken over its worker. So the worker's reply is checked against the request, field by field,
/// before anything of it is used.
struct DecodeRequest {
    /// The length limit of a note or of the details of an error in bytes.
    private static let maxTextLength = 1000
    /// The number of notes at most; a picture causes a few, and each thumbnail up to two.
    private static let maxNotes = 32
    /// The length limit of a ThumbHash in Base64.
    private static let maxPlaceholderLength = 48

    private let info: ImageInfo
    private let options: ThumbnailOptions
    private let expected: ExpectedThumbnails

    /// Makes the request for the thumbnails of a picture; throws if a thumbnail would exceed the pixel limit.
    init(_ info: ImageInfo, _ options: ThumbnailOptions) throws(ImagingError) {
        (self.info, self.options) = (info, options)
        expected = try ExpectedThumbnails(of: info, options)
    }

    private var maxNotes: Int { Self.maxNotes + 2 * options.sizes.count }

    /// The length of a reply in bytes at most.
    var maxReplyLength: Int { expected.maxBytes + options.sampling.length + (maxNotes + 4) * (Self.maxTextLength + 64) }

    /// Returns the result in a reply or the failure that it reports; `nil` if the reply is not one to this request.
    func result(in reply: DecodeReply) -> Result<ThumbnailResult, ImagingError>? {
        guard reply.notes.count <= maxNotes, reply.notes.allSatisfy(Self.isText) else { return nil }
        if let failure = reply.failure {
            guard reply.thumbnails.isEmpty, reply.sample.isEmpty, reply.damage == nil, failure.code != .cancelled,
                Self.isText(failure.detail)
            else { return nil }
            return .failure(failure)
        }
        if let damage = reply.damage {
            guard options.salvages, damage.isDamage, Self.isText(damage.detail) else { return nil }
        }
        let thumbnails = zip(options.sizes, reply.thumbnails).map { size, thumbnail in
            Thumbnail(
                size: size, width: thumbnail.width, height: thumbnail.height, format: thumbnail.format,
                bytes: thumbnail.bytes)
        }
        guard reply.thumbnails.count == options.sizes.count, reply.sample.count == options.sampling.length,
            expected.matches(thumbnails), hasValidFacts(reply)
        else {
            return nil
        }
        var result = ThumbnailResult(
            info: info, thumbnails: thumbnails, color: reply.color, placeholder: reply.placeholder, phash: reply.phash,
            notes: reply.notes, damage: reply.damage)
        result.sample = reply.sample
        return .success(result)
    }

    /// Whether colour, placeholder and hash are well-formed.
    private func hasValidFacts(_ reply: DecodeReply) -> Bool {
        let color = reply.color.map {
            $0.utf8.first == UInt8(ascii: "#") && Self.isHexadecimal($0.dropFirst(), count: 6)
        }
        let phash = reply.phash.map { Self.isHexadecimal($0[...], count: 16) }
        let placeholder = reply.placeholder.map { text in
            (1...Self.maxPlaceholderLength).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isBase64)
        }
        return color != false && phash != false && placeholder != false
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        "+/=".utf8.contains(byte) || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isText(_ text: String) -> Bool { text.utf8.count <= maxTextLength }
}

extension ImagingTimes {
    /// Returns the times that a worker reports, limited to the time that passed here.
    func limited(to elapsed: Duration) -> ImagingTimes {
        var times = self
        times.decode = min(max(decode, .zero), elapsed)
        times.resample = min(max(resample, .zero), elapsed)
        times.encode = min(max(encode, .zero), elapsed)
        return times
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// A decode worker's reply to one request.
///
/// The header is not in it, because the main process has parsed the file itself.
struct DecodeReply {
    /// One thumbnail.
    ///
    /// Thumbnails are in the order of the requested sizes.
    struct EncodedThumbnail {
        var width = 0
        var height = 0
        var format = ImageFormat.jpeg
        var bytes: [UInt8] = []
    }

    var thumbnails: [EncodedThumbnail] = []
    var color: String?
    var placeholder: String?
    var phash: String?
    var sample: [UInt8] = []
    var notes: [String] = []
    var damage: ImagingError?
    /// The reason why the picture could not be decoded.
    var failure: ImagingError?
    var times = ImagingTimes()

    init() {}

    init(_ result: ThumbnailResult) {
        thumbnails = result.thumbnails.map {
            EncodedThumbnail(width: $0.width, height: $0.height, format: $0.format, bytes: $0.bytes)
        }
        (color, placeholder, phash) = (result.color, result.placeholder, result.phash)
        (sample, notes, damage) = (result.sample, result.notes, result.damage)
    }
}

extension WorkerCoder {
    mutating func code(_ reply: inout DecodeReply) throws(Malformed) {
        try code(&reply.thumbnails, placeholder: DecodeReply.EncodedThumbnail()) {
            (coder, thumbnail) throws(Malformed) in try coder.code(&thumbnail)
        }
        try codeText(&reply.color)
        try codeText(&reply.placeholder)
        try codeText(&reply.phash)
        try code(&reply.sample)
        try code(&reply.notes, placeholder: "") { (coder, note) throws(Malformed) in try coder.code(&note) }
        try codeError(&reply.damage)
        try codeError(&reply.failure)
        try code(&reply.times.decode)
        try code(&reply.times.resample)
        try code(&reply.times.encode)
    }

    private mutating func code(_ thumbnail: inout DecodeReply.EncodedThumbnail) throws(Malformed) {
        try code(&thumbnail.width)
        try code(&thumbnail.height)
        try code(&thumbnail.format)
        try code(&thumbnail.bytes)
    }

    private mutating func codeText(_ text: inout String?) throws(Malformed) {
        try code(&text, placeholder: "") { (coder, text) throws(Malformed) in try coder.code(&text) }
    }

    private mutating func codeError(_ error: inout ImagingError?) throws(Malformed) {
        try code(&error, placeholder: ImagingError(.internal, "")) { (coder, error) throws(Malformed) in
            try coder.code(&error.code)
            try coder.code(&error.detail)
            var format = error.format
            try coder.code(&format, placeholder: .jpeg) { (coder, format) throws(Malformed) in
                try coder.code(&format)
            }
            if let format { error = error.of(format) }
        }
    }
}

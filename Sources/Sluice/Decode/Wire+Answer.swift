// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// What came of a picture in a worker: only what its caller does not know already.
struct Answer {
    /// One thumbnail, in the order of the sizes asked for.
    struct Picture {
        var width = 0
        var height = 0
        var format = ImageFormat.jpeg
        var bytes: [UInt8] = []
    }

    var thumbnails: [Picture] = []
    var color: String?
    var placeholder: String?
    var phash: String?
    var notes: [String] = []
    var damage: ImagingError?
    /// Why there is no picture.
    var failure: ImagingError?
    var times = PictureTimes()

    init() {}

    init(_ result: PictureResult) {
        thumbnails = result.thumbnails.map {
            Picture(width: $0.width, height: $0.height, format: $0.format, bytes: $0.bytes)
        }
        (color, placeholder, phash) = (result.color, result.placeholder, result.phash)
        (notes, damage) = (result.notes, result.damage)
    }

    /// The result for whoever asked; `nil` if it is not one of what was asked for, or has what is no picture in it.
    func result(of info: ImageInfo, sizes: [ThumbnailSize]) -> PictureResult? {
        guard thumbnails.count == sizes.count,
            thumbnails.allSatisfy({ ImageFormat(sniffing: $0.bytes) == $0.format })
        else { return nil }
        let made = zip(sizes, thumbnails).map { size, picture in
            Thumbnail(
                size: size, width: picture.width, height: picture.height, format: picture.format, bytes: picture.bytes)
        }
        return PictureResult(
            info: info, thumbnails: made, color: color, placeholder: placeholder, phash: phash, notes: notes,
            damage: damage)
    }
}

extension Wire {
    /// Carries a worker's answer.
    mutating func carry(_ answer: inout Answer) throws(Malformed) {
        try carry(&answer.thumbnails, blank: Answer.Picture()) { (wire, picture) throws(Malformed) in
            try wire.carry(&picture)
        }
        try carryText(&answer.color)
        try carryText(&answer.placeholder)
        try carryText(&answer.phash)
        try carry(&answer.notes, blank: "") { (wire, note) throws(Malformed) in try wire.carry(&note) }
        try carryError(&answer.damage)
        try carryError(&answer.failure)
        try carry(&answer.times.decode)
        try carry(&answer.times.resample)
        try carry(&answer.times.encode)
    }

    private mutating func carry(_ picture: inout Answer.Picture) throws(Malformed) {
        try carry(&picture.width)
        try carry(&picture.height)
        try carry(&picture.format)
        try carry(&picture.bytes)
    }

    private mutating func carryText(_ text: inout String?) throws(Malformed) {
        try carry(&text, blank: "") { (wire, text) throws(Malformed) in try wire.carry(&text) }
    }

    private mutating func carryError(_ error: inout ImagingError?) throws(Malformed) {
        try carry(&error, blank: ImagingError(.internal, "")) { (wire, error) throws(Malformed) in
            try wire.carry(&error.code)
            try wire.carry(&error.detail)
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceDemo
import SluiceModel
import SluiceOrigin
import TestSupport

/// A service that calls a closure.
struct ClosureService: OriginService {
    let body: @Sendable (OriginRequest) -> OriginReply

    init(_ body: @escaping @Sendable (OriginRequest) -> OriginReply) { self.body = body }

    func reply(to request: OriginRequest) -> OriginReply { body(request) }
}

/// A thousand bytes of different values.
let thousandBytes = (0..<1000).map { UInt8($0 % 251) }

/// Answers every request with ``thousandBytes``.
let thousand = ClosureService { _ in OriginReply(type: "image/png", thousandBytes) }

/// An encoder that writes the bitmap's properties as text, followed by its raw pixels.
let plainEncode: BitmapEncoder = { picture, format in
    let head =
        "\(format.kind.name) \(format.exifOrientation) \(format.isProgressive) \(picture.width) \(picture.height)\n"
    return Array(head.utf8) + picture.rgba
}

/// Decodes the output of ``plainEncode``.
struct PlainPicture {
    let words: [String]
    let picture: Bitmap

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 10) else { return nil }
        words = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: " ")
        guard words.count == 5, let width = Int(words[3]), let height = Int(words[4]) else { return nil }
        guard bytes.count - end - 1 == width * height * 4 else { return nil }
        picture = Bitmap(width: width, height: height, rgba: Array(bytes[(end + 1)...]))
    }
}

extension OriginReply {
    var json: JSON? { try? JSON(parsing: body) }
}

/// Waits until the server makes the condition true.
func until(_ condition: () -> Bool) async throws {
    try await wait(for: "the server", until: condition)
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin

/// A service of one closure.
struct Closure: OriginService {
    let body: @Sendable (OriginRequest) -> OriginReply

    init(_ body: @escaping @Sendable (OriginRequest) -> OriginReply) { self.body = body }

    func reply(to request: OriginRequest) -> OriginReply { body(request) }
}

/// A thousand bytes that are not all alike.
let thousandBytes = (0..<1000).map { UInt8($0 % 251) }

/// Answers everything with ``thousandBytes``.
let thousand = Closure { _ in OriginReply(type: "image/png", thousandBytes) }

/// An encoder that writes the picture's head as text and its pixels as they are.
let plainEncode: EncodePicture = { picture, format in
    let head = "\(format.kind) \(format.exifOrientation) \(format.isProgressive) \(picture.width) \(picture.height)\n"
    return Array(head.utf8) + picture.rgba
}

/// What ``plainEncode`` wrote, read again.
struct PlainPicture {
    let words: [String]
    let picture: Picture

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 10) else { return nil }
        words = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: " ")
        guard words.count == 5, let width = Int(words[3]), let height = Int(words[4]) else { return nil }
        guard bytes.count - end - 1 == width * height * 4 else { return nil }
        picture = Picture(width: width, height: height, rgba: Array(bytes[(end + 1)...]))
    }
}

extension OriginReply {
    var json: JSON? { try? JSON(parsing: body) }
}

/// Waits for something that happens on another thread, and fails by the test's time limit.
///
/// It looks every few milliseconds: a loop that only yields would keep the tests beside it from running.
func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(3)) }
}

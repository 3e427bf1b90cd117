// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceImaging
import SluiceTransfer

// Uses the libraries as a program outside of the package does: sample OUT BASE NAME...
// It mirrors a feed of its own, whose photos are BASE/NAME, into OUT, and downloads and scales them in memory.

let arguments = CommandLine.arguments
guard arguments.count > 3, let port = URL(string: arguments[2])?.port else {
    fatalError("usage: sample OUT BASE NAME...")
}
let (out, base, names) = (arguments[1], arguments[2], Array(arguments.dropFirst(3)))

/// A feed of the program: two photos on a page.
struct Names: PhotoFeed {
    let name = "names"
    let base: String
    let names: [String]

    func page(at cursor: String?) async throws -> PhotoPage {
        let start = cursor.flatMap { Int($0) } ?? 0
        let end = min(start + 2, names.count)
        let photos = names[start..<end].map { name in
            var photo = Photo(id: name, url: "\(base)/\(name)")
            photo.caption = "The photo \(name)"
            return photo
        }
        return PhotoPage(photos, next: end < names.count ? "\(end)" : nil, total: names.count)
    }
}

/// A destination of the program.
actor Album {
    private(set) var pictures: [String: Data] = [:]

    func add(_ bytes: Data, as name: String) { pictures[name] = bytes }
}

/// Mirrors the feed and copies each photo to the album; the last one is cancelled, unless it is done already.
func mirror(into album: Album) async throws -> Summary {
    var options = MirrorOptions()
    options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)]
    options.network.allowsPrivate = true
    options.network.allowedPorts = [port]
    let mirror = PhotoMirror(of: Names(base: base, names: names), into: out, options: options)
    let events = mirror.events()
    async let summary = mirror.run()
    for await event in events {
        switch event {
        case .itemStarted(let item) where item.photo.id == names.last: mirror.cancel(item.id)
        case .itemEnded(let item, .done(let receipt)):
            guard let path = receipt.original?.path else { break }
            await album.add(try Data(contentsOf: URL(filePath: "\(out)/\(path)")), as: item.photo.id)
        default: break
        }
    }
    return try await summary
}

/// Downloads every photo several times, a hundred in all, with limits; returns the thumbnails' bytes.
func thumbnails() async throws -> Int {
    var options = TransferOptions(userAgent: "sample/1.0")
    options.addressGuard.allowsPrivate = true
    options.addressGuard.ports = [port]
    let loader = MemoryLoader(width: 16, hosts: HostRules(perHost: 4), options: options)
    var sizes = ThumbnailOptions()
    sizes.sizes = [ThumbnailSize(width: 32, height: 32)]
    let thumbnailer = Thumbnailer(sizes)
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<100 {
            group.addTask {
                let photo = try await loader.bytes(from: "\(base)/\(names[number % names.count])?\(number)")
                return try thumbnailer.thumbnails(of: photo).thumbnails.reduce(0) { $0 + $1.bytes.count }
            }
        }
        return try await group.reduce(0, +)
    }
}

let album = Album()
let summary = try await mirror(into: album)
let stored = await album.pictures.count
print("\(summary.done) done, \(stored) stored, \(summary.failed) failed, \(try await thumbnails()) bytes of thumbnails")

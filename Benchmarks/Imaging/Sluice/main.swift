// SPDX-License-Identifier: MIT

// Makes thumbnails with the library on two threads, and discards them.
//
// Usage: imaging SIDE[,SIDE...] [fast|good|exact] [jpeg|png] [OUT] <LIST     (one file per line)

import Glibc
import SluiceImaging
import Synchronization

var options = ThumbnailOptions()
let arguments = CommandLine.arguments.dropFirst()
options.sizes = (arguments.first ?? "256").split(separator: ",").compactMap { ThumbnailSize(String($0)) }
options.qualityMode = arguments.dropFirst().first.flatMap { .init(rawValue: $0) } ?? .good
options.format = arguments.dropFirst(2).first.flatMap { .init(rawValue: $0) } ?? .jpeg
let folder = arguments.dropFirst(3).first

var list: [String] = []
while let line = readLine() { list.append(line) }

let files = list
let next = Atomic(0)
let bytes = Atomic(0)
let thumbnailer = Thumbnailer(options)

/// Processes files from the list until it is empty.
@Sendable func work() throws {
    while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < files.count else { return }
        let descriptor = open(files[number], O_RDONLY)
        defer { close(descriptor) }
        let made = try thumbnailer.thumbnails(ofFileAt: descriptor).thumbnails
        bytes.add(made.reduce(0) { $0 + $1.bytes.count }, ordering: .relaxed)
        if let folder, let thumbnail = made.first {
            try write(thumbnail, as: "\(folder)/\(number).\(thumbnail.format.fileExtension)")
        }
    }
}

/// Writes a thumbnail to a file for inspection.
@Sendable func write(_ thumbnail: Thumbnail, as path: String) throws {
    guard let file = fopen(path, "wb") else { exit(1) }
    fwrite(thumbnail.bytes, 1, thumbnail.bytes.count, file)
    fclose(file)
}

let start = ContinuousClock.now
do {
    try await withThrowingTaskGroup { group in
        for _ in 0..<2 { group.addTask { try work() } }
        try await group.waitForAll()
    }
} catch {
    print(error)
    exit(3)
}
let wall = (ContinuousClock.now - start) / .seconds(1)
let cpu = Double(clock()) / 1_000_000
print(
    """
    {"seconds": \(wall), "cpu": \(cpu), "files": \(files.count), "bytes": \(bytes.load(ordering: .relaxed))}
    """)

// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

/// As many decodes at a time as the machine has cores, and as their memory lets, whatever the number of items in flight.
final class DecodePool: Sendable {
    private let places: SharedBudget
    private let memory: SharedBudget
    private let idle: Locked<[Lane]>
    private let thumbnailer: Thumbnailer

    /// Makes a pool whose decodes take so many bytes together.
    init(width: Int, memory: Int, options: ThumbnailOptions) {
        places = SharedBudget(width)
        self.memory = SharedBudget(memory)
        idle = Locked((0..<width).map { Lane(number: $0) })
        var options = options
        options.limits.memory = memory
        thumbnailer = Thumbnailer(options)
    }

    /// Makes the thumbnails of an item's open file; the token ends it between two rows, or while it waits for its turn.
    ///
    /// While it decodes, and not while it waits, the ledger knows: if the process ends then, the item may be the reason.
    func thumbnails(
        of descriptor: Int32, for item: Item, in ledger: Ledger, token: Token
    ) async throws(Failure) -> PictureResult {
        try await places.take(1, token: token)
        let lane = idle.withLock { $0.removeLast() }
        defer {
            idle.withLock { $0.append(lane) }
            places.giveBack(1)
        }
        return try await ledger.attempt(on: item) { () async throws(Failure) in
            let picture = try await lane.run { [thumbnailer] in Self.open(thumbnailer, descriptor) }.get()
            try await memory.take(picture.memory, token: token)
            defer { memory.giveBack(picture.memory) }
            return try await lane.run { [thumbnailer] in Self.work(thumbnailer, on: picture, token: token) }.get()
        }
    }

    private static func open(_ thumbnailer: Thumbnailer, _ descriptor: Int32) -> Result<OpenPicture, Failure> {
        do throws(ImagingError) {
            return .success(try thumbnailer.open(fileAt: descriptor))
        } catch {
            var failure = Failure(error)
            // One that takes more than all together may would wait for ever.
            if error.code == .decodeLimit { failure.detail += "; --memory allows more" }
            return .failure(failure)
        }
    }

    private static func work(
        _ thumbnailer: Thumbnailer, on picture: OpenPicture, token: Token
    ) -> Result<PictureResult, Failure> {
        do throws(ImagingError) {
            let interrupt = Interrupt { token.isCancelled }
            return .success(try thumbnailer.thumbnails(of: picture, interrupt: interrupt))
        } catch {
            return .failure(token.cause.map { Failure($0, "") } ?? Failure(error))
        }
    }
}

/// The serial queue that one decode at a time works on: a thread of its own, where blocking harms nobody.
private struct Lane: Sendable {
    private let queue: DispatchQueue

    init(number: Int) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
    }

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, Failure>
    ) async -> Result<Value, Failure> {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

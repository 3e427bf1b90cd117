// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceModel

/// As many decodes at a time as the machine has cores, whatever the number of items in flight.
final class DecodePool: Sendable {
    private struct State {
        var idle: [Lane]
        /// Who waits for a lane, the first at the end.
        var waiting: [CheckedContinuation<Lane, Never>] = []
    }

    private let state: Locked<State>
    private let thumbnailer: Thumbnailer

    init(width: Int, options: ThumbnailOptions) {
        state = Locked(State(idle: (0..<width).map { Lane(number: $0) }))
        thumbnailer = Thumbnailer(options)
    }

    /// Makes the thumbnails of an open file; the token ends it between two rows.
    func thumbnails(of descriptor: Int32, token: Token) async throws(Failure) -> PictureResult {
        let lane = await lane()
        defer { giveBack(lane) }
        let work = { @Sendable [thumbnailer] in Self.work(thumbnailer, on: descriptor, token: token) }
        return try await lane.run(work).get()
    }

    private static func work(
        _ thumbnailer: Thumbnailer, on descriptor: Int32, token: Token
    ) -> Result<PictureResult, Failure> {
        do throws(ImagingError) {
            let interrupt = Interrupt { token.isCancelled }
            return .success(try thumbnailer.thumbnails(ofFileAt: descriptor, interrupt: interrupt))
        } catch {
            return .failure(token.cause.map { Failure($0, "") } ?? Failure(error))
        }
    }

    private func lane() async -> Lane {
        await withCheckedContinuation { continuation in
            let lane = state.withLock { state -> Lane? in
                if state.idle.isEmpty { state.waiting.insert(continuation, at: 0) }
                return state.idle.popLast()
            }
            if let lane { continuation.resume(returning: lane) }
        }
    }

    private func giveBack(_ lane: Lane) {
        let next = state.withLock { state in
            let next = state.waiting.popLast()
            if next == nil { state.idle.append(lane) }
            return next
        }
        next?.resume(returning: lane)
    }
}

/// The serial queue that one decode at a time works on: a thread of its own, where blocking harms nobody.
private struct Lane: Sendable {
    private let queue: DispatchQueue

    init(number: Int) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
    }

    func run(_ work: @escaping @Sendable () -> Result<PictureResult, Failure>) async -> Result<PictureResult, Failure> {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// Limits the processor time that one document takes; a parser checks it after each piece.
///
/// It counts the time of the current thread, so a busy machine does not change the result.
struct ParsingTime {
    /// Far more than any page of a person takes.
    static let limit = Duration.seconds(30)

    private let limit: Duration
    private let begin = Self.now

    init(limit: Duration = Self.limit) { self.limit = limit }

    /// Throws once the time is used up.
    func check() throws(Failure) {
        guard Self.now - begin > limit else { return }
        throw Failure(.feedParse, "the document takes more than \(limit.components.seconds) s to read")
    }

    private static var now: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

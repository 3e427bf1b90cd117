// SPDX-License-Identifier: MIT

public import SluiceModel

/// Looks at a body's first bytes while it arrives, and says whether the rest is wanted.
///
/// It is given all that came so far, each time at least twice as much as before, on the transfer loop's thread: it must
/// be quick. What it throws ends the transfer as that failure.
public typealias Judge = @Sendable (_ start: [UInt8], _ headers: HeaderFields) throws(Failure) -> Judgement

/// What a ``Judge`` thinks of a body's first bytes.
public enum Judgement: Sendable, Hashable {
    /// More bytes are needed to tell.
    case undecided
    /// The rest is wanted.
    case accepted
    /// A rule of the user's leaves it out, for that reason: no failure, and no more bytes.
    case declined(String)
}

/// How a download came to its end.
public enum Arrival: Sendable, Hashable {
    /// The whole file is there.
    case whole(Response)
    /// The host says that what is ``Request/known`` is still so, and sends nothing.
    case unchanged(Response)
    /// The judge declined what was coming; the file is gone.
    case declined(Declined)
}

/// A body that was not wanted any further.
public struct Declined: Sendable, Hashable {
    /// Why.
    public var reason: String
    /// How many bytes had come.
    public var received: Int
    /// How many bytes the host had announced, if it had.
    public var announced: Int?

    /// How many bytes need not come, if that is known.
    public var saved: Int? { announced.map { max(0, $0 - received) } }
}

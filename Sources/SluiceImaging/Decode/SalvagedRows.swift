// SPDX-License-Identifier: MIT

/// Hands rows on and, where a damaged picture has no more of them, makes up the rest.
///
/// What is missing is grey, and transparent where the picture can be.
final class SalvagedRows<Receiver: RowReceiving>: RowReceiving {
    private let receiver: Receiver
    private var shape: RowShape?
    private var received = 0

    init(for receiver: Receiver) { self.receiver = receiver }

    func begin(_ shape: RowShape) throws(ImagingError) {
        self.shape = shape
        try receiver.begin(shape)
    }

    func receive(_ row: Span<UInt8>) {
        received += 1
        receiver.receive(row)
    }

    /// Makes up the rows that did not come; fails with the damage if there is nothing to add them to.
    func fill(after damage: ImagingError) throws(ImagingError) {
        guard let shape, received > 0 else { throw damage }
        let row = [UInt8](repeating: shape.layout == .rgba ? 0 : 128, count: shape.rowBytes)
        while received < shape.height { receive(row.span) }
    }
}

extension PictureDecoding {
    /// Decodes the whole picture, or as much of it as there is if the job is to salvage it.
    func decode(_ job: DecodeJob, salvagingInto receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        guard job.salvages else { return try decode(job, into: receiver) }
        let rows = SalvagedRows(for: receiver)
        let outcome = try decode(job, into: rows)
        if let damage = outcome.damage { try rows.fill(after: damage) }
        return outcome
    }
}

extension ImagingError {
    /// Whether it tells of a file that is not as it was made, of which a part may be good.
    var isDamage: Bool { code == .truncated || code == .corrupt }
}

/// What is wrong with a picture: returned where damage is kept, else thrown, as everything but damage always is.
func damage(isKept: Bool, _ body: () throws(ImagingError) -> Void) throws(ImagingError) -> ImagingError? {
    do throws(ImagingError) {
        try body()
        return nil
    } catch {
        guard isKept, error.isDamage else { throw error }
        return error
    }
}

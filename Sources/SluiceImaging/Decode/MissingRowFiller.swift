// SPDX-License-Identifier: MIT

/// Forwards rows to another receiver and fills in the rows that a damaged image lacks.
///
/// Missing pixels are grey, or transparent if the image has an alpha channel.
final class MissingRowFiller<Receiver: RowReceiving>: RowReceiving {
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

    /// Sends filler rows for the missing ones; throws the damage if no row was decoded.
    func fill(after damage: ImagingError) throws(ImagingError) {
        guard let shape, received > 0 else { throw damage }
        let row = [UInt8](repeating: shape.layout == .rgba ? 0 : 128, count: shape.rowBytes)
        while received < shape.height { receive(row.span) }
    }
}

extension ImageDecoding {
    /// Decodes the whole image, or as much of it as possible if the job salvages damage.
    func decode(_ job: DecodeJob, salvagingInto receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        guard job.salvages else { return try decode(job, into: receiver) }
        let filler = MissingRowFiller(for: receiver)
        let outcome = try decode(job, into: filler)
        if let damage = outcome.damage { try filler.fill(after: damage) }
        return outcome
    }
}

extension ImagingError {
    /// Whether the error means that the file was altered or cut, so that a part of it may be intact.
    package var isDamage: Bool { code == .truncated || code == .corrupt }
}

/// Runs `body` and returns the damage that it throws if `isSalvaging` is true; rethrows all other errors.
func captureDamage(if isSalvaging: Bool, _ body: () throws(ImagingError) -> Void) throws(ImagingError) -> ImagingError?
{
    do throws(ImagingError) {
        try body()
        return nil
    } catch {
        guard isSalvaging, error.isDamage else { throw error }
        return error
    }
}

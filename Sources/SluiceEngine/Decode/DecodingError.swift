// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The reason why a decoder made no thumbnails of a picture.
enum DecodingError: Error {
    /// The picture cannot be decoded, or its item was cancelled.
    case failed(Failure)
    /// The picture crashed the decode worker. Only this counts towards its quarantine.
    case crashed(Failure)
    /// No acceptable decode worker can be started, so the run cannot decode anything.
    ///
    /// The text is a sentence for the user.
    case noWorker(String, hint: Hint)
}

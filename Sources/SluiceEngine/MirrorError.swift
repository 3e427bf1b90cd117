// SPDX-License-Identifier: MIT

package import SluiceFeeds
package import SluiceFiles
package import SluiceImaging
package import SluiceLedger
public import SluiceModel

/// The reason why a run could not begin or continue, as a message that names the input.
public struct MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    ///
    /// It determines the command's exit code.
    public enum Code: Sendable, Hashable {
        /// The request is invalid: for example an unknown source, or a folder that is not a mirror.
        case usage
        /// The feed cannot be read.
        case feed
        /// The disk, file permissions or system limits.
        case local
        /// Another run holds the mirror.
        case locked
        /// The ledger or a stored file is damaged.
        case damaged
    }

    /// The kind.
    public var code: Code
    /// The message.
    public var message: String
    /// How the user may avoid the error.
    public var hint: Hint?

    /// Creates an error; credentials of addresses are removed from the message.
    package init(_ code: Code, _ message: String, hint: Hint? = nil) {
        self.code = code
        self.message = Userinfo.removed(fromText: message)
        self.hint = hint
    }

    /// The message.
    public var description: String { message }
}

// Conversions of the errors of other modules into those of a run.

extension MirrorError {
    package init(_ error: FileError) {
        self.init(error.isLocked ? .locked : .local, error.description)
    }

    package init(_ error: LedgerError) {
        switch error.code {
        case .notALedger, .damaged: self.init(.damaged, error.description, hint: .rebuildLedger)
        case .tooNew: self.init(.usage, error.description)
        case .busy: self.init(.locked, error.description)
        case .diskFull: self.init(.local, error.description, hint: .freeDiskSpace)
        case .disk, .internal: self.init(.local, error.description)
        }
    }

    package init(_ error: SourceError) {
        self.init(error.isLocal ? .local : .usage, error.message, hint: error.hint)
    }

    /// Converts an error of code that uses files and the ledger; any other error counts as a local one.
    package init(converting error: any Error) {
        switch error {
        case let error as MirrorError: self = error
        case let error as FileError: self.init(error)
        case let error as LedgerError: self.init(error)
        default: self.init(.local, "\(error)")
        }
    }

    package static func atSource<Value>(_ body: @autoclosure () throws(SourceError) -> Value) throws(MirrorError)
        -> Value
    {
        do { return try body() } catch { throw MirrorError(error) }
    }

    package static func atName(_ template: String?) throws(MirrorError) -> NameTemplate {
        guard let template else { return .standard }
        do throws(InvalidText) { return try NameTemplate(template) } catch {
            throw MirrorError(.usage, "invalid file name template '\(template)': \(error)")
        }
    }

    package static func onDisk<Value: ~Copyable>(_ body: @autoclosure () throws(FileError) -> Value) throws(MirrorError)
        -> Value
    {
        do { return try body() } catch { throw MirrorError(error) }
    }

    /// Runs an operation in the run's own folder.
    package static func inMirror<Value: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Value
    ) throws(MirrorError) -> Value {
        do { return try body() } catch {
            var converted = MirrorError(error)
            converted.hint = error.hintInMirror
            throw converted
        }
    }

    package static func inLedger<Value: ~Copyable>(_ body: @autoclosure () throws(LedgerError) -> Value)
        throws(MirrorError)
        -> Value
    {
        do { return try body() } catch { throw MirrorError(error) }
    }
}

extension FileError {
    /// How to mend an error in the run's own folder; `nil` if that depends on its reason.
    package var hintInMirror: Hint? { isDiskFull ? .freeDiskSpace : isPermissionDenied ? .checkPermissions : nil }
}

extension StopReason {
    /// Makes the reason for an error in a commit or at the end of a run.
    package init(_ error: MirrorError) {
        let isDamage = error.code == .damaged
        let failure = Failure(.disk, error.message, scope: isDamage ? .ledger : .run, hint: error.hint)
        self = isDamage ? .damaged(failure) : .local(failure)
    }

    /// Makes the reason for an error of the ledger during a run.
    package init(_ error: LedgerError) {
        self.init(MirrorError(error))
    }

    /// Makes the reason for a failure that concerns the whole run; `nil` for a failure of one item.
    package init?(_ failure: Failure) {
        switch failure.scope {
        case .item: return nil
        case .run where failure.cause == .sessionEnded:
            self = .failing("the login has ended: \(failure.detail)", hint: failure.hint)
        case .run: self = .local(failure)
        case .ledger: self = .damaged(failure)
        }
    }
}

extension Failure {
    /// Creates the failure for an error in the run's own folder.
    package init(_ error: FileError) {
        self.init(.disk, error.description, scope: .run, hint: error.hintInMirror)
    }

    package init(_ error: LedgerError) {
        let error = MirrorError(error)
        self.init(.disk, error.message, scope: error.code == .damaged ? .ledger : .run, hint: error.hint)
    }

    /// The codes of ``ImagingError`` have the names of causes, although SluiceImaging does not depend on SluiceModel.
    package init(_ error: ImagingError) {
        self.init(Cause(name: error.code.rawValue) ?? .internal, error.detail)
        format = error.format?.name
    }

    /// The failure with the advice to salvage the picture, if its file is damaged and the options do not do that.
    func advisingSalvage(_ options: ThumbnailOptions) -> Failure {
        guard cause == .truncated || cause == .corrupt, hint == nil, !options.salvages else { return self }
        var failure = self
        failure.hint = .salvage
        return failure
    }

    /// The failure with the option that allows the picture's format, if only the options exclude it.
    ///
    /// The option is part of the evidence, which the ledger keeps, so `explain` and the gallery name it, too.
    func advisingFormat(_ options: ThumbnailOptions) -> Failure {
        let excluded = ImageFormat.restricted.subtracting(options.allowedFormats)
        guard cause == .unsupported, hint == nil, let format, excluded.contains(where: { $0.name == format }) else {
            return self
        }
        var failure = self
        failure.detail += " with \(CommandFlag.allowFormat) \(format)"
        return failure
    }

    package static func onDisk<Value: ~Copyable>(_ body: @autoclosure () throws(FileError) -> Value) throws(Failure)
        -> Value
    {
        do { return try body() } catch { throw Failure(error) }
    }

    package static func inLedger<Value: ~Copyable>(_ body: @autoclosure () throws(LedgerError) -> Value) throws(Failure)
        -> Value
    {
        do { return try body() } catch { throw Failure(error) }
    }
}

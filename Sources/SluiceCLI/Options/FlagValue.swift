// SPDX-License-Identifier: MIT

internal import SluiceEngine

/// What an option sets: how its argument is parsed, the property that receives the value, and that property's default.
struct FlagValue: Sendable {
    /// Makes a property's key path when it is used: those of all options took a tenth of the start of `thumbs`.
    typealias Property<Value> = @Sendable () -> any WritableKeyPath<RawOptions, Value> & Sendable

    /// The placeholder for the value; `nil` for an option without a value.
    let placeholder: ValuePlaceholder?
    /// Whether repeating the option adds a value instead of replacing the previous one.
    var isRepeatable = false
    /// Returns the default as the command line has it; `nil` if there is none.
    var defaultText: @Sendable () -> String? = { nil }
    /// Parses the argument into the options; throws an ``InvalidValue``.
    let apply: @Sendable (inout RawOptions, Argument) throws -> Void

    /// A value of any kind; `text` writes its default.
    static func value<Value: Sendable>(
        _ placeholder: ValuePlaceholder, _ property: @autoclosure @escaping Property<Value>,
        _ parse: @escaping @Sendable (Argument) throws -> Value,
        text: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) -> FlagValue {
        FlagValue(
            placeholder: placeholder, defaultText: { text(RawOptions()[keyPath: property()]) },
            apply: { $0[keyPath: property()] = try parse($1) })
    }

    /// Values that accumulate if the option is repeated.
    static func list<Element: Sendable>(
        _ placeholder: ValuePlaceholder, _ property: @autoclosure @escaping Property<[Element]>,
        _ parse: @escaping @Sendable (Argument) throws -> Element
    ) -> FlagValue {
        FlagValue(
            placeholder: placeholder, isRepeatable: true, apply: { $0[keyPath: property()].append(try parse($1)) })
    }

    /// Any other effect on the options.
    static func custom(
        _ placeholder: ValuePlaceholder?, isRepeatable: Bool = false,
        _ apply: @escaping @Sendable (inout RawOptions, Argument) throws -> Void
    ) -> FlagValue {
        FlagValue(placeholder: placeholder, isRepeatable: isRepeatable, apply: apply)
    }

    static func on(_ property: @autoclosure @escaping Property<Bool>) -> FlagValue {
        custom(nil) { $0[keyPath: property()] = $1.isOn }
    }

    static func on(_ property: @autoclosure @escaping Property<Bool?>) -> FlagValue {
        custom(nil) { $0[keyPath: property()] = $1.isOn }
    }

    /// An option that disables what the property enables.
    static func off(_ property: @autoclosure @escaping Property<Bool>) -> FlagValue {
        custom(nil) { $0[keyPath: property()] = !$1.isOn }
    }

    static func count(
        _ property: @autoclosure @escaping Property<Int>, from minimum: Int = 1, to maximum: Int = .max,
        _ placeholder: ValuePlaceholder = "N"
    ) -> FlagValue {
        value(placeholder, property(), { try $0.count(from: minimum, to: maximum) }, text: { "\($0)" })
    }

    static func count(
        _ property: @autoclosure @escaping Property<Int?>, from minimum: Int = 1, to maximum: Int = .max,
        _ placeholder: ValuePlaceholder = "N"
    ) -> FlagValue {
        value(placeholder, property(), { try $0.count(from: minimum, to: maximum) })
    }

    /// Text in one line, which `name` describes.
    static func text(
        _ placeholder: ValuePlaceholder, _ property: @autoclosure @escaping Property<String>, _ name: String = "text"
    ) -> FlagValue {
        value(placeholder, property(), { try $0.singleLine(name) }, text: { $0 })
    }

    static func text(
        _ placeholder: ValuePlaceholder, _ property: @autoclosure @escaping Property<String?>, _ name: String = "text"
    ) -> FlagValue {
        value(placeholder, property(), { try $0.singleLine(name) })
    }

    static func file(_ property: @autoclosure @escaping Property<String?>) -> FlagValue {
        text(.file, property(), "a file name")
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ property: @autoclosure @escaping Property<Choice>, _ placeholder: String? = nil
    ) -> FlagValue {
        value(
            .choice(of: Choice.self, placeholder), property(), { try $0.choice(of: Choice.self) },
            text: { $0.rawValue })
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ property: @autoclosure @escaping Property<Choice?>
    ) -> FlagValue {
        value(.choice(of: Choice.self), property(), { try $0.choice(of: Choice.self) })
    }

    static func time(
        _ property: @autoclosure @escaping Property<Duration>, canBeZero: Bool = false
    ) -> FlagValue {
        value("TIME", property(), { try $0.duration(canBeZero: canBeZero) }, text: { Flag.shown($0) })
    }

    static func time(_ property: @autoclosure @escaping Property<Duration?>) -> FlagValue {
        value("TIME", property(), { try $0.duration() })
    }

    static func bytes(
        _ property: @autoclosure @escaping Property<Int>, atLeast minimum: Int = 1
    ) -> FlagValue {
        value("SIZE", property(), { try $0.bytes(atLeast: minimum) }, text: { Flag.shown(bytes: $0) })
    }

    static func bytes(_ property: @autoclosure @escaping Property<Int?>) -> FlagValue {
        value("SIZE", property(), { try $0.bytes() })
    }
}

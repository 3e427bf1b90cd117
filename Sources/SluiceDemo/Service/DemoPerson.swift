// SPDX-License-Identifier: MIT

/// An invented photographer.
struct DemoPerson {
    let name: String
    let username: String

    private static let first = [
        "Ada", "Bram", "Cleo", "Davi", "Esme", "Farid", "Greta", "Hugo", "Inés", "Jun", "Kaya", "Linus", "Mirela",
        "Noor",
        "Oskar", "Priya", "Quim", "Runa", "Søren", "Tamsin", "Umi", "Vera", "Wendel", "Yara",
    ]
    private static let last = [
        "Ashdown", "Bellweather", "Castellan", "Duskin", "Everhart", "Fairlamb", "Gorse", "Hollin", "Ivarsen",
        "Jessamy",
        "Kestrelly", "Lindqvane", "Marlowe-Pike", "Northey", "Okonwood", "Penhallow", "Quarles", "Rowanby",
        "Silverbeck",
        "Thornaby", "Underhay", "Vantongeren", "Wraxley", "Zellweg",
    ]
    /// The number of people.
    static let count = 40

    /// Creates the person with a number from 0.
    init(_ number: Int) {
        let first = Self.first[number % Self.first.count]
        let last = Self.last[(number * 7 + number / Self.first.count) % Self.last.count]
        name = "\(first) \(last)"
        let ascii = "\(first)\(last)".lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }
        username = String(String.UnicodeScalarView(ascii))
    }
}

// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A separate package, because a fuzzer needs all code that it calls built with sanitizers; see `Scripts/fuzz`.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "Sluice", path: "../..")],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(name: "Fuzz", dependencies: ["CFuzzer", .product(name: "SluiceImaging", package: "Sluice")]),
    ],
    swiftLanguageModes: [.v6]
)

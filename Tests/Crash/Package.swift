// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A package of its own, because it drives the finished command from outside: see `Scripts/crash-test`.
let package = Package(
    name: "Crash",
    platforms: [.macOS(.v26)],
    targets: [.executableTarget(name: "Crash")],
    swiftLanguageModes: [.v6]
)

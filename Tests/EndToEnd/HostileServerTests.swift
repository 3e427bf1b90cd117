// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Mirrors of a server with many kinds of hostile replies over HTTP/1.1 and HTTP/2; `Benchmarks/hostile` has more.
    @Suite("Hostile server", .timeLimit(.minutes(10))) struct HostileServerTests {
        @Test(
            "A stored file is one version that its address offered, no run ends with a bug, and an honest run completes",
            .enabled(if: PythonPackages.hasHPACK, "Scripts/setup --tests installs the Python packages"))
        func sample() throws {
            let program = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Benchmarks/hostile").standardized.path
            let script = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
            let words = ["--sluice", Binary.path, "--every", "11", "--photos", "1", "--retries", "1", "--replies", "1"]
            let output = try PythonPackages.run(script, [program] + words)
            #expect(output.contains("faults: 0\n"), "\(output)")
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Doctor", .timeLimit(.minutes(10))) struct DoctorTests {
    @Test("Every check reports a result under a unique name, and a hint where action is needed")
    func examination() {
        let results = Doctor.examine()
        #expect(Set(results.map(\.name)).count == results.count)
        for name in ["open files", "current folder", "free space", "clock", "certificates", "transfers"] {
            #expect(results.contains { $0.name == name })
        }
        for result in results where result.verdict == .problem { #expect(result.advice != nil, "\(result.name)") }
    }

    @Test(
        "Open files",
        arguments: [
            (20, 20, HealthCheckResult.Verdict.problem), (256, 4096, .warning), (1024, 1_048_576, .ok),
            (.max, .max, .ok),
        ])
    func descriptors(_ soft: Int, _ hard: Int, verdict: HealthCheckResult.Verdict) {
        #expect(DescriptorCheck.result(soft: soft, hard: hard).verdict == verdict)
    }

    @Test("A folder that is not writable is a problem, and the check leaves no files in a writable one")
    func disk() throws {
        let folder = TemporaryFolder()
        #expect(DiskCheck.results(in: folder.path).map(\.verdict).first == .ok)
        #expect(folder.names() == [])
        let gone = DiskCheck.results(in: folder.path("missing"))[0]
        #expect(gone.verdict == .problem && gone.detail.contains("No such file"))
        #expect(DiskCheck.result(freeBytes: 1 << 20).verdict == .problem)
        #expect(DiskCheck.result(freeBytes: 100 << 20).verdict == .warning)
        #expect(DiskCheck.result(freeBytes: .max).verdict == .ok)
    }

    @Test(
        "The clock",
        arguments: [
            (0, HealthCheckResult.Verdict.problem), (Version.epoch + 86_400, .ok), (4_102_444_800, .problem),
            (.min, .problem),
        ])
    func clock(_ now: Int, verdict: HealthCheckResult.Verdict) {
        #expect(ClockCheck.result(now: now).verdict == verdict)
        #expect(ClockCheck.result(now: 0).detail.contains("1970-01-01"))
    }

    @Test(
        "A libcurl that was built with less",
        arguments: [
            (true, true, HealthCheckResult.Verdict.ok), (true, false, .warning), (false, false, .problem),
        ])
    func transfers(hasTLS: Bool, hasHTTP2: Bool, verdict: HealthCheckResult.Verdict) {
        #expect(TransferCheck.result("libcurl 8", hasTLS: hasTLS, hasHTTP2: hasHTTP2).verdict == verdict)
        #expect(TransferCheck.run().map(\.verdict) == [.ok])
    }

    @Test("Certificates are parsed, not only found")
    func certificates() throws {
        let folder = TemporaryFolder()
        let good = folder.path("good.pem")
        let empty = folder.path("empty.pem")
        try Data("# a bundle\n-----BEGIN CERTIFICATE-----\n".utf8).write(to: URL(filePath: good))
        try Data().write(to: URL(filePath: empty))
        #expect(CertificateCheck.result(TrustedCertificates(file: good)).verdict == .ok)
        for file in [empty, folder.path("none")] {
            #expect(CertificateCheck.result(TrustedCertificates(file: file)).verdict == .problem)
        }
    }
}

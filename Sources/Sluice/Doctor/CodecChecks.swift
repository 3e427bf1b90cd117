// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// Whether each codec encodes a picture and decodes it to the same one.
enum CodecChecks {
    @Sendable static func findings() -> [Finding] {
        CodecCheck.all().map { check in
            guard let problem = check.problem else { return Finding(check.format.name, .ok, "encodes and decodes") }
            return Finding(
                check.format.name, .problem, problem,
                advice: "install the distribution's own library again (`sluice --version` names them)")
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row G3 of the fault table: the wall clock is used for time stamps only.
    @Suite("Clocks", .enabled(if: FalseClock.isPermitted, "there is no C compiler")) struct ClockTests {
        /// Seconds: an hour back, two days ahead, 1970 and 2099 as seen from 2026.
        private static let jumps = [-3600, 2 * 86400, -56 * 31_556_952, 73 * 31_556_952]

        @Test(
            "G3: a run finishes and keeps finished photos, whatever year the clock shows now or showed before",
            arguments: jumps)
        func wrong(by seconds: Int) throws {
            let clock = try FalseClock()
            let mirror = try DemoMirror()
            try clock.set(seconds)
            let first = try clock.start(mirror.arguments + ["--quiet"]).end()
            #expect(first.code == 0 && first.isPlain, "\(first)")
            try clock.set(0)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
            try clock.set(seconds)
            let again = try clock.start(mirror.arguments + ["--json", "--refresh"]).end().expect()
            #expect(try RunEvent.all(in: again.out).ended("kept") == Set(1...90))
            let runs = try clock.start(["diff", mirror.path]).end()
            #expect(runs.code == 0 && runs.out.count { $0 == "\n" } >= 3, "\(runs)")
        }

        @Test(
            "G3: a clock that jumps during a run changes neither its result nor its duration",
            arguments: jumps)
        func jumping(by seconds: Int) throws {
            let clock = try FalseClock()
            let mirror = try DemoMirror()
            let running = try clock.start(mirror.arguments + ["--json", "--max-time", "10m"])
            try running.wait(for: "item-ended", count: 3)
            running.stop()
            try clock.set(seconds)
            running.send(SIGCONT)
            let result = try running.end().expect()
            let duration = try #require(RunEvent.all(in: result.out).last?.members["duration"] as? Double)
            #expect(duration > 0 && duration < 600)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }
    }
}

/// Shifts the wall clock of the command, also during a run; the monotonic clock stays correct.
struct FalseClock {
    /// Whether a C compiler is installed: the shift is a preloaded library.
    static let isPermitted = (try? FalseClock()) != nil

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static long offset(void) {
            char text[32] = {0};
            int file = open(getenv("FALSE_CLOCK"), O_RDONLY | O_CLOEXEC);
            if (file < 0) return 0;
            if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
            close(file);
            return atol(text);
        }
        int clock_gettime(clockid_t clock, struct timespec *now) {
            static int (*real)(clockid_t, struct timespec *);
            if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
            int code = real(clock, now);
            if (code == 0 && clock == CLOCK_REALTIME) now->tv_sec += offset();
            return code;
        }
        time_t time(time_t *now) {
            struct timespec precise;
            clock_gettime(CLOCK_REALTIME, &precise);
            if (now) *now = precise.tv_sec;
            return precise.tv_sec;
        }
        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec precise;
            clock_gettime(CLOCK_REALTIME, &precise);
            now->tv_sec = precise.tv_sec;
            now->tv_usec = precise.tv_nsec / 1000;
            (void)zone;
            return 0;
        }
        """

    private let folder = TemporaryFolder()
    private var library: String { folder.path("clock.so") }

    init() throws {
        try folder.write(Self.source, to: "clock.c")
        let line = "for cc in cc clang gcc; do $cc -shared -fPIC -o clock.so clock.c -ldl && exit 0; done; exit 1"
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        try Running(["-c", line], program: "/bin/sh", environment: ["PATH": path], folder: folder.url).end().require()
        try set(0)
    }

    /// Shifts the clock by `seconds`, also for runs in progress.
    func set(_ seconds: Int) throws {
        try Data("\(seconds)\n".utf8).write(to: folder.url.appending(path: "offset"), options: .atomic)
    }

    /// Starts the command with the shifted clock.
    func start(_ arguments: [String]) throws -> Running {
        try Running(arguments, environment: ["LD_PRELOAD": library, "FALSE_CLOCK": folder.path("offset")])
    }
}

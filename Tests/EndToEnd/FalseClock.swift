// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

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

    private let folder: TemporaryFolder
    private var library: String { folder.path("clock.so") }

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.source.utf8).write(to: folder.url.appending(path: "clock.c"))
        let line = "for cc in cc clang gcc; do $cc -shared -fPIC -o clock.so clock.c -ldl && exit 0; done; exit 1"
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try Running(["-c", line], program: "/bin/sh", environment: ["PATH": path], folder: folder.url)
            .end()
        try #require(result.code == 0, "\(result.err)")
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

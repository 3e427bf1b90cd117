// SPDX-License-Identifier: MIT
//
// A library that is loaded before the C library (LD_PRELOAD) and intercepts a program's system calls.
//
// It exists because strace counts the calls of each thread separately, so it cannot address the third call of the
// second thread alone. Here one counter serves all threads, so every call of a run has its own number.
//
// Environment variables control it:
//   CRASH_COUNT  a file of 8 bytes that holds the number of calls
//   CRASH_CALLS  the names of the calls to count, each between commas: ",write,fsync,"
//   CRASH_AT     the number of the call that gets the fault
//   CRASH_ON     "yes" to affect every later call as well
//   CRASH_WITH   the fault: KILL, SHORT (write half of the bytes), or an error number

// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

// A VFS of SQLite that ends each page of a database with a checksum, and checks it when the page is read. SQLite finds
// damage of its own structures only, and would return a value in which a bit has changed. A database has checksums if
// it was created with CSQLITE_CHECKSUM_SIZE reserved bytes for each page; any other one is read as it is. Pages in the
// write-ahead log have SQLite's own checksums, and get these when they are copied to the database.

enum { CSQLITE_CHECKSUM_SIZE = 8 };

// The name of the VFS, and SQLite's code for a page that differs from its checksum, a macro that Swift cannot import.
#define CSQLITE_CHECKSUMS "sluice"
static const int csqlite_wrong_checksum = SQLITE_IOERR_DATA;

typedef struct {
    sqlite3_file file;
    int has_checksums;
} csqlite_file;

// The file of SQLite's own VFS, which follows in the same memory.
static inline sqlite3_file *csqlite_inner(sqlite3_file *file) { return (sqlite3_file *)((csqlite_file *)file + 1); }

static inline int csqlite_is_page(int count) { return count >= 512 && (count & (count - 1)) == 0; }

static inline uint64_t csqlite_checksum(const void *page, int count) {
    uint64_t sum = 0x9E3779B97F4A7C15;
    for (int at = 0; at < count - CSQLITE_CHECKSUM_SIZE; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)page + at, sizeof word);
        // The factor is odd, so a single changed bit always changes the sum.
        sum = sum * 0xD1342543DE82EF95 + word;
    }
    return sum;
}

// The header of the first page states the number of reserved bytes.
static inline void csqlite_inspect(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
    if (at == 0 && count >= 100)
        ((csqlite_file *)file)->has_checksums = ((const unsigned char *)bytes)[20] == CSQLITE_CHECKSUM_SIZE;
}

static inline int csqlite_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at) {
    int code = csqlite_inner(file)->pMethods->xRead(csqlite_inner(file), bytes, count, at);
    if (code != SQLITE_OK) return code;
    csqlite_inspect(file, bytes, count, at);
    if (!((csqlite_file *)file)->has_checksums || !csqlite_is_page(count)) return SQLITE_OK;
    uint64_t sum = csqlite_checksum(bytes, count);
    return memcmp((char *)bytes + count - sizeof sum, &sum, sizeof sum) == 0 ? SQLITE_OK : csqlite_wrong_checksum;
}

// SQLite does not use the reserved bytes, so they are written in its own buffer.
static inline int csqlite_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
    csqlite_inspect(file, bytes, count, at);
    if (((csqlite_file *)file)->has_checksums && csqlite_is_page(count)) {
        uint64_t sum = csqlite_checksum(bytes, count);
        memcpy((char *)bytes + count - sizeof sum, &sum, sizeof sum);
    }
    return csqlite_inner(file)->pMethods->xWrite(csqlite_inner(file), bytes, count, at);
}

#define CSQLITE_FORWARD(name, parameters, ...)                                                                         \
    static inline int csqlite_##name parameters { return csqlite_inner(file)->pMethods->name(__VA_ARGS__); }
CSQLITE_FORWARD(xClose, (sqlite3_file *file), csqlite_inner(file))
CSQLITE_FORWARD(xTruncate, (sqlite3_file *file, sqlite3_int64 size), csqlite_inner(file), size)
CSQLITE_FORWARD(xSync, (sqlite3_file *file, int flags), csqlite_inner(file), flags)
CSQLITE_FORWARD(xFileSize, (sqlite3_file *file, sqlite3_int64 *size), csqlite_inner(file), size)
CSQLITE_FORWARD(xLock, (sqlite3_file *file, int lock), csqlite_inner(file), lock)
CSQLITE_FORWARD(xUnlock, (sqlite3_file *file, int lock), csqlite_inner(file), lock)
CSQLITE_FORWARD(xCheckReservedLock, (sqlite3_file *file, int *result), csqlite_inner(file), result)
CSQLITE_FORWARD(xFileControl, (sqlite3_file *file, int operation, void *value), csqlite_inner(file), operation, value)
CSQLITE_FORWARD(xSectorSize, (sqlite3_file *file), csqlite_inner(file))
CSQLITE_FORWARD(xDeviceCharacteristics, (sqlite3_file *file), csqlite_inner(file))
CSQLITE_FORWARD(xShmMap, (sqlite3_file *file, int page, int size, int extend, void volatile **map),
                csqlite_inner(file), page, size, extend, map)
CSQLITE_FORWARD(xShmLock, (sqlite3_file *file, int offset, int count, int flags), csqlite_inner(file), offset, count,
                flags)
CSQLITE_FORWARD(xShmUnmap, (sqlite3_file *file, int deletes), csqlite_inner(file), deletes)
#undef CSQLITE_FORWARD
static inline void csqlite_xShmBarrier(sqlite3_file *file) {
    csqlite_inner(file)->pMethods->xShmBarrier(csqlite_inner(file));
}

// SQLite's own VFS.
static inline sqlite3_vfs *csqlite_default_vfs(void) { return sqlite3_vfs_find("unix"); }

static inline int csqlite_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    (void)vfs;
    sqlite3_vfs *inner = csqlite_default_vfs();
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return inner->xOpen(inner, name, file, flags, result);
    // Version 2 has no memory mapping, which would pass the checks by.
    static const sqlite3_io_methods methods = {
        2,
        csqlite_xClose,
        csqlite_read,
        csqlite_write,
        csqlite_xTruncate,
        csqlite_xSync,
        csqlite_xFileSize,
        csqlite_xLock,
        csqlite_xUnlock,
        csqlite_xCheckReservedLock,
        csqlite_xFileControl,
        csqlite_xSectorSize,
        csqlite_xDeviceCharacteristics,
        csqlite_xShmMap,
        csqlite_xShmLock,
        csqlite_xShmBarrier,
        csqlite_xShmUnmap,
        0,
        0,
    };
    memset(file, 0, sizeof(csqlite_file));
    int code = inner->xOpen(inner, name, csqlite_inner(file), flags, result);
    // SQLite closes a file that has methods, also if opening failed.
    if (csqlite_inner(file)->pMethods) file->pMethods = &methods;
    return code;
}

// Registers the VFS, once for the process; returns a code of SQLite.
static inline int csqlite_register_checksums(void) {
    static sqlite3_vfs vfs;
    int code = sqlite3_initialize();
    if (code != SQLITE_OK) return code;
    sqlite3_vfs *inner = csqlite_default_vfs();
    if (!inner) return SQLITE_ERROR;
    vfs = *inner;
    vfs.pNext = 0;
    vfs.zName = CSQLITE_CHECKSUMS;
    vfs.szOsFile += (int)sizeof(csqlite_file);
    vfs.xOpen = csqlite_open;
    return sqlite3_vfs_register(&vfs, 0);
}

// Gives a database that is still empty room for checksums.
static inline void csqlite_reserve_checksums(sqlite3 *_Nonnull database) {
    int size = CSQLITE_CHECKSUM_SIZE;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}

// SPDX-License-Identifier: MIT
#pragma once

/// Compiles a function twice, with and without AVX2, and chooses at run time; the inner function is always inlined.
///
/// `DISPATCH(type, name, parameters, arguments)` defines `csluice_name` from the inner function `name`.
#if defined(__x86_64__)
#define DISPATCH(type, name, parameters, arguments)                                                 \
    __attribute__((target("avx2,bmi,bmi2"))) static type name##_avx2 parameters {                   \
        return name arguments;                                                                      \
    }                                                                                               \
    type csluice_##name parameters {                                                                \
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {                     \
            return name##_avx2 arguments;                                                           \
        }                                                                                           \
        return name arguments;                                                                      \
    }
#else
#define DISPATCH(type, name, parameters, arguments) \
    type csluice_##name parameters { return name arguments; }
#endif

#define INLINE static inline __attribute__((always_inline))

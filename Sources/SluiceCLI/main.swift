// SPDX-License-Identifier: MIT
print("sluice")

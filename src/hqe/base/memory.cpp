// SPDX-License-Identifier: MIT
#include "hqe/base/memory.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace hqe {

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace hqe

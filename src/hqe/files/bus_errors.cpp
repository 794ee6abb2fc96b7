// SPDX-License-Identifier: MIT
#include "hqe/files/bus_errors.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace hqe {

/// What the handler knows of a range. Slots are never freed, since a handler may be looking at one,
/// but used again: there are as many as there were ever ranges at a time.
struct GuardedRange::Slot {
  /// Odd while begin and size are being changed. A range that is read from does not change, so a
  /// handler that sees a change has the wrong slot before it.
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> is_damaged{false};
  bool is_used = false;  ///< Under slots_mutex.
  Slot* next = nullptr;

  void set(std::uintptr_t new_begin, std::size_t new_size) {
    version.fetch_add(1);
    begin = new_begin;
    size = new_size;
    version.fetch_add(1);
  }
};

namespace {

using Slot = GuardedRange::Slot;

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uintptr_t>::is_always_lock_free &&
              std::atomic<Slot*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

std::atomic<Slot*> first_slot = nullptr;
std::mutex slots_mutex;

// Written before the handler is installed.
std::uintptr_t page_size = 0;
struct sigaction previous_action{};

/// Only what a handler may do: atomics, and mmap(), which is a bare system call.
bool survive(std::uintptr_t address) {
  for (Slot* slot = first_slot.load(); slot != nullptr; slot = slot->next) {
    const std::uint64_t version = slot->version.load();
    const std::uintptr_t begin = slot->begin.load();
    const std::size_t size = slot->size.load();
    if (version % 2 == 1 || slot->version.load() != version) continue;
    if (address - begin >= size) continue;
    // Before anybody can read a zero.
    slot->is_damaged = true;
    const std::uintptr_t page = address / page_size * page_size;
    const std::uintptr_t end = (begin + size + page_size - 1) / page_size * page_size;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address comes as a number.
    return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

void pass_on(int number, siginfo_t* information, void* context) {
  const struct sigaction& before = previous_action;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, information, context);
  const bool was_sent = information->si_code <= 0;  // By kill(), not by a fault.
  if (before.sa_handler == SIG_IGN && was_sent) return;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    return before.sa_handler(number);
  }
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  ::sigaction(number, &standard, nullptr);
  // A fault comes again with its instruction; what was sent must be sent again.
  if (was_sent) ::raise(number);
}

extern "C" void handle_bus_error(int number, siginfo_t* information, void* context) {
  const int kept_errno = errno;
  const bool is_fault = information->si_code > 0;
  if (!is_fault || !survive(reinterpret_cast<std::uintptr_t>(information->si_addr))) {
    pass_on(number, information, context);
  }
  errno = kept_errno;
}

void install_handler() {
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  ::sigaction(SIGBUS, nullptr, &previous_action);
  struct sigaction action{};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(SIGBUS, &action, nullptr);
}

Slot* take_slot() {
  const std::scoped_lock lock(slots_mutex);
  Slot* slot = first_slot.load();
  while (slot != nullptr && slot->is_used) slot = slot->next;
  if (slot == nullptr) {
    slot = new Slot;
    slot->next = first_slot.load();
    first_slot = slot;
  }
  slot->is_used = true;
  return slot;
}

}  // namespace

GuardedRange::GuardedRange(const void* begin, std::size_t size) {
  static std::once_flag installed;
  std::call_once(installed, install_handler);
  slot_ = take_slot();
  slot_->is_damaged = false;
  slot_->set(reinterpret_cast<std::uintptr_t>(begin), size);
}

GuardedRange::~GuardedRange() {
  slot_->set(0, 0);
  const std::scoped_lock lock(slots_mutex);
  slot_->is_used = false;
}

bool GuardedRange::is_damaged() const { return slot_->is_damaged; }

}  // namespace hqe

// Lets the thread sanitizer see Abseil's mutexes.
//
// The sanitizer learns who waits for whom from instrumented code and from the C library. Debian's Abseil is
// neither: its Mutex goes straight to the kernel, so that everything it guards, in our code and in gRPC's,
// looks like a race. This file is linked into the tests of the tsan preset, where its definitions come before
// the library's. Each calls the library's own and tells the sanitizer: what happened before an unlock is
// seen after the next lock.
//
// What gRPC does on its own behind the scenes is left out by ignore_noninstrumented_modules=1, which the test
// preset sets.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

// The library's definition of a member function, found by its name in the symbol table.
#define LIBRARYS(type, name) reinterpret_cast<type>(dlsym(RTLD_NEXT, name))

namespace absl {
ABSL_NAMESPACE_BEGIN
namespace {

using Act = void (*)(Mutex*);
using Try = bool (*)(Mutex*);

void LockAs(Act librarys, Mutex* mutex) {
  librarys(mutex);
  __tsan_acquire(mutex);
}

void UnlockAs(Act librarys, Mutex* mutex) {
  __tsan_release(mutex);
  librarys(mutex);
}

bool TryAs(Try librarys, Mutex* mutex) {
  const bool locked = librarys(mutex);
  if (locked) __tsan_acquire(mutex);
  return locked;
}

}  // namespace

void Mutex::Lock() {
  static const auto librarys = LIBRARYS(Act, "_ZN4absl7debian35Mutex4LockEv");
  LockAs(librarys, this);
}

void Mutex::Unlock() {
  static const auto librarys = LIBRARYS(Act, "_ZN4absl7debian35Mutex6UnlockEv");
  UnlockAs(librarys, this);
}

bool Mutex::TryLock() {
  static const auto librarys = LIBRARYS(Try, "_ZN4absl7debian35Mutex7TryLockEv");
  return TryAs(librarys, this);
}

void Mutex::ReaderLock() {
  static const auto librarys = LIBRARYS(Act, "_ZN4absl7debian35Mutex10ReaderLockEv");
  LockAs(librarys, this);
}

void Mutex::ReaderUnlock() {
  static const auto librarys = LIBRARYS(Act, "_ZN4absl7debian35Mutex12ReaderUnlockEv");
  UnlockAs(librarys, this);
}

bool Mutex::ReaderTryLock() {
  static const auto librarys = LIBRARYS(Try, "_ZN4absl7debian35Mutex13ReaderTryLockEv");
  return TryAs(librarys, this);
}

// The waits below give the mutex away and take it back.

void Mutex::LockWhen(const Condition& condition) {
  static const auto librarys =
      LIBRARYS(void (*)(Mutex*, const Condition&), "_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE");
  librarys(this, condition);
  __tsan_acquire(this);
}

void Mutex::Await(const Condition& condition) {
  static const auto librarys =
      LIBRARYS(void (*)(Mutex*, const Condition&), "_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE");
  __tsan_release(this);
  librarys(this, condition);
  __tsan_acquire(this);
}

bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  static const auto librarys =
      LIBRARYS(bool (*)(Mutex*, const Condition&, Duration),
               "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  __tsan_release(this);
  const bool met = librarys(this, condition, timeout);
  __tsan_acquire(this);
  return met;
}

bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  static const auto librarys =
      LIBRARYS(bool (*)(Mutex*, const Condition&, Time),
               "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  __tsan_release(this);
  const bool met = librarys(this, condition, deadline);
  __tsan_acquire(this);
  return met;
}

void CondVar::Wait(Mutex* mutex) {
  static const auto librarys =
      LIBRARYS(void (*)(CondVar*, Mutex*), "_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  librarys(this, mutex);
  __tsan_acquire(mutex);
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static const auto librarys =
      LIBRARYS(bool (*)(CondVar*, Mutex*, Duration),
               "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool timed_out = librarys(this, mutex, timeout);
  __tsan_acquire(mutex);
  return timed_out;
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static const auto librarys = LIBRARYS(bool (*)(CondVar*, Mutex*, Time),
                                        "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool timed_out = librarys(this, mutex, deadline);
  __tsan_acquire(mutex);
  return timed_out;
}

ABSL_NAMESPACE_END
}  // namespace absl

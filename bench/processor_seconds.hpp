#pragma once

#include <sys/resource.h>

namespace bnnplan::bench {

// Processor time of this process, or of its children that have ended (RUSAGE_CHILDREN).
inline double processor_seconds(int who = RUSAGE_SELF) {
  struct rusage usage {};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace bnnplan::bench

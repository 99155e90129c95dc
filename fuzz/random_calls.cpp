// Random sequences of calls of the library, as in CaDiCaL's mobical: a few small problems, a domain, a
// network and data, and calls of most public headers on them, with random options (call_sequence.cpp), now
// and then cancelled or two at the same time. After every call, everything that the headers promise must hold
// (planning_calls.cpp, learning_calls.cpp, domain_calls.cpp). A failure is shrunk to the calls and options
// that it takes.
//
//   random_calls [--seed S] [--count N] [--seconds T] [--out FOLDER]
//   random_calls FILE      replays a sequence that was written
//
// `--pretend-wrong check` lets the checker refuse all plans, to see the machinery find, shrink and report.
#include <thread>

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "call_sequence.hpp"
#include "called_objects.hpp"
#include "campaign.hpp"

namespace bnnplan::fuzz {

namespace {

constexpr int most_seconds = 120;

std::string failure_of(const CallSequence& calls, const std::string& pretend_wrong) {
  CalledObjects objects(pretend_wrong);
  const auto failure_of_call = [&](const Call& call) -> std::string {
    try {
      make_call(objects, call);
      return "";
    } catch (const BrokenPromise& broken) {
      return broken.text;
    }
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::string failure, beside;
    if (i + 1 < calls.size() && calls[i + 1].beside) {
      std::thread other([&, next = i + 1] { beside = failure_of_call(calls[next]); });
      failure = failure_of_call(calls[i]);
      other.join();
      ++i;
    } else {
      failure = failure_of_call(calls[i]);
    }
    if (failure.empty()) failure = beside;
    if (!failure.empty()) return failure;
  }
  return "";
}

std::string isolated_failure(const CallSequence& calls, const std::string& pretend_wrong) {
  return run_isolated([&] { return failure_of(calls, pretend_wrong); }, most_seconds);
}

// Fewer calls, one after the other, with fewer options.
void shrink(Shrinking<CallSequence>& calls) {
  calls.drop_each([](auto& draft) -> auto& { return draft; });
  for (std::size_t i = 0; i < calls.best().size(); ++i) {
    calls.drop_each([i](auto& draft) -> auto& { return draft[i].options; });
    if (!calls.best()[i].beside) continue;
    CallSequence draft = calls.best();
    draft[i].beside = false;
    calls.attempt(std::move(draft));
  }
}

int run(const CampaignOptions& options) {
  return run_campaign(options, [&](std::uint64_t seed) {
    const auto failure = [&](const CallSequence& calls) {
      return isolated_failure(calls, options.pretend_wrong);
    };
    return failure_shrunk<CallSequence>(options, fmt::format("calls-{}", seed), ".txt", random_calls(seed),
                                        {failure, text_of, shrink});
  });
}

int replay(const char* file) {
  const std::string failure = isolated_failure(parse_calls(read_text_file(file)), "");
  fmt::print("{}\n", failure.empty() ? "nothing failed" : failure);
  return failure.empty() ? 0 : 1;
}

}  // namespace

}  // namespace bnnplan::fuzz

int main(int argc, char** argv) {
  if (argc == 2 && argv[1][0] != '-') return bnnplan::fuzz::replay(argv[1]);
  return bnnplan::fuzz::run(bnnplan::fuzz::parse_campaign(argc, argv));
}

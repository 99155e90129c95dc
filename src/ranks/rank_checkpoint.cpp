// Saving and resuming a distributed search. Every rank writes a file of its nodes, each with what it is
// queued for, and when all have done so, rank 0 replaces the index, which states which search it belongs to,
// how many files there are, and what all ranks know. Files carry the number of the save in their names,
// FILE.SAVE.RANK, so that the older ones stay complete until the index names the new ones; only then are they
// removed. Whatever happens during a save, the index names complete files. Index and files contain a number
// unique to the save, so that files of two runs are told apart.
//
// A node belongs to the rank that its hash selects, for any number of ranks. So to resume, the files are
// distributed over the current ranks, and each sends the nodes it reads to their owners. What follows depends
// only on sets of nodes: the search ends with the cost, the bound and the plan of one that was never stopped.
//
// All ranks read the index: it must be on a file system that they share, and so must the files.
#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/ranks/agreement.hpp"
#include "bnnplan/ranks/rank_search.hpp"

namespace bnnplan::ranks {

namespace {

constexpr std::uint64_t kind = 0x72616e6b73000003;  // distinguishes these files from those of one process
constexpr std::size_t nodes_of_a_round = std::size_t{1} << 16;
constexpr std::size_t words_beside_state = 5;
constexpr std::int64_t not_queued = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_ranks = 1 << 20, most_parts = 1 << 10;

std::string file_of_rank(const std::string& index, std::uint64_t generation, std::int64_t rank) {
  return fmt::format("{}.{}.{}", index, generation, rank);
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

std::int64_t number_of_a_new_save() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() ^
         (static_cast<std::int64_t>(::getpid()) << 40);
}

struct Files {
  std::uint64_t generation = 0;  // 0: there are no files
  std::int64_t ranks = 0;
};

// The files of an existing index, no matter of which search.
Files files_of(const std::string& index) {
  try {
    engines::CheckpointReader file(index);
    Files files;
    if (file.read() != kind) return {};
    for (int i = 0; i < 3; ++i) file.read();
    files.generation = file.read();
    files.ranks = file.read_signed(1, most_ranks, "its number of ranks");
    return files;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

// By the clock of this rank; if one rank finds a save due, all save.
bool RankSearch::save_is_due() {
  return !run_.request.checkpoint.file.empty() &&
         run_.watch.seconds() - last_save_ >= run_.request.checkpoint.every;
}

void RankSearch::save_at_the_end() {
  const StopReason reason = run_.watch.reason();
  if (run_.request.checkpoint.file.empty() || !begun_ || reason == StopReason::too_large) return;
  if (whole_) return save();
  saved_ = run_.request.checkpoint.resume;  // stopped before it was read: the file is still complete
}

// Called by all ranks together. An error is reported at the end; the older checkpoint remains intact.
void RankSearch::save() {
  const std::string& index = run_.request.checkpoint.file;
  const Files older = files_of(index);
  // Ranks may see changes of a shared file system at different times.
  auto number = -static_cast<std::int64_t>(older.generation);
  ranks_.minimum({&number, 1});
  generation_ = static_cast<std::uint64_t>(-number) + 1;
  number = ranks_.rank() == 0 ? number_of_a_new_save() : std::numeric_limits<std::int64_t>::max();
  ranks_.minimum({&number, 1});
  save_ = static_cast<std::uint64_t>(number);
  const std::string own = file_of_rank(index, generation_, ranks_.rank());
  saved_.clear();
  saving_error_.clear();
  std::int64_t sums[] = {evaluations_ - evaluations_before_, found_successors_, sampled_};
  ranks_.sum(sums);
  // Searches are large, and a rank's memory may be full: this needs only one word per node.
  const auto attempt = [&](const std::function<void()>& act) {
    try {
      act_alone(ranks_, act);
      return true;
    } catch (const InputErrorOfRank& error) {
      saving_error_ = error.text;
      return false;
    }
  };
  const bool written = attempt([&] { write_nodes(own); }) && attempt([&] {
                         if (ranks_.rank() == 0) write_index(index, sums);
                       });
  if (written) {
    saved_ = index;
    // The files of the previous save, which may have had more or fewer ranks.
    for (std::int64_t rank = ranks_.rank(); older.generation > 0 && rank < older.ranks; rank += ranks_.size())
      remove_file(file_of_rank(index, older.generation, rank));
  } else {
    remove_file(own);
  }
  last_save_ = run_.watch.seconds();
}

void RankSearch::write_nodes(const std::string& path) const {
  std::vector<std::int64_t> keys(nodes_->size(), not_queued);
  const auto note = [&](const Entry& entry, std::int64_t key) {
    if (entry.next_class == (*nodes_)[entry.node].next_class)
      keys[entry.node] = std::min(keys[entry.node], key);
  };
  for (const auto& of_layer : queue_) {
    for (const auto& [key, entries] : of_layer) {
      for (const Entry& entry : entries) note(entry, key);
    }
  }
  for (const auto* entries : {&due_, &later_, &deferred_}) {
    for (const DueEntry& due : *entries) note(due.entry, due.key);
  }
  engines::CheckpointWriter file(path);
  file.write(kind);
  file.write(engines::fingerprint_of(problem_));
  file.write(save_);
  file.write_signed(ranks_.rank());
  file.write(nodes_->size());
  engines::Words state(run_.packed.state_words);
  for (Id id = 0; id < nodes_->size(); ++id) {
    const RankNodes::Node& node = (*nodes_)[id];
    nodes_->copy_state(id, state.data());
    for (const std::uint64_t word : state) file.write(word);
    file.write(nodes_->layer(id));
    file.write(node.parent);
    file.write_signed(node.cost);
    file.write(node.action, node.next_class);
    file.write_signed(keys[id]);
  }
  file.write(goal_ ? 1 : 0);
  if (goal_) {
    file.write_signed(goal_->cost);
    file.write(goal_->layer);
    file.write(goal_->parent);
    for (const std::uint64_t word : goal_->tail) file.write(word);
  }
  file.write(sample_.size() + new_sample_.size());
  for (const std::uint64_t hash : sample_) file.write(hash);
  for (const std::uint64_t hash : new_sample_) file.write(hash);
  file.commit();
}

void RankSearch::write_index(const std::string& path, std::span<const std::int64_t> sums) const {
  engines::CheckpointWriter file(path);
  file.write(kind);
  file.write(engines::fingerprint_of(problem_));
  file.write(static_cast<std::uint64_t>(problem_.horizon));
  file.write(run_.request.limits.seed);
  file.write(generation_);
  file.write_signed(ranks_.size());
  file.write(save_);
  for (const std::int64_t number : {key_, end_, width_, small_buckets_, upper_}) file.write_signed(number);
  file.write(run_.actions.class_count());
  file.write(course_.layer);
  for (const std::int64_t number :
       {course_.low, course_.width, course_.intervals, course_.interval, course_.slices, course_.slice})
    file.write_signed(number);
  for (const bool flag : {two_now_, two_ever_, samples_}) file.write(flag ? 1 : 0);
  for (const std::int64_t number : sums) file.write_signed(number);
  file.commit();
}

void RankSearch::resume() {
  const std::string& index = run_.request.checkpoint.resume;
  if (index.empty()) return;
  std::int64_t files = 0;
  act_alone(ranks_, [&] {
    engines::CheckpointReader file(index);
    files = read_index(file);
  });
  if (!agree_to_go_on()) return;
  // Drops the state of a fresh start: what was there is in the files.
  nodes_.emplace(problem_.state.bit_count(), run_.packed.state_words, horizon_);
  queue_.assign(horizon_, {});
  queued_ = 0;
  engines::Words sample;
  std::int64_t next = ranks_.rank();
  std::optional<engines::CheckpointReader> file;
  std::size_t left = 0;
  while (true) {
    for (engines::Words& words : outgoing_) words.clear();
    act_alone(ranks_, [&] {
      if (!file && next < files) {
        file.emplace(file_of_rank(index, generation_, next));
        file->require(file->read() == kind && file->read() == engines::fingerprint_of(problem_) &&
                          file->read() == save_ && file->read() == static_cast<std::uint64_t>(next),
                      "it belongs to another checkpoint");
        next += ranks_.size();
        left = file->read_count(run_.packed.state_words + words_beside_state);
      }
      if (!file) return;
      read_nodes(*file, left, nodes_of_a_round);
      if (left > 0) return;
      read_end(*file, sample);
      file->require_end();
      file.reset();
    });
    const engines::Words records = ranks_.exchange(outgoing_);
    act_alone(ranks_, [&] { take_nodes(records, index); });
    run_.watch.exceeds_memory(bytes() + nodes_->bytes_of_growth(2 * nodes_of_a_round));
    if (!agree_to_go_on()) return;
    std::int64_t all_read = file || next < files ? 0 : 1;
    ranks_.minimum({&all_read, 1});
    if (all_read == 1) break;
  }
  share_read(sample);
  whole_ = true;
  run_.raise_lower(key_);
}

// Sends best plans to the owners of the states they end from, and samples to the ranks that count them.
void RankSearch::share_read(const engines::Words& sample) {
  for (engines::Words& words : outgoing_) words.clear();
  if (goal_) {
    engines::Words& to = outgoing_[static_cast<std::size_t>(RankNodes::owner(goal_->parent, ranks_.size()))];
    to.insert(to.end(), {static_cast<std::uint64_t>(goal_->cost), goal_->layer, goal_->parent});
    to.insert(to.end(), goal_->tail.begin(), goal_->tail.end());
    goal_.reset();
  }
  const engines::Words goals = ranks_.exchange(outgoing_);
  for (std::size_t at = 0; at < goals.size();) {
    Goal goal{
        {static_cast<std::int64_t>(goals[at]), static_cast<std::uint32_t>(goals[at + 1]), goals[at + 2]}, {}};
    at += 3;
    const std::size_t size = words_of_tail(goal.layer);
    goal.tail.assign(goals.begin() + static_cast<std::ptrdiff_t>(at),
                     goals.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
    offer(std::move(goal));
  }
  new_sample_ = sample;
  share_sample();
}

std::size_t RankSearch::words_of_tail(std::uint32_t layer) const {
  return (horizon_ - layer) * (run_.packed.action_words + run_.packed.state_words);
}

// Returns the number of files.
std::int64_t RankSearch::read_index(engines::CheckpointReader& file) {
  const auto other = [&](const std::string& what) {
    throw InputError(file.name(), "is a checkpoint of " + what);
  };
  if (file.read() != kind) other("`bnnplan plan`, expected one of `bnnplan-mpi plan`");
  if (file.read() != engines::fingerprint_of(problem_))
    other("another problem: the problem or its network has changed");
  if (const std::uint64_t horizon = file.read(); horizon != horizon_)
    other(fmt::format("horizon {}, the problem has horizon {}", horizon, horizon_));
  if (const std::uint64_t seed = file.read(); seed != run_.request.limits.seed)
    other(fmt::format("seed {}, this run has seed {}", seed, run_.request.limits.seed));
  generation_ = file.read();
  const std::int64_t files = file.read_signed(1, most_ranks, "its number of ranks");
  save_ = file.read();
  key_ = file.read_signed(0, not_queued - 1, "its lower bound");
  end_ = file.read_signed(0, not_queued, "the end of its bucket");
  width_ = file.read_signed(1, not_queued - 1, "the width of its buckets");
  small_buckets_ = file.read_signed(0, not_queued - 1, "its small buckets");
  upper_ = file.read_signed(0, not_queued, "its upper bound");
  const std::uint64_t classes = file.read_up_to(engines::no_index, "its classes of actions");
  course_.layer = static_cast<std::uint32_t>(file.read_up_to(no_layer, "the layer of its phase"));
  file.require(course_.layer == no_layer || course_.layer < horizon_, "the layer of its phase");
  course_.low = file.read_signed(0, not_queued - 1, "its costs");
  course_.width = file.read_signed(course_.layer == no_layer ? 0 : 1, not_queued, "its intervals");
  course_.intervals = file.read_signed(0, most_parts, "its intervals");
  course_.interval = file.read_signed(0, most_parts, "its intervals");
  course_.slices = file.read_signed(0, most_parts, "its slices");
  course_.slice = file.read_signed(0, most_parts, "its slices");
  file.require(std::has_single_bit(static_cast<std::uint64_t>(course_.slices)) || course_.slices == 0,
               "its slices");
  for (bool* flag : {&two_now_, &two_ever_, &samples_}) *flag = file.read_up_to(1, "a flag") == 1;
  std::int64_t sums[3];
  for (std::int64_t& number : sums) number = file.read_signed(0, not_queued - 1, "its counts");
  file.require_end();
  // Sums over all ranks, credited to the first one.
  if (ranks_.rank() == 0) {
    evaluations_before_ = -sums[0];
    found_successors_ = sums[1];
    sampled_ = sums[2];
  }
  // Actions are made on demand: make those that existed. A limit may prevent that, and all ranks hear of it.
  until_limit([&] {
    while (run_.actions.class_count() < classes && run_.actions.make_class(run_.actions.class_count())) {
    }
  });
  file.require(run_.actions.class_count() == classes || run_.watch.reason() != StopReason::none,
               "different actions");
  return files;
}

// What follows the nodes in a file: the best end of a plan, and a sample of states.
void RankSearch::read_end(engines::CheckpointReader& file, engines::Words& sample) {
  if (file.read_up_to(1, "its best plan") == 1) {
    Goal goal{};
    goal.cost = file.read_signed(0, not_queued - 1, "the cost of its plan");
    goal.layer = static_cast<std::uint32_t>(file.read_up_to(horizon_ - 1, "the layer of its plan"));
    file.require(goal.layer + 2 >= horizon_, "the layer of its plan");
    goal.parent = file.read();
    for (std::size_t i = 0; i < words_of_tail(goal.layer); ++i) goal.tail.push_back(file.read());
    offer(std::move(goal));
  }
  const std::size_t samples = file.read_count(1);
  for (std::size_t i = 0; i < samples; ++i) sample.push_back(file.read());
}

// Reads up to `most` nodes, adding each to what is sent to its owner.
void RankSearch::read_nodes(engines::CheckpointReader& file, std::size_t& left, std::size_t most) {
  const std::size_t words = run_.packed.state_words;
  engines::Words record(words + words_beside_state);
  for (; left > 0 && most > 0; --left, --most) {
    for (std::uint64_t& word : record) word = file.read();
    const std::uint64_t hash = nodes_->hash_of(record.data());
    engines::Words& to = outgoing_[static_cast<std::size_t>(RankNodes::owner(hash, ranks_.size()))];
    to.insert(to.end(), record.begin(), record.end());
  }
}

void RankSearch::take_nodes(std::span<const std::uint64_t> records, const std::string& file) {
  const std::size_t words = run_.packed.state_words, size = words + words_beside_state;
  const auto require = [&](bool condition, const char* what) {
    if (!condition)
      throw InputError(file, fmt::format("is not a checkpoint written by bnnplan-mpi: {}", what));
  };
  for (std::size_t at = 0; at < records.size(); at += size) {
    const std::uint64_t* record = records.data() + at;
    const std::uint64_t* rest = record + words;
    const std::uint64_t layer = rest[0];
    RankNodes::Node node{rest[1], static_cast<std::int64_t>(rest[2]),
                         static_cast<std::uint32_t>(rest[3] >> 32), static_cast<std::uint32_t>(rest[3])};
    const auto key = static_cast<std::int64_t>(rest[4]);
    require(layer < horizon_, "a layer beyond the horizon");
    require(node.cost >= 0 && (!narrow_ || node.cost >> 32 == 0), "the cost of a node");
    require(key >= node.cost && (key == not_queued || key >= key_), "a node that is already due");
    require(is_state(record), "bits outside of a state");
    const std::uint64_t hash = nodes_->hash_of(record);
    require(nodes_->find(record, hash, static_cast<std::uint32_t>(layer)) == engines::no_index,
            "a duplicate node");
    const std::uint32_t turn = node.next_class & ~two_steps;
    require((node.next_class & two_steps) != 0 ? layer + 2 == horizon_ && turn > 0
                                               : turn <= run_.actions.class_count(),
            "different actions");
    require(node.action < run_.actions.size() || node.action == RankNodes::no_action, "different actions");
    require((node.action == RankNodes::no_action) == (layer == 0), "a node without an action");
    const Id id = nodes_->add(record, hash, static_cast<std::uint32_t>(layer), node);
    if (key != not_queued) push(id, key);
  }
}

// Whether all bits beyond those of a state are 0.
bool RankSearch::is_state(const std::uint64_t* words) const {
  const std::size_t used = engines::words_for(problem_.state.bit_count());
  for (std::size_t i = 0; i < run_.packed.state_words; ++i) {
    const std::size_t bits = i < used ? std::min<std::size_t>(64, problem_.state.bit_count() - 64 * i) : 0;
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    if (i + 1 == run_.packed.state_words && !run_.packed.refused.empty()) {
      if (!run_.packed.refused.has(words[i])) return false;
    } else if ((words[i] & ~mask) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace bnnplan::ranks

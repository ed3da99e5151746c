#include <dlspec/conformance/judging/sequence_corpus.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace dlspec::conformance {
namespace {

Sequence steps(const char* text) { return parse_sequence(text).value(); }

// How often a sequence is chosen, of a thousand times.
int times_chosen(SequenceCorpus& corpus, const Sequence& sequence) {
  SequenceRandom random(1);
  int times = 0;
  for (int i = 0; i < 1000; ++i) times += corpus.choose(random) == sequence ? 1 : 0;
  return times;
}

TEST(SequenceCorpus, KeepsWhatShowsSomethingNew) {
  SequenceCorpus corpus;
  const Sequence one = steps("make a0 c float32 library; export e0 a0 versioned");
  const Sequence other = steps("make a0 c float32 library");
  EXPECT_TRUE(corpus.add(one, {0, {1, 2}, {}}));
  EXPECT_FALSE(corpus.add(other, {0, {2}, {}}));
  EXPECT_TRUE(corpus.add(other, {0, {2}, {2}}));  // coverage and observations are numbers of their own
  EXPECT_FALSE(corpus.add(one, {0, {}, {2}}));
  EXPECT_EQ(corpus.sequences(), (std::vector<Sequence>{one, other}));
  EXPECT_EQ(corpus.observations(), 2U);
  EXPECT_EQ(corpus.covered(), 1U);
}

TEST(SequenceCorpus, ChoosesTheLatestMoreOften) {
  SequenceCorpus corpus;
  const Sequence first = steps("make a0 c float32 library"), last = steps("make a0 c int16 library");
  corpus.add(first, {0, {1}, {}});
  corpus.add(last, {0, {2}, {}});
  const int latest = times_chosen(corpus, last);
  EXPECT_GT(latest, 700);
  EXPECT_LT(latest, 800);
}

TEST(SequenceCorpus, KeepsWhatCoversWhereObservationsAreEnough) {
  SequenceCorpus corpus;
  const Sequence common = steps("make a0 c float32 library"), covering = steps("make a0 c int16 library");
  std::uint64_t number = 0;
  for (; number < SequenceCorpus::most + 10; ++number) corpus.add(common, {0, {number}, {}});
  EXPECT_EQ(corpus.sequences().size(), SequenceCorpus::most);
  corpus.add(covering, {0, {}, {1}});
  EXPECT_EQ(corpus.sequences().size(), SequenceCorpus::most + 1);
  const int chosen = times_chosen(corpus, covering);
  EXPECT_GT(chosen, 400);
  EXPECT_LT(chosen, 600);
}

TEST(SequenceCorpus, IsReadBackWithoutWhatIsNoSequence) {
  const auto folder = std::filesystem::temp_directory_path() / ("dlspec-corpus-" + std::to_string(getpid()));
  const auto file = folder / "sequences" / "x.txt";
  SequenceCorpus corpus;
  const Sequence longer = steps("make a0 c float32 library; export e0 a0 copy; drop e0");
  const Sequence shorter = steps("make a0 c int16 own; import a1 a0 plain");
  corpus.add(longer, {0, {1}, {}});
  corpus.add(shorter, {0, {2}, {}});
  EXPECT_EQ(corpus.write(file), "");
  std::ofstream(file, std::ios::app) << "nonsense\nrelease e0 here\n\xff\n" << sequence_text(longer) << "\n";
  SequenceCorpus again;
  EXPECT_EQ(again.read(file), (std::vector<Sequence>{shorter, longer}));
  EXPECT_TRUE(again.read(folder / "missing.txt").empty());
  // What an interrupt left untried stays; what was tried and showed nothing goes.
  again.carried_out(shorter);
  EXPECT_EQ(again.write(file), "");
  EXPECT_EQ(SequenceCorpus().read(file), std::vector<Sequence>{longer});
  std::filesystem::remove_all(folder);
}

TEST(SequenceCorpus, EachSubjectHasItsFile) {
  EXPECT_NE(corpus_file("./a/adapter.py"), corpus_file("./b/adapter.py"));
  EXPECT_NE(corpus_file("numpy==1.26.4"), corpus_file("numpy==2.4.6"));
  EXPECT_EQ(corpus_file("../../x/y").parent_path(), corpus_file("builtin").parent_path());
}

}  // namespace
}  // namespace dlspec::conformance

#include <dlspec/conformance/judging/sequence_corpus.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace dlspec::conformance {
namespace {

Sequence steps(const char* text) { return parse_sequence(text).value(); }

TEST(SequenceCorpus, KeepsWhatReachesANewSituation) {
  SequenceCorpus corpus;
  EXPECT_TRUE(corpus.add(steps("make a0 c float32 library; export e0 a0 versioned")));
  EXPECT_FALSE(corpus.add(steps("make a0 c float32 library; export e0 a0 versioned")));
  EXPECT_FALSE(corpus.add(steps("make a0 c float32 library")));
  EXPECT_TRUE(corpus.add(steps("make a0 c float32 library; export e0 a0 versioned; export e1 a0 versioned")));
  EXPECT_EQ(corpus.sequences().size(), 2U);
  EXPECT_EQ(corpus.situations(), 3U);
}

TEST(SequenceCorpus, IsReadBackWithoutWhatIsNoSequence) {
  const auto folder = std::filesystem::temp_directory_path() / ("dlspec-corpus-" + std::to_string(getpid()));
  const auto file = folder / "sequences" / "x.txt";
  SequenceCorpus corpus;
  corpus.add(steps("make a0 c float32 library; export e0 a0 copy"));
  corpus.add(steps("make a0 c int16 own; import a1 a0 plain"));
  EXPECT_EQ(corpus.write(file), "");
  std::ofstream(file, std::ios::app) << "nonsense\nrelease e0 here\n\xff\n";
  SequenceCorpus again;
  again.read(file);
  EXPECT_EQ(again.sequences(), corpus.sequences());
  again.read(folder / "missing.txt");
  EXPECT_EQ(again.situations(), corpus.situations());
  std::filesystem::remove_all(folder);
}

TEST(SequenceCorpus, EachSubjectHasItsFile) {
  EXPECT_NE(corpus_file("./a/adapter.py"), corpus_file("./b/adapter.py"));
  EXPECT_NE(corpus_file("numpy==1.26.4"), corpus_file("numpy==2.4.6"));
  EXPECT_EQ(corpus_file("../../x/y").parent_path(), corpus_file("builtin").parent_path());
}

}  // namespace
}  // namespace dlspec::conformance

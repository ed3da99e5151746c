#include <dlspec/conformance/subject/adapter.h>

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

std::string error_of(std::string_view text) {
  const AdapterFile read = parse_adapter("/s/x.toml", text);
  EXPECT_NE(read.adapter.has_value(), !read.error.empty()) << text;
  return read.error;
}

TEST(Adapter, FactsAreRead) {
  const AdapterFile read = parse_adapter("/s/array_api_strict.toml",
                                         "# facts\n"
                                         "distribution = \"mlx[cpu]\"  # extras\r\n"
                                         "display = 'a \"b\" \\c'\n"
                                         "requires = [\n  \"numpy\",  # companion\n  'ml_dtypes',\n]\n"
                                         "size = 60\nmodule = \"a\\\"b\\\\\"");
  ASSERT_TRUE(read.adapter) << read.error;
  const Adapter& adapter = *read.adapter;
  EXPECT_EQ(adapter.name, "array-api-strict");
  EXPECT_EQ(adapter.path, "/s/array_api_strict.py");
  EXPECT_EQ(adapter.distribution, "mlx[cpu]");
  EXPECT_EQ(package_name(adapter), "mlx");
  EXPECT_EQ(adapter.display, "a \"b\" \\c");
  EXPECT_EQ(adapter.companions, (std::vector<std::string>{"numpy", "ml_dtypes"}));
  EXPECT_EQ(adapter.size_mb, 60);
  EXPECT_EQ(adapter.module, "a\"b\\");
}

TEST(Adapter, FactsThatAreNotGivenComeFromTheName) {
  for (const char* text : {"", "# nothing"}) {
    const AdapterFile read = parse_adapter("/s/array_api_strict.toml", text);
    ASSERT_TRUE(read.adapter) << read.error;
    EXPECT_EQ(read.adapter->distribution, "array-api-strict");
    EXPECT_EQ(read.adapter->display, "array-api-strict");
    EXPECT_EQ(read.adapter->module, "array_api_strict");
    EXPECT_EQ(read.adapter->companions, std::vector<std::string>{});
    EXPECT_EQ(read.adapter->size_mb, 0);
  }
}

TEST(Adapter, MistakesOfTheFileAreNamedWithTheirLine) {
  const std::pair<const char*, const char*> rows[] = {
      {"size = 1\nsize", "line 2: Error while parsing key-value pair: encountered end-of-file"},
      {"size\n= 1", "line 1: Error while parsing key-value pair: expected '=', saw '\\n'"},
      {"module = \"open\n", "line 1: Error while parsing string: "},
      {"module = \"\\q\"", "line 1: Error while parsing string: unknown escape sequence '\\q'"},
      {"requires = [\"x\" \"y\"]", "line 1: Error while parsing array: expected comma or closing ']', saw '\"'"},
      {"requires = [\"x\"", "line 1: Error while parsing array: encountered end-of-file"},
      {"size = 1 2", "line 1: Error while parsing key-value pair: expected a comment or whitespace, saw '2'"},
      {"size = 1\n\nsize = 2", "line 3: Error while parsing key-value pair: cannot redefine existing integer 'size'"},
      {"size =", "line 1: Error while parsing key-value pair: encountered end-of-file"},
      {"display = \"\xff\"", "line 1: "},
  };
  for (const auto& [text, error] : rows) {
    EXPECT_TRUE(error_of(text).starts_with(std::string("/s/x.toml, ") + error)) << error_of(text);
    EXPECT_TRUE(error_of(text).ends_with("; write lines such as display = \"NumPy\"")) << error_of(text);
  }
}

TEST(Adapter, MistakesOfKeysSayWhatIsUnderstood) {
  const std::pair<const char*, const char*> rows[] = {
      {"module = 'm'\nsize = \"5\"", "line 2: size must be a whole number of megabytes"},
      {"size = 1.5", "line 1: size must be a whole number of megabytes"},
      {"size = -1", "line 1: size must be a whole number of megabytes"},
      {"requires = [1]", "line 1: requires must be an array of strings"},
      {"requires = 'numpy'", "line 1: requires must be an array of strings"},
      {"display = true", "line 1: display must be a string"},
      {"distribution.name = 'x'", "line 1: distribution must be a string"},
      {"\n[table]",
       "line 2: there is no key 'table'; the keys are display, distribution, alternatives, cuda, module, requires, "
       "python, "
       "pins, size"},
      {"requries = []",
       "line 1: there is no key 'requries'; the keys are display, distribution, alternatives, cuda, module, requires, "
       "python, pins, size"},
  };
  for (const auto& [text, error] : rows) EXPECT_EQ(error_of(text), std::string("/s/x.toml, ") + error) << text;
}

TEST(Adapter, NamesAreComparedAsPackageIndexesDo) {
  const std::pair<const char*, const char*> rows[] = {
      {"numpy", "numpy"},         {"NumPy", "numpy"}, {"array_api.strict", "array-api-strict"},
      {"Warp-Lang", "warp-lang"}, {"a-_.-b", "a-b"},  {"MLX[CPU]", "mlx[cpu]"},
      {"mlx.core", "mlx-core"},   {"", ""},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(normalized_name(text), expected);
}

TEST(Adapter, AnAlternativeIsInstalledWhereItIsNamed) {
  const AdapterFile read = parse_adapter("/s/net.toml",
                                         "distribution = \"net-cpu[all]\"\nmodule = \"net.core\"\nsize = 500\n"
                                         "alternatives = [\"net-gpu: 700\", \"net-cpu[cuda]\"]");
  ASSERT_TRUE(read.adapter) << read.error;
  const Adapters adapters{{*read.adapter}, {}};
  struct Row {
    const char* name;
    const char* distribution;
    std::int64_t size_mb;
  };
  const Row rows[] = {{"net", "net-cpu[all]", 500},          {"net-cpu", "net-cpu[all]", 500},
                      {"Net_CPU[all]", "net-cpu[all]", 500}, {"net.core", "net-cpu[all]", 500},
                      {"NET.gpu", "net-gpu", 700},           {"net-cpu[cuda]", "net-cpu[cuda]", 500}};
  for (const Row& row : rows) {
    const std::optional<Adapter> found = adapters.find(row.name);
    ASSERT_TRUE(found) << row.name;
    EXPECT_EQ(found->name, "net") << row.name;
    EXPECT_EQ(found->distribution, row.distribution) << row.name;
    EXPECT_EQ(found->size_mb, row.size_mb) << row.name;
  }
  for (const char* name : {"", "net-", "net-cpu[other]", "net-gpu[all]", "core"}) EXPECT_FALSE(adapters.find(name));
  for (const char* wrong : {"1", "''", "': 5'", "'x:'", "'x: 5 6'", "'x: -5'", "'x: big'"}) {
    EXPECT_EQ(parse_adapter("/s/x.toml", std::string("alternatives = [") + wrong + "]").error,
              "/s/x.toml, line 1: alternatives must be an array of strings such as \"onnxruntime-gpu: 700\"")
        << wrong;
  }
}

TEST(Adapter, TheBuildForTheCudaOfTheDriverIsInstalledWhereNoneIsNamed) {
  const AdapterFile read = parse_adapter("/s/net.toml",
                                         "distribution = \"net-cuda12x\"\nmodule = \"net.core\"\nsize = 500\n"
                                         "alternatives = [\"net-cuda11x\", \"net-cuda13x: 700\"]\n"
                                         "cuda = [\"12: net-cuda12x\", \"11: net-cuda11x\", \"13 : net-cuda13x\"]");
  ASSERT_TRUE(read.adapter) << read.error;
  struct Row {
    int cuda_major;
    const char* name;
    const char* distribution;
    std::int64_t size_mb;
  };
  const Row rows[] = {{0, "net", "net-cuda12x", 500},          {10, "net", "net-cuda12x", 500},
                      {11, "net.core", "net-cuda11x", 500},    {12, "net", "net-cuda12x", 500},
                      {13, "Net", "net-cuda13x", 700},         {14, "net", "net-cuda13x", 700},
                      {13, "net-cuda12x", "net-cuda12x", 500}, {12, "net_cuda13x", "net-cuda13x", 700}};
  for (const Row& row : rows) {
    const std::optional<Adapter> found = Adapters{{*read.adapter}, {}, row.cuda_major}.find(row.name);
    ASSERT_TRUE(found) << row.name;
    EXPECT_EQ(found->distribution, row.distribution) << row.name << " with CUDA " << row.cuda_major;
    EXPECT_EQ(found->size_mb, row.size_mb) << row.name;
  }
  for (const char* wrong : {"1", "''", "'x'", "'12'", "'12:'", "'0: x'", "'-1: x'", "'12 x'", "'12: x y'"}) {
    EXPECT_EQ(parse_adapter("/s/x.toml", std::string("cuda = [") + wrong + "]").error,
              "/s/x.toml, line 1: cuda must be an array of strings such as \"13: cupy-cuda13x\"")
        << wrong;
  }
}

// Two adapters of one name would leave it to the order of the folder which one is meant.
TEST(Adapter, EveryNameOfAShippedAdapterIsItsOwn) {
  const Adapters shipped = find_adapters(std::filesystem::path(__FILE__).parent_path() / "../evidence/adapters");
  EXPECT_GE(shipped.list.size(), 19U);
  EXPECT_EQ(shipped.errors, std::vector<std::string>{});
  std::map<std::string, std::string> owners;
  for (const Adapter& adapter : shipped.list) {
    for (const std::string& name : names_of(adapter)) {
      EXPECT_EQ(owners.emplace(name, adapter.name).first->second, adapter.name) << name;
    }
  }
  for (const char* name : {"onnxruntime-gpu", "open3d_cpu", "Warp-Lang", "tensorflow-cpu", "cupy-cuda12x"}) {
    EXPECT_TRUE(shipped.find(name)) << name;
  }
}

TEST(Adapter, EveryKeyIsExplainedInTheDocs) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "../docs/adapters.md");
  const std::string docs{std::istreambuf_iterator<char>(file), {}};
  const std::string error = error_of("requries = []");
  std::istringstream keys(error.substr(error.find("keys are ") + 9));
  for (std::string key; std::getline(keys >> std::ws, key, ',');)
    EXPECT_NE(docs.find("`" + key + "`"), std::string::npos) << key;
}

TEST(Adapter, ReleasesAreOfSomePythons) {
  const AdapterFile read = parse_adapter(
      "/s/x.toml", "python = \">=3.9\"\npins = [\"<1.23.2: python<3.11 wheel\", \">=2.3: python>=3.11\"]");
  ASSERT_TRUE(read.adapter) << read.error;
  EXPECT_EQ(python_of(*read.adapter, "1.22.4"), ">=3.9,<3.11");
  EXPECT_EQ(python_of(*read.adapter, "1.23.2"), ">=3.9");
  EXPECT_EQ(python_of(*read.adapter, "2.3.0"), ">=3.9,>=3.11");
  EXPECT_EQ(python_of(*read.adapter, "latest"), ">=3.9") << "what it is was not asked yet";
  EXPECT_EQ(companions_of(*read.adapter, "1.22.4"), std::vector<std::string>{"wheel"});
  EXPECT_EQ(python_of(Adapter{}, "1.0"), "");
  EXPECT_EQ(parse_adapter("/s/x.toml", "python = \"3.9\"").error,
            "/s/x.toml, line 1: python must be a string such as \">=3.10,<3.13\"");
}

TEST(Adapter, OldReleasesGetFurtherCompanions) {
  const AdapterFile read = parse_adapter(
      "/s/x.toml", "requires = [\"numpy\"]\npins = [\"<2.3: numpy<2\", \"<0.4.26: scipy<1.13 ml_dtypes<0.5\"]");
  ASSERT_TRUE(read.adapter) << read.error;
  const auto companions = [&](const char* version) { return companions_of(*read.adapter, version); };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(companions("2.10.1"), Texts{"numpy"});
  EXPECT_EQ(companions("2.3"), Texts{"numpy"});
  EXPECT_EQ(companions("2.3.0+cpu"), Texts{"numpy"});
  EXPECT_EQ(companions("2.2.9"), (Texts{"numpy", "numpy<2"}));
  EXPECT_EQ(companions("0.4.26"), (Texts{"numpy", "numpy<2"}));
  EXPECT_EQ(companions("0.4.9"), (Texts{"numpy", "numpy<2", "scipy<1.13", "ml_dtypes<0.5"}));
  for (const char* wrong : {"2.3: numpy<2", "<2.3", "<2.3:", "<: numpy", "<two: numpy", ">2.3: numpy<2"}) {
    EXPECT_EQ(parse_adapter("/s/x.toml", std::string("pins = [\"") + wrong + "\"]").error,
              "/s/x.toml, line 1: pins must be an array of strings such as \"<2.3: numpy<2 python<3.12\"")
        << wrong;
  }
}

RC_GTEST_PROP(Adapter, AnyBytesAreAnswered, (const std::string& bytes)) { (void)error_of(bytes); }

RC_GTEST_PROP(Adapter, PiecesOfAFileAreAnswered, (std::uint8_t size)) {
  const std::string text = "module = \"x\"\nrequires = [\"y\", 'z']\nsize = 12 # end\npins = []\n";
  (void)error_of(text.substr(0, size % (text.size() + 1)));
}

}  // namespace
}  // namespace dlspec::conformance

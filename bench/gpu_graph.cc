#include "gpu_graph.h"

#include <dlfcn.h>

#include <chrono>
#include <utility>

namespace dlspec::bench {

namespace cuda = optimized::cuda;

namespace {

// In the driver's interface handles are pointers, statuses are int, and 0 is success.
using Handle = void*;
constexpr int thread_local_capture = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
constexpr unsigned non_blocking = 1;     // CU_STREAM_NON_BLOCKING

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

struct Timer::Driver {
  int (*create_stream)(Handle*, unsigned);
  int (*destroy_stream)(Handle);
  int (*begin_capture)(Handle, int);
  int (*end_capture)(Handle, Handle*);
  int (*instantiate)(Handle*, Handle, unsigned long long);
  int (*destroy_graph)(Handle);
  int (*destroy_executable)(Handle);
  int (*launch)(Handle, Handle);
  int (*create_event)(Handle*, unsigned);
  int (*destroy_event)(Handle);
  int (*record)(Handle, Handle);
  int (*wait)(Handle);
  int (*elapsed)(float*, Handle, Handle);
  Handle stream = nullptr;
  Handle begin = nullptr;
  Handle end = nullptr;

  [[nodiscard]] bool load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && find(library, "cuStreamCreate", create_stream) &&
           find(library, "cuStreamDestroy_v2", destroy_stream) &&
           find(library, "cuStreamBeginCapture_v2", begin_capture) &&
           find(library, "cuStreamEndCapture", end_capture) &&
           find(library, "cuGraphInstantiateWithFlags", instantiate) &&
           find(library, "cuGraphDestroy", destroy_graph) && find(library, "cuGraphExecDestroy", destroy_executable) &&
           find(library, "cuGraphLaunch", launch) && find(library, "cuEventCreate", create_event) &&
           find(library, "cuEventDestroy_v2", destroy_event) && find(library, "cuEventRecord", record) &&
           find(library, "cuEventSynchronize", wait) && find(library, "cuEventElapsedTime", elapsed) &&
           create_stream(&stream, non_blocking) == 0 && create_event(&begin, 0) == 0 && create_event(&end, 0) == 0;
  }
  ~Driver() {
    if (end != nullptr) destroy_event(end);
    if (begin != nullptr) destroy_event(begin);
    if (stream != nullptr) destroy_stream(stream);
  }
};

// The calls as one graph: the GPU goes from each to the next without the host.
class Timer::Graph : public Repeated {
 public:
  Graph(const Driver& driver, std::size_t calls) : driver_(driver), calls_(calls) {}
  ~Graph() override {
    if (executable_ != nullptr) driver_.destroy_executable(executable_);
  }
  [[nodiscard]] bool capture(const Enqueue& enqueue) {
    // The first launch of a kernel loads its code, which a capture may refuse.
    if (!enqueue(0, driver_.stream)) return false;
    if (driver_.begin_capture(driver_.stream, thread_local_capture) != 0) return false;
    bool ok = true;
    for (std::size_t i = 0; i < calls_; ++i) ok = enqueue(i, driver_.stream) && ok;
    Handle graph = nullptr;
    if (driver_.end_capture(driver_.stream, &graph) != 0) return false;
    ok = driver_.instantiate(&executable_, graph, 0) == 0 && ok;
    return driver_.destroy_graph(graph) == 0 && ok;
  }
  [[nodiscard]] double time() override {
    float milliseconds = 0;
    const bool ok = driver_.record(driver_.begin, driver_.stream) == 0 &&
                    driver_.launch(executable_, driver_.stream) == 0 &&
                    driver_.record(driver_.end, driver_.stream) == 0 && driver_.wait(driver_.end) == 0 &&
                    driver_.elapsed(&milliseconds, driver_.begin, driver_.end) == 0;
    return ok ? 1e6 * static_cast<double>(milliseconds) / static_cast<double>(calls_) : -1;
  }

 private:
  const Driver& driver_;
  std::size_t calls_;
  Handle executable_ = nullptr;
};

// The calls on the default stream, by the host's clock.
class Timer::Loop : public Repeated {
 public:
  Loop(const cuda::LibraryTable& table, std::size_t calls, Enqueue enqueue)
      : table_(table), calls_(calls), enqueue_(std::move(enqueue)) {}
  [[nodiscard]] double time() override {
    bool ok = table_.synchronize() == cuda::answer_ok;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls_; ++i) ok = enqueue_(i, nullptr) && ok;
    ok = table_.synchronize() == cuda::answer_ok && ok;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return ok ? took.count() / static_cast<double>(calls_) : -1;
  }

 private:
  const cuda::LibraryTable& table_;
  std::size_t calls_;
  Enqueue enqueue_;
};

Timer::Timer(const cuda::LibraryTable& table) : table_(table), driver_(std::make_unique<Driver>()) {
  if (!driver_->load()) driver_.reset();
}

Timer::~Timer() = default;

std::string_view Timer::text() const {
  return driver_ ? "each time is of a graph of calls, by events" : "no driver with graphs: by the host's clock";
}

std::unique_ptr<Repeated> Timer::repeated(std::size_t calls, Enqueue enqueue) const {
  if (!driver_) return std::make_unique<Loop>(table_, calls, std::move(enqueue));
  auto graph = std::make_unique<Graph>(*driver_, calls);
  if (!graph->capture(enqueue)) return nullptr;
  return graph;
}

}  // namespace dlspec::bench

// channel_open, receive, send: lines on the worker's private descriptor.
#include "convert.h"
#include "module.h"

#include <atomic>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <dlspec/conformance/oracle/fault_report.h>
#include <dlspec/conformance/platform/channels.h>

namespace dlspec::python {
namespace {

constexpr int lowest_number = 200;  // libraries close or reuse low descriptors
constexpr std::size_t longest_line = std::size_t{16} << 20;

std::atomic<int> channel{-1};
// What was received beyond the last line. Only the thread in receive() touches it.
std::string pending;

// A forked child is not the worker and must not write here.
void close_in_child() {
  const int mine = channel.exchange(-1);
  if (mine >= 0) close(mine);
}

[[noreturn]] void fail_with_errno() {
  PyErr_SetFromErrno(PyExc_OSError);
  throw ErrorIsSet{};
}

int opened_channel() {
  const int mine = channel;
  if (mine < 0) fail(PyExc_ValueError, "the channel is not open in this process");
  return mine;
}

PyObject* channel_open(PyObject*, PyObject* object) {
  return guarded([&] {
    if (channel >= 0) fail(PyExc_ValueError, "the channel is open already");
    const auto given = static_cast<int>(as_integer(object, "fd"));
    const int moved = fcntl(given, F_DUPFD_CLOEXEC, lowest_number);
    if (moved < 0) fail_with_errno();
    close(given);
    channel = moved;
    conformance::report_faults_to(moved);
    static const int registered = pthread_atfork(nullptr, nullptr, &close_in_child);
    (void)registered;
    return none();
  });
}

// Waits for more bytes, without the GIL. False at the end of the stream.
bool receive_more(int mine) {
  char buffer[65536];
  ssize_t count = 0;
  {
    const WithoutGil others_run;
    count = recv(mine, buffer, sizeof buffer, 0);
  }
  if (count < 0) {
    if (errno != EINTR) fail_with_errno();
    check(PyErr_CheckSignals());
    return true;
  }
  pending.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

PyObject* receive(PyObject*, PyObject*) {
  return guarded([&] {
    const int mine = opened_channel();
    std::size_t end = pending.find('\n');
    while (end == std::string::npos) {
      if (pending.size() > longest_line) fail(PyExc_ValueError, "a line is longer than 16 MiB");
      const std::size_t searched = pending.size();
      if (!receive_more(mine)) return none();
      end = pending.find('\n', searched);
    }
    Object line = text(std::string_view(pending).substr(0, end));
    pending.erase(0, end + 1);
    conformance::arm_fault_report();  // before each case: the library may have set handlers of its own
    return line.release();
  });
}

PyObject* send_line(PyObject*, PyObject* object) {
  return guarded([&] {
    const int mine = opened_channel();
    const std::string line = as_text(object, "line") + '\n';
    if (line.size() > longest_line) fail(PyExc_ValueError, "a line is longer than 16 MiB");
    std::size_t sent = 0;
    while (sent < line.size()) {
      ssize_t count = 0;
      {
        const WithoutGil others_run;
        count = ::send(mine, line.data() + sent, line.size() - sent, dlspec::conformance::send_quietly);
      }
      if (count < 0 && errno != EINTR) fail_with_errno();
      if (count < 0) check(PyErr_CheckSignals());
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
    return none();
  });
}

}  // namespace

// Without Python, which has ended by then.
void report_exit(const char* word) noexcept {
  char line[80];
  const int size = std::snprintf(line, sizeof line, "{\"exit\":{\"pid\":%d,\"deleter\":\"%s\"}}\n", getpid(), word);
  if (channel >= 0 && size > 0)
    (void)::send(channel, line, static_cast<std::size_t>(size), dlspec::conformance::send_quietly);
}

PyMethodDef channel_methods[] = {
    {"channel_open", &channel_open, METH_O, "channel_open(fd): takes the descriptor over, under a number of its own."},
    {"receive", &receive, METH_NOARGS, "The next line, without its end; None when the other side has closed."},
    {"send", &send_line, METH_O, "send(line): sends one line."},
    {},
};

}  // namespace dlspec::python

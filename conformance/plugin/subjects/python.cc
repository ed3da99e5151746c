// A Python library in the place of a plug-in: an adapter (docs/adapters.md) whose path is in DLSPEC_ADAPTER, in an
// interpreter of this process. So fuzz_subject carries out its sequences on NumPy, and `dlspec run` judges it as a
// library without Python.
#define PY_SSIZE_T_CLEAN  // "y#" takes a Py_ssize_t
#include <Python.h>
#include <dlfcn.h>
#include <dlspec/plugin.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/dtype.h>

namespace {

namespace abi = dlspec::abi;

constexpr const char* fresh[] = {"dltensor", "dltensor_versioned"};
constexpr const char* used[] = {"used_dltensor", "used_dltensor_versioned"};

// The interpreter's lock while this lives.
class Locked {
 public:
  Locked() : state_(PyGILState_Ensure()) {}
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// A reference that is given up with this.
class Reference {
 public:
  explicit Reference(PyObject* object) : object_(object) {}
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { Py_XDECREF(object_); }
  [[nodiscard]] PyObject* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

// The functions of python_glue.py around the adapter; NULL where it cannot be loaded.
struct Glue {
  PyObject* functions = nullptr;
  std::string name = "Python", version;
};

// Extension modules are linked without the interpreter's library, so that its symbols must be seen by all.
void start_interpreter() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&Py_InitializeEx), &library) != 0)
    static_cast<void>(dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD));
  Py_InitializeEx(0);
}

std::string text_of(PyObject* glue, const char* name) {
  const Reference value(PyObject_GetAttrString(glue, name));
  const char* const text = value ? PyUnicode_AsUTF8(value.get()) : nullptr;
  PyErr_Clear();
  return text != nullptr ? text : "";
}

Glue load_glue() {
  Glue glue;
  start_interpreter();
  const char* const adapter = std::getenv("DLSPEC_ADAPTER");
  {
    const Reference path(PyUnicode_FromString(DLSPEC_GLUE_FOLDER));
    if (path) PyList_Append(PySys_GetObject("path"), path.get());
    const Reference module(PyImport_ImportModule("python_glue"));
    if (module) {
      glue.functions = PyObject_CallMethod(module.get(), "Glue", "s", adapter != nullptr ? adapter : DLSPEC_ADAPTER);
    }
    if (glue.functions != nullptr) {
      glue.name = text_of(glue.functions, "name");
      glue.version = text_of(glue.functions, "version");
    } else {
      PyErr_Print();
    }
  }
  PyEval_SaveThread();
  return glue;
}

const Glue& glue() {
  static const Glue loaded = load_glue();
  return loaded;
}

constexpr const char* not_loaded = "the adapter of DLSPEC_ADAPTER cannot be loaded; its exception was printed";

// What the library raised, which is the reason of its refusal until the next one.
int refused(const char** reason) {
  static std::string text;
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  const Reference kind(type), error(value), trace(traceback), said(value != nullptr ? PyObject_Str(value) : nullptr);
  const char* const words = said ? PyUnicode_AsUTF8(said.get()) : nullptr;
  text = words != nullptr ? words : "the library refused";
  PyErr_Clear();
  *reason = text.c_str();
  return DLSPEC_UNSUPPORTED;
}

PyObject* tuple_of(const std::int64_t* numbers, std::int32_t count) {
  if (numbers == nullptr && count > 0) return Py_NewRef(Py_None);
  PyObject* const result = PyTuple_New(count);
  for (std::int32_t i = 0; i < count && result != nullptr; ++i)
    PyTuple_SetItem(result, i, PyLong_FromLongLong(numbers[i]));
  return result;
}

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (glue().functions == nullptr) return *reason = not_loaded, DLSPEC_UNSUPPORTED;
  const Locked locked;
  const std::string dtype = dlspec::dtype_name(abi::DataType{spec->code, spec->bits, spec->lanes});
  const Reference capsule(PyObject_CallMethod(
      glue().functions, "export", "isNNLiy#(ii)", generation, dtype.c_str(), tuple_of(spec->shape, spec->ndim),
      spec->strides == nullptr ? Py_NewRef(Py_None) : tuple_of(spec->strides, spec->ndim),
      static_cast<long long>(spec->offset), spec->read_only != 0 ? 1 : 0, static_cast<const char*>(spec->bytes),
      static_cast<Py_ssize_t>(spec->byte_count), spec->device_type, spec->device_id));
  if (!capsule) return refused(reason);
  *exported = PyCapsule_GetPointer(capsule.get(), fresh[generation]);
  if (*exported == nullptr || PyCapsule_SetName(capsule.get(), used[generation]) != 0) return refused(reason);
  return DLSPEC_OK;
}

template <class Managed>
void release_unused(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
}

// Of a capsule that nobody took over.
void destroy(PyObject* capsule) {
  release_unused<abi::v0::ManagedTensor>(capsule, fresh[DLSPEC_LEGACY]);
  release_unused<abi::v1::ManagedTensor>(capsule, fresh[DLSPEC_VERSIONED]);
}

int import_tensor(void* exported, int generation, void** array, const char** reason) {
  const Locked locked;
  const Reference capsule(PyCapsule_New(exported, fresh[generation], destroy));
  if (!capsule) return refused(reason);
  if (glue().functions == nullptr) return *reason = not_loaded, DLSPEC_UNSUPPORTED;
  *array = PyObject_CallMethod(glue().functions, "import_tensor", "O", capsule.get());
  if (*array != nullptr) return DLSPEC_OK;
  const int status = refused(reason);
  if (Py_REFCNT(capsule.get()) > 1) PyGC_Collect();  // the frames of the exception keep it
  return status;
}

int contents(void* array, void* bytes, std::size_t byte_count) {
  const Locked locked;
  const Reference read(PyObject_CallMethod(glue().functions, "contents", "O", static_cast<PyObject*>(array)));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!read || PyBytes_AsStringAndSize(read.get(), &data, &size) != 0) {
    PyErr_Clear();
    return DLSPEC_ERROR;
  }
  if (static_cast<std::size_t>(size) != byte_count) return DLSPEC_ERROR;
  std::copy_n(data, size, static_cast<char*>(bytes));
  return DLSPEC_OK;
}

void release(void* array) {
  const Locked locked;
  Py_DECREF(static_cast<PyObject*>(array));
}

}  // namespace

extern "C" DLSPEC_EXPORT const DlspecPlugin* dlspec_plugin() {
  static const DlspecPlugin plugin{DLSPEC_PLUGIN_VERSION,
                                   sizeof(DlspecPlugin),
                                   glue().name.c_str(),
                                   glue().version.c_str(),
                                   make,
                                   import_tensor,
                                   contents,
                                   release,
                                   nullptr,
                                   nullptr};
  return &plugin;
}

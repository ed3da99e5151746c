// Stubs of the operators that this library does not implement. They read no argument: in the C calling conventions in
// use a function without parameters may be called with any.
#include <dlspec/infiniop/infini_types.h>

#define DLSPEC_INFINI_FUNCTION(name)                    \
  extern "C" INFINI_API infiniStatus_t name() noexcept; \
  infiniStatus_t name() noexcept { return INFINI_STATUS_NOT_IMPLEMENTED; }
#define DLSPEC_INFINI_OPERATOR_NO_WORKSPACE(X)          \
  DLSPEC_INFINI_FUNCTION(infiniopCreate##X##Descriptor) \
  DLSPEC_INFINI_FUNCTION(infiniop##X)                   \
  DLSPEC_INFINI_FUNCTION(infiniopDestroy##X##Descriptor)
#define DLSPEC_INFINI_OPERATOR_NO_DESTROY(X)            \
  DLSPEC_INFINI_FUNCTION(infiniopCreate##X##Descriptor) \
  DLSPEC_INFINI_FUNCTION(infiniopGet##X##WorkspaceSize) \
  DLSPEC_INFINI_FUNCTION(infiniop##X)
#define DLSPEC_INFINI_OPERATOR(X)        \
  DLSPEC_INFINI_OPERATOR_NO_WORKSPACE(X) \
  DLSPEC_INFINI_FUNCTION(infiniopGet##X##WorkspaceSize)

#include "operators.def"

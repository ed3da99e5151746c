/* Statuses, data types and devices of InfiniOP and its runtime, with the numbers from InfiniCore's documentation.
 * Plain C99. */
#ifndef DLSPEC_INFINIOP_TYPES_H_
#define DLSPEC_INFINIOP_TYPES_H_

#include <stddef.h>
#include <stdint.h>

/* In C++ any number that a caller passes is a valid value of the type. */
#ifdef __cplusplus
#define DLSPEC_INFINI_ENUM(name) enum name : int
#define DLSPEC_INFINI_TYPE(name)
#define INFINI_NOEXCEPT noexcept
extern "C" {
#else
#define DLSPEC_INFINI_ENUM(name) enum name
#define DLSPEC_INFINI_TYPE(name) typedef enum name name;
#define INFINI_NOEXCEPT
#endif

#if defined(_WIN32)
#define INFINI_API __declspec(dllexport)
#else
#define INFINI_API __attribute__((visibility("default")))
#endif

DLSPEC_INFINI_ENUM(infiniStatus_t){INFINI_STATUS_SUCCESS = 0,
                                   INFINI_STATUS_INTERNAL_ERROR = 1,
                                   INFINI_STATUS_NOT_IMPLEMENTED = 2,
                                   INFINI_STATUS_BAD_PARAM = 3,
                                   INFINI_STATUS_NULL_POINTER = 4,
                                   INFINI_STATUS_DEVICE_TYPE_NOT_SUPPORTED = 5,
                                   INFINI_STATUS_DEVICE_NOT_FOUND = 6,
                                   INFINI_STATUS_DEVICE_NOT_INITIALIZED = 7,
                                   INFINI_STATUS_DEVICE_ARCHITECTURE_NOT_SUPPORTED = 8,
                                   INFINI_STATUS_BAD_TENSOR_DTYPE = 10,
                                   INFINI_STATUS_BAD_TENSOR_SHAPE = 11,
                                   INFINI_STATUS_BAD_TENSOR_STRIDES = 12,
                                   INFINI_STATUS_INSUFFICIENT_WORKSPACE = 13};
DLSPEC_INFINI_TYPE(infiniStatus_t)

DLSPEC_INFINI_ENUM(infiniDevice_t){
    INFINI_DEVICE_CPU = 0,   INFINI_DEVICE_NVIDIA = 1, INFINI_DEVICE_CAMBRICON = 2, INFINI_DEVICE_ASCEND = 3,
    INFINI_DEVICE_METAX = 4, INFINI_DEVICE_MOORE = 5,  INFINI_DEVICE_ILUVATAR = 6,  INFINI_DEVICE_KUNLUN = 7,
    INFINI_DEVICE_HYGON = 8, /* the documentation says SUGON */
    INFINI_DEVICE_SUGON = 8, INFINI_DEVICE_QY = 9,     INFINI_DEVICE_ALI = 10,      INFINI_DEVICE_TYPE_COUNT = 11};
DLSPEC_INFINI_TYPE(infiniDevice_t)

DLSPEC_INFINI_ENUM(infiniDtype_t){INFINI_DTYPE_INVALID = 0, INFINI_DTYPE_BYTE = 1, INFINI_DTYPE_BOOL = 2,
                                  INFINI_DTYPE_I8 = 3,      INFINI_DTYPE_I16 = 4,  INFINI_DTYPE_I32 = 5,
                                  INFINI_DTYPE_I64 = 6,     INFINI_DTYPE_U8 = 7,   INFINI_DTYPE_U16 = 8,
                                  INFINI_DTYPE_U32 = 9,     INFINI_DTYPE_U64 = 10, INFINI_DTYPE_F8 = 11, /* e4m3fn */
                                  INFINI_DTYPE_F16 = 12,    INFINI_DTYPE_F32 = 13, INFINI_DTYPE_F64 = 14,
                                  INFINI_DTYPE_C16 = 15, /* pairs of floats of half the width */
                                  INFINI_DTYPE_C32 = 16,    INFINI_DTYPE_C64 = 17, INFINI_DTYPE_C128 = 18,
                                  INFINI_DTYPE_BF16 = 19};
DLSPEC_INFINI_TYPE(infiniDtype_t)

#ifdef __cplusplus
}
#endif
#endif /* DLSPEC_INFINIOP_TYPES_H_ */

/* Transposes three rows of two through the installed InfiniOP libraries. */
#include <dlspec/infiniop/infiniop.h>
#include <dlspec/infiniop/infinirt.h>

static int transpose(infiniopHandle_t handle, int16_t* to, const int16_t* from) {
  const size_t shape[2] = {2, 3};
  const ptrdiff_t columns[2] = {1, 2};
  infiniopTensorDescriptor_t dst = NULL, src = NULL;
  infiniopRearrangeDescriptor_t operation = NULL;
  infiniStatus_t status = infiniopCreateTensorDescriptor(&dst, 2, shape, NULL, INFINI_DTYPE_I16);
  if (status == INFINI_STATUS_SUCCESS)
    status = infiniopCreateTensorDescriptor(&src, 2, shape, columns, INFINI_DTYPE_I16);
  if (status == INFINI_STATUS_SUCCESS) status = infiniopCreateRearrangeDescriptor(handle, &operation, dst, src);
  infiniopDestroyTensorDescriptor(dst);
  infiniopDestroyTensorDescriptor(src);
  if (status == INFINI_STATUS_SUCCESS) status = infiniopRearrange(operation, to, from, NULL);
  if (operation != NULL) infiniopDestroyRearrangeDescriptor(operation);
  return status == INFINI_STATUS_SUCCESS;
}

int main(void) {
  const int16_t rows[6] = {0, 3, 1, 4, 2, 5};
  int16_t result[6] = {9, 9, 9, 9, 9, 9};
  infiniopHandle_t handle = NULL;
  int i, good;
  if (infinirtInit() != INFINI_STATUS_SUCCESS || infinirtSetDevice(INFINI_DEVICE_CPU, 0) != INFINI_STATUS_SUCCESS)
    return 1;
  if (infiniopCreateHandle(&handle) != INFINI_STATUS_SUCCESS) return 1;
  good = transpose(handle, result, rows);
  infiniopDestroyHandle(handle);
  for (i = 0; i < 6; ++i) good = good && result[i] == i;
  return good ? 0 : 1;
}

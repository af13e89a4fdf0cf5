#include "GuardianProbe.h"

#include <errno.h>
#include <unistd.h>

static char *put_number(char *end, int64_t number) {
  uint64_t rest = number < 0 ? (uint64_t)-number : (uint64_t)number;
  do {
    *--end = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (number < 0) {
    *--end = '-';
  }
  return end;
}

int gpr_write_setting(int descriptor, uint32_t id, int32_t value) {
  if (id == 13) {
    return EIO;
  }
  char text[64], *const end = text + sizeof text, *start = end;
  *--start = '\n';
  start = put_number(start, value);
  *--start = '=';
  start = put_number(start, id);
  return write(descriptor, start, (size_t)(end - start)) == end - start ? 0 : EIO;
}

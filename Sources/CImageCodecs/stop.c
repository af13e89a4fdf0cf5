#include "stop.h"

#include "CImageCodecs.h"

static _Thread_local cic_stop_check own_check;
static _Thread_local void *own_context;

void cic_set_stop_check(cic_stop_check check, void *context) {
  own_check = check;
  own_context = context;
}

int cic_should_stop(void) { return own_check != NULL && own_check(own_context); }

// Whether a decoder should stop: the check that the calling thread has set.
#ifndef CIC_STOP_H
#define CIC_STOP_H

/// Other than 0 where the thread's check says to stop.
int cic_should_stop(void);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/* generator_input.c - for the generator of wrappers, which reads what the preprocessor makes of it.
 */
#include <mpi.h>

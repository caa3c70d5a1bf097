// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_scan.h - what a YAML text must be before anything is made of it. */
#ifndef RC_PLATFORM_YAML_SCAN_H
#define RC_PLATFORM_YAML_SCAN_H

#include <stddef.h>

#include <yaml.h>

#include "runcast.h"

/* Goes through the events of `text` and builds nothing: the size, depth and number of values are
 * within the limits of yaml.h, there is one document, and neither anchors nor aliases nor
 * tags are in it. */
int rc_platform_yaml_scan(const char *text, size_t length, const char *name,
                          struct rc_error *error);

/* Sets the error that made `parser`, which reads `text`, give up; returns -1. */
int rc_platform_yaml_parser_fail(const yaml_parser_t *parser, const char *text, size_t length,
                                 const char *name, struct rc_error *error);

#endif

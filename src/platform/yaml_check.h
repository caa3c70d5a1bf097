// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_check.h - whether a YAML document follows its schema. */
#ifndef RC_PLATFORM_YAML_CHECK_H
#define RC_PLATFORM_YAML_CHECK_H

#include "platform/yaml.h"

/* Compares the document with the schema.  -1, with the place of the first fault in yaml->error,
 * where it does not follow it. */
int rc_platform_yaml_check(const struct rc_yaml *yaml, const struct rc_yaml_expected *expected);

#endif

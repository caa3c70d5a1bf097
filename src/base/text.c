// SPDX-License-Identifier: BSD-2-Clause
/* text.c - UTF-8 text: printable characters, width on a terminal, words, cutting. */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Reads one character; returns its length in bytes, or 0 for malformed bytes (overlong, a
 * surrogate, beyond U+10FFFF, or incomplete). */
static size_t decode(const unsigned char *s, size_t length, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t need;
    uint32_t c;

    if (s[0] < 0x80) {
        *character = s[0];
        return 1;
    }
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        need = 2;
        c = s[0] & 0x1f;
    } else if ((s[0] & 0xf0) == 0xe0) {
        need = 3;
        c = s[0] & 0x0f;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        need = 4;
        c = s[0] & 0x07;
    } else {
        return 0;
    }
    if (length < need)
        return 0;
    for (size_t i = 1; i < need; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[need] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *character = c;
    return need;
}

/* The length of the printable character at the start of `s`; 0 if there is none. */
static size_t printable_length(const unsigned char *s, size_t length)
{
    uint32_t c;
    size_t step;

    if (s[0] >= 0x20 && s[0] < 0x7f)
        return 1;
    step = decode(s, length, &c);
    /* U+0080..9f are controls too, and U+2028/9 and the bidi overrides redraw a line. */
    return step == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) ||
                   (c >= 0x2066 && c <= 0x2069)
               ? 0
               : step;
}

bool rc_text_is_printable(const char *text, size_t length)
{
    for (size_t i = 0, step; i < length; i += step) {
        step = printable_length((const unsigned char *)text + i, length - i);
        if (step == 0)
            return false;
    }
    return true;
}

void rc_text_clean(char *text, size_t length)
{
    for (size_t i = 0, step; i < length; i += step) {
        step = printable_length((const unsigned char *)text + i, length - i);
        if (step == 0) {
            text[i] = '?';
            step = 1;
        }
    }
}

static size_t character_width(uint32_t c)
{
    int width;

    if (c < 0x7f)
        return 1;
    width = wcwidth((wchar_t)c);
    return width < 0 ? 1 : (size_t)width; /* not printable in this locale */
}

size_t rc_text_prefix(const char *text, size_t length, size_t columns)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0, used = 0, step, width;
    uint32_t c;

    while (i < length) {
        step = decode(s + i, length - i, &c);
        width = step ? character_width(c) : 1;
        if (used + width > columns)
            break;
        used += width;
        i += step ? step : 1;
    }
    return i;
}

size_t rc_text_width(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0, used = 0, step;
    uint32_t c;

    while (i < length && s[i] < 0x80)
        i++;
    used = i;
    while (i < length) {
        step = decode(s + i, length - i, &c);
        used += step ? character_width(c) : 1;
        i += step ? step : 1;
    }
    return used;
}

void rc_text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void rc_text_mend_cut(char *text, size_t size)
{
    size_t length = strnlen(text, size), start = length;
    uint32_t c;

    if (length + 1 < size || length == 0) /* it was not cut */
        return;
    do
        start--;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start] & 0xc0) == 0x80);
    if (decode((unsigned char *)text + start, length - start, &c) == 0)
        text[start] = '\0';
}

bool rc_text_has_word(const char *text, const char *word, char separator)
{
    const char separators[] = {' ', '\n', separator, '\0'};
    size_t length = strlen(word), part;

    for (;; text += part) {
        text += strspn(text, separators);
        part = strcspn(text, separators);
        if (part == 0)
            return false;
        if (part == length && memcmp(text, word, part) == 0)
            return true;
    }
}

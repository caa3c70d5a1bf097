/* agent.c - replaces the agents of 'runcast monitor', to measure the cost of many hosts.
 *
 * usage: agent HOST PROGRAM monitor --agent --interval S
 *
 * A launcher and an agent in one: it follows the protocol of agents, with made-up numbers, and
 * appends the time of each written sample to the file HOST.sent of the current directory. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        _exit(1);
}

static void answer(char *commands)
{
    char text[200], *save;

    for (char *line = strtok_r(commands, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "clock ", 6) != 0)
            continue;
        snprintf(text, sizeof text, "{\"clock\": {\"id\": %ld, \"time\": %.6f}}\n",
                 strtol(line + 6, NULL, 10), now(CLOCK_REALTIME));
        say(1, text);
    }
}

static void sample(int kept, unsigned n)
{
    double t = now(CLOCK_REALTIME);
    char text[400];

    snprintf(text, sizeof text,
             "{\"sample\": {\"time\": %.6f, \"cpu\": %.3f, \"memory\": %u, \"load1\": 0.52, "
             "\"load5\": 0.58, \"load15\": 0.59, \"in\": %u.5, \"out\": %u.25}}\n",
             t, n % 100 / 100.0, 1000000000 + n, 1000 + n, 2000 + n);
    say(1, text);
    snprintf(text, sizeof text, "%.6f\n", t);
    say(kept, text);
}

int main(int argc, char **argv)
{
    struct pollfd in = {0, POLLIN, 0};
    double interval = 1, next;
    char text[4096];
    unsigned n = 0;
    int kept;

    if (argc < 2)
        return 2;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--interval") == 0)
            interval = strtod(argv[i + 1], NULL);
    snprintf(text, sizeof text, "%s.sent", argv[1]);
    kept = open(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (kept < 0)
        return 1;
    say(1, "{\"hello\": 1, \"version\": \"0\", \"host\": \"none\", \"cores\": 1, \"every\": 1}\n");
    next = now(CLOCK_MONOTONIC) + interval * (double)(getpid() % 97) / 97;
    for (;;) {
        double wait = next - now(CLOCK_MONOTONIC);

        if (wait > 0 && poll(&in, 1, (int)(wait * 1e3) + 1) > 0) {
            ssize_t got = read(0, text, sizeof text - 1);

            if (got <= 0)
                return 0;
            text[got] = '\0';
            answer(text);
        }
        if (now(CLOCK_MONOTONIC) >= next) {
            sample(kept, ++n);
            next += interval;
        }
    }
}

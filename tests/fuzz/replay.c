/* replay.c - runs a fuzz target over the files of its corpus, without a fuzzer.
 *
 * usage: replay-TARGET FILE|DIRECTORY... */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    int status = -1;

    if (!file)
        return -1;
    if (fstat(fileno(file), &info) == 0 && (data = malloc((size_t)info.st_size + 1))) {
        if (fread(data, 1, (size_t)info.st_size, file) == (size_t)info.st_size)
            status = LLVMFuzzerTestOneInput(data, (size_t)info.st_size);
        free(data);
    }
    fclose(file);
    return status;
}

static int replay(const char *path, size_t *count)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    char name[4096];

    if (!directory) {
        ++*count;
        return replay_file(path);
    }
    while ((entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (replay(name, count)) {
            fprintf(stderr, "failed on %s\n", name);
            closedir(directory);
            return -1;
        }
    }
    closedir(directory);
    return 0;
}

int main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; i++)
        if (replay(argv[i], &count))
            return 1;
    printf("%zu inputs\n", count);
    return count > 0 ? 0 : 1;
}

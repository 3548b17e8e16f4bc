/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

enum kind {
    KIND_SIZE,     /* uint64_t, binary suffixes K M G T */
    KIND_SIZE32,   /* uint32_t */
    KIND_UNSIGNED, /* unsigned */
    KIND_SEED,     /* uint64_t, plain number */
    KIND_SECONDS,  /* uint64_t ns, given in seconds */
    KIND_MILLI,    /* uint64_t ns, given in milliseconds */
    KIND_MICRO,    /* uint64_t ns, given in microseconds */
    KIND_CHOICE,   /* an enum */
    KIND_FLAG,     /* bool */
    KIND_DATA,     /* random, zero or the compressible share */
    KIND_HELP,
};

struct choice {
    const char *name;
    int value;
};

struct option_spec {
    const char *name;
    const char *value;
    const char *help;
    enum kind kind;
    size_t field; /* offset in struct load_options */
    const struct choice *choices;
};

static const struct choice patterns[] = {
    {"seq", PLT_PATTERN_SEQUENTIAL},
    {"rnd", PLT_PATTERN_RANDOM},
    {NULL, 0},
};
static const struct choice syncs[] = {
    {"none", PLT_SYNC_NONE},   {"dsync", PLT_SYNC_DSYNC},         {"sync", PLT_SYNC_SYNC},
    {"fsync", PLT_SYNC_FSYNC}, {"fdatasync", PLT_SYNC_FDATASYNC}, {NULL, 0},
};
static const struct choice generators[] = {
    {"xoshiro256pp", PLT_GENERATOR_XOSHIRO256PP},
    {"tausworthe64", PLT_GENERATOR_TAUSWORTHE64},
    {NULL, 0},
};
static const struct choice backends[] = {
    {"auto", PLT_BACKEND_AUTO},
    {"ring", PLT_BACKEND_RING},
    {"threads", PLT_BACKEND_THREADS},
    {NULL, 0},
};

#define LOAD(member) offsetof(struct load_options, member)

static const struct option_spec specs[] = {
    {"block", "SIZE", "bytes per I/O (4K)", KIND_SIZE32, LOAD(workload.block), NULL},
    {"queue", "N", "I/Os in flight for each thread (1)", KIND_UNSIGNED, LOAD(workload.queue), NULL},
    {"threads", "N", "threads (1)", KIND_UNSIGNED, LOAD(workload.threads), NULL},
    {"pattern", "seq|rnd", "order of the offsets (rnd)", KIND_CHOICE, LOAD(workload.pattern), patterns},
    {"read", "PERCENT", "share of reads (100)", KIND_UNSIGNED, LOAD(workload.read_percent), NULL},
    {"trim", NULL, "discard instead of reading and writing", KIND_FLAG, LOAD(workload.trim), NULL},
    {"sync", "none|dsync|sync|fsync|fdatasync", "how writes reach the medium (none)", KIND_CHOICE,
     LOAD(workload.sync), syncs},
    {"flush-every", "N", "writes between two flushes (1)", KIND_UNSIGNED, LOAD(workload.flush_every), NULL},
    {"data", "random|zero|PERCENT", "what is written; PERCENT of it zero (random)", KIND_DATA, 0, NULL},
    {"generator", "xoshiro256pp|tausworthe64", "random offsets (xoshiro256pp)", KIND_CHOICE,
     LOAD(workload.generator), generators},
    {"seed", "N", "seed of the offsets (1)", KIND_SEED, LOAD(workload.seed), NULL},
    {"separate-streams", NULL, "a sequential stream for each thread", KIND_FLAG,
     LOAD(workload.separate_streams), NULL},
    {"slices", NULL, "each thread in its own slice", KIND_FLAG, LOAD(workload.slices), NULL},
    {"ramp", "SECONDS", "load before the measured window (0)", KIND_SECONDS, LOAD(workload.ramp_ns), NULL},
    {"seconds", "SECONDS", "length of the window (1, or no limit with --bytes)", KIND_SECONDS,
     LOAD(workload.duration_ns), NULL},
    {"bytes", "SIZE", "end after so many bytes", KIND_SIZE, LOAD(workload.bytes), NULL},
    {"tick", "MS", "length of a sample, 100 or 10 (100)", KIND_MILLI, LOAD(workload.tick_ns), NULL},
    {"rate-read", "SIZE", "most bytes per second read", KIND_SIZE, LOAD(workload.rate_bps[PLT_OP_READ]),
     NULL},
    {"rate-write", "SIZE", "most bytes per second written", KIND_SIZE, LOAD(workload.rate_bps[PLT_OP_WRITE]),
     NULL},
    {"think", "US", "pause after every --think-every I/Os", KIND_MICRO, LOAD(workload.think_ns), NULL},
    {"think-every", "N", "I/Os between two pauses", KIND_UNSIGNED, LOAD(workload.think_every), NULL},
    {"cap", "N", "most I/Os per io_uring_enter, 0 = tune it (0)", KIND_UNSIGNED, LOAD(workload.submit_cap),
     NULL},
    {"backend", "auto|ring|threads", "how I/O is done (auto)", KIND_CHOICE, LOAD(workload.backend), backends},
    {"nop", NULL, "no I/O at all: measures the engine", KIND_FLAG, LOAD(workload.nop), NULL},
    {"offset", "SIZE", "start of the range (0)", KIND_SIZE, LOAD(offset), NULL},
    {"length", "SIZE", "length of the range (up to the end)", KIND_SIZE, LOAD(length), NULL},
    {"overwrite", NULL, "TARGET's contents may be destroyed", KIND_FLAG, LOAD(overwrite), NULL},
    {"buffered", NULL, "through the page cache", KIND_FLAG, LOAD(buffered), NULL},
    {"samples", NULL, "print the samples too", KIND_FLAG, LOAD(samples), NULL},
    {"check", NULL, "fail when an invariant is broken", KIND_FLAG, LOAD(check), NULL},
    {"help", NULL, "print this", KIND_HELP, 0, NULL},
};

#define N_SPECS (sizeof specs / sizeof specs[0])

static void print_help(void)
{
    puts("Usage: plateau-load [OPTION…] TARGET\n"
         "       plateau-load [OPTION…] --nop\n\n"
         "Runs one load of the engine on a file or a loop or zram device and prints the result as JSON.\n");
    for (size_t i = 0; i < N_SPECS; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", specs[i].name, specs[i].value ? " " : "",
                 specs[i].value ? specs[i].value : "");
        printf("  %-38s %s\n", left, specs[i].help);
    }
    puts("\nExit status: 0 done, 1 the load failed, 2 usage, 3 refused, 4 an invariant is broken (--check).");
}

static bool parse_whole(const char *text, uint64_t max, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return !errno && !*end && *value <= max;
}

static bool parse_size(const char *text, uint64_t max, uint64_t *value)
{
    static const char suffixes[] = "KMGT";
    char *end;
    const char *suffix;
    unsigned shift = 0;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (errno)
        return false;
    if (*end) {
        suffix = strchr(suffixes, *end);
        if (!suffix || end[1])
            return false;
        shift = 10 * (unsigned)(suffix - suffixes + 1);
    }
    if (*value > max >> shift)
        return false;
    *value <<= shift;
    return true;
}

/* A decimal time in units of UNIT_NS; up to about 31 years, so that no sum in ns overflows. */
static bool parse_time(const char *text, double unit_ns, uint64_t *ns)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0 || value * unit_ns > 1e18)
        return false;
    *ns = (uint64_t)llround(value * unit_ns);
    return true;
}

static bool parse_choice(const struct choice *choices, const char *text, void *field)
{
    for (; choices->name; choices++) {
        if (!strcmp(choices->name, text)) {
            *(int *)field = choices->value;
            return true;
        }
    }
    return false;
}

static bool parse_data(struct plt_workload *workload, const char *text)
{
    uint64_t percent;
    if (!strcmp(text, "random")) {
        workload->data = PLT_DATA_RANDOM;
        return true;
    }
    if (!strcmp(text, "zero")) {
        workload->data = PLT_DATA_ZERO;
        return true;
    }
    if (!parse_whole(text, 100, &percent))
        return false;
    workload->data = PLT_DATA_COMPRESSIBLE;
    workload->zero_percent = (unsigned)percent;
    return true;
}

_Static_assert(sizeof(enum plt_pattern) == sizeof(int), "parse_choice stores an int");

static bool parse_value(struct load_options *options, const struct option_spec *spec, const char *text)
{
    void *field = (char *)options + spec->field;
    uint64_t value;

    switch (spec->kind) {
    case KIND_SIZE:
        return parse_size(text, UINT64_MAX, field);
    case KIND_SIZE32:
        if (!parse_size(text, UINT32_MAX, &value))
            return false;
        *(uint32_t *)field = (uint32_t)value;
        return true;
    case KIND_UNSIGNED:
        if (!parse_whole(text, UINT32_MAX, &value))
            return false;
        *(unsigned *)field = (unsigned)value;
        return true;
    case KIND_SEED:
        return parse_whole(text, UINT64_MAX, field);
    case KIND_SECONDS:
        return parse_time(text, NS_PER_S, field);
    case KIND_MILLI:
        return parse_time(text, NS_PER_S / 1e3, field);
    case KIND_MICRO:
        return parse_time(text, NS_PER_S / 1e6, field);
    case KIND_CHOICE:
        return parse_choice(spec->choices, text, field);
    case KIND_DATA:
        return parse_data(&options->workload, text);
    case KIND_FLAG:
        *(bool *)field = true;
        return true;
    case KIND_HELP:
        break;
    }
    return false;
}

static void set_defaults(struct load_options *options)
{
    *options = (struct load_options){
        .workload = {.pattern = PLT_PATTERN_RANDOM,
                     .block = 4096,
                     .queue = 1,
                     .threads = 1,
                     .read_percent = 100,
                     .flush_every = 1,
                     .seed = 1,
                     .tick_ns = UINT64_C(100000000)},
    };
}

static enum load_parse check_target(struct load_options *options, int argc, char **argv)
{
    int given = argc - optind;
    if (options->workload.nop ? given > 0 : given != 1) {
        fprintf(stderr, "plateau-load: %s\n",
                options->workload.nop ? "--nop takes no target" : "give one target, or --nop");
        return LOAD_PARSE_WRONG;
    }
    options->path = given ? argv[optind] : NULL;
    if (!options->workload.duration_ns && !options->workload.bytes)
        options->workload.duration_ns = UINT64_C(1000000000);
    return LOAD_PARSE_RUN;
}

enum load_parse load_options_parse(struct load_options *options, int argc, char **argv)
{
    struct option longs[N_SPECS + 1] = {0};
    int index, c;

    for (size_t i = 0; i < N_SPECS; i++)
        longs[i] =
            (struct option){specs[i].name, specs[i].value ? required_argument : no_argument, NULL, 'l'};
    set_defaults(options);
    while ((c = getopt_long(argc, argv, "", longs, &index)) != -1) {
        if (c != 'l')
            return LOAD_PARSE_WRONG;
        if (specs[index].kind == KIND_HELP) {
            print_help();
            return LOAD_PARSE_HELP;
        }
        if (!parse_value(options, &specs[index], optarg)) {
            fprintf(stderr, "plateau-load: --%s cannot be \"%s\"; it takes %s\n", specs[index].name, optarg,
                    specs[index].value);
            return LOAD_PARSE_WRONG;
        }
    }
    return check_target(options, argc, argv);
}

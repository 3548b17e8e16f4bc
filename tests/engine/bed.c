/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"

#include "tap.h"

void bed_init(struct bed *bed, const struct plt_engine_target *target)
{
    memset(bed, 0, sizeof *bed);
    bed->target = *target;
    bed->load = (struct plt_workload){
        .pattern = PLT_PATTERN_RANDOM,
        .block = 4096,
        .queue = 4,
        .threads = 1,
        .read_percent = 100,
        .seed = 2026,
        .duration_ns = 150 * BED_MS,
        .tick_ns = 20 * BED_MS,
    };
}

static bool keep_sample(const struct plt_sample *sample, void *user)
{
    struct bed *bed = user;
    if (bed->n_samples == bed->room) {
        bed->room = bed->room == 0 ? 64 : 2 * bed->room;
        bed->samples = realloc(bed->samples, bed->room * sizeof *bed->samples);
        bed->delivered_ns = realloc(bed->delivered_ns, bed->room * sizeof *bed->delivered_ns);
    }
    bed->delivered_ns[bed->n_samples] = plt_clock_now_ns();
    bed->samples[bed->n_samples++] = *sample;
    return bed->on_sample == NULL || bed->on_sample(bed, sample);
}

bool bed_make(struct bed *bed)
{
    bed->engine = plt_engine_new(&bed->load, &bed->target, &bed->new_error);
    if (bed->engine != NULL) {
        plt_engine_set_sample_func(bed->engine, keep_sample, bed);
    }
    return bed->engine != NULL;
}

void bed_run(struct bed *bed)
{
    memset(&bed->result, 0x5a, sizeof bed->result);
    plt_engine_run(bed->engine, &bed->result);
}

void bed_do(struct bed *bed)
{
    if (CHECK(bed_make(bed))) {
        bed_run(bed);
        bed_check(bed);
    } else {
        char text[256];
        memset(&bed->result, 0, sizeof bed->result);
        tap_note("no engine: %s", plt_engine_error_text(&bed->new_error, text, sizeof text));
    }
}

void bed_clear(struct bed *bed)
{
    plt_engine_free(bed->engine);
    free(bed->samples);
    free(bed->delivered_ns);
    bed->engine = NULL;
    bed->samples = NULL;
    bed->delivered_ns = NULL;
    bed->n_samples = bed->room = 0;
}

uint64_t bed_ios(const struct bed *bed)
{
    const struct plt_sample_op *total = bed->result.total;
    return total[PLT_OP_READ].ios + total[PLT_OP_WRITE].ios + total[PLT_OP_TRIM].ios;
}

static void check_tick(const struct bed *bed, size_t i, uint64_t start)
{
    const struct plt_sample *s = &bed->samples[i];
    uint64_t ios = 0;
    CHECK_INT(s->index, ==, i);
    CHECK_INT(s->duration_ns, <=, bed->load.tick_ns);
    CHECK_INT(s->duration_ns, >, 0);
    if (i + 1 < bed->n_samples) {
        CHECK_INT(s->duration_ns, ==, bed->load.tick_ns);
    }
    CHECK_INT(s->inflight, <=, (uint64_t)bed->load.queue * bed->load.threads);
    for (int op = 0; op < PLT_N_OPS; op++) {
        const struct plt_sample_op *o = &s->op[op];
        ios += o->ios;
        CHECK_INT(o->bytes, ==, op == PLT_OP_FLUSH ? 0 : o->ios * bed->load.block);
        CHECK_INT(o->lat_min_ns, <=, o->lat_max_ns);
        CHECK_INT(o->lat_sum_ns, >=, o->ios * o->lat_min_ns);
        CHECK_INT(o->lat_sum_ns, <=, o->ios * o->lat_max_ns);
    }
    if (ios > 0) {
        CHECK_INT(s->first_ns, >=, start);
        CHECK_INT(s->first_ns, <=, s->last_ns);
        CHECK_INT(s->last_ns, <=, start + s->duration_ns);
    }
}

static void check_ticks(const struct bed *bed)
{
    uint64_t start = 0;
    CHECK_INT(bed->result.ticks, ==, bed->n_samples);
    for (size_t i = 0; i < bed->n_samples; i++) {
        check_tick(bed, i, start);
        start += bed->samples[i].duration_ns;
    }
    CHECK_INT(start, ==, bed->result.window_ns);
}

static struct plt_sample_op sum_of_samples(const struct bed *bed, enum plt_op op)
{
    struct plt_sample_op sum = {0};
    for (size_t i = 0; i < bed->n_samples; i++) {
        const struct plt_sample_op *o = &bed->samples[i].op[op];
        if (o->ios > 0) {
            sum.lat_min_ns = sum.ios == 0 || o->lat_min_ns < sum.lat_min_ns ? o->lat_min_ns : sum.lat_min_ns;
            sum.lat_max_ns = o->lat_max_ns > sum.lat_max_ns ? o->lat_max_ns : sum.lat_max_ns;
        }
        sum.ios += o->ios;
        sum.bytes += o->bytes;
        sum.lat_sum_ns += o->lat_sum_ns;
    }
    return sum;
}

static void check_histogram(const struct plt_histogram *h, const struct plt_sample_op *total)
{
    uint64_t count = 0;
    if (h == NULL) {
        CHECK_INT(total->ios, ==, 0);
        return;
    }
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        count += h->bucket[i];
    }
    CHECK_INT(count, ==, total->ios);
    CHECK_INT(h->count, ==, total->ios);
    CHECK_INT(h->sum_ns, ==, total->lat_sum_ns);
    CHECK_INT(h->min_ns, ==, total->lat_min_ns);
    CHECK_INT(h->max_ns, ==, total->lat_max_ns);
    CHECK_INT(h->bucket[plt_histogram_index(h->min_ns)], >, 0);
    CHECK_INT(h->bucket[plt_histogram_index(h->max_ns)], >, 0);
}

static void check_totals(const struct bed *bed)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        const struct plt_sample_op *total = &bed->result.total[op];
        struct plt_sample_op sum = sum_of_samples(bed, op);
        CHECK_INT(sum.ios, ==, total->ios);
        CHECK_INT(sum.bytes, ==, total->bytes);
        CHECK_INT(sum.lat_sum_ns, ==, total->lat_sum_ns);
        CHECK_INT(sum.lat_min_ns, ==, total->lat_min_ns);
        CHECK_INT(sum.lat_max_ns, ==, total->lat_max_ns);
        check_histogram(bed->result.histogram[op], total);
    }
}

/*
 * Little's law, and no more slack than its edges have: the depth integrated over the window is the latencies'
 * sum, plus what the I/Os that were still open at its end had waited by then, and with a ramp less what those
 * that were open at its start had waited before.
 */
static void check_depth(const struct bed *bed)
{
    const struct plt_engine_result *r = &bed->result;
    double sum = 0, longest = 0, depth = (double)bed->load.queue * bed->load.threads;
    for (int op = 0; op < PLT_N_OPS; op++) {
        sum += (double)r->total[op].lat_sum_ns;
        longest = (double)r->total[op].lat_max_ns > longest ? (double)r->total[op].lat_max_ns : longest;
    }
    double area = r->effective_queue * (double)r->window_ns;
    double before = bed->load.ramp_ns != 0 ? depth * longest : 0;
    double after = (double)r->late_ios * (double)r->late_max_ns;
    double rounding = 1 + area * 1e-9;
    CHECK_REAL(area, >=, sum - before - rounding);
    /* What failed was in flight, too, but has no latency; nor has what a cancel did not wait for. */
    if (r->end != PLT_END_ERROR && r->end != PLT_END_CANCELLED) {
        CHECK_REAL(area, <=, sum + after + rounding);
    }
    CHECK_REAL(r->effective_queue, <=, depth * (1 + 1e-9));
}

void bed_check(const struct bed *bed)
{
    const struct plt_engine_result *r = &bed->result;
    check_ticks(bed);
    check_totals(bed);
    check_depth(bed);
    CHECK_INT(r->late_ios, <=, (uint64_t)bed->load.queue * bed->load.threads);
    CHECK(r->late_ios > 0 || r->late_max_ns == 0);
    CHECK((r->end == PLT_END_ERROR) == (r->error.phase != PLT_PHASE_NONE));
    if (bed->load.duration_ns != 0) {
        CHECK_INT(r->window_ns, <=, bed->load.duration_ns);
    }
    if (r->end == PLT_END_TIME) {
        CHECK_INT(r->window_ns, ==, bed->load.duration_ns);
    }
    for (size_t i = 0; i < r->n_stalls; i++) {
        CHECK_INT(r->stalls[i].length_ns, >=, PLT_STALL_MIN_NS);
        CHECK_INT(r->stalls[i].start_ns + r->stalls[i].length_ns, <=, r->window_ns);
        CHECK_INT(r->stalls[i].inflight, >, 0);
    }
}

static int nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/engine-test-XXXXXX", folder);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) {
            unlink(path);
        }
    }
    return fd;
}

static void fill(int fd, uint64_t size)
{
    unsigned char *block = malloc(BED_MIB);
    memset(block, BED_FILLING, BED_MIB);
    for (uint64_t done = 0; done < size;) {
        size_t n = size - done < BED_MIB ? (size_t)(size - done) : BED_MIB;
        ssize_t written = pwrite(fd, block, n, (off_t)done);
        if (!CHECK(written > 0)) {
            break;
        }
        done += (uint64_t)written;
    }
    CHECK(fsync(fd) == 0);
    free(block);
}

struct plt_engine_target bed_guarded_target(int *file)
{
    if (*file < 0) {
        *file = bed_file(NULL, BED_GUARD + BED_RANGE + BED_GUARD);
    }
    return (struct plt_engine_target){
        .fd = *file, .offset = BED_GUARD, .length = BED_RANGE, .logical_block = 512};
}

void bed_check_guards(int file)
{
    for (int side = 0; side < 2; side++) {
        unsigned char *guard = bed_read(file, side == 0 ? 0 : BED_GUARD + BED_RANGE, BED_GUARD);
        for (uint64_t i = 0; i < BED_GUARD && tap_failures() == 0; i++) {
            CHECK_INT(guard[i], ==, BED_FILLING);
        }
        free(guard);
    }
}

int bed_reopen(int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, flags | O_CLOEXEC);
}

int bed_file(const char *folder, uint64_t size)
{
    const char *scratch = getenv("PLATEAU_SCRATCH");
    int fd = nameless(folder != NULL ? folder : scratch != NULL ? scratch : ".");
    if (!CHECK(fd >= 0)) {
        return -1;
    }
    fill(fd, size);
    int direct = bed_reopen(fd, O_RDWR | O_DIRECT);
    if (direct < 0) {
        tap_note("no O_DIRECT here: %s", strerror(errno));
        direct = bed_reopen(fd, O_RDWR);
    }
    close(fd);
    CHECK(direct >= 0);
    return direct;
}

unsigned char *bed_read(int fd, uint64_t offset, uint64_t size)
{
    int plain = bed_reopen(fd, O_RDONLY);
    unsigned char *data = malloc(size);
    for (uint64_t done = 0; done < size;) {
        ssize_t n = pread(plain, data + done, size - done, (off_t)(offset + done));
        if (!CHECK(n > 0)) {
            break;
        }
        done += (uint64_t)n;
    }
    close(plain);
    return data;
}

int bed_mount(const char *type, const char *source, const char *size)
{
    int mounted = -1;
    int context = fsopen(type, FSOPEN_CLOEXEC);
    if (context >= 0 &&
        (source == NULL || fsconfig(context, FSCONFIG_SET_STRING, "source", source, 0) == 0) &&
        (size == NULL || fsconfig(context, FSCONFIG_SET_STRING, "size", size, 0) == 0) &&
        fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0) {
        mounted = fsmount(context, FSMOUNT_CLOEXEC, 0);
    }
    int error = errno;
    if (context >= 0) {
        close(context);
    }
    errno = error;
    return mounted;
}

static unsigned count_threads(void)
{
    unsigned count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return count;
}

void bed_wait_alone(void)
{
#if defined(__SANITIZE_THREAD__)
    const unsigned alone = 2; /* the sanitizer has a thread of its own */
#else
    const unsigned alone = 1;
#endif
    for (int i = 0; i < 20000 && count_threads() > alone; i++) {
        const struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    CHECK_INT(count_threads(), <=, alone);
}

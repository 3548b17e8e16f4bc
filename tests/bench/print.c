/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <math.h>
#include <string.h>

static const char *const end_names[] = {
    [PLT_END_TIME] = "time",           [PLT_END_BYTES] = "bytes", [PLT_END_CONDITION] = "condition",
    [PLT_END_CANCELLED] = "cancelled", [PLT_END_ERROR] = "error",
};
static const char *const phase_names[] = {
    [PLT_PHASE_NONE] = "none", [PLT_PHASE_CHECK] = "check", [PLT_PHASE_MEMORY] = "memory",
    [PLT_PHASE_RING] = "ring", [PLT_PHASE_IO] = "io",       [PLT_PHASE_DRAIN] = "drain",
};
static const char *const backend_names[] = {
    [PLT_BACKEND_AUTO] = "auto",
    [PLT_BACKEND_RING] = "ring",
    [PLT_BACKEND_THREADS] = "threads",
};
static const struct {
    unsigned bit;
    const char *name;
} note_names[] = {
    {PLT_NOTE_THREADS_REFUSED, "threads-refused"}, {PLT_NOTE_THREADS_IOWQ, "threads-iowq"},
    {PLT_NOTE_KERNEL_WORKERS, "kernel-workers"},   {PLT_NOTE_PLAIN_BUFFERS, "plain-buffers"},
    {PLT_NOTE_HOST_LIMITED, "host-limited"},       {PLT_NOTE_CLOCK_SYSTEM, "clock-system"},
    {PLT_NOTE_TICKS_LATE, "ticks-late"},           {PLT_NOTE_SUSPENDED, "suspended"},
};

typedef unsigned long long ull;

static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* JSON has no word for what is not finite. */
static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.12g", value);
    else
        fputs("null", out);
}

static void print_field(FILE *out, const char *name, double value)
{
    fprintf(out, ", \"%s\": ", name);
    print_number(out, value);
}

static double per_second(uint64_t n, const struct plt_engine_result *result)
{
    return result->window_ns ? (double)n * 1e9 / (double)result->window_ns : 0;
}

static void print_workload(FILE *out, const struct load_options *options, const struct load_target *target)
{
    const struct plt_workload *w = &options->workload;

    fprintf(out, "\"target\": {\"kind\": \"%s\", \"path\": ", target->kind);
    print_string(out, options->path ? options->path : "");
    fprintf(out, ", \"offset\": %llu, \"length\": %llu, \"logical_block\": %u, \"memory_align\": %u},\n",
            (ull)target->engine.offset, (ull)target->engine.length, target->engine.logical_block,
            target->engine.memory_align);
    fprintf(
        out,
        "\"workload\": {\"pattern\": \"%s\", \"block\": %u, \"queue\": %u, \"threads\": %u, "
        "\"read_percent\": %u, \"trim\": %s, \"sync\": %d, \"flush_every\": %u, \"data\": %d, "
        "\"zero_percent\": %u, \"generator\": %d, \"seed\": %llu, \"ramp_ns\": %llu, \"duration_ns\": %llu, "
        "\"bytes\": %llu, \"tick_ns\": %llu, \"submit_cap\": %u, \"backend\": \"%s\", \"nop\": %s},\n",
        w->pattern == PLT_PATTERN_RANDOM ? "rnd" : "seq", w->block, w->queue, w->threads, w->read_percent,
        w->trim ? "true" : "false", (int)w->sync, w->flush_every, (int)w->data, w->zero_percent,
        (int)w->generator, (ull)w->seed, (ull)w->ramp_ns, (ull)w->duration_ns, (ull)w->bytes, (ull)w->tick_ns,
        w->submit_cap, backend_names[w->backend], w->nop ? "true" : "false");
}

static void print_end(FILE *out, const struct plt_engine_result *result)
{
    const struct plt_engine_error *error = &result->error;
    char text[256];

    fprintf(out, "\"end\": \"%s\", \"error\": ", end_names[result->end]);
    if (result->end != PLT_END_ERROR) {
        fputs("null,\n", out);
        return;
    }
    fprintf(out,
            "{\"phase\": \"%s\", \"code\": %d, \"op\": \"%s\", \"offset\": %llu, \"at_ns\": %llu, \"text\": ",
            phase_names[error->phase], error->code, plt_op_name(error->op), (ull)error->offset,
            (ull)error->at_ns);
    print_string(out, plt_engine_error_text(error, text, sizeof text));
    fputs("},\n", out);
}

static void print_notes(FILE *out, unsigned notes)
{
    const char *separator = "";
    fputs("\"notes\": [", out);
    for (size_t i = 0; i < sizeof note_names / sizeof note_names[0]; i++) {
        if (notes & note_names[i].bit) {
            fprintf(out, "%s\"%s\"", separator, note_names[i].name);
            separator = ", ";
        }
    }
    fputs("],\n", out);
}

static void print_totals(FILE *out, const struct load_outcome *outcome)
{
    const struct plt_engine_result *r = outcome->result;
    uint64_t ios = 0, bytes = 0;

    for (int op = 0; op < PLT_N_OPS; op++) {
        ios += op == PLT_OP_FLUSH ? 0 : r->total[op].ios;
        bytes += r->total[op].bytes;
    }
    fprintf(out, "\"window_ns\": %llu, \"ios\": %llu, \"bytes\": %llu", (ull)r->window_ns, (ull)ios,
            (ull)bytes);
    print_field(out, "iops", per_second(ios, r));
    print_field(out, "bps", per_second(bytes, r));
    fprintf(out, ", \"ticks\": %llu, \"late_ios\": %llu, \"late_max_ns\": %llu,\n", (ull)r->ticks,
            (ull)r->late_ios, (ull)r->late_max_ns);
    fprintf(out, "\"backend\": \"%s\", \"submit_cap\": %u", backend_names[r->backend], r->submit_cap);
    print_field(out, "effective_queue", r->effective_queue);
    print_field(out, "busy", r->busy);
    fprintf(out, ", \"user_ns\": %llu, \"system_ns\": %llu", (ull)r->user_ns, (ull)r->system_ns);
    print_field(out, "user_ns_per_io", ios ? (double)r->user_ns / (double)ios : 0);
    print_field(out, "system_ns_per_io", ios ? (double)r->system_ns / (double)ios : 0);
    fprintf(out, ", \"live_gap_max_ns\": %llu, \"stop_ns\": %llu,\n", (ull)outcome->live_gap_max_ns,
            (ull)outcome->stop_ns);
}

static void print_latency(FILE *out, const struct plt_histogram *h)
{
    fprintf(out, "{\"min\": %llu, \"max\": %llu", (ull)h->min_ns, (ull)h->max_ns);
    print_field(out, "mean", plt_histogram_mean_ns(h));
    print_field(out, "stddev", plt_histogram_stddev_ns(h));
    for (size_t i = 0; i < n_load_percentiles; i++) {
        char name[24];
        snprintf(name, sizeof name, "p%g", load_percentiles[i] * 100);
        print_field(out, name, plt_histogram_percentile_ns(h, load_percentiles[i]));
    }
    fputs("}", out);
}

static void print_ops(FILE *out, const struct plt_engine_result *result)
{
    const char *separator = "";

    fputs("\"ops\": {", out);
    for (int op = 0; op < PLT_N_OPS; op++) {
        const struct plt_sample_op *total = &result->total[op];
        if (!total->ios)
            continue;
        fprintf(out, "%s\n  \"%s\": {\"ios\": %llu, \"bytes\": %llu", separator, plt_op_name((enum plt_op)op),
                (ull)total->ios, (ull)total->bytes);
        print_field(out, "iops", per_second(total->ios, result));
        print_field(out, "bps", per_second(total->bytes, result));
        fprintf(out, ", \"latency_sum_ns\": %llu, \"latency_ns\": ", (ull)total->lat_sum_ns);
        if (result->histogram[op])
            print_latency(out, result->histogram[op]);
        else
            fputs("null", out);
        fputs("}", out);
        separator = ",";
    }
    fputs("},\n", out);
}

static void print_stalls(FILE *out, const struct plt_engine_result *result)
{
    fputs("\"stalls\": [", out);
    for (size_t i = 0; i < result->n_stalls; i++) {
        const struct plt_stall *stall = &result->stalls[i];
        fprintf(out, "%s{\"start_ns\": %llu, \"length_ns\": %llu, \"inflight\": %u}", i ? ", " : "",
                (ull)stall->start_ns, (ull)stall->length_ns, stall->inflight);
    }
    fprintf(out, "], \"stalls_dropped\": %zu,\n", result->n_stalls_dropped);
}

static void print_samples(FILE *out, const struct load_outcome *outcome)
{
    fputs("\"samples\": [", out);
    for (size_t i = 0; i < outcome->n_samples; i++) {
        const struct plt_sample *s = &outcome->samples[i];
        fprintf(out, "%s\n  {\"index\": %llu, \"duration_ns\": %llu, \"inflight\": %u, \"oldest_ns\": %llu",
                i ? "," : "", (ull)s->index, (ull)s->duration_ns, s->inflight, (ull)s->oldest_ns);
        for (int op = 0; op < PLT_N_OPS; op++) {
            const struct plt_sample_op *o = &s->op[op];
            if (o->ios)
                fprintf(out,
                        ", \"%s\": {\"ios\": %llu, \"bytes\": %llu, \"latency_sum_ns\": %llu, "
                        "\"latency_min_ns\": %llu, \"latency_max_ns\": %llu}",
                        plt_op_name((enum plt_op)op), (ull)o->ios, (ull)o->bytes, (ull)o->lat_sum_ns,
                        (ull)o->lat_min_ns, (ull)o->lat_max_ns);
        }
        fputs("}", out);
    }
    fputs("],\n", out);
}

static void print_invariants(FILE *out, const struct load_outcome *outcome)
{
    fputs("\"invariants\": [", out);
    for (size_t i = 0; i < outcome->n_invariants; i++) {
        const struct load_invariant *invariant = &outcome->invariants[i];
        fprintf(out, "%s\n  {\"name\": \"%s\", \"ok\": %s", i ? "," : "", invariant->name,
                invariant->ok ? "true" : "false");
        print_field(out, "value", invariant->value);
        print_field(out, "expected", invariant->expected);
        fputs("}", out);
    }
    fputs("]", out);
}

void load_print(FILE *out, const struct load_outcome *outcome)
{
    fputs("{", out);
    print_workload(out, outcome->options, outcome->target);
    print_end(out, outcome->result);
    print_totals(out, outcome);
    print_notes(out, outcome->result->notes);
    print_ops(out, outcome->result);
    print_stalls(out, outcome->result);
    if (outcome->options->samples)
        print_samples(out, outcome);
    print_invariants(out, outcome);
    fputs("}\n", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/load-sum.h"

PltLoadSum *plt_load_sum_new(void)
{
    PltLoadSum *sum = g_new0(PltLoadSum, 1);

    sum->stalls = g_array_new(FALSE, FALSE, sizeof(struct plt_stall));
    return sum;
}

void plt_load_sum_free(PltLoadSum *sum)
{
    if (sum == NULL)
        return;
    for (int op = 0; op < PLT_N_OPS; op++)
        g_free(sum->histograms[op]);
    g_array_unref(sum->stalls);
    g_free(sum);
}

static void add_op(struct plt_sample_op *into, const struct plt_sample_op *op)
{
    if (op->ios > 0) {
        into->lat_min_ns = into->ios > 0 ? MIN(into->lat_min_ns, op->lat_min_ns) : op->lat_min_ns;
        into->lat_max_ns = MAX(into->lat_max_ns, op->lat_max_ns);
    }
    into->ios += op->ios;
    into->bytes += op->bytes;
    into->lat_sum_ns += op->lat_sum_ns;
}

static void add_histogram(PltLoadSum *sum, int op, const struct plt_histogram *histogram)
{
    if (histogram == NULL)
        return;
    if (sum->histograms[op] == NULL) {
        sum->histograms[op] = g_new(struct plt_histogram, 1);
        plt_histogram_reset(sum->histograms[op]);
    }
    plt_histogram_merge(sum->histograms[op], histogram);
    sum->result.histogram[op] = sum->histograms[op];
}

static void add_stalls(PltLoadSum *sum, const struct plt_engine_result *result)
{
    for (gsize i = 0; i < result->n_stalls; i++) {
        struct plt_stall stall = result->stalls[i];

        stall.start_ns += sum->result.window_ns;
        g_array_append_val(sum->stalls, stall);
    }
    sum->result.stalls = (const struct plt_stall *)(void *)sum->stalls->data;
    sum->result.n_stalls = sum->stalls->len;
    sum->result.n_stalls_dropped += result->n_stalls_dropped;
}

void plt_load_sum_add(PltLoadSum *sum, const struct plt_engine_result *result)
{
    struct plt_engine_result *all = &sum->result;

    for (int op = 0; op < PLT_N_OPS; op++) {
        add_op(&all->total[op], &result->total[op]);
        add_histogram(sum, op, result->histogram[op]);
    }
    add_stalls(sum, result);
    sum->queue_ns += result->effective_queue * (double)result->window_ns;
    sum->busy_ns += result->busy * (double)result->window_ns;
    all->end = result->end;
    all->error = result->error;
    all->window_ns += result->window_ns;
    all->ticks += result->ticks;
    all->late_ios += result->late_ios;
    all->late_max_ns = MAX(all->late_max_ns, result->late_max_ns);
    all->backend = result->backend;
    all->submit_cap = result->submit_cap;
    all->notes |= result->notes;
    all->user_ns += result->user_ns;
    all->system_ns += result->system_ns;
    all->effective_queue = all->window_ns > 0 ? sum->queue_ns / (double)all->window_ns : 0;
    all->busy = all->window_ns > 0 ? sum->busy_ns / (double)all->window_ns : 0;
}

void plt_load_sum_place(const PltLoadSum *sum, struct plt_sample *sample)
{
    sample->index += sum->result.ticks;
    sample->first_ns += sum->result.window_ns;
    sample->last_ns += sum->result.window_ns;
}

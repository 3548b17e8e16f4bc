/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/thermometer.h"

#include <math.h>

/* Shared with the thread, which may outlive its owner: a reference each. */
struct plt_thermometer {
    gatomicrefcount references;
    char *name;
    PltThermometerFunc func;
    gint64 interval_us;
    GMutex lock;
    GCond wake;
    gboolean over;    /* under lock */
    GArray *readings; /* under lock: PltThermometerReading */
};

static void release(PltThermometer *thermometer)
{
    if (!g_atomic_ref_count_dec(&thermometer->references))
        return;
    g_free(thermometer->name);
    g_mutex_clear(&thermometer->lock);
    g_cond_clear(&thermometer->wake);
    g_array_unref(thermometer->readings);
    g_free(thermometer);
}

/* Until the next step is due; FALSE when it is over. */
static gboolean wait_for(PltThermometer *thermometer, gint64 due_us)
{
    gboolean over;

    g_mutex_lock(&thermometer->lock);
    while (!thermometer->over && g_cond_wait_until(&thermometer->wake, &thermometer->lock, due_us)) {
    }
    over = thermometer->over;
    g_mutex_unlock(&thermometer->lock);
    return !over;
}

static gpointer read_on(gpointer user)
{
    PltThermometer *thermometer = user;
    gint64 due_us = g_get_monotonic_time();
    gboolean first = TRUE;

    do {
        PltThermometerReading reading = {.celsius = thermometer->func(thermometer->name)};

        reading.at_us = g_get_monotonic_time();
        if (first && isnan(reading.celsius))
            break;
        first = FALSE;
        g_mutex_lock(&thermometer->lock);
        g_array_append_val(thermometer->readings, reading);
        g_mutex_unlock(&thermometer->lock);
        /* A slow sensor is not asked at once again for the steps that it missed. */
        due_us = MAX(due_us + thermometer->interval_us, reading.at_us);
    } while (wait_for(thermometer, due_us));
    release(thermometer);
    return NULL;
}

PltThermometer *plt_thermometer_new(const char *name, PltThermometerFunc func, guint interval_ms)
{
    PltThermometer *thermometer = g_new0(PltThermometer, 1);

    g_atomic_ref_count_init(&thermometer->references);
    g_atomic_ref_count_inc(&thermometer->references);
    thermometer->name = g_strdup(name);
    thermometer->func = func;
    thermometer->interval_us = (gint64)interval_ms * 1000;
    g_mutex_init(&thermometer->lock);
    g_cond_init(&thermometer->wake);
    thermometer->readings = g_array_new(FALSE, FALSE, sizeof(PltThermometerReading));
    g_thread_unref(g_thread_new("plateau-thermo", read_on, thermometer));
    return thermometer;
}

void plt_thermometer_free(PltThermometer *thermometer)
{
    if (thermometer == NULL)
        return;
    g_mutex_lock(&thermometer->lock);
    thermometer->over = TRUE;
    g_cond_signal(&thermometer->wake);
    g_mutex_unlock(&thermometer->lock);
    release(thermometer);
}

void plt_thermometer_take(PltThermometer *thermometer, GArray *readings)
{
    g_mutex_lock(&thermometer->lock);
    g_array_append_vals(readings, thermometer->readings->data, thermometer->readings->len);
    g_array_set_size(thermometer->readings, 0);
    g_mutex_unlock(&thermometer->lock);
}

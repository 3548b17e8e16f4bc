/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "suite/thermometer.h"

static GMutex lock;
static GCond changed;
static guint n_asked; /* under lock, as all below */
static guint n_calls; /* answered */
static guint n_left;  /* answers that may still be given: the sensor waits for more */

static void allow(guint n)
{
    g_mutex_lock(&lock);
    n_left += n;
    g_cond_broadcast(&changed);
    g_mutex_unlock(&lock);
}

static void wait_for(const guint *count, guint n)
{
    g_mutex_lock(&lock);
    while (*count < n)
        g_cond_wait(&changed, &lock);
    g_mutex_unlock(&lock);
}

/* Answers 20, 21 … ; the third answer is none. */
static double scripted(const char *name)
{
    double answer;

    g_assert_cmpstr(name, ==, "sdx");
    g_mutex_lock(&lock);
    n_asked++;
    g_cond_broadcast(&changed);
    while (n_left == 0)
        g_cond_wait(&changed, &lock);
    n_left--;
    answer = n_calls == 2 ? NAN : 20 + (double)n_calls;
    n_calls++;
    g_cond_broadcast(&changed);
    g_mutex_unlock(&lock);
    return answer;
}

static double none(const char *name)
{
    g_mutex_lock(&lock);
    n_calls++;
    g_cond_broadcast(&changed);
    g_mutex_unlock(&lock);
    return NAN;
}

static void reset(void)
{
    n_asked = n_calls = n_left = 0;
}

/* All of them, once the thread has put the N-th in. */
static GArray *take(PltThermometer *thermometer, guint n)
{
    GArray *readings = g_array_new(FALSE, FALSE, sizeof(PltThermometerReading));

    while (readings->len < n) {
        plt_thermometer_take(thermometer, readings);
        g_thread_yield();
    }
    return readings;
}

static void test_readings(void)
{
    PltThermometer *thermometer;
    g_autoptr(GArray) readings = NULL;

    reset();
    allow(4);
    thermometer = plt_thermometer_new("sdx", scripted, 1);
    wait_for(&n_calls, 4);
    readings = take(thermometer, 4);
    for (guint i = 0; i < 4; i++) {
        const PltThermometerReading *reading = &g_array_index(readings, PltThermometerReading, i);

        if (i == 2)
            g_assert_true(isnan(reading->celsius));
        else
            g_assert_cmpfloat(reading->celsius, ==, 20 + i);
        if (i > 0)
            g_assert_cmpint(reading->at_us, >=, g_array_index(readings, PltThermometerReading, i - 1).at_us);
    }
    /* What was taken is gone. */
    plt_thermometer_take(thermometer, readings);
    g_assert_cmpuint(readings->len, ==, 4);
    /* The sensor does not answer: the end does not wait for it. */
    wait_for(&n_asked, 5);
    plt_thermometer_free(thermometer);
    allow(1);
    wait_for(&n_calls, 5);
}

static void test_no_sensor(void)
{
    PltThermometer *thermometer;
    g_autoptr(GArray) readings = g_array_new(FALSE, FALSE, sizeof(PltThermometerReading));

    reset();
    thermometer = plt_thermometer_new("sdx", none, 1);
    wait_for(&n_calls, 1);
    g_usleep(30000); /* thirty times its step */
    wait_for(&n_calls, 1);
    g_assert_cmpuint(n_calls, ==, 1);
    plt_thermometer_take(thermometer, readings);
    g_assert_cmpuint(readings->len, ==, 0);
    plt_thermometer_free(thermometer);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/thermometer/readings", test_readings);
    g_test_add_func("/suite/thermometer/no-sensor", test_no_sensor);
    return g_test_run();
}

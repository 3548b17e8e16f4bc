/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "suite/link-limit.h"

static guint64 limit_of(const char *json)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) node = json_from_string(json, &error);

    g_assert_no_error(error);
    return plt_link_limit(node);
}

static void test_sum(void)
{
    /* PCIe 4.0 x4: 16 GT/s x 4 lanes x 128/130 / 8 bits. */
    const char *one = "[{\"name\":\"nvme0n1\",\"link_bandwidth_bps\":7876923076}]";
    const char *two = "[{\"link_bandwidth_bps\":7876923076},{\"link_bandwidth_bps\":600000000}]";

    g_assert_cmpuint(limit_of(one), ==, G_GUINT64_CONSTANT(7876923076));
    g_assert_cmpuint(limit_of(two), ==, G_GUINT64_CONSTANT(8476923076));
}

/* A sum that leaves one drive out would accuse a fast array of a cache. */
static void test_not_known(void)
{
    g_assert_cmpuint(limit_of("[]"), ==, 0);
    g_assert_cmpuint(limit_of("[{\"name\":\"vda\"}]"), ==, 0);
    g_assert_cmpuint(limit_of("[{\"link_bandwidth_bps\":600000000},{\"name\":\"vda\"}]"), ==, 0);
    g_assert_cmpuint(limit_of("[{\"link_bandwidth_bps\":-1}]"), ==, 0);
    g_assert_cmpuint(limit_of("[null]"), ==, 0);
    g_assert_cmpuint(limit_of("{}"), ==, 0);
    g_assert_cmpuint(plt_link_limit(NULL), ==, 0);
}

static void test_exceeded(void)
{
    const guint64 sata = 600000000;

    g_assert_false(plt_link_is_exceeded(sata, 560000000, 1000000000));
    g_assert_false(plt_link_is_exceeded(sata, 600000000, 1000000000));
    g_assert_true(plt_link_is_exceeded(sata, 600000001, 1000000000));
    g_assert_true(plt_link_is_exceeded(sata, 60000001, 100000000));
    g_assert_false(plt_link_is_exceeded(0, G_MAXUINT64, 1));
    g_assert_false(plt_link_is_exceeded(sata, 1, 0));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/link-limit/sum", test_sum);
    g_test_add_func("/suite/link-limit/not-known", test_not_known);
    g_test_add_func("/suite/link-limit/exceeded", test_exceeded);
    return g_test_run();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/link-limit.h"

guint64 plt_link_limit(JsonNode *drives)
{
    JsonArray *array = drives != NULL && JSON_NODE_HOLDS_ARRAY(drives) ? json_node_get_array(drives) : NULL;
    guint64 sum = 0;

    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        JsonNode *node = json_array_get_element(array, i);
        gint64 one =
            JSON_NODE_HOLDS_OBJECT(node)
                ? json_object_get_int_member_with_default(json_node_get_object(node), "link_bandwidth_bps", 0)
                : 0;

        if (one <= 0)
            return 0;
        sum += (guint64)one;
    }
    return sum;
}

gboolean plt_link_is_exceeded(guint64 limit, guint64 bytes, guint64 ns)
{
    return limit != 0 && ns != 0 && (double)bytes * 1e9 / (double)ns > (double)limit;
}

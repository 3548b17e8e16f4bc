/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/benchmark-page.h"

struct _PltBenchmarkPage {
    AdwBin parent_instance;
    PltDrive *drive;
};

enum {
    PROP_DRIVE = 1,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltBenchmarkPage, plt_benchmark_page, ADW_TYPE_BIN)

static void plt_benchmark_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(object);

    if (id == PROP_DRIVE)
        g_value_set_object(value, page->drive);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_benchmark_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_DRIVE)
        plt_benchmark_page_set_drive(PLT_BENCHMARK_PAGE(object), g_value_get_object(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_benchmark_page_dispose(GObject *object)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(object);

    g_clear_object(&page->drive);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_BENCHMARK_PAGE);
    G_OBJECT_CLASS(plt_benchmark_page_parent_class)->dispose(object);
}

static void plt_benchmark_page_class_init(PltBenchmarkPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = plt_benchmark_page_get_property;
    object_class->set_property = plt_benchmark_page_set_property;
    object_class->dispose = plt_benchmark_page_dispose;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(klass),
                                                "/io/github/plateau_bench/Plateau/benchmark-page.ui");
}

static void plt_benchmark_page_init(PltBenchmarkPage *page)
{
    gtk_widget_init_template(GTK_WIDGET(page));
}

GtkWidget *plt_benchmark_page_new(void)
{
    return g_object_new(PLT_TYPE_BENCHMARK_PAGE, NULL);
}

PltDrive *plt_benchmark_page_get_drive(PltBenchmarkPage *page)
{
    return page->drive;
}

void plt_benchmark_page_set_drive(PltBenchmarkPage *page, PltDrive *drive)
{
    if (g_set_object(&page->drive, drive))
        g_object_notify_by_pspec(G_OBJECT(page), properties[PROP_DRIVE]);
}

void plt_benchmark_page_show_job(PltBenchmarkPage *page)
{
}

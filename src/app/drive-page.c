/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/drive-page.h"

#include "app/benchmark-page.h"
#include "app/details-page.h"
#include "app/drive-words.h"
#include "app/health-page.h"
#include "app/jobs-button.h"
#include "app/library-page.h"

struct _PltDrivePage {
    AdwNavigationPage parent_instance;
    PltDrive *drive;
    AdwViewStack *stack;
    AdwViewStackPage *health_page;
    AdwBin *health_bin, *details_bin, *results_bin; /* empty until somebody looks */
    PltRunStore *store;                             /* or NULL */
};

typedef enum {
    PROP_DRIVE = 1,
} PltDrivePageProperty;

static GParamSpec *properties[PROP_DRIVE + 1];

G_DEFINE_FINAL_TYPE(PltDrivePage, plt_drive_page, ADW_TYPE_NAVIGATION_PAGE)

static char *subtitle_of(PltDrivePage *page, guint64 capacity, const char *bus_title)
{
    return plt_words_drive_subtitle(capacity, bus_title);
}

static GtkWidget *results_new(PltDrivePage *page)
{
    GtkWidget *results = plt_library_page_new();
    const char *model = plt_drive_get_model(page->drive);

    /* The library knows a drive that names no model by its name. */
    plt_library_page_set_drive(PLT_LIBRARY_PAGE(results),
                               model != NULL ? model : plt_drive_get_name(page->drive));
    if (page->store != NULL)
        plt_library_page_set_store(PLT_LIBRARY_PAGE(results), page->store);
    return results;
}

/* Most visits are for the first tab: what the others show is made when one of them is looked at. */
static void fill_visible(PltDrivePage *page)
{
    AdwBin *bin = ADW_BIN(adw_view_stack_get_visible_child(page->stack));

    if (bin == NULL || page->drive == NULL || adw_bin_get_child(bin) != NULL)
        return;
    if (bin == page->health_bin)
        adw_bin_set_child(bin, g_object_new(PLT_TYPE_HEALTH_PAGE, "drive", page->drive, NULL));
    else if (bin == page->details_bin)
        adw_bin_set_child(bin, g_object_new(PLT_TYPE_DETAILS_PAGE, "drive", page->drive, NULL));
    else if (bin == page->results_bin)
        adw_bin_set_child(bin, results_new(page));
}

/* Without a sensor there is nothing that this page could say about the drive's state. */
static void update_health(PltDrivePage *page)
{
    gboolean known = plt_drive_get_sensors(page->drive)->len > 0;

    if (!known && g_strcmp0(adw_view_stack_get_visible_child_name(page->stack), "health") == 0)
        adw_view_stack_set_visible_child_name(page->stack, "details");
    adw_view_stack_page_set_visible(page->health_page, known);
}

static void plt_drive_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    switch ((PltDrivePageProperty)id) {
    case PROP_DRIVE:
        g_value_set_object(value, PLT_DRIVE_PAGE(object)->drive);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch ((PltDrivePageProperty)id) {
    case PROP_DRIVE:
        PLT_DRIVE_PAGE(object)->drive = g_value_dup_object(value);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_page_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_DRIVE_PAGE);
    g_clear_object(&PLT_DRIVE_PAGE(object)->drive);
    g_clear_object(&PLT_DRIVE_PAGE(object)->store);
    G_OBJECT_CLASS(plt_drive_page_parent_class)->dispose(object);
}

static void plt_drive_page_class_init(PltDrivePageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    g_type_ensure(PLT_TYPE_BENCHMARK_PAGE);
    g_type_ensure(PLT_TYPE_JOBS_BUTTON);
    object_class->get_property = plt_drive_page_get_property;
    object_class->set_property = plt_drive_page_set_property;
    object_class->dispose = plt_drive_page_dispose;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/drive-page.ui");
    gtk_widget_class_bind_template_child(widget_class, PltDrivePage, stack);
    gtk_widget_class_bind_template_child(widget_class, PltDrivePage, health_page);
    gtk_widget_class_bind_template_child(widget_class, PltDrivePage, health_bin);
    gtk_widget_class_bind_template_child(widget_class, PltDrivePage, details_bin);
    gtk_widget_class_bind_template_child(widget_class, PltDrivePage, results_bin);
    gtk_widget_class_bind_template_callback(widget_class, subtitle_of);
}

static void plt_drive_page_init(PltDrivePage *page)
{
    gtk_widget_init_template(GTK_WIDGET(page));
    g_signal_connect_object(page->stack, "notify::visible-child", G_CALLBACK(fill_visible), page,
                            G_CONNECT_SWAPPED);
}

PltDrivePage *plt_drive_page_new(PltDrive *drive, PltRunStore *store)
{
    PltDrivePage *page = g_object_new(PLT_TYPE_DRIVE_PAGE, "drive", drive, NULL);

    g_set_object(&page->store, store);
    g_signal_connect_object(drive, "notify::sensors", G_CALLBACK(update_health), page, G_CONNECT_SWAPPED);
    update_health(page);
    return page;
}

PltDrive *plt_drive_page_get_drive(PltDrivePage *page)
{
    return page->drive;
}

void plt_drive_page_show_tab(PltDrivePage *page, guint number)
{
    g_autoptr(GtkSelectionModel) pages = adw_view_stack_get_pages(page->stack);

    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(pages)); i++) {
        g_autoptr(AdwViewStackPage) tab = g_list_model_get_item(G_LIST_MODEL(pages), i);

        if (adw_view_stack_page_get_visible(tab) && --number == 0) {
            adw_view_stack_set_visible_child(page->stack, adw_view_stack_page_get_child(tab));
            return;
        }
    }
}

void plt_drive_page_show_job(PltDrivePage *page)
{
    GtkWidget *benchmark = adw_view_stack_get_child_by_name(page->stack, "benchmark");

    adw_view_stack_set_visible_child(page->stack, benchmark);
    plt_benchmark_page_show_job(PLT_BENCHMARK_PAGE(benchmark));
}

void plt_drive_page_search(PltDrivePage *page)
{
    adw_view_stack_set_visible_child(page->stack, GTK_WIDGET(page->results_bin));
    plt_library_page_search(PLT_LIBRARY_PAGE(adw_bin_get_child(page->results_bin)));
}

gboolean plt_drive_page_shows_results(PltDrivePage *page)
{
    return adw_view_stack_get_visible_child(page->stack) == GTK_WIDGET(page->results_bin);
}

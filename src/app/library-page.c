/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/library-page.h"

#include <glib/gi18n-lib.h>

#include "app/library-choices.h"
#include "app/library-filter.h"
#include "app/run-dialogs.h"
#include "app/run-row.h"

/* As many as one picture tells apart (chart/theme.h). */
#define MOST_COMPARED 8

struct _PltLibraryPage {
    AdwBin parent_instance;
    GtkStack *stack;
    GtkEditable *search;
    GtkToggleButton *filter_button, *select_button;
    GtkWidget *tools, *drive_child;
    GtkDropDown *drives, *suites, *periods;
    GtkListView *list;
    GtkLabel *count;
    AdwStatusPage *error_page, *empty_page;
    AdwBanner *read_only_banner;
    GMenuModel *run_menu;
    GtkWidget *menu; /* over the row that it was asked for */
    gint64 menu_id;

    PltRunStore *store;
    char *drive;
    PltLibraryFilter filter;
    GtkCustomFilter *custom_filter;
    GtkFilterListModel *filtered;
    GtkSelectionModel *selection; /* of FILTERED: several while selecting, none else */
    gboolean rebuilding;          /* the drop-downs are being filled */
};

typedef enum {
    PROP_STORE = 1,
    PROP_DRIVE,
} LibraryPageProperty;

static GParamSpec *properties[PROP_DRIVE + 1];

G_DEFINE_FINAL_TYPE(PltLibraryPage, plt_library_page, ADW_TYPE_BIN)

static gboolean is_selecting(PltLibraryPage *page)
{
    return gtk_toggle_button_get_active(page->select_button);
}

static guint n_items(gpointer model)
{
    return g_list_model_get_n_items(G_LIST_MODEL(model));
}

/* How many runs of this page's drive there are, whatever is filtered. */
static gboolean has_any(PltLibraryPage *page)
{
    PltLibraryFilter drive_only = {.drive = page->drive};

    for (guint i = 0; i < n_items(page->store); i++) {
        g_autoptr(PltRunItem) item = g_list_model_get_item(G_LIST_MODEL(page->store), i);

        if (plt_library_filter_matches(&drive_only, item))
            return TRUE;
    }
    return FALSE;
}

static const char *choose_state(PltLibraryPage *page)
{
    if (!page->store || plt_run_store_is_loading(page->store))
        return "loading";
    if (plt_run_store_get_error(page->store))
        return "error";
    if (n_items(page->filtered) > 0)
        return "list";
    return has_any(page) ? "no-match" : "empty";
}

static GArray *selected_ids(PltLibraryPage *page)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GtkBitset) bits = page->selection ? gtk_selection_model_get_selection(page->selection) : NULL;

    for (guint i = 0; bits && i < gtk_bitset_get_size(bits); i++) {
        g_autoptr(PltRunItem) item =
            g_list_model_get_item(G_LIST_MODEL(page->selection), gtk_bitset_get_nth(bits, i));
        gint64 id = plt_run_item_get_id(item);

        g_array_append_val(ids, id);
    }
    return ids;
}

static void update_actions(PltLibraryPage *page)
{
    g_autoptr(GArray) ids = is_selecting(page) ? selected_ids(page) : NULL;
    guint n = ids ? ids->len : 0;
    g_autofree char *text = NULL;

    if (n == 0)
        text = g_strdup(_("Select results"));
    else
        text = g_strdup_printf(ngettext("%u selected", "%u selected", n), n);
    gtk_label_set_text(page->count, text);
    gtk_widget_action_set_enabled(GTK_WIDGET(page), "library.delete", n > 0);
    gtk_widget_action_set_enabled(GTK_WIDGET(page), "library.compare", n >= 2 && n <= MOST_COMPARED);
}

static void describe_error(PltLibraryPage *page)
{
    /* The sentence names the file and says what can be done about it. */
    g_autofree char *text = g_strdup_printf("%s.", plt_run_store_get_error(page->store));
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    adw_status_page_set_description(page->error_page, escaped);
}

static void update_state(PltLibraryPage *page)
{
    const char *state = choose_state(page);
    gboolean usable = g_str_equal(state, "list") || g_str_equal(state, "no-match");

    if (g_str_equal(state, "error"))
        describe_error(page);
    gtk_stack_set_visible_child_name(page->stack, state);
    gtk_widget_set_visible(page->tools, usable);
    adw_banner_set_revealed(page->read_only_banner, usable && plt_run_store_is_read_only(page->store));
    if (!g_str_equal(state, "list") && is_selecting(page))
        gtk_toggle_button_set_active(page->select_button, FALSE);
    gtk_widget_set_sensitive(GTK_WIDGET(page->select_button), g_str_equal(state, "list"));
    update_actions(page);
}

static void apply_filter(PltLibraryPage *page)
{
    plt_library_filter_clear(&page->filter);
    plt_library_filter_set_search(&page->filter, gtk_editable_get_text(page->search));
    plt_library_filter_set_period(&page->filter, (PltPeriod)gtk_drop_down_get_selected(page->periods),
                                  g_get_real_time());
    page->filter.drive = page->drive ? g_strdup(page->drive) : plt_library_choices_get(page->drives);
    page->filter.suite = plt_library_choices_get(page->suites);
    gtk_filter_changed(GTK_FILTER(page->custom_filter), GTK_FILTER_CHANGE_DIFFERENT);
    update_state(page);
}

static gboolean matches(gpointer item, gpointer data)
{
    return plt_library_filter_matches(&PLT_LIBRARY_PAGE(data)->filter, item);
}

static void on_runs_changed(PltLibraryPage *page)
{
    page->rebuilding = TRUE;
    plt_library_choices_fill(page->drives,
                             plt_library_choices_collect(G_LIST_MODEL(page->store), _("All drives"), FALSE));
    plt_library_choices_fill(page->suites,
                             plt_library_choices_collect(G_LIST_MODEL(page->store), _("All suites"), TRUE));
    page->rebuilding = FALSE;
    apply_filter(page);
}

static void on_filter_changed(PltLibraryPage *page)
{
    if (page->store && !page->rebuilding)
        apply_filter(page);
}

static void on_search_changed(PltLibraryPage *page)
{
    if (page->store)
        apply_filter(page);
}

static void on_search_stopped(PltLibraryPage *page)
{
    gtk_editable_set_text(page->search, "");
    gtk_widget_grab_focus(GTK_WIDGET(page->list));
}

static void on_show_all(PltLibraryPage *page)
{
    page->rebuilding = TRUE;
    gtk_editable_set_text(page->search, "");
    gtk_drop_down_set_selected(page->drives, 0);
    gtk_drop_down_set_selected(page->suites, 0);
    gtk_drop_down_set_selected(page->periods, 0);
    page->rebuilding = FALSE;
    apply_filter(page);
}

static void on_try_again(PltLibraryPage *page)
{
    plt_run_store_refresh(page->store);
}

static void toggle(PltLibraryPage *page, guint position)
{
    if (gtk_selection_model_is_selected(page->selection, position))
        gtk_selection_model_unselect_item(page->selection, position);
    else
        gtk_selection_model_select_item(page->selection, position, FALSE);
}

static void open_run(PltLibraryPage *page, gint64 id)
{
    gtk_widget_activate_action(GTK_WIDGET(page), "win.show-run", "x", id);
}

static void on_activated(PltLibraryPage *page, guint position)
{
    g_autoptr(PltRunItem) item = NULL;

    if (is_selecting(page)) {
        toggle(page, position);
        return;
    }
    item = g_list_model_get_item(G_LIST_MODEL(page->filtered), position);
    if (item)
        open_run(page, plt_run_item_get_id(item));
}

/* A list keeps in place what it shows; one that shows its beginning goes on to show the newest run. */
static void on_items_changed(PltLibraryPage *page, guint position, guint removed, guint added)
{
    GtkAdjustment *scroll = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(page->list));

    if (position == 0 && added > 0 && gtk_adjustment_get_value(scroll) <= 0)
        gtk_list_view_scroll_to(page->list, 0, GTK_LIST_SCROLL_NONE, NULL);
}

static void use_selection(PltLibraryPage *page, GtkSelectionModel *selection)
{
    g_set_object(&page->selection, selection);
    g_signal_connect_object(selection, "selection-changed", G_CALLBACK(update_actions), page,
                            G_CONNECT_SWAPPED);
    gtk_list_view_set_model(page->list, selection);
    /* After the list has heard of it. */
    g_signal_connect_object(selection, "items-changed", G_CALLBACK(on_items_changed), page,
                            G_CONNECT_SWAPPED | G_CONNECT_AFTER);
    g_object_unref(selection);
}

static void on_selecting_changed(PltLibraryPage *page)
{
    gboolean selecting = is_selecting(page);

    if (!page->filtered)
        return;
    if (selecting)
        use_selection(
            page, GTK_SELECTION_MODEL(gtk_multi_selection_new(g_object_ref(G_LIST_MODEL(page->filtered)))));
    else
        use_selection(page,
                      GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(page->filtered)))));
    gtk_list_view_set_single_click_activate(page->list, !selecting);
    update_actions(page);
}

static void on_row_toggled(PltRunRow *row, GtkListItem *item)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(gtk_widget_get_ancestor(GTK_WIDGET(row), PLT_TYPE_LIBRARY_PAGE));

    if (page)
        toggle(page, gtk_list_item_get_position(item));
}

static void show_row_menu(PltRunRow *row, double x, double y, PltLibraryPage *page)
{
    graphene_point_t point;
    gboolean running = plt_run_item_get_summary(plt_run_row_get_item(row))->status == PLT_RUN_RUNNING;

    if (!gtk_widget_compute_point(GTK_WIDGET(row), GTK_WIDGET(page), &GRAPHENE_POINT_INIT((float)x, (float)y),
                                  &point))
        return;
    page->menu_id = plt_run_item_get_id(plt_run_row_get_item(row));
    gtk_widget_action_set_enabled(GTK_WIDGET(page), "library.delete-run", !running);
    if (!page->menu) {
        page->menu = gtk_popover_menu_new_from_model(page->run_menu);
        gtk_popover_set_has_arrow(GTK_POPOVER(page->menu), FALSE);
        gtk_widget_set_halign(page->menu, GTK_ALIGN_START);
        gtk_widget_set_parent(page->menu, GTK_WIDGET(page));
    }
    gtk_popover_set_pointing_to(GTK_POPOVER(page->menu), &(GdkRectangle){(int)point.x, (int)point.y, 1, 1});
    gtk_popover_popup(GTK_POPOVER(page->menu));
}

static void set_up_row(GtkSignalListItemFactory *factory, GtkListItem *item, PltLibraryPage *page)
{
    GtkWidget *row = plt_run_row_new();

    g_object_bind_property(item, "item", row, "item", G_BINDING_DEFAULT);
    g_object_bind_property(item, "selected", row, "selected", G_BINDING_DEFAULT);
    g_object_bind_property(page->select_button, "active", row, "selecting", G_BINDING_SYNC_CREATE);
    g_signal_connect(row, "toggled", G_CALLBACK(on_row_toggled), item);
    g_signal_connect(row, "menu-asked", G_CALLBACK(show_row_menu), page);
    gtk_list_item_set_child(item, row);
}

static void bind_row(GtkSignalListItemFactory *factory, GtkListItem *item, PltLibraryPage *page)
{
    PltRunItem *run = gtk_list_item_get_item(item);
    g_autofree char *label = NULL;

    plt_run_store_need_figure(page->store, run);
    label = g_strdup_printf("%s, %s, %s", plt_run_item_get_title(run), plt_run_item_get_suite(run),
                            plt_run_item_get_date(run));
    gtk_list_item_set_accessible_label(item, label);
    gtk_list_item_set_accessible_description(item,
                                             plt_run_status_title(plt_run_item_get_summary(run)->status));
}

static void delete_selected(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);
    g_autoptr(GArray) ids = selected_ids(page);

    gtk_toggle_button_set_active(page->select_button, FALSE);
    plt_run_delete(widget, page->store, (const gint64 *)ids->data, ids->len);
}

static void compare_selected(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);
    g_autoptr(GArray) ids = selected_ids(page);
    GVariant *value = g_variant_new_fixed_array(G_VARIANT_TYPE_INT64, ids->data, ids->len, sizeof(gint64));

    gtk_toggle_button_set_active(page->select_button, FALSE);
    gtk_widget_activate_action_variant(widget, "win.compare-runs", value);
}

static void open_menu_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    open_run(PLT_LIBRARY_PAGE(widget), PLT_LIBRARY_PAGE(widget)->menu_id);
}

static void rename_menu_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);

    plt_run_rename(widget, page->store, page->menu_id);
}

static void delete_menu_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);

    plt_run_delete(widget, page->store, &page->menu_id, 1);
}

static void select_menu_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);

    gtk_toggle_button_set_active(page->select_button, TRUE);
    for (guint i = 0; i < n_items(page->filtered); i++) {
        g_autoptr(PltRunItem) item = g_list_model_get_item(G_LIST_MODEL(page->filtered), i);

        if (plt_run_item_get_id(item) == page->menu_id)
            gtk_selection_model_select_item(page->selection, i, FALSE);
    }
}

static gboolean key_find(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    plt_library_page_search(PLT_LIBRARY_PAGE(widget));
    return TRUE;
}

static gboolean key_escape(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);

    if (!is_selecting(page))
        return FALSE;
    gtk_toggle_button_set_active(page->select_button, FALSE);
    return TRUE;
}

/* What other programs have added shows when the page is looked at. */
static void plt_library_page_map(GtkWidget *widget)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(widget);

    GTK_WIDGET_CLASS(plt_library_page_parent_class)->map(widget);
    if (page->store)
        plt_run_store_refresh(page->store);
}

static void plt_library_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(object);

    switch ((LibraryPageProperty)id) {
    case PROP_STORE:
        g_value_set_object(value, page->store);
        break;
    case PROP_DRIVE:
        g_value_set_string(value, page->drive);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_library_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(object);

    switch ((LibraryPageProperty)id) {
    case PROP_STORE:
        plt_library_page_set_store(page, g_value_get_object(value));
        break;
    case PROP_DRIVE:
        plt_library_page_set_drive(page, g_value_get_string(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_library_page_dispose(GObject *object)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(object);

    plt_library_page_set_store(page, NULL);
    g_clear_pointer(&page->menu, gtk_widget_unparent);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_LIBRARY_PAGE);
    g_clear_object(&page->custom_filter);
    plt_library_filter_clear(&page->filter);
    g_clear_pointer(&page->drive, g_free);
    G_OBJECT_CLASS(plt_library_page_parent_class)->dispose(object);
}

static void bind_template(GtkWidgetClass *klass)
{
    gtk_widget_class_set_template_from_resource(klass, "/io/github/plateau_bench/Plateau/library-page.ui");
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, stack);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, tools);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, search);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, filter_button);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, select_button);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, drive_child);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, drives);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, suites);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, periods);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, list);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, count);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, error_page);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, empty_page);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, read_only_banner);
    gtk_widget_class_bind_template_child(klass, PltLibraryPage, run_menu);
    gtk_widget_class_bind_template_callback(klass, on_search_changed);
    gtk_widget_class_bind_template_callback(klass, on_search_stopped);
    gtk_widget_class_bind_template_callback(klass, on_filter_changed);
    gtk_widget_class_bind_template_callback(klass, on_selecting_changed);
    gtk_widget_class_bind_template_callback(klass, on_try_again);
    gtk_widget_class_bind_template_callback(klass, on_show_all);
    gtk_widget_class_bind_template_callback(klass, on_activated);
}

static void plt_library_page_class_init(PltLibraryPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_library_page_get_property;
    object_class->set_property = plt_library_page_set_property;
    object_class->dispose = plt_library_page_dispose;
    widget_class->map = plt_library_page_map;
    g_type_ensure(PLT_TYPE_RUN_ROW);
    properties[PROP_STORE] =
        g_param_spec_object("store", NULL, NULL, PLT_TYPE_RUN_STORE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    properties[PROP_DRIVE] = g_param_spec_string(
        "drive", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    gtk_widget_class_install_action(widget_class, "library.delete", NULL, delete_selected);
    gtk_widget_class_install_action(widget_class, "library.compare", NULL, compare_selected);
    gtk_widget_class_install_action(widget_class, "library.open-run", NULL, open_menu_run);
    gtk_widget_class_install_action(widget_class, "library.rename-run", NULL, rename_menu_run);
    gtk_widget_class_install_action(widget_class, "library.delete-run", NULL, delete_menu_run);
    gtk_widget_class_install_action(widget_class, "library.select-run", NULL, select_menu_run);
    gtk_widget_class_add_binding(widget_class, GDK_KEY_f, GDK_CONTROL_MASK, key_find, NULL);
    gtk_widget_class_add_binding(widget_class, GDK_KEY_Escape, 0, key_escape, NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Delete, 0, "library.delete", NULL);
    bind_template(widget_class);
}

static void plt_library_page_init(PltLibraryPage *page)
{
    g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();

    gtk_widget_init_template(GTK_WIDGET(page));
    g_signal_connect(factory, "setup", G_CALLBACK(set_up_row), page);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_row), page);
    gtk_list_view_set_factory(page->list, factory);
    page->custom_filter = gtk_custom_filter_new(matches, page, NULL);
    update_state(page);
}

GtkWidget *plt_library_page_new(void)
{
    return g_object_new(PLT_TYPE_LIBRARY_PAGE, NULL);
}

void plt_library_page_set_store(PltLibraryPage *page, PltRunStore *store)
{
    g_return_if_fail(PLT_IS_LIBRARY_PAGE(page));
    if (page->store == store)
        return;
    if (page->store) {
        g_signal_handlers_disconnect_by_data(page->store, page);
        gtk_list_view_set_model(page->list, NULL);
        g_clear_object(&page->selection);
        g_clear_object(&page->filtered);
    }
    g_set_object(&page->store, store);
    if (store) {
        page->filtered = gtk_filter_list_model_new(g_object_ref(G_LIST_MODEL(store)),
                                                   g_object_ref(GTK_FILTER(page->custom_filter)));
        g_signal_connect_swapped(store, "items-changed", G_CALLBACK(on_runs_changed), page);
        g_signal_connect_swapped(store, "notify", G_CALLBACK(update_state), page);
        on_selecting_changed(page);
        on_runs_changed(page);
    }
    g_object_notify_by_pspec(G_OBJECT(page), properties[PROP_STORE]);
}

void plt_library_page_set_drive(PltLibraryPage *page, const char *model)
{
    g_return_if_fail(PLT_IS_LIBRARY_PAGE(page));
    if (!g_set_str(&page->drive, model))
        return;
    gtk_widget_set_visible(page->drive_child, model == NULL);
    adw_status_page_set_description(
        page->empty_page,
        model
            ? _("Runs on this drive are kept here with all that was measured.")
            : _("Every run is kept here with all that was measured. Choose a drive and start a benchmark."));
    if (page->store)
        apply_filter(page);
    g_object_notify_by_pspec(G_OBJECT(page), properties[PROP_DRIVE]);
}

void plt_library_page_search(PltLibraryPage *page)
{
    g_return_if_fail(PLT_IS_LIBRARY_PAGE(page));
    gtk_widget_grab_focus(GTK_WIDGET(page->search));
}

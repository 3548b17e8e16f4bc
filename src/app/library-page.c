/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/library-page.h"

struct _PltLibraryPage {
    AdwBin parent_instance;
    PltRunStore *store;
    char *drive;
};

G_DEFINE_FINAL_TYPE(PltLibraryPage, plt_library_page, ADW_TYPE_BIN)

static void plt_library_page_dispose(GObject *object)
{
    PltLibraryPage *page = PLT_LIBRARY_PAGE(object);

    g_clear_object(&page->store);
    g_clear_pointer(&page->drive, g_free);
    G_OBJECT_CLASS(plt_library_page_parent_class)->dispose(object);
}

static void plt_library_page_class_init(PltLibraryPageClass *klass)
{
    G_OBJECT_CLASS(klass)->dispose = plt_library_page_dispose;
}

static void plt_library_page_init(PltLibraryPage *page)
{
}

GtkWidget *plt_library_page_new(void)
{
    return g_object_new(PLT_TYPE_LIBRARY_PAGE, NULL);
}

void plt_library_page_set_store(PltLibraryPage *page, PltRunStore *store)
{
    g_set_object(&page->store, store);
}

void plt_library_page_set_drive(PltLibraryPage *page, const char *model)
{
    g_set_str(&page->drive, model);
}

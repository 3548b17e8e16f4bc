/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <math.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "analysis/capacity.h"
#include "cli/command.h"
#include "cli/drive.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/nvme-identify.h"

/*
 * How long the capacitors of a drive with power loss protection feed it (methods.md 1.14): E = n C V^2 / 2
 * above the voltage at which the converter stops, t = E / P. The best case, as reviews give it.
 */
typedef struct {
    int count;
    double microfarad, volt, cutoff_volt, efficiency_percent;
    int drives; /* on one card: each figure of power counts so many times */
    GStrv watts;
    char *replay;
    gboolean json;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->watts);
    g_free(options->replay);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

typedef struct {
    char *id;    /* in documents: "ps0-maximum", "given" */
    char *label; /* for people */
    double watt; /* of all drives */
} Load;

static void load_free(gpointer data)
{
    Load *load = data;

    g_free(load->id);
    g_free(load->label);
    g_free(load);
}

/* Takes LABEL. */
static void add_load(GPtrArray *loads, const char *id, char *label, double watt, const Options *options)
{
    Load *load;

    if (isnan(watt) || watt <= 0) {
        g_free(label);
        return;
    }
    load = g_new(Load, 1);
    load->id = g_strdup(id);
    load->label = label;
    load->watt = watt * options->drives;
    g_ptr_array_add(loads, load);
}

static void add_state(GPtrArray *loads, const PltPowerState *state, const Options *options)
{
    g_autofree char *maximum = g_strdup_printf("ps%u-maximum", state->index);
    g_autofree char *active = g_strdup_printf("ps%u-active", state->index);
    g_autofree char *idle = g_strdup_printf("ps%u-idle", state->index);

    add_load(loads, maximum, g_strdup_printf(_("PS%u, maximum"), state->index), state->max_watt, options);
    add_load(loads, active, g_strdup_printf(_("PS%u, active"), state->index), state->active_watt, options);
    add_load(loads, idle, g_strdup_printf(_("PS%u, idle"), state->index), state->idle_watt, options);
}

/* What the drive says of its power states: the most of each, and where it does the usual and the idle. */
static gboolean add_states(GPtrArray *loads, const char *name, const Options *options, GError **error)
{
    g_autoptr(PltInquiry) inquiry = plt_cli_open_drive(name, options->replay, error);
    PltNvmeController controller;

    if (inquiry == NULL)
        return FALSE;
    if (!plt_nvme_controller_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_CONTROLLER), &controller)) {
        g_autofree char *reason = plt_answer_reason(plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER));

        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED, _("the power states of %s are not known. %s."),
                    plt_inquiry_get_name(inquiry), reason != NULL ? reason : _("Only NVMe drives have some"));
        return FALSE;
    }
    for (guint i = 0; i < controller.n_power_states; i++)
        add_state(loads, &controller.power_states[i], options);
    return TRUE;
}

static gboolean add_watts(GPtrArray *loads, const Options *options, GError **error)
{
    for (guint i = 0; options->watts != NULL && options->watts[i] != NULL; i++) {
        char *end = NULL;
        double watt = g_ascii_strtod(options->watts[i], &end);

        if (end == options->watts[i] || *end != '\0' || !isfinite(watt) || watt <= 0) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” is no number of watts, as in --watt 8.5"),
                        options->watts[i]);
            return FALSE;
        }
        add_load(loads, "given", g_strdup(_("as given")), watt, options);
    }
    return TRUE;
}

static gboolean check(const Options *options, GError **error)
{
    const char *wrong = options->count < 1                                            ? "--capacitors"
                        : !(options->microfarad > 0 && isfinite(options->microfarad)) ? "--microfarad"
                        : !(options->volt > 0 && isfinite(options->volt))             ? "--volt"
                        : !(options->cutoff_volt >= 0 && options->cutoff_volt < options->volt) ? "--cutoff"
                        : !(options->efficiency_percent > 0 && options->efficiency_percent <= 100)
                            ? "--efficiency"
                        : options->drives < 1 ? "--drives"
                                              : NULL;

    if (wrong == NULL)
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("%s is missing or cannot be so, see “plateau-cli help plp”"), wrong);
    return FALSE;
}

static double energy_of(const Options *options)
{
    double farad = options->microfarad * 1e-6;

    return plt_analysis_capacitor_energy_j((unsigned)options->count, farad, options->volt) -
           plt_analysis_capacitor_energy_j((unsigned)options->count, farad, options->cutoff_volt);
}

static double hold_up_ms(const Options *options, const Load *load)
{
    return 1000 * plt_analysis_hold_up_s(energy_of(options), load->watt, options->efficiency_percent / 100);
}

static void print_json(const Options *options, GPtrArray *loads)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *object = json_object_new();
    JsonArray *array = json_array_new();

    json_object_set_string_member(object, "schema", "plateau.plp/1");
    json_object_set_int_member(object, "capacitors", options->count);
    json_object_set_double_member(object, "microfarad", options->microfarad);
    json_object_set_double_member(object, "volt", options->volt);
    json_object_set_double_member(object, "cutoff_volt", options->cutoff_volt);
    json_object_set_double_member(object, "efficiency_percent", options->efficiency_percent);
    json_object_set_int_member(object, "drives", options->drives);
    json_object_set_double_member(object, "energy_j", energy_of(options));
    for (guint i = 0; i < loads->len; i++) {
        const Load *load = g_ptr_array_index(loads, i);
        JsonObject *element = json_object_new();

        json_object_set_string_member(element, "load", load->id);
        json_object_set_double_member(element, "watt", load->watt);
        json_object_set_double_member(element, "hold_up_ms", hold_up_ms(options, load));
        json_array_add_object_element(array, element);
    }
    json_object_set_array_member(object, "hold_up", array);
    json_node_take_object(node, object);
    plt_output_json(node);
}

static void print_table(const Options *options, GPtrArray *loads)
{
    g_autoptr(PltTable) table = plt_cli_table_new("lrr");
    g_autofree char *text = NULL;

    if (options->cutoff_volt > 0)
        plt_output_printf(_("Energy: %.4g J (%d × %g µF from %g down to %g V), %g %% of it used\n\n"),
                          energy_of(options), options->count, options->microfarad, options->volt,
                          options->cutoff_volt, options->efficiency_percent);
    else
        plt_output_printf(_("Energy: %.4g J (%d × %g µF at %g V), %g %% of it used\n\n"), energy_of(options),
                          options->count, options->microfarad, options->volt, options->efficiency_percent);
    plt_cli_table_add(table, _("LOAD"), _("POWER"), _("HOLD-UP"));
    for (guint i = 0; i < loads->len; i++) {
        const Load *load = g_ptr_array_index(loads, i);
        g_autofree char *watt = plt_power_text(load->watt);
        g_autofree char *ms = g_strdup_printf("%.1f ms", hold_up_ms(options, load));

        plt_cli_table_add(table, load->label, watt, ms);
    }
    text = plt_cli_table_format(table, plt_terminal_width(STDOUT_FILENO));
    plt_output_print(text);
    plt_output_print(_("\nThe best case: capacitors are charged below their rated voltage and lose capacity "
                       "as they age.\n"));
}

static PltExit calculate(const char *name, const Options *options)
{
    g_autoptr(GPtrArray) loads = g_ptr_array_new_with_free_func(load_free);
    g_autoptr(GError) error = NULL;

    if (!check(options, &error) || !add_watts(loads, options, &error))
        return plt_output_fail(error);
    if ((name != NULL || options->replay != NULL) && !add_states(loads, name, options, &error))
        return plt_output_fail(error);
    if (loads->len == 0) {
        plt_output_error(
            _("nothing is known of the power that is drawn: give --watt, or a drive that tells"));
        return PLT_EXIT_USAGE;
    }
    if (options->json)
        print_json(options, loads);
    else
        print_table(options, loads);
    return PLT_EXIT_DONE;
}

static PltExit run_plp(char **argv)
{
    g_auto(Options) options = {.efficiency_percent = 100, .drives = 1};
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"capacitors", 'n', G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &options.count, N_("Number of capacitors"),
         "N"},
        {"microfarad", 'c', G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.microfarad,
         N_("Capacity of each, as is printed on it"), N_("µF")},
        {"volt", 'v', G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.volt,
         N_("Voltage that they are charged to; the rated one is the best case"), "V"},
        {"cutoff", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.cutoff_volt,
         N_("Voltage at which the drive's converter stops, 0 if nothing is said"), "V"},
        {"efficiency", 'e', G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.efficiency_percent,
         N_("Share of the energy that reaches the drive, 100 if nothing is said"), "%"},
        {"drives", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &options.drives,
         N_("Drives that the capacitors feed, as on a card with two"), "N"},
        {"watt", 'w', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING_ARRAY, &options.watts,
         N_("Power that one drive draws; may be given several times"), "W"},
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json,
         N_("Print the plateau.plp/1 document"), NULL},
        {"replay", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options.replay,
         N_("Take the power states of the drive that FILE is a recording of"), N_("FILE")},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_plp, entries, argv, 0, 1, &words, &status))
        return status;
    return calculate(words[0], &options);
}

const PltCommand plt_command_plp = {
    .name = "plp",
    .arguments = "[DRIVE]",
    .summary = N_("Calculate how long a drive's capacitors last in a power loss"),
    .details = N_("With DRIVE (as root) the time is calculated for each of its power states. Example:\n"
                  "  plateau-cli plp --capacitors 4 --microfarad 330 --volt 35 --watt 27"),
    .run = run_plp,
};

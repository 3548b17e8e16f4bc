/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/platform-private.h"

#include "config.h"

#include "fixture.h"

static void write_processor(Fixture *fixture, guint n, guint package, guint core)
{
    g_autofree char *folder = g_strdup_printf("/sys/devices/system/cpu/cpu%u/topology", n);
    g_autofree char *package_path = g_strconcat(folder, "/physical_package_id", NULL);
    g_autofree char *core_path = g_strconcat(folder, "/core_id", NULL);
    g_autofree char *package_text = g_strdup_printf("%u\n", package);
    g_autofree char *core_text = g_strdup_printf("%u\n", core);

    fixture_write(fixture, package_path, package_text);
    fixture_write(fixture, core_path, core_text);
}

/* A desktop: eight cores with two threads each. */
static Fixture *desktop_new(void)
{
    Fixture *fixture = fixture_new();

    for (guint i = 0; i < 16; i++)
        write_processor(fixture, i, 0, i % 8);
    fixture_mkdir(fixture, "/sys/devices/system/cpu/cpu16");
    fixture_mkdir(fixture, "/sys/devices/system/cpu/cpufreq");
    fixture_write(fixture, "/proc/cpuinfo",
                  "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
                  "model name\t: AMD Ryzen 7 7800X3D 8-Core Processor\nflags\t\t: fpu vme\n\n"
                  "processor\t: 1\nmodel name\t: something else\n");
    fixture_write(fixture, "/proc/meminfo", "MemTotal:       32768000 kB\nMemAvailable:   30000000 kB\n");
    fixture_write(fixture, "/proc/sys/kernel/osrelease", "6.12.48+deb13-amd64\n");
    fixture_write(fixture, "/proc/sys/kernel/io_uring_disabled", "2\n");
    fixture_write(fixture, "/proc/loadavg", "0.42 0.50 0.60 1/900 12345\n");
    fixture_write(fixture, "/etc/os-release",
                  "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nNAME=\"Debian GNU/Linux\"\n"
                  "VERSION_ID=\"13\"\nID=debian\n");
    fixture_write(fixture, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    fixture_write(fixture, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "amd-pstate-epp\n");
    fixture_write(fixture, "/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference",
                  "balance_performance\n");
    fixture_write(fixture, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5050000\n");
    fixture_write(fixture, "/sys/module/pcie_aspm/parameters/policy",
                  "[default] performance powersave powersupersave \n");
    fixture_write(fixture, "/sys/module/nvme/parameters/poll_queues", "4\n");
    fixture_write(fixture, "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    fixture_write(fixture, "/sys/class/dmi/id/board_vendor", "ASUSTeK COMPUTER INC.\n");
    fixture_write(fixture, "/sys/class/dmi/id/board_name", "TUF GAMING B650-PLUS\n");
    fixture_write(fixture, "/sys/class/dmi/id/product_name", "System Product Name\n");
    return fixture;
}

static void check_text(JsonObject *object, const char *member, const char *expected)
{
    g_assert_cmpstr(json_object_get_string_member_with_default(object, member, NULL), ==, expected);
}

static void test_desktop(void)
{
    g_autoptr(Fixture) fixture = desktop_new();
    g_autoptr(JsonNode) node = plt_platform_to_json_at(fixture->root);
    g_autofree char *summary = plt_platform_summary(node);
    JsonObject *object = json_node_get_object(node);
    JsonObject *cpu = json_object_get_object_member(object, "cpu");

    check_text(object, "program", PLT_VERSION);
    check_text(cpu, "model", "AMD Ryzen 7 7800X3D 8-Core Processor");
    g_assert_cmpint(json_object_get_int_member(cpu, "sockets"), ==, 1);
    g_assert_cmpint(json_object_get_int_member(cpu, "cores"), ==, 8);
    g_assert_cmpint(json_object_get_int_member(cpu, "threads"), ==, 16);
    g_assert_cmpint(json_object_get_int_member(cpu, "max_mhz"), ==, 5050);
    g_assert_cmpint(json_object_get_int_member(object, "memory"), ==, G_GINT64_CONSTANT(33554432000));
    check_text(object, "kernel", "6.12.48+deb13-amd64");
    check_text(object, "distribution", "Debian GNU/Linux 13 (trixie)");
    check_text(object, "governor", "powersave");
    check_text(object, "frequency_driver", "amd-pstate-epp");
    check_text(object, "energy_preference", "balance_performance");
    check_text(object, "aspm_policy", "default");
    check_text(object, "clocksource", "tsc");
    check_text(object, "board", "ASUSTeK COMPUTER INC. TUF GAMING B650-PLUS");
    check_text(object, "virtual_machine", NULL);
    check_text(object, "container", NULL);
    check_text(object, "power", NULL);
    g_assert_cmpint(json_object_get_int_member(object, "nvme_poll_queues"), ==, 4);
    g_assert_cmpint(json_object_get_int_member(object, "io_uring_disabled"), ==, 2);
    g_assert_cmpfloat(json_object_get_double_member(object, "load_1min"), ==, 0.42);
    g_assert_cmpstr(summary, ==, "AMD Ryzen 7 7800X3D · Linux 6.12 · Debian 13");
}

/* What is not there is left out, and nothing else fails. */
static void test_nothing(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonNode) node = plt_platform_to_json_at(fixture->root);
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();
    g_autofree char *summary = plt_platform_summary(node), *none = plt_platform_summary(NULL);

    g_assert_cmpuint(json_object_get_size(json_node_get_object(node)), ==, 2);
    g_assert_cmpstr(summary, ==, "");
    g_assert_cmpstr(none, ==, "");
    plt_platform_add_warnings_at(fixture->root, warnings);
    g_assert_cmpuint(warnings->len, ==, 0);
}

static void test_short_names(void)
{
    static const char *const names[][2] = {
        {"Intel(R) Core(TM) i7-8565U CPU @ 1.80GHz", "Intel Core i7-8565U"},
        {"13th Gen Intel(R) Core(TM) i9-13900K", "13th Gen Intel Core i9-13900K"},
        {"Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "Intel Xeon E5-2680 v4"},
        {"AMD Ryzen 7 7840U w/ Radeon  780M Graphics", "AMD Ryzen 7 7840U"},
        {"AMD Ryzen 5 3400G with Radeon Vega Graphics", "AMD Ryzen 5 3400G"},
        {"AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763"},
        {"AMD FX(tm)-8350 Eight-Core Processor", "AMD FX-8350"},
        {"Arm Cortex-A76", "Arm Cortex-A76"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = plt_processor_short_name(names[i][0]);

        g_assert_cmpstr(text, ==, names[i][1]);
    }
}

static void check_model(const char *cpuinfo, const char *expected)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonNode) node = NULL;

    fixture_write(fixture, "/proc/cpuinfo", cpuinfo);
    node = plt_platform_to_json_at(fixture->root);
    check_text(json_object_get_object_member(json_node_get_object(node), "cpu"), "model", expected);
}

static void test_other_processors(void)
{
    check_model("processor\t: 0\nBogoMIPS\t: 108.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n",
                "Arm Cortex-A76");
    check_model("processor\t: 0\nCPU implementer\t: 0x99\nCPU part\t: 0x123\n", "Arm 0x99/0x123");
    check_model("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", "POWER9, altivec supported");
    check_model("processor\t: 0\nhart\t\t: 1\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc");
    check_model("processor\t: 0", NULL);
}

static void check_distribution(const char *release, const char *expected)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonNode) node = NULL;

    fixture_write(fixture, "/usr/lib/os-release", release);
    node = plt_platform_to_json_at(fixture->root);
    check_text(json_node_get_object(node), "distribution_short", expected);
}

static void test_distributions(void)
{
    check_distribution("NAME=\"Fedora Linux\"\nVERSION_ID=43\n", "Fedora 43");
    check_distribution("NAME='Ubuntu'\nVERSION_ID=\"24.04\"\n", "Ubuntu 24.04");
    check_distribution("NAME=\"Arch Linux\"\nBUILD_ID=rolling\n", "Arch Linux");
    check_distribution("NAME=\"Linux Mint\"\nVERSION_ID=\"22\"\n", "Linux Mint 22");
    check_distribution("NAME=\"broken\nVERSION_ID=1\n", NULL);
}

static gboolean warns(Fixture *fixture, const char *id, const char *detail)
{
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();

    plt_platform_add_warnings_at(fixture->root, warnings);
    return fixture_has_warning(warnings, id, detail);
}

/* Own frequency drivers are "powersave" at all times; the preference is the person's choice. */
static void test_powersave(void)
{
    g_autoptr(Fixture) fixture = desktop_new();
    const char *governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    const char *driver = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver";
    const char *wish = "/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference";

    g_assert_false(warns(fixture, "powersave", NULL));
    fixture_write(fixture, wish, "power\n");
    g_assert_true(warns(fixture, "powersave", "power"));
    fixture_write(fixture, wish, "performance\n");
    g_assert_false(warns(fixture, "powersave", NULL));
    fixture_write(fixture, driver, "acpi-cpufreq\n");
    g_assert_true(warns(fixture, "powersave", "powersave"));
    fixture_write(fixture, governor, "schedutil\n");
    g_assert_false(warns(fixture, "powersave", NULL));
    fixture_write(fixture, "/sys/firmware/acpi/platform_profile", "low-power\n");
    g_assert_true(warns(fixture, "power-profile", "low-power"));
}

static void test_battery(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    fixture_write(fixture, "/sys/class/power_supply/BAT0/type", "Battery\n");
    fixture_write(fixture, "/sys/class/power_supply/BAT0/status", "Discharging\n");
    fixture_write(fixture, "/sys/class/power_supply/BAT0/capacity", "73\n");
    fixture_write(fixture, "/sys/class/power_supply/AC/type", "Mains\n");
    fixture_write(fixture, "/sys/class/power_supply/AC/online", "0\n");
    g_assert_true(warns(fixture, "battery", "73 %"));
    fixture_write(fixture, "/sys/class/power_supply/AC/online", "1\n");
    g_assert_false(warns(fixture, "battery", NULL));
}

static void test_battery_of_a_mouse(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    fixture_write(fixture, "/sys/class/power_supply/hidpp_battery_0/type", "Battery\n");
    fixture_write(fixture, "/sys/class/power_supply/hidpp_battery_0/scope", "Device\n");
    fixture_write(fixture, "/sys/class/power_supply/hidpp_battery_0/status", "Discharging\n");
    g_assert_false(warns(fixture, "battery", NULL));
}

static void test_load(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    g_assert_false(warns(fixture, "load", NULL));
    fixture_write(fixture, "/proc/loadavg", "3.90 0.50 0.60 1/900 12345\n");
    g_assert_false(warns(fixture, "load", NULL));
    fixture_write(fixture, "/proc/loadavg", "4.10 0.50 0.60 1/900 12345\n");
    g_assert_true(warns(fixture, "load", "4.1"));
    fixture_write(fixture, "/proc/loadavg", "0.10 0.50 0.60 1/900 12345\n");
    fixture_write(
        fixture, "/proc/pressure/io",
        "some avg10=35.00 avg60=1.00 avg300=0.1 total=1\nfull avg10=0.00 avg60=0 avg300=0 total=0\n");
    g_assert_true(warns(fixture, "io-pressure", "35 %"));
    fixture_write(fixture, "/proc/pressure/cpu", "some avg10=55.00 avg60=1.00 avg300=0.1 total=1\n");
    g_assert_true(warns(fixture, "load", "0.1"));
}

static void test_memory(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    g_assert_false(warns(fixture, "memory-pressure", NULL));
    fixture_write(fixture, "/proc/meminfo", "MemTotal:       32768000 kB\nMemAvailable:   1048576 kB\n");
    g_assert_true(warns(fixture, "memory-pressure", "1 GiB"));
}

static void test_virtual_machine(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    fixture_write(fixture, "/sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009)\n");
    fixture_write(fixture, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
    g_assert_true(warns(fixture, "virtual-machine", "QEMU"));
    fixture_write(fixture, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    /* A whole machine of theirs bears the same name. */
    g_assert_false(warns(fixture, "virtual-machine", NULL));
    fixture_write(fixture, "/proc/cpuinfo",
                  "processor : 0\nmodel name : x\nflags : fpu hypervisor lahf_lm\n");
    g_assert_true(warns(fixture, "virtual-machine", "Amazon EC2"));
    fixture_write(fixture, "/sys/class/dmi/id/sys_vendor", "Somebody\n");
    g_assert_true(warns(fixture, "virtual-machine", "hypervisor"));
}

static void test_container(void)
{
    g_autoptr(Fixture) fixture = desktop_new();

    fixture_write(fixture, "/.flatpak-info", "[Application]\n");
    g_assert_false(warns(fixture, "container", NULL));
    fixture_write(fixture, "/run/systemd/container", "systemd-nspawn\n");
    g_assert_true(warns(fixture, "container", "systemd-nspawn"));
}

/* On whatever machine this runs: it has processors, memory and a kernel. */
static void test_this_machine(void)
{
    g_autoptr(JsonNode) node = plt_platform_to_json();
    g_autofree char *summary = plt_platform_summary(node);
    JsonObject *object = json_node_get_object(node);

    g_assert_true(json_object_has_member(object, "kernel"));
    g_assert_cmpint(json_object_get_int_member_with_default(object, "memory", 0), >, 0);
    g_assert_nonnull(g_strstr_len(summary, -1, "Linux "));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/platform/desktop", test_desktop);
    g_test_add_func("/drive/platform/nothing", test_nothing);
    g_test_add_func("/drive/platform/short-names", test_short_names);
    g_test_add_func("/drive/platform/other-processors", test_other_processors);
    g_test_add_func("/drive/platform/distributions", test_distributions);
    g_test_add_func("/drive/platform/powersave", test_powersave);
    g_test_add_func("/drive/platform/battery", test_battery);
    g_test_add_func("/drive/platform/battery-of-a-mouse", test_battery_of_a_mouse);
    g_test_add_func("/drive/platform/load", test_load);
    g_test_add_func("/drive/platform/memory", test_memory);
    g_test_add_func("/drive/platform/virtual-machine", test_virtual_machine);
    g_test_add_func("/drive/platform/container", test_container);
    g_test_add_func("/drive/platform/this-machine", test_this_machine);
    return g_test_run();
}

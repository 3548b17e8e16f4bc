/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nvme-drive.h"

#include <string.h>

void put_number(guint8 *data, gsize offset, guint size, guint64 value)
{
    for (guint i = 0; i < size; i++)
        data[offset + i] = (guint8)(value >> (8 * i));
}

void put_text(guint8 *data, gsize offset, gsize size, const char *text)
{
    memset(data + offset, ' ', size);
    memcpy(data + offset, text, strlen(text));
}

void make_qemu_controller(guint8 data[4096])
{
    memset(data, 0, 4096);
    put_number(data, 0, 2, 6966);
    put_number(data, 2, 2, 6900);
    put_text(data, 4, 20, "RIG2");
    put_text(data, 24, 40, "QEMU NVMe Ctrl");
    put_text(data, 64, 8, "10.0.2");
    data[72] = 6;
    put_number(data, 73, 3, 5395456);
    data[76] = 2;
    data[77] = 7;
    put_number(data, 80, 4, 66560);
    put_number(data, 92, 4, 256);
    put_number(data, 96, 4, 32784);
    data[111] = 1;
    put_number(data, 256, 2, 298);
    data[258] = data[259] = data[260] = 3;
    data[261] = 7;
    put_number(data, 266, 2, 343);
    put_number(data, 268, 2, 373);
    data[512] = 102;
    data[513] = 68;
    put_number(data, 516, 4, 256);
    put_number(data, 520, 2, 1885);
    data[525] = 7;
    memcpy(data + 768, "nqn.2019-08.org.qemu:RIG2", 25);
    put_number(data, 2048, 2, 2500);
    put_number(data, 2052, 4, 16);
    put_number(data, 2056, 4, 4);
}

static void put_formats(guint8 *data, const guint32 *formats, guint n)
{
    data[25] = (guint8)(n - 1);
    for (guint i = 0; i < n; i++)
        put_number(data, 128 + i * 4, 4, formats[i]);
}

void make_qemu_namespace(guint8 data[4096])
{
    static const guint32 formats[] = {9u << 16,  9u << 16 | 8,  9u << 16 | 16,  9u << 16 | 64,
                                      12u << 16, 12u << 16 | 8, 12u << 16 | 16, 12u << 16 | 64};

    memset(data, 0, 4096);
    for (guint i = 0; i < 3; i++)
        put_number(data, i * 8, 8, 262144);
    data[24] = 52;
    data[26] = 4;
    data[27] = 3;
    data[28] = 31;
    data[30] = 1;
    data[33] = 1;
    put_formats(data, formats, G_N_ELEMENTS(formats));
}

/* One power state descriptor. FLAGS: bit 0 Max Power Scale, bit 1 non-operational. */
static void put_state(guint8 *data, guint index, guint max, guint flags, guint32 entry, guint32 leave,
                      const guint8 ranks[4])
{
    guint8 *state = data + 2048 + index * 32;

    put_number(state, 0, 2, max);
    state[3] = (guint8)flags;
    put_number(state, 4, 4, entry);
    put_number(state, 8, 4, leave);
    memcpy(state + 12, ranks, 4);
}

void make_full_controller(guint8 data[4096])
{
    memset(data, 0, 4096);
    put_number(data, 0, 2, 0x144d);
    put_number(data, 2, 2, 0x144d);
    put_text(data, 4, 20, "S7KHNJ0W000001");
    put_text(data, 24, 40, "Everything SSD 2TB");
    put_text(data, 64, 8, "4B2QJXD7");
    put_number(data, 73, 3, 0x002538);
    data[77] = 9;
    put_number(data, 78, 2, 1);
    put_number(data, 80, 4, 0x20000);
    put_number(data, 84, 4, 200000);
    put_number(data, 88, 4, 8000000);
    put_number(data, 256, 2, 0x17);
    data[260] = 0x16;
    data[261] = 0x2f;
    data[262] = 63;
    data[263] = 4;
    data[265] = 1;
    put_number(data, 266, 2, 355);
    put_number(data, 268, 2, 358);
    put_number(data, 272, 4, 16384);
    put_number(data, 276, 4, 4096);
    put_number(data, 280, 8, G_GUINT64_CONSTANT(2000398934016));
    put_number(data, 316, 2, 35);
    put_number(data, 322, 2, 1);
    put_number(data, 324, 2, 318);
    put_number(data, 326, 2, 356);
    put_number(data, 328, 4, 3);
    put_number(data, 516, 4, 1);
    put_number(data, 520, 2, 0x0c);
    data[524] = 5;
    data[525] = 7;
    memcpy(data + 768, "nqn.1994-11.com.samsung:nvme:EVERYTHING:M.2:S7KHNJ0W000001", 58);
    put_state(data, 0, 825, 0, 0, 0, (const guint8[]){0, 0, 0, 0});
    put_state(data, 1, 410, 0, 0, 500, (const guint8[]){1, 1, 1, 1});
    put_state(data, 2, 26000, 1, 5, 5, (const guint8[]){2, 2, 2, 2});
    put_state(data, 3, 500, 3, 4000, 10000, (const guint8[]){3, 3, 3, 3});
    put_state(data, 4, 50, 3, 4000, 1200000, (const guint8[]){31, 4, 4, 4});
    /* State 0: idle 1.5 W in units of 0.01 W, active 7.8 W of workload 2; state 3: idle 49.9 mW in 0.0001 W;
     * state 4: a value with the scale "not reported". */
    put_number(data + 2048, 16, 2, 150);
    data[2048 + 18] = 2 << 6;
    put_number(data + 2048, 20, 2, 780);
    data[2048 + 22] = 2 << 6 | 2;
    put_number(data + 2048 + 96, 16, 2, 499);
    data[2048 + 96 + 18] = 1 << 6;
    put_number(data + 2048 + 128, 16, 2, 50);
}

void make_full_namespace(guint8 data[4096])
{
    static const guint32 formats[] = {9u << 16 | 1u << 24, 12u << 16};

    memset(data, 0, 4096);
    put_number(data, 0, 8, G_GUINT64_CONSTANT(3907029168));
    put_number(data, 8, 8, G_GUINT64_CONSTANT(3907029168));
    put_number(data, 16, 8, 1000000);
    put_formats(data, formats, G_N_ELEMENTS(formats));
    data[33] = 9;
    put_number(data, 48, 8, G_GUINT64_CONSTANT(2000398934016));
    memcpy(data + 104, "\x00\x25\x38\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d", 16);
    memcpy(data + 120, "\x00\x25\x38\x4b\x11\x22\x33\x44", 8);
}

void make_full_smart(guint8 data[512])
{
    memset(data, 0, 512);
    put_number(data, 1, 2, 318);
    data[3] = 100;
    data[4] = 10;
    data[5] = 3;
    put_number(data, 32, 8, 1000000);
    put_number(data, 48, 8, 2500000);
    put_number(data, 64, 8, G_MAXUINT64);
    put_number(data, 72, 8, 1);
    put_number(data, 80, 8, 123456789);
    put_number(data, 96, 8, 90);
    put_number(data, 112, 8, 321);
    put_number(data, 128, 8, 4096);
    put_number(data, 144, 8, 17);
    put_number(data, 176, 8, 2);
    put_number(data, 192, 4, 5);
    put_number(data, 196, 4, 1);
    put_number(data, 200, 2, 318);
    put_number(data, 202, 2, 331);
    put_number(data, 216, 4, 11);
    put_number(data, 220, 4, 12);
    put_number(data, 224, 4, 130);
    put_number(data, 228, 4, 14);
}

void make_full_apst(guint8 data[256])
{
    memset(data, 0, 256);
    for (guint i = 0; i < 3; i++)
        put_number(data, i * 8, 8, 3u << 3 | 100u << 8);
    put_number(data, 24, 8, 4u << 3 | 2000u << 8);
}

void make_full_errors(guint8 data[4096])
{
    memset(data, 0, 4096);
    put_number(data, 0, 8, 2);
    put_number(data, 8, 2, 3);
    put_number(data, 10, 2, 0x1234);
    /* Unrecovered read error (status code type 2, code 81h) with the phase bit below. */
    put_number(data, 12, 2, 0x281 << 1 | 1);
    put_number(data, 16, 8, 4096);
    put_number(data, 24, 4, 1);
    put_number(data, 64, 8, 1);
    put_number(data, 64 + 12, 2, 0x4002 << 1);
    put_number(data, 64 + 24, 4, 0xffffffff);
}

void make_full_firmware(guint8 data[512])
{
    memset(data, 0, 512);
    data[0] = 0x21;
    put_text(data, 8, 8, "4B2QJXD7");
    put_text(data, 16, 8, "5B2QJXD7");
}

void make_full_self_tests(guint8 data[564])
{
    memset(data, 0, 564);
    for (guint i = 0; i < 20; i++)
        data[4 + i * 28] = 0x0f;
    data[0] = 2;
    data[1] = 45;
    data[4] = 0x10;
    put_number(data, 4 + 4, 8, 4000);
    data[32] = 0x27;
    data[33] = 2;
    data[34] = 0x0f;
    put_number(data, 32 + 4, 8, 3000);
    put_number(data, 32 + 12, 4, 1);
    put_number(data, 32 + 16, 8, 777);
    data[32 + 24] = 2;
    data[32 + 25] = 0x81;
}

void make_full_sanitize(guint8 data[512])
{
    memset(data, 0, 512);
    put_number(data, 0, 2, 16384);
    put_number(data, 2, 2, 2 | 3 << 3);
    put_number(data, 8, 4, 0xffffffff);
    put_number(data, 12, 4, 120);
    put_number(data, 16, 4, 2);
}

void make_full_ocp(guint8 data[512])
{
    static const guint8 guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
                                    0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

    memset(data, 0, 512);
    put_number(data, 0, 8, G_GUINT64_CONSTANT(2560000000000));
    put_number(data, 16, 8, 5000);
    put_number(data, 32, 6, 7);
    put_number(data, 38, 2, 99);
    put_number(data, 40, 6, 1);
    put_number(data, 88, 4, 40);
    put_number(data, 92, 4, 30);
    data[96] = 4;
    put_number(data, 104, 8, 9);
    put_number(data, 112, 4, 2);
    data[120] = 55;
    put_number(data, 128, 2, 100);
    put_number(data, 192, 8, 3);
    put_number(data, 200, 8, 12345);
    put_number(data, 494, 2, 3);
    memcpy(data + 496, guid, 16);
}

#define FEATURE_SELECTED 0x80

static gpointer key_of(guint8 opcode, guint8 which)
{
    return GUINT_TO_POINTER((guint)opcode << 8 | which);
}

MockDrive *mock_drive_new(void)
{
    MockDrive *drive = g_new0(MockDrive, 1);

    drive->answers = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_bytes_unref);
    drive->results = g_hash_table_new(NULL, NULL);
    return drive;
}

void mock_drive_free(gpointer data)
{
    MockDrive *drive = data;

    g_hash_table_unref(drive->answers);
    g_hash_table_unref(drive->results);
    g_free(drive);
}

void mock_drive_answer(MockDrive *drive, guint8 opcode, guint8 which, const void *data, gsize size,
                       guint32 result)
{
    g_hash_table_insert(drive->answers, key_of(opcode, which), g_bytes_new(data, size));
    g_hash_table_insert(drive->results, key_of(opcode, which), GUINT_TO_POINTER(result));
}

/* Whether COMMAND is one that a drive would take as it is laid out. */
static void check_command(MockDrive *drive, const PltNvmeCommand *command)
{
    drive->n_commands++;
    g_assert_true(command->opcode == PLT_NVME_IDENTIFY || command->opcode == PLT_NVME_GET_LOG_PAGE ||
                  command->opcode == PLT_NVME_GET_FEATURES);
    g_assert_true((command->size > 0) == (command->data != NULL));
    if (command->opcode != PLT_NVME_GET_LOG_PAGE)
        return;
    g_assert_cmpuint(((command->cdw10 >> 16) + 1) * 4, ==, command->size);
    drive->n_retained += (command->cdw10 & PLT_NVME_RETAIN_EVENT) != 0;
}

int mock_drive_submit(gpointer data, const PltNvmeCommand *command, guint32 *result)
{
    MockDrive *drive = data;
    /* A feature with a selector in dword 11 is kept as another one. */
    guint8 which = (guint8)(command->cdw10 | (command->cdw11 != 0 ? FEATURE_SELECTED : 0));
    gpointer key = key_of(command->opcode, which);
    GBytes *answer = g_hash_table_lookup(drive->answers, key);

    check_command(drive, command);
    if (drive->fail != 0)
        return drive->fail;
    if (answer == NULL) {
        drive->n_refused++;
        return command->opcode == PLT_NVME_GET_LOG_PAGE ? 0x4109 : 0x4002;
    }
    /* A drive never sends more than was asked for. */
    if (command->size > 0)
        memcpy(command->data, g_bytes_get_data(answer, NULL), MIN(command->size, g_bytes_get_size(answer)));
    *result = GPOINTER_TO_UINT(g_hash_table_lookup(drive->results, key));
    return 0;
}

MockDrive *mock_drive_new_full(void)
{
    MockDrive *drive = mock_drive_new();
    g_autofree guint8 *data = g_malloc(4096);

    make_full_controller(data);
    mock_drive_answer(drive, PLT_NVME_IDENTIFY, 1, data, 4096, 0);
    make_full_namespace(data);
    mock_drive_answer(drive, PLT_NVME_IDENTIFY, 0, data, 4096, 0);
    memset(data, 0, 4096);
    data[0] = 1;
    mock_drive_answer(drive, PLT_NVME_IDENTIFY, 2, data, 4096, 0);
    /* Supported log pages: C0h is one. */
    memset(data, 0, 4096);
    put_number(data, 0xc0 * 4, 4, 1);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x00, data, 1024, 0);
    make_full_errors(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x01, data, 4096, 0);
    make_full_smart(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x02, data, 512, 0);
    make_full_firmware(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x03, data, 512, 0);
    make_full_self_tests(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x06, data, 564, 0);
    make_full_sanitize(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0x81, data, 512, 0);
    make_full_ocp(data);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0xc0, data, 512, 0);
    make_full_apst(data);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x0c, data, 256, 1);
    memset(data, 0, 4096);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x02, data, 0, 3);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x04, data, 0, 355);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x04 | FEATURE_SELECTED, data, 0, 273);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x06, data, 0, 1);
    put_number(data, 0, 4, 16384);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x0d, data, 4096, 1);
    mock_drive_answer(drive, PLT_NVME_GET_FEATURES, 0x10, data, 0, 348u << 16 | 353u);
    return drive;
}

typedef struct {
    PltInquiryBackend base;
} DeviceBackend;

static PltAnswer *device_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    static const char text[] =
        "{\"name\":\"nvme0n1\",\"model\":\"Everything SSD 2TB\",\"serial\":\"S7KHNJ0W000001\","
        "\"firmware\":\"4B2QJXD7\",\"capacity\":2000398934016,\"bus\":\"nvme\",\"controller\":\"nvme0\","
        "\"link\":\"PCIe 3.0 x4\",\"link_bandwidth_bps\":3938461538,"
        "\"link_max\":\"PCIe 4.0 x4\",\"link_max_bandwidth_bps\":7876923076,"
        "\"link_slot_max\":\"PCIe 4.0 x4\",\"link_slot_max_bandwidth_bps\":7876923076}";

    if (topic != PLT_TOPIC_DEVICE)
        return NULL;
    return plt_answer_new_document(PLT_SOURCE_SYSFS, json_from_string(text, NULL));
}

static void device_free(PltInquiryBackend *backend)
{
    g_free(backend);
}

PltInquiry *mock_drive_inquiry(MockDrive *drive)
{
    PltInquiry *inquiry = plt_inquiry_new_bare("/nonexistent", "nvme0n1");
    DeviceBackend *device = g_new0(DeviceBackend, 1);

    device->base.ask = device_ask;
    device->base.free = device_free;
    plt_inquiry_set_replay(inquiry, "nvme0", 1700000000000000);
    plt_inquiry_add(inquiry, &device->base);
    plt_inquiry_add(inquiry, plt_nvme_backend_new_full(mock_drive_submit, drive, mock_drive_free, 1));
    return inquiry;
}

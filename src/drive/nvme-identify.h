/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/power-state.h"
#include "drive/wide.h"

/*
 * What an NVMe drive answers to Identify (NVM Express Base and NVM Command Set Specifications). Pure
 * functions over the bytes; the values are the drive's own where nothing else is said, and are not trusted to
 * be sane.
 */
#define PLT_NVME_VERSION(major, minor) ((guint32)(major) << 16 | (guint32)(minor) << 8)

#define PLT_NVME_OACS_FORMAT (1u << 1)
#define PLT_NVME_OACS_NAMESPACES (1u << 3)
#define PLT_NVME_OACS_SELF_TEST (1u << 4)
#define PLT_NVME_ONCS_DEALLOCATE (1u << 2)
#define PLT_NVME_ONCS_WRITE_ZEROES (1u << 3)
#define PLT_NVME_ONCS_VERIFY (1u << 7)
#define PLT_NVME_ONCS_COPY (1u << 8)
#define PLT_NVME_SANICAP_CRYPTO (1u << 0)
#define PLT_NVME_SANICAP_BLOCK (1u << 1)
#define PLT_NVME_SANICAP_OVERWRITE (1u << 2)
#define PLT_NVME_SANICAP_ANY 7u
#define PLT_NVME_FNA_FORMATS_ALL (1u << 0)
#define PLT_NVME_FNA_ERASES_ALL (1u << 1)
#define PLT_NVME_FNA_CRYPTO (1u << 2)
#define PLT_NVME_LPA_LOG_PAGES (1u << 5)

typedef struct {
    guint16 vendor_id, subsystem_vendor_id; /* PCI */
    char serial[21], model[41], firmware[9];
    guint32 ieee_oui;
    guint8 multipath; /* CMIC */
    guint8 mdts;      /* 2^MDTS smallest memory pages in a transfer; 0 = no limit */
    guint16 controller_id;
    guint32 version;                /* PLT_NVME_VERSION and a third number; 0 = 1.1 or earlier */
    guint32 resume_us, shutdown_us; /* RTD3; 0 = not said */
    guint32 attributes;             /* CTRATT */
    guint16 oacs, oncs;
    guint8 firmware_updates; /* FRMW: bit 0 slot 1 is read-only, 3:1 slots, 4 without reset */
    guint8 lpa, apsta, fna, vwc;
    guint error_entries;            /* 1 to 256 */
    guint16 warning_k, critical_k;  /* kelvin; 0 = none */
    guint64 hmb_preferred, hmb_min; /* bytes */
    PltWide capacity, unallocated;  /* bytes of all namespaces; 0 where the drive does not manage them */
    guint16 self_test_minutes;      /* extended self-test */
    guint16 hctma, thermal_min_k, thermal_max_k;
    guint32 sanicap;
    guint32 n_namespaces; /* the highest number that there can be */
    char subnqn[257];
    guint n_power_states; /* 1 to 32 */
    PltPowerState power_states[PLT_POWER_STATES_MAX];
} PltNvmeController;

/* FALSE when BYTES is no answer: too short, or all zero. */
gboolean plt_nvme_controller_decode(PltBytes bytes, PltNvmeController *controller);

#define PLT_LBA_FORMATS_MAX 64

typedef struct {
    guint32 data_size;     /* bytes of a block; 0 = not to be used */
    guint16 metadata_size; /* bytes beside each block */
    guint8 performance;    /* 0 best, 1 better, 2 good, 3 degraded */
} PltLbaFormat;

typedef struct {
    guint64 size, capacity, used; /* blocks */
    guint8 features;              /* NSFEAT */
    guint n_formats;              /* 1 to 64 */
    guint active;                 /* below n_formats, or the drive contradicts itself: then n_formats */
    gboolean metadata_inline;     /* metadata at the end of each block, not in a buffer of its own */
    PltLbaFormat formats[PLT_LBA_FORMATS_MAX];
    guint8 protection;             /* DPS bits 2:0, 0 = off */
    guint8 deallocated;            /* DLFEAT; bits 2:0, what trimmed blocks read as: 1 zeros, 2 ones */
    gboolean shared;               /* NMIC bit 0 */
    guint optimal_write_blocks;    /* NPWG, counted from 1; 0 = not said */
    guint optimal_trim_blocks;     /* NPDG */
    guint optimal_boundary_blocks; /* NOIOB; 0 = not said */
    PltWide nvm_bytes;             /* NVMCAP; 0 = not said */
    char nguid[33], eui64[17];     /* hexadecimal; "" when the drive gives none */
} PltNvmeNamespace;

gboolean plt_nvme_namespace_decode(PltBytes bytes, PltNvmeNamespace *ns);

/* Numbers of active namespaces in ascending order; guint32. */
GArray *plt_nvme_namespaces_decode(PltBytes bytes);

/* "1.4", "1.2.1"; NULL for 0. Newly allocated. */
char *plt_nvme_version_text(guint32 version);

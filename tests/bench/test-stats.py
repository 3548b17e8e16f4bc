# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench's statistics and its reading of fio's output, against values worked out by hand."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from engine import rotate  # noqa: E402
from gates import Gate  # noqa: E402
from stats import Comparison, interval, per_io, self_noise  # noqa: E402
from tools import Cell, Result, fio_name, fio_pattern, fio_result  # noqa: E402


class Interval(unittest.TestCase):
    # Sign test, by hand: n = 7, k = 2 leaves 1 - 2 x 8/128 = 87.5 %; n = 9, k = 2: 1 - 2 x 10/512 = 96.1 %;
    # n = 12, k = 3: 1 - 2 x 79/4096 = 96.1 %, k = 4: 1 - 2 x 299/4096 = 85.4 %.
    def test_seven_pairs_take_the_extremes(self):
        self.assertEqual(interval([4, 1, 7, 3, 6, 2, 5]), (1, 7))

    def test_nine_pairs_drop_one_on_each_side(self):
        self.assertEqual(interval(range(1, 10)), (2, 8))

    def test_twelve_pairs_drop_two_on_each_side(self):
        self.assertEqual(interval(range(1, 13)), (3, 10))


class Comparing(unittest.TestCase):
    def test_drift_cancels_in_the_ratio_of_pairs(self):
        c = Comparison([110, 220, 330, 440, 550], [100, 200, 300, 400, 500])
        self.assertAlmostEqual(c.of_pairs, 1.1)
        self.assertAlmostEqual(c.low, 1.1)
        self.assertAlmostEqual(c.high, 1.1)

    def test_verdicts(self):
        same = Comparison([100, 101, 99, 100, 100, 101, 99], [100] * 7)
        self.assertEqual(same.verdict(0.97, 1.03), 'ok')
        faster = Comparison([110, 111, 109, 110, 110, 111, 109], [100] * 7)
        self.assertEqual(faster.verdict(0.97, 1.03), 'OUTSIDE')
        slower = Comparison([90, 91, 89, 90, 90, 91, 89], [100] * 7)
        self.assertEqual(slower.verdict(0.97, 1.03), 'OUTSIDE')
        unclear = Comparison([110, 111, 100, 110, 110, 111, 109], [100] * 7)
        self.assertEqual(unclear.verdict(0.97, 1.03), 'noise')
        by_chance = Comparison([100, 70, 140, 100, 130, 80, 100], [100] * 7)
        self.assertEqual(by_chance.verdict(0.97, 1.03), 'noise')

    def test_a_figure_of_zero_is_counted(self):
        self.assertEqual(Comparison([0, 0, 1], [10, 10, 10]).of_pairs, 0)

    def test_noise_is_the_median_step(self):
        self.assertAlmostEqual(self_noise([100, 110, 100, 110]), 0.1)
        self.assertEqual(self_noise([100, 100, 100]), 0)


    def test_time_per_io_is_of_all_rounds(self):
        # 0 ns x 100 and 40 ns x 300 I/Os: 12000 ns over 400.
        results = [Result(100, 0, 0, 0, 0), Result(300, 0, 0, 40, 0)]
        self.assertEqual(per_io(results, lambda r: r.user_ns), 30)


class Gates(unittest.TestCase):
    def test_status(self):
        self.assertEqual(Gate('g', 90, '<=', 90).status, 'pass')
        self.assertEqual(Gate('g', 90.1, '<=', 90).status, 'FAIL')
        self.assertEqual(Gate('g', 0.9, '>=', 0.9).status, 'pass')
        self.assertEqual(Gate('g', 0.89, '>=', 0.9).status, 'FAIL')
        self.assertEqual(Gate('g', None, '>=', 0.9).status, 'not measured')


class Order(unittest.TestCase):
    def test_every_tool_comes_first_in_turn(self):
        tools = ['a', 'b', 'c', 'd']
        orders = [rotate(tools, n) for n in range(8)]
        self.assertEqual({order[0] for order in orders}, set(tools))
        for order in orders:
            self.assertEqual(sorted(order), tools)


class FioOutput(unittest.TestCase):
    def job(self):
        op = {'total_ios': 30000, 'iops': 15000.0, 'bw_bytes': 61440000,
              'lat_ns': {'mean': 66000.0, 'percentile': {'50.000000': 60000, '99.000000': 90000, '99.900000': 120000}}}
        nothing = {'total_ios': 0, 'iops': 0.0, 'bw_bytes': 0}
        return {'error': 0, 'job_runtime': 2000, 'usr_cpu': 30.0, 'sys_cpu': 60.0, 'read': op, 'write': nothing}

    def test_processor_time_per_io(self):
        # 30 % of 2000 ms over 30000 I/Os: 20 µs each.
        result = fio_result({'jobs': [self.job()]}, Cell('read'), 'lat_ns')
        self.assertAlmostEqual(result.user_ns, 20000)
        self.assertAlmostEqual(result.system_ns, 40000)

    def test_latency_is_from_submission(self):
        result = fio_result({'jobs': [self.job()]}, Cell('read'), 'lat_ns')
        self.assertEqual(result.ops['read'], {'iops': 15000.0, 'bps': 61440000, 'mean': 66000.0, 'p50': 60000,
                                              'p99': 90000, 'p99.9': 120000})

    def test_patterns(self):
        self.assertEqual(fio_pattern(Cell('c')), ['--rw=randread'])
        self.assertEqual(fio_pattern(Cell('c', pattern='seq')), ['--rw=read'])
        self.assertEqual(fio_pattern(Cell('c', read=0)), ['--rw=randwrite'])
        self.assertEqual(fio_pattern(Cell('c', read=70)), ['--rw=randrw', '--rwmixread=70'])

    def test_colons_in_names(self):
        self.assertEqual(fio_name('/a:b/c'), '/a\\:b/c')


if __name__ == '__main__':
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits that the engine must keep, and the table that says whether it does."""

from dataclasses import dataclass
from typing import Optional


@dataclass
class Gate:
    name: str
    value: Optional[float]  # None: not measured, DETAIL says why
    sense: str              # '<=' or '>='
    limit: float
    unit: str = ''
    detail: str = ''

    @property
    def status(self):
        if self.value is None:
            return 'not measured'
        passed = self.value <= self.limit if self.sense == '<=' else self.value >= self.limit
        return 'pass' if passed else 'FAIL'

    def record(self):
        return {**self.__dict__, 'status': self.status}


def ratio_gate(name, comparison, sense, limit):
    return Gate(name, comparison.of_pairs, sense, limit, 'x', f'{comparison.low:.3f}..{comparison.high:.3f}')


def number(value, unit):
    return f'{value:.3f}' if unit == 'x' else f'{value:.1f}' if abs(value) < 1000 else f'{value:.0f}'


def print_gates(gates):
    print(f'\n  {"gate":58}{"measured":>12}{"limit":>14}   result')
    for gate in gates:
        measured = '' if gate.value is None else f'{number(gate.value, gate.unit)} {gate.unit}'
        limit = f'{gate.sense} {gate.limit:g} {gate.unit}'
        print(f'  {gate.name:58}{measured:>12}{limit:>14}   {gate.status}{"  " + gate.detail if gate.detail else ""}')
    failed = [gate for gate in gates if gate.status == 'FAIL']
    missing = [gate for gate in gates if gate.value is None]
    print(f'\n{len(gates) - len(failed) - len(missing)} gates pass, {len(failed)} fail, {len(missing)} not measured.')
    return 1 if failed else 0

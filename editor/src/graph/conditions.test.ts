import { describe, expect, it } from 'vitest'
import { type Case, hasMatchCase, hasValue, newCase, readCases, withKind } from './conditions'

const sale: Case = {
  port: 'case_1',
  name: 'Sale',
  rules: [{ kind: 'text', test: 'contains', value: 'sale' }],
}

describe('cases of a condition', () => {
  it('are read when the builder can show all of them', () => {
    expect(readCases(undefined)).toEqual([])
    expect(readCases([sale])).toEqual([sale])
    expect(readCases([{ ...sale, port: 'output' }])).toBeNull()
    expect(readCases([{ ...sale, rules: [{ kind: 'text', test: 'rhymes with' }] }])).toBeNull()
    expect(readCases([{ ...sale, groups: [{ join: 'xor', rules: [] }] }])).toBeNull()
    expect(readCases('sale')).toBeNull()
    expect(readCases(['sale'])).toBeNull()
    expect(readCases([{ ...sale, name: undefined }])).toBeNull()
  })

  it('are added on a free port, under a free name, until all ports are taken', () => {
    const nameOf = (number: number) => `Case ${number}`
    const cases = [sale, { ...sale, port: 'case_3', name: 'case 3' }]
    expect(newCase(cases, nameOf)).toMatchObject({ port: 'case_2', name: 'Case 4' })
    const full = Array.from({ length: 8 }, (_, at) => ({ ...sale, port: `case_${at + 1}` }))
    expect(newCase(full, nameOf)).toBeNull()
  })

  it('keep what fits of a rule about another kind of value', () => {
    const rule = { kind: 'text', test: 'contains', value: 'red', field: 'color' } as const
    expect(withKind(rule, 'list')).toEqual({ kind: 'list', test: 'contains', value: 'red', field: 'color' })
    expect(withKind(rule, 'number').test).toBe('equals')
    expect(withKind(rule, 'brand_check')).toEqual({ kind: 'brand_check', test: 'passed', value: '' })
  })
})

describe('the rule of a case', () => {
  it.each([
    ['text', 'contains', true, true],
    ['text', 'is empty', false, false],
    ['text', 'is not empty', false, false],
    ['list', 'contains', true, true],
    ['list', 'does not contain', true, true],
    ['list', 'has at least', true, false],
    ['number', 'equals', true, false],
  ] as const)('about %s that %s: has a value: %s, can match capitals: %s', (kind, test, value, capitals) => {
    const rule = { kind, test, value: '' }
    expect([hasValue(rule), hasMatchCase(rule)]).toEqual([value, capitals])
  })
})

describe('what the builder can show', () => {
  const rule = sale.rules[0]
  it.each([
    ['that is text', 'sale'],
    ['that is null', null],
    ['that is a list', []],
    ['of an unknown kind', { ...rule, kind: 'weather' }],
    ['with an unknown test', { ...rule, test: 'rhymes' }],
    ['whose value is a number', { ...rule, value: 7 }],
    ['whose field is a number', { ...rule, field: 7 }],
  ])('does not include a rule %s', (_, other) => {
    expect(readCases([{ ...sale, rules: [other] }])).toBeNull()
  })

  it.each([
    ['and', true],
    ['or', true],
    [undefined, true],
    ['xor', false],
  ])('includes rules joined by %s: %s', (join, known) => {
    const joined = { ...sale, join }
    expect(readCases([joined])).toEqual(known ? [joined] : null)
    const grouped = { ...sale, groups: [{ join, rules: [rule] }] }
    expect(readCases([grouped])).toEqual(known && join !== undefined ? [grouped] : null)
  })

  it('does not include a case that is no object', () => {
    for (const other of [null, 'sale', [sale], 7]) expect(readCases([other])).toBeNull()
  })
})

it('a new case is named by its place, or by the next free number', () => {
  const nameOf = (number: number) => `Case ${number}`
  expect(newCase([], nameOf)).toEqual({
    port: 'case_1',
    name: 'Case 1',
    join: 'and',
    rules: [{ kind: 'text', test: 'contains', value: '' }],
  })
  expect(newCase([{ ...sale, name: 'case 2' }], nameOf)?.name).toBe('Case 3')
})

it('a rule stays as it is for its own kind of value', () => {
  const rule = { kind: 'text', test: 'contains' } as const
  expect(withKind(rule, 'text')).toBe(rule)
})

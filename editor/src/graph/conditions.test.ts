import { describe, expect, it } from 'vitest'
import { type Case, newCase, readCases, withKind } from './conditions'

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

/** The cases of a condition: the branches of a node, each with the rules by which a value takes it. */

export type RuleKind = 'text' | 'number' | 'list' | 'brand_check'
export type Join = 'and' | 'or'

export interface Rule {
  readonly kind: RuleKind
  readonly test: string
  readonly value?: string
  /** A path into data, such as `items.0.title`; empty for the whole value. */
  readonly field?: string
  readonly match_case?: boolean
}

export interface RuleGroup {
  readonly join: Join
  readonly rules: readonly Rule[]
}

export interface Case {
  /** The output port of this branch. */
  readonly port: string
  readonly name: string
  readonly join?: Join
  readonly rules: readonly Rule[]
  readonly groups?: readonly RuleGroup[]
}

export const RULE_KINDS: readonly RuleKind[] = ['text', 'number', 'list', 'brand_check']

/** The comparisons of each kind, as the node's settings name them. */
export const TESTS = {
  text: [
    'is',
    'is not',
    'contains',
    'does not contain',
    'starts with',
    'ends with',
    'matches',
    'does not match',
    'is empty',
    'is not empty',
  ],
  number: ['equals', 'does not equal', 'is more than', 'is at least', 'is less than', 'is at most'],
  list: [
    'contains',
    'does not contain',
    'has exactly',
    'has at least',
    'has at most',
    'is empty',
    'is not empty',
  ],
  brand_check: ['passed', 'failed', 'was not checked'],
} as const satisfies Record<RuleKind, readonly string[]>

/** The checks of a brand check; empty for the verdict on all of them. */
export const BRAND_CHECKS = ['', 'palette', 'contrast', 'logo', 'fonts', 'words', 'names', 'tone'] as const

export const MAX_CASES = 8

const PORTS = Array.from({ length: MAX_CASES }, (_, at) => `case_${at + 1}`)

/** The cases of a setting's value; null if the builder cannot show it, so that only JSON can. */
export function readCases(value: unknown): readonly Case[] | null {
  if (value === undefined || value === null) return []
  return Array.isArray(value) && value.every(isCase) ? value : null
}

/** A new case on a port that no other case has; null if all ports are taken. */
export function newCase(cases: readonly Case[], nameOf: (number: number) => string): Case | null {
  const port = PORTS.find((name) => cases.every((one) => one.port !== name))
  if (!port) return null
  const names = new Set(cases.map((one) => one.name.toLowerCase()))
  let number = cases.length + 1
  while (names.has(nameOf(number).toLowerCase())) number += 1
  return { port, name: nameOf(number), join: 'and', rules: [newRule()] }
}

export function newRule(kind: RuleKind = 'text'): Rule {
  return { kind, test: kind === 'text' ? 'contains' : TESTS[kind][0], value: '' }
}

/** The rule about another kind of value, with what fits of the old one. */
export function withKind(rule: Rule, kind: RuleKind): Rule {
  if (kind === rule.kind) return rule
  const known = (TESTS[kind] as readonly string[]).includes(rule.test)
  const isBrandCheck = kind === 'brand_check' || rule.kind === 'brand_check'
  const { field, ...rest } = rule
  return {
    ...rest,
    ...(field && kind !== 'brand_check' && { field }),
    kind,
    test: known ? rule.test : newRule(kind).test,
    value: isBrandCheck ? '' : (rule.value ?? ''),
  }
}

/** Whether a rule compares with a value that the author enters. */
export function hasValue(rule: Rule): boolean {
  return rule.test !== 'is empty' && rule.test !== 'is not empty'
}

/** Whether capitals can matter to a rule. */
export function hasMatchCase(rule: Rule): boolean {
  if (!hasValue(rule)) return false
  return rule.kind === 'text' || (rule.kind === 'list' && rule.test.includes('contain'))
}

function isCase(value: unknown): value is Case {
  if (!isRecord(value) || typeof value.name !== 'string' || !PORTS.includes(String(value.port))) return false
  const groups = value.groups ?? []
  return (
    (value.join === undefined || isJoin(value.join)) &&
    isRules(value.rules) &&
    Array.isArray(groups) &&
    groups.every((group) => isRecord(group) && isJoin(group.join) && isRules(group.rules))
  )
}

function isRules(value: unknown): value is Rule[] {
  return Array.isArray(value) && value.every(isRule)
}

function isRule(value: unknown): boolean {
  if (!isRecord(value) || !RULE_KINDS.includes(value.kind as RuleKind)) return false
  const tests: readonly string[] = TESTS[value.kind as RuleKind]
  const isText = (one: unknown) => one === undefined || typeof one === 'string'
  return tests.includes(String(value.test)) && isText(value.value) && isText(value.field)
}

function isJoin(value: unknown): value is Join {
  return value === 'and' || value === 'or'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

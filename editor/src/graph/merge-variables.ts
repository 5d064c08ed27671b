import { type Difference, difference, isEqual, part, partKey, type Side, type Sides } from './diff'
import { type FlowDocument, type FlowVariable, variablesOf } from './document'
import { mergeRecords } from './merge-annotations'

/**
 * The variables of both sides, by name: the chosen side, else what one side changed, mine where both did. A variable that
 * one side removed is gone unless the other changed it, or has nodes that use it which the start does not have.
 */
export function mergeVariables(
  sides: Sides,
  choices: ReadonlyMap<string, Side> = new Map(),
): readonly FlowVariable[] {
  return pairs(sides).flatMap(({ name, was, one, other }) => {
    const key = keyOf(name)
    const choice = choices.get(partKey(key, PART)) ?? choices.get(key)
    if (choice) return (choice === 'mine' ? one : other) ?? []
    if (one && other) return mergeRecords(was, one, other, () => undefined) as unknown as FlowVariable
    const side = one ? 'mine' : 'theirs'
    return keptSide(sides, name, was, one, other) === side ? ((one ?? other) as FlowVariable) : []
  })
}

/** Every variable that differs between mine and theirs. */
export function variableDifferences(sides: Sides): Difference[] {
  return pairs(sides).flatMap(({ name, was, one, other }) => {
    const key = keyOf(name)
    const parts = one && other ? part(partKey(key, PART), 'variable', name, [was, one, other]) : []
    const found = difference({ kind: 'variable', id: name, key }, [was, one, other], parts)
    if (one && other) return found
    return found.map((each) => ({ ...each, suggested: keptSide(sides, name, was, one, other) }))
  })
}

const PART = 'value'
const keyOf = (name: string) => `variable:${name}`

interface Pair {
  readonly name: string
  readonly was: FlowVariable | undefined
  readonly one: FlowVariable | undefined
  readonly other: FlowVariable | undefined
}

function pairs({ start, mine, theirs }: Sides): Pair[] {
  const [base, left, right] = [start, mine, theirs].map(byName) as [Named, Named, Named]
  return [...new Set([...right.keys(), ...left.keys()])].map((name) => ({
    name,
    was: base.get(name),
    one: left.get(name),
    other: right.get(name),
  }))
}

/** The side that is taken without a choice for a variable that only one side has. */
function keptSide(
  { start, mine, theirs }: Sides,
  name: string,
  was: FlowVariable | undefined,
  one: FlowVariable | undefined,
  other: FlowVariable | undefined,
): Side {
  const [having, lacking] = one ? (['mine', 'theirs'] as const) : (['theirs', 'mine'] as const)
  const isGone = was && isEqual(was, one ?? other) && !hasNewUse(start, one ? mine : theirs, name)
  return isGone ? lacking : having
}

type Named = ReadonlyMap<string, FlowVariable>

function byName(document: FlowDocument): Named {
  return new Map(variablesOf(document).map((variable) => [variable.name, variable]))
}

/** Whether one side uses a variable in a place in which the start does not. */
function hasNewUse(start: FlowDocument, side: FlowDocument, name: string): boolean {
  const before = new Map(start.nodes.map((node) => [node.id, node]))
  return side.nodes.some((node) => {
    const was = before.get(node.id)
    if (was === node) return false
    const had = new Set(was ? placesOf(was, name) : [])
    return placesOf(node, name).some((place) => !had.has(place))
  })
}

function placesOf(node: FlowDocument['nodes'][number], name: string): string[] {
  const set = Object.entries(node.variables ?? {}).flatMap(([setting, used]) =>
    used === name ? [setting] : [],
  )
  const texts = Object.entries(node.settings).flatMap(([setting, value]) =>
    typeof value === 'string' && value.includes(`{{${name}`) ? [`text ${setting}`] : [],
  )
  return [...set, ...texts]
}

import { isEqual, type Sides } from './diff'
import { type FlowDocument, type FlowVariable, variablesOf } from './document'
import { mergeRecords } from './merge-annotations'

/**
 * The variables of both sides, by name: what one side changed, mine where both did. A variable that one side removed is
 * gone unless the other changed it, or has nodes that use it which the start does not have.
 */
export function mergeVariables({ start, mine, theirs }: Sides): readonly FlowVariable[] {
  const [base, left, right] = [start, mine, theirs].map(byName) as [Named, Named, Named]
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((name) => {
    const [was, one, other] = [base.get(name), left.get(name), right.get(name)]
    if (one && other) return mergeRecords(was, one, other, () => undefined) as unknown as FlowVariable
    const kept = (one ?? other) as FlowVariable
    const keeper = one ? mine : theirs
    return was && isEqual(was, kept) && !hasNewUse(start, keeper, name) ? [] : kept
  })
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

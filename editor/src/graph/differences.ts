import { type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from './document'

export type Side = 'mine' | 'theirs'

/** What a side did to a node of the document that both began with. */
export type Fate = 'added' | 'removed' | 'changed' | 'same'

/** One thing that the two sides hold differently: a node's setting, name, type or input, a note's words, who is grouped. */
export interface Part {
  readonly key: string
  readonly kind: 'setting' | 'title' | 'type' | 'result' | 'connection' | 'text' | 'members'
  /** The setting's or the input's own name. */
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
  /** Both sides changed it, each its own way. */
  readonly clash: boolean
  /** What is taken when nobody chooses: the side that changed it; mine in a clash. */
  readonly suggested: Side
}

/** One node, note or group that the two sides made different of what they began with. */
export interface Difference {
  readonly kind: 'node' | 'note' | 'group'
  readonly id: string
  /** What a choice for the whole of it goes by: a node's own id, since notes and groups have names of their own. */
  readonly key: string
  readonly mine: Fate
  readonly theirs: Fate
  readonly clash: boolean
  readonly suggested: Side
  /** Empty where only one side still has it. */
  readonly parts: readonly Part[]
}

/** Every node on which mine and theirs differ; where a card lies is nobody's quarrel. */
export function differences(start: FlowDocument, mine: FlowDocument, theirs: FlowDocument): Difference[] {
  const [begun, left, right] = [start, mine, theirs].map(({ nodes }) => byId(nodes)) as [Nodes, Nodes, Nodes]
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((id) => {
    const [before, one, other] = [begun.get(id), left.get(id), right.get(id)]
    const parts = one && other ? partsOf(before, one, other, { start, mine, theirs }) : []
    return difference({ kind: 'node', id, key: id }, [before, one, other], parts)
  })
}

type Named = Pick<Difference, 'kind' | 'id' | 'key'>

/** What came of one thing on the two sides; nothing where they hold it alike. */
export function difference<Thing extends object>(
  named: Named,
  [before, mine, theirs]: readonly [Thing | undefined, Thing | undefined, Thing | undefined],
  parts: readonly Part[],
): Difference[] {
  if (mine && theirs && parts.length === 0) return []
  const lone = mine ?? theirs
  const both = mine !== undefined && theirs !== undefined
  return [
    {
      ...named,
      mine: fate(before, mine, parts, 'mine'),
      theirs: fate(before, theirs, parts, 'theirs'),
      clash: both
        ? parts.some((one) => one.clash)
        : before !== undefined && lone !== undefined && !alike(before, lone),
      suggested: both ? (parts[0]?.suggested ?? 'theirs') : settled(before, mine, theirs, alike),
      parts,
    },
  ]
}

type Nodes = Map<string, FlowNode>
/** What both began with, and what each made of it. */
export type Sides = { start: FlowDocument; mine: FlowDocument; theirs: FlowDocument }

/** Whose word stands for a whole thing: whoever changed it, and never a removal over the other side's work. */
export function settled<Thing>(
  start: Thing | undefined,
  mine: Thing | undefined,
  theirs: Thing | undefined,
  equal: (one: Thing, other: Thing) => boolean = same,
): Side {
  if (mine === undefined) return start !== undefined && theirs && equal(start, theirs) ? 'mine' : 'theirs'
  if (theirs === undefined) return start !== undefined && equal(start, mine) ? 'theirs' : 'mine'
  return start !== undefined && equal(start, mine) ? 'theirs' : 'mine'
}

export function keyOf(node: string, part: string): string {
  return `${node} ${part}`
}

export function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function partsOf(start: FlowNode | undefined, mine: FlowNode, theirs: FlowNode, sides: Sides): Part[] {
  const own = (['title', 'type', 'result'] as const).flatMap((name) =>
    part(keyOf(mine.id, name), name, name, [start?.[name], mine[name], theirs[name]]),
  )
  const names = [...new Set([...Object.keys(mine.settings), ...Object.keys(theirs.settings)])]
  const settings = names.flatMap((name) =>
    part(keyOf(mine.id, `settings.${name}`), 'setting', name, [
      start?.settings[name],
      mine.settings[name],
      theirs.settings[name],
    ]),
  )
  return [...own, ...settings, ...connections(mine.id, sides)]
}

function connections(node: string, { start, mine, theirs }: Sides): Part[] {
  const into = (document: FlowDocument) => document.edges.filter((edge) => parseEnd(edge.to).node === node)
  const targets = new Set([...into(mine), ...into(theirs)].map((edge) => edge.to))
  // What a removed node fed is told with that node, not at every place that it fed.
  const [begun, left, right] = [start, mine, theirs].map(({ nodes }) => byId(nodes)) as [Nodes, Nodes, Nodes]
  const removed = ({ from }: FlowEdge) => {
    const source = parseEnd(from).node
    return begun.has(source) && !(left.has(source) && right.has(source))
  }
  const sources = (document: FlowDocument, target: string) =>
    document.edges.filter((edge) => edge.to === target && !removed(edge)).map((edge) => edge.from)
  return [...targets].flatMap((target) =>
    part(keyOf(node, `>${target}`), 'connection', parseEnd(target).port, [
      sources(start, target),
      sources(mine, target),
      sources(theirs, target),
    ]),
  )
}

export function part(
  key: string,
  kind: Part['kind'],
  name: string,
  [start, mine, theirs]: readonly [unknown, unknown, unknown],
): Part[] {
  if (same(mine, theirs)) return []
  const [iChanged, theyChanged] = [!same(start, mine), !same(start, theirs)]
  const suggested = iChanged ? 'mine' : 'theirs'
  return [{ key, kind, name, mine, theirs, clash: iChanged && theyChanged, suggested }]
}

function fate(before: object | undefined, now: object | undefined, parts: readonly Part[], side: Side): Fate {
  if (!now) return before ? 'removed' : 'same'
  if (!before) return 'added'
  if (parts.length === 0) return alike(before, now) ? 'same' : 'changed'
  return parts.some((one) => one.clash || one.suggested === side) ? 'changed' : 'same'
}

/** The same but for where it lies and how large it is. */
function alike(one: object, other: object): boolean {
  return same(withoutPlace(one), withoutPlace(other))
}

function withoutPlace({ position: _position, size: _size, ...rest }: { position?: unknown; size?: unknown }) {
  return rest
}

export function byId<Thing extends { readonly id: string }>(list: readonly Thing[]): Map<string, Thing> {
  return new Map(list.map((thing) => [thing.id, thing]))
}

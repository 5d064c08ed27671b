import {
  edgeId,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type Group,
  groupsOf,
  notesOf,
  type Point,
  parseEnd,
  type Size,
} from './document'
import { isRecord } from './parse'

export interface SettingChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface NodeChange {
  readonly id: string
  readonly settings: readonly SettingChange[]
  readonly type?: { readonly before: string; readonly after: string }
  readonly title?: { readonly before: string; readonly after: string }
}

export interface FlowDiff {
  readonly nodes: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly changed: readonly NodeChange[]
  }
  readonly edges: { readonly added: readonly FlowEdge[]; readonly removed: readonly FlowEdge[] }
}

/** What someone would have to tell to lead from one document to the other; moving a card is not told. */
export function diff(before: FlowDocument, after: FlowDocument): FlowDiff {
  const old = new Map(before.nodes.map((node) => [node.id, node]))
  const fresh = new Map(after.nodes.map((node) => [node.id, node]))
  return {
    nodes: {
      added: after.nodes.filter((node) => !old.has(node.id)).map((node) => node.id),
      removed: before.nodes.filter((node) => !fresh.has(node.id)).map((node) => node.id),
      changed: after.nodes.flatMap((node) => nodeChange(old.get(node.id), node) ?? []),
    },
    edges: {
      added: without(after.edges, before.edges),
      removed: without(before.edges, after.edges),
    },
  }
}

export function isEmpty(changes: FlowDiff): boolean {
  const { nodes, edges } = changes
  return [nodes.added, nodes.removed, nodes.changed, edges.added, edges.removed].every(
    (list) => list.length === 0,
  )
}

/** '1 added, 2 changed': nodes first; connections are only told when no node changed. */
export function describeDiff(changes: FlowDiff): string {
  const { nodes, edges } = changes
  const parts = [
    count(nodes.added, 'added'),
    count(nodes.removed, 'removed'),
    count(nodes.changed, 'changed'),
  ]
  const sentence = parts.filter(Boolean).join(', ')
  if (sentence) return sentence
  const wires = [count(edges.added, 'connection added'), count(edges.removed, 'connection removed')]
  return wires.filter(Boolean).join(', ') || 'Nothing changed'
}

function count(list: readonly unknown[], word: string): string {
  return list.length === 0 ? '' : `${list.length} ${word}`
}

function without(list: readonly FlowEdge[], other: readonly FlowEdge[]): FlowEdge[] {
  const known = new Set(other.map(edgeId))
  return list.filter((edge) => !known.has(edgeId(edge)))
}

export function nodeChange(before: FlowNode | undefined, after: FlowNode): NodeChange | null {
  if (!before || before === after) return null
  const settings = settingChanges(before.settings, after.settings)
  const type = pair(before.type, after.type)
  const title = pair(before.title ?? '', after.title ?? '')
  if (settings.length === 0 && !type && !title) return null
  return { id: after.id, settings, ...(type && { type }), ...(title && { title }) }
}

function pair(before: string, after: string) {
  return before === after ? undefined : { before, after }
}

/** Setting by setting; objects are followed inwards, lists are told whole. */
function settingChanges(before: unknown, after: unknown, path = ''): SettingChange[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => settingChanges(before[name], after[name], path ? `${path}.${name}` : name))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
}

/** What an edit did to the canvas: what a diff tells, and what is only to be seen. */
export interface EditSummary extends FlowDiff {
  readonly moved: readonly { readonly id: string; readonly to: Point }[]
  /** How many notes came, or went. */
  readonly notes: number
  /** The notes that are larger or smaller now. */
  readonly resized: readonly Size[]
  readonly grouped: string | null
  readonly ungrouped: string | null
}

export function summarizeEdit(before: FlowDocument, after: FlowDocument): EditSummary {
  const old = new Map(before.nodes.map((node) => [node.id, node.position]))
  const moved = after.nodes.flatMap(({ id, position }) => {
    const was = old.get(id)
    return !was || (was.x === position.x && was.y === position.y) ? [] : [{ id, to: position }]
  })
  const sizes = new Map(notesOf(before).map(({ id, size }) => [id, size]))
  const resized = notesOf(after).flatMap(({ id, size }) => {
    const was = sizes.get(id)
    return !was || (was.width === size.width && was.height === size.height) ? [] : [size]
  })
  return {
    ...diff(before, after),
    moved,
    resized,
    notes: notesOf(after).length - notesOf(before).length,
    grouped: titleOfNew(groupsOf(before), groupsOf(after)),
    ungrouped: titleOfNew(groupsOf(after), groupsOf(before)),
  }
}

function titleOfNew(known: readonly Group[], groups: readonly Group[]): string | null {
  const ids = new Set(known.map(({ id }) => id))
  return groups.find(({ id }) => !ids.has(id))?.title ?? null
}

export type Side = 'mine' | 'theirs'

/** What a side did to a node of the document that both began with. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'same'

/** One thing that the two sides hold differently: a node's setting, name, type or input, a note's words, who is grouped. */
export interface PartDifference {
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
  readonly mine: ChangeKind
  readonly theirs: ChangeKind
  readonly clash: boolean
  readonly suggested: Side
  /** Empty where only one side still has it. */
  readonly parts: readonly PartDifference[]
}

/** Every node on which mine and theirs differ; where a card lies is nobody's quarrel. */
export function nodeDifferences(start: FlowDocument, mine: FlowDocument, theirs: FlowDocument): Difference[] {
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
  parts: readonly PartDifference[],
): Difference[] {
  if (mine && theirs && parts.length === 0) return []
  const lone = mine ?? theirs
  const both = mine !== undefined && theirs !== undefined
  return [
    {
      ...named,
      mine: changeKindOf(before, mine, parts, 'mine'),
      theirs: changeKindOf(before, theirs, parts, 'theirs'),
      clash: both
        ? parts.some((one) => one.clash)
        : before !== undefined && lone !== undefined && !isEqualExceptPlace(before, lone),
      suggested: both
        ? (parts[0]?.suggested ?? 'theirs')
        : suggestedSide(before, mine, theirs, isEqualExceptPlace),
      parts,
    },
  ]
}

type Nodes = Map<string, FlowNode>
/** What both began with, and what each made of it. */
export type Sides = { start: FlowDocument; mine: FlowDocument; theirs: FlowDocument }

/** Whose word stands for a whole thing: whoever changed it, and never a removal over the other side's work. */
export function suggestedSide<Thing>(
  start: Thing | undefined,
  mine: Thing | undefined,
  theirs: Thing | undefined,
  equal: (one: Thing, other: Thing) => boolean = isEqual,
): Side {
  if (mine === undefined) return start !== undefined && theirs && equal(start, theirs) ? 'mine' : 'theirs'
  if (theirs === undefined) return start !== undefined && equal(start, mine) ? 'theirs' : 'mine'
  return start !== undefined && equal(start, mine) ? 'theirs' : 'mine'
}

export function partKey(node: string, partDifference: string): string {
  return `${node} ${partDifference}`
}

export function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function partsOf(
  start: FlowNode | undefined,
  mine: FlowNode,
  theirs: FlowNode,
  sides: Sides,
): PartDifference[] {
  const own = (['title', 'type', 'result'] as const).flatMap((name) =>
    part(partKey(mine.id, name), name, name, [start?.[name], mine[name], theirs[name]]),
  )
  const names = [...new Set([...Object.keys(mine.settings), ...Object.keys(theirs.settings)])]
  const settings = names.flatMap((name) =>
    part(partKey(mine.id, `settings.${name}`), 'setting', name, [
      start?.settings[name],
      mine.settings[name],
      theirs.settings[name],
    ]),
  )
  return [...own, ...settings, ...connections(mine.id, sides)]
}

function connections(node: string, { start, mine, theirs }: Sides): PartDifference[] {
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
    part(partKey(node, `>${target}`), 'connection', parseEnd(target).port, [
      sources(start, target),
      sources(mine, target),
      sources(theirs, target),
    ]),
  )
}

export function part(
  key: string,
  kind: PartDifference['kind'],
  name: string,
  [start, mine, theirs]: readonly [unknown, unknown, unknown],
): PartDifference[] {
  if (isEqual(mine, theirs)) return []
  const [iChanged, theyChanged] = [!isEqual(start, mine), !isEqual(start, theirs)]
  const suggested = iChanged ? 'mine' : 'theirs'
  return [{ key, kind, name, mine, theirs, clash: iChanged && theyChanged, suggested }]
}

function changeKindOf(
  before: object | undefined,
  now: object | undefined,
  parts: readonly PartDifference[],
  side: Side,
): ChangeKind {
  if (!now) return before ? 'removed' : 'same'
  if (!before) return 'added'
  if (parts.length === 0) return isEqualExceptPlace(before, now) ? 'same' : 'changed'
  return parts.some((one) => one.clash || one.suggested === side) ? 'changed' : 'same'
}

/** The same but for where it lies and how large it is. */
function isEqualExceptPlace(one: object, other: object): boolean {
  return isEqual(withoutPlace(one), withoutPlace(other))
}

function withoutPlace({ position: _position, size: _size, ...rest }: { position?: unknown; size?: unknown }) {
  return rest
}

export function byId<Thing extends { readonly id: string }>(list: readonly Thing[]): Map<string, Thing> {
  return new Map(list.map((thing) => [thing.id, thing]))
}

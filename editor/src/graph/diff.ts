import {
  edgeId,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowVariable,
  type Group,
  groupsOf,
  notesOf,
  type Point,
  parseEnd,
  type Settings,
  type Size,
  variablesOf,
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
  readonly variables: {
    readonly added: readonly FlowVariable[]
    readonly removed: readonly FlowVariable[]
    readonly changed: readonly VariableChange[]
  }
}

/** A variable of both documents, before and after. */
export interface VariableChange {
  readonly before: FlowVariable
  readonly after: FlowVariable
}

/** The differences between two documents, without positions. */
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
    variables: variableChanges(variablesOf(before), variablesOf(after)),
  }
}

function variableChanges(
  before: readonly FlowVariable[],
  after: readonly FlowVariable[],
): FlowDiff['variables'] {
  const old = new Map(before.map((variable) => [variable.name, variable]))
  const names = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !old.has(name)),
    removed: before.filter(({ name }) => !names.has(name)),
    changed: after.flatMap((variable) => {
      const was = old.get(variable.name)
      return was && !isEqual(was, variable) ? [{ before: was, after: variable }] : []
    }),
  }
}

export function isEmpty(changes: FlowDiff): boolean {
  const { nodes, edges, variables } = changes
  return [nodes, edges, variables].flatMap(Object.values).every((list) => list.length === 0)
}

/** For example '1 added, 2 changed'; variables and connections are mentioned only when no node changed. */
export function describeDiff(changes: FlowDiff): string {
  const { nodes, edges, variables } = changes
  const parts = [
    count(nodes.added, 'added'),
    count(nodes.removed, 'removed'),
    count(nodes.changed, 'changed'),
  ]
  const sentence = parts.filter(Boolean).join(', ')
  if (sentence) return sentence
  const named = Object.values(variables).flat().length
  if (named > 0) return named === 1 ? '1 variable changed' : `${named} variables changed`
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
  const states = (['exposed', 'mode', 'pin'] as const).flatMap((name) =>
    isEqual(before[name], after[name]) ? [] : [{ path: name, before: before[name], after: after[name] }],
  )
  const settings = [...settingChanges(shownSettings(before), shownSettings(after)), ...states]
  const type = pair(before.type, after.type)
  const title = pair(before.title ?? '', after.title ?? '')
  if (settings.length === 0 && !type && !title) return null
  return { id: after.id, settings, ...(type && { type }), ...(title && { title }) }
}

/** The settings as people read them: one that a variable sets is the name of that, in braces. */
function shownSettings({ settings, variables }: FlowNode): Settings {
  if (!variables) return settings
  const named = Object.entries(variables).map(([setting, name]) => [setting, `{{${name}}}`])
  return { ...settings, ...Object.fromEntries(named) }
}

function pair(before: string, after: string) {
  return before === after ? undefined : { before, after }
}

/** The changed settings; objects are compared recursively, lists as a whole. */
function settingChanges(before: unknown, after: unknown, path = ''): SettingChange[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => settingChanges(before[name], after[name], path ? `${path}.${name}` : name))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
}

/** The effect of an edit on the canvas: the differences, and changes of position and size. */
export interface EditSummary extends FlowDiff {
  readonly moved: readonly { readonly id: string; readonly to: Point }[]
  /** Number of added notes; negative when notes were removed. */
  readonly notes: number
  /** The new sizes of resized notes. */
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

/** How one side changed an item compared to the common start. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'same'

/** One property on which the sides differ: a node setting, title, type or input, a note text, a group’s members. */
export interface PartDifference {
  readonly key: string
  readonly kind:
    | 'setting'
    | 'title'
    | 'type'
    | 'result'
    | 'exposed'
    | 'mode'
    | 'pin'
    | 'connection'
    | 'text'
    | 'members'
    | 'variable'
  /** The name of the setting or input. */
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
  /** Whether both sides changed it differently. */
  readonly clash: boolean
  /** The side that is taken without a choice: the one that changed it; mine in a clash. */
  readonly suggested: Side
}

/** One node, note, group or variable that differs between the two sides. */
export interface Difference {
  readonly kind: 'node' | 'note' | 'group' | 'variable'
  /** The id, or the name of a variable. */
  readonly id: string
  /** The key of a choice for the whole item: a node's id, or `note:`, `group:` or `variable:` with the id. */
  readonly key: string
  readonly mine: ChangeKind
  readonly theirs: ChangeKind
  readonly clash: boolean
  readonly suggested: Side
  /** Empty when only one side has the item. */
  readonly parts: readonly PartDifference[]
}

/** Every node that differs between mine and theirs; positions are ignored. */
export function nodeDifferences(start: FlowDocument, mine: FlowDocument, theirs: FlowDocument): Difference[] {
  const [base, left, right] = [start, mine, theirs].map(({ nodes }) => byId(nodes)) as [Nodes, Nodes, Nodes]
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((id) => {
    const [before, one, other] = [base.get(id), left.get(id), right.get(id)]
    const parts = one && other ? partsOf(before, one, other, { start, mine, theirs }) : []
    return difference({ kind: 'node', id, key: id }, [before, one, other], parts)
  })
}

type Named = Pick<Difference, 'kind' | 'id' | 'key'>

/** The difference between the two sides for one item; empty when they are equal. */
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
      suggested: both ? (parts[0]?.suggested ?? 'theirs') : suggestedSide(before, mine, theirs),
      parts,
    },
  ]
}

type Nodes = Map<string, FlowNode>
/** The common start and the two edited documents. */
export type Sides = { start: FlowDocument; mine: FlowDocument; theirs: FlowDocument }

/** The side that is suggested for an item that one side lacks: a removal never wins over a change. */
function suggestedSide(
  start: object | undefined,
  mine: object | undefined,
  theirs: object | undefined,
): Side {
  const held = mine ?? theirs
  const isAsBefore = start !== undefined && held !== undefined && isEqualExceptPlace(start, held)
  return isAsBefore === (mine !== undefined) ? 'theirs' : 'mine'
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
  const own = (['title', 'type', 'exposed', 'result', 'mode', 'pin'] as const).flatMap((name) =>
    part(partKey(mine.id, name), name, name, [start?.[name], mine[name], theirs[name]]),
  )
  const [was, one, other] = [start ? shownSettings(start) : {}, shownSettings(mine), shownSettings(theirs)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const settings = names.flatMap((name) =>
    part(partKey(mine.id, `settings.${name}`), 'setting', name, [was[name], one[name], other[name]]),
  )
  return [...own, ...settings, ...connections(mine.id, sides)]
}

function connections(node: string, { start, mine, theirs }: Sides): PartDifference[] {
  const into = (document: FlowDocument) => document.edges.filter((edge) => parseEnd(edge.to).node === node)
  const targets = new Set([...into(mine), ...into(theirs)].map((edge) => edge.to))
  // Edges of a removed node are reported with that node, not with each of their targets.
  const [base, left, right] = [start, mine, theirs].map(({ nodes }) => byId(nodes)) as [Nodes, Nodes, Nodes]
  const removed = ({ from }: FlowEdge) => {
    const source = parseEnd(from).node
    return base.has(source) && !(left.has(source) && right.has(source))
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

/** Equality without position and size. */
function isEqualExceptPlace(one: object, other: object): boolean {
  return isEqual(withoutPlace(one), withoutPlace(other))
}

function withoutPlace({ position: _position, size: _size, ...rest }: { position?: unknown; size?: unknown }) {
  return rest
}

export function byId<Thing extends { readonly id: string }>(list: readonly Thing[]): Map<string, Thing> {
  return new Map(list.map((thing) => [thing.id, thing]))
}

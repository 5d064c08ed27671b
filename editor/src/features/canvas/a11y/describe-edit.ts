import type { TFunction } from 'i18next'
import type { Catalog } from '@/graph/catalog'
import { nameEnd, titleOf } from '@/graph/connect'
import { type EditSummary, summarizeEdit } from '@/graph/diff'
import { type FlowDocument, type FlowEdge, findNode } from '@/graph/document'
import { stateOf } from '@/graph/pins'

type Words = TFunction<'keyboard'>

/** The documents before and after an edit, and the catalog of their nodes. */
export interface Edited {
  readonly before: FlowDocument
  readonly after: FlowDocument
  readonly catalog: Catalog
}

/** Describes an edit, most important first; the edges of a removed node are not listed separately. */
export function describeEdit(edited: Edited, t: Words): string {
  const { before, after, catalog } = edited
  const summary = summarizeEdit(before, after)
  const added = summary.nodes.added.map(titlesIn(after, catalog))
  const removed = summary.nodes.removed.map(titlesIn(before, catalog))
  const sentences = [
    count(added, t, 'added', 'addedMany'),
    count(removed, t, 'removed', 'removedMany'),
    describeSwaps(edited, t),
    describeConnections(summary.edges.added, after, 'connected', edited, t),
    removed.length === 0 && describeConnections(summary.edges.removed, before, 'disconnected', edited, t),
    ...describeAnnotations(summary, t),
    ...describeVariables(summary, t),
    ...describeStates(edited, t),
  ]
  return sentences.filter(Boolean).join(' ') || describeMoves(summary, titlesIn(after, catalog), t)
}

/** Which variables were added, removed and renamed; a changed value is announced by its field. */
function describeVariables({ variables: { added, removed } }: EditSummary, t: Words): string[] {
  const [one, other] = [removed[0], added[0]]
  if (one && other && added.length === 1 && removed.length === 1 && one.type === other.type)
    return [t('edit.variableRenamed', { before: one.name, after: other.name })]
  return [
    ...added.map(({ name }) => t('edit.variableAdded', { name })),
    ...removed.map(({ name }) => t('edit.variableRemoved', { name })),
  ]
}

/** Which nodes have another type. */
function describeSwaps({ before, after, catalog }: Edited, t: Words): string {
  const old = new Map(before.nodes.map((node) => [node.id, node]))
  const swapped = after.nodes.flatMap((node) => {
    const was = old.get(node.id)
    return was && was.type !== node.type ? [{ was, node }] : []
  })
  const [one] = swapped
  if (!one) return ''
  if (swapped.length > 1) return t('edit.changedMany', { count: swapped.length })
  const type = catalog.type(one.node.type)?.title ?? one.node.type
  return t('edit.swapped', { title: titleOf(one.was, catalog), type })
}

/** Which nodes a run calls again, or no longer. */
function describeStates({ before, after, catalog }: Edited, t: Words): string[] {
  const old = new Map(before.nodes.map((node) => [node.id, node]))
  const changed = after.nodes.flatMap((node) => {
    const was = old.get(node.id)
    const [from, to] = [was && stateOf(was), stateOf(node)]
    if (!was || from === to) return []
    return [
      to
        ? t(`edit.state.${to}`, { title: titleOf(node, catalog) })
        : t('edit.state.none', { title: titleOf(node, catalog) }),
    ]
  })
  return changed.length > 3 ? [t('edit.changedMany', { count: changed.length })] : changed
}

/** Describes moves only when nothing else changed; a layout moves every card. */
function describeMoves(news: EditSummary, title: (id: string) => string, t: Words): string {
  const [first] = news.moved
  if (first && news.moved.length === 1) return t('edit.moved', { title: title(first.id), ...first.to })
  if (first) return t('edit.movedMany', { count: news.moved.length })
  const [size] = news.resized
  if (size && news.resized.length === 1) return t('edit.resized', { ...size })
  return size ? t('edit.resizedMany', { count: news.resized.length }) : ''
}

/** Describes the settings that an undo restored; other setting changes are announced by their field. */
export function describeSettings({ before, after, catalog }: Edited, t: Words): string {
  const { nodes, variables } = summarizeEdit(before, after)
  const changed = nodes.changed.map(({ id }) => id)
  const named = variables.changed.map((one) => t('edit.variableChanged', { name: one.after.name }))
  return [...named, count(changed.map(titlesIn(after, catalog)), t, 'changed', 'changedMany')]
    .filter(Boolean)
    .join(' ')
}

function titlesIn(document: FlowDocument, catalog: Catalog): (id: string) => string {
  return (id) => {
    const node = findNode(document, id)
    return node ? titleOf(node, catalog) : id
  }
}

type One = 'added' | 'removed' | 'changed'
type Many = 'addedMany' | 'removedMany' | 'changedMany'

function count(titles: readonly string[], t: Words, one: One, many: Many): string {
  const [title] = titles
  if (title === undefined) return ''
  return titles.length === 1 ? t(`edit.${one}`, { title }) : t(`edit.${many}`, { count: titles.length })
}

function describeConnections(
  edges: readonly FlowEdge[],
  document: FlowDocument,
  how: 'connected' | 'disconnected',
  { catalog }: Edited,
  t: Words,
): string {
  const [edge] = edges
  if (!edge) return ''
  if (edges.length > 1) return t(`edit.${how}Many`, { count: edges.length })
  const end = (text: string, side: 'source' | 'target') =>
    t('port.end', { ...nameEnd(document, catalog, text, side) })
  return t(`edit.${how}`, { from: end(edge.from, 'source'), to: end(edge.to, 'target') })
}

function describeAnnotations({ notes, grouped, ungrouped }: EditSummary, t: Words): string[] {
  return [
    notes > 0 ? t('edit.noteAdded') : '',
    notes < 0 ? t('edit.noteRemoved') : '',
    grouped ? t('edit.grouped', { title: grouped }) : '',
    ungrouped ? t('edit.ungrouped', { title: ungrouped }) : '',
  ]
}

/** Describes which cards were selected or deselected, and how many are selected now. */
export function choiceWords(
  before: readonly string[],
  now: readonly string[],
  title: (id: string) => string,
  t: Words,
): string {
  if (now.length === 0) return t('edit.none')
  const changed = [...now.filter((id) => !before.includes(id)), ...before.filter((id) => !now.includes(id))]
  const [one] = changed
  const several = now.length > 1 ? t('edit.selectedMany', { count: now.length }) : ''
  if (!one || !title(one) || Math.abs(now.length - before.length) > 1) return several
  const message = now.includes(one) ? ('edit.selected' as const) : ('edit.deselected' as const)
  return [t(message, { title: title(one) }), several].filter(Boolean).join(' ')
}

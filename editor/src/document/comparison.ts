import { type ComparableField, comparableFields, withValue } from '@/graph/comparable'
import { isEqual } from '@/graph/diff'
import { type FlowDocument, type FlowNode, findNode, type Settings, variablesOf } from '@/graph/document'
import { withoutLostItems } from '@/graph/edits/edges'
import { setSettings } from '@/graph/edits/nodes'
import { setUses } from '@/graph/edits/variables'
import { stateOf } from '@/graph/pins'
import { modelFieldOf } from '@/graph/setting-fields'
import { boundNode } from '@/graph/variables'
import { nodeOf } from '@/lib/run/step'
import { lastInputs, saveDraft } from './run-actions'
import type { OpenRun } from './runner'
import type { Session } from './session'
import type { ComparisonDraft } from './view-store'

/** With the node's own settings. */
export const MAX_VARIANTS = 6

/** Why settings of a node cannot be compared; null if they can. */
export type ComparisonRefusal = 'missing' | 'input' | 'settings' | 'disabled' | 'bypassed' | 'pinned'

export function comparisonRefusal(session: Session, node: FlowNode): ComparisonRefusal | null {
  const type = session.catalog.typeOf(node)
  if (!type) return 'missing'
  if (type.input !== null) return 'input'
  const state = stateOf(node)
  if (state) return state
  return fieldsToCompare(session, node).length === 0 ? 'settings' : null
}

/** The settings that variants may change: all that no edge sets. */
export function fieldsToCompare(session: Session, node: FlowNode): ComparableField[] {
  return comparableFields(node, session.document, session.catalog)
}

/** The variants of a node as last set up, else one further variant with another model. */
export function draftOf(session: Session, node: FlowNode): ComparisonDraft {
  const known = session.view.getState().comparisons[node.id]
  const fields = fieldsToCompare(session, node)
  const names = new Set(fields.map((field) => field.name))
  const kept = known?.settings.filter((name) => names.has(name)) ?? []
  if (known && kept.length > 0) return { ...known, settings: kept }
  const first = modelFieldOf(fields) ?? fields.find((field) => !field.advanced) ?? fields[0]
  return { settings: first ? [first.name] : [], variants: [{}] }
}

export function setDraft(session: Session, node: string, draft: ComparisonDraft): void {
  session.view.setState(({ comparisons }) => ({ comparisons: { ...comparisons, [node]: draft } }))
}

/** The node with the values of variables in place, which variants start from. */
function boundIn({ document }: Session, node: FlowNode): FlowNode {
  return boundNode(node, variablesOf(document))
}

/** All settings of each further variant: those of the node, with the compared ones that the variant sets. */
export function variantsOf(
  node: FlowNode,
  fields: readonly ComparableField[],
  { settings, variants }: ComparisonDraft,
): Settings[] {
  const compared = fields.filter(({ name }) => settings.includes(name))
  return variants.map((changes) =>
    compared
      .filter(({ name }) => name in changes)
      .reduce<Settings>((all, field) => withValue(all, field, changes[field.name]), node.settings),
  )
}

/** The index of each variant with the settings of an earlier one, counted from the node's own, and of that one. */
export function sameVariants(values: readonly (readonly unknown[])[]): ReadonlyMap<number, number> {
  const seen = new Map<string, number>()
  const found = new Map<number, number>()
  for (const [index, each] of values.entries()) {
    const text = JSON.stringify(each)
    const first = seen.get(text)
    if (first === undefined) seen.set(text, index)
    else found.set(index, first)
  }
  return found
}

/** Opens the comparison of a node: the one that runs, else the set-up of a new one. */
export function openComparison(session: Session, node: string): void {
  const { run } = session.comparer.store.getState()
  const shows = run?.comparison?.node === node && session.comparer.running ? 'run' : 'setup'
  session.view.setState({ comparing: { node, shows }, dialog: null })
}

export function closeComparison(session: Session): void {
  session.view.setState({ comparing: null })
}

/** Saves the draft, then runs the node with its settings and with those of the variants. */
export async function startComparison(
  session: Session,
  node: FlowNode,
  draft: ComparisonDraft,
): Promise<void> {
  const { budget, allowUnpriced } = session.view.getState()
  await session.comparer.start(
    {
      inputs: lastInputs(session),
      budgetUsd: budget.trim() || null,
      ...(allowUnpriced && { allowUnpriced }),
      comparison: {
        node: node.id,
        variants: variantsOf(boundIn(session, node), fieldsToCompare(session, node), draft),
      },
    },
    () => saveDraft(session),
  )
  showComparison(session)
}

/** Continues the comparison whose launch a reload has interrupted. */
export async function continueComparison(session: Session): Promise<void> {
  const pending = session.comparer.findPending()
  if (!pending) return
  await session.comparer.start(pending.order, () => saveDraft(session), pending.key)
  showComparison(session)
}

/** Reads a comparison and shows it. */
export async function showRunOrComparison(session: Session, id: string): Promise<void> {
  const run = await session.runner.read(id)
  if (!run.comparison) return session.runner.show(run)
  session.comparer.show(run)
  showComparison(session)
}

function showComparison(session: Session): void {
  const { run } = session.comparer.store.getState()
  if (run?.comparison) {
    session.view.setState({ comparing: { node: run.comparison.node, shows: 'run' }, dialog: null })
  }
}

/** The settings with which a step of a comparison ran, with the values that variables had. */
export function settingsOfVariant(run: OpenRun, step: string): Settings {
  const document = run.flow as FlowDocument | undefined
  const node = document && findNode(document, step)
  return node ? boundNode(node, variablesOf(document)).settings : {}
}

/** Whether a node has these settings, and uses these variables at them. */
export function hasSettings(
  node: FlowNode,
  { settings, variables }: Pick<FlowNode, 'settings' | 'variables'>,
): boolean {
  return isEqual([node.settings, node.variables ?? {}], [settings, variables ?? {}])
}

/**
 * Puts the settings of a variant on the node, and its result on the card; the next run finds that result by its
 * settings and inputs. Returns false if the node is gone.
 */
export function keepVariant(session: Session, step: string): boolean {
  const { run } = session.comparer.store.getState()
  const comparison = run?.comparison
  const node = comparison && findNode(session.document, comparison.node)
  if (!run || !node) return false
  const { settings = {}, variables = {} } = findNode(run.flow as FlowDocument, step) ?? {}
  if (!hasSettings(node, { settings, variables })) {
    session.edit((flow) => {
      const set = setUses(setSettings(flow, node.id, settings), node.id, variables)
      return withoutLostItems(set, session.catalog, node.id)
    })
    session.flow.settle()
  }
  const { order, steps } = session.comparer.live.getState()
  const own = order.filter((id) => nodeOf(id) === step).flatMap((id) => steps[id] ?? [])
  session.runner.adopt(own.map((each) => ({ ...each, id: node.id + each.id.slice(step.length) })))
  return true
}

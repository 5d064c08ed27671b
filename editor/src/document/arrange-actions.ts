import { CARD_SIZE, shapeOf, sizeOfShape } from '@/graph/card-size'
import type { FlowDocument } from '@/graph/document'
import { type Axis, align, distribute, type Side } from '@/graph/edits/arrange'
import { moveNodes } from '@/graph/edits/nodes'
import { indexOf } from '@/graph/graph-index'
import type { CardToPlace } from '@/graph/layout'
import type { Port } from '@/graph/ports'
import { i18n } from '@/lib/i18n'
import { toast } from '@/lib/toasts'
import { selectedBoxes } from './actions'
import type { Session } from './session'

/** Edits that give the selected nodes other positions. */

/** The code of automatic positions, which few visits need. */
export const loadLayout = () => import('@/graph/layout')

export function alignSelected(session: Session, side: Side): void {
  session.viewport?.animateNextMove()
  session.edit((document) => moveNodes(document, align(selectedBoxes(session), side)))
}

export function distributeSelected(session: Session, axis: Axis): void {
  session.viewport?.animateNextMove()
  session.edit((document) => moveNodes(document, distribute(selectedBoxes(session), axis)))
}

/** Lays out the selected nodes (or all) from left to right, once the code for it is loaded. */
export async function arrangeNodes(session: Session): Promise<void> {
  const chosen = selectedBoxes(session)
  const only = chosen.length > 1 ? new Set(chosen.map((box) => box.id)) : undefined
  const layout = await loadLayout().catch(() => null)
  if (!layout) {
    const action = { label: i18n.t('common:retry'), onPress: () => void arrangeNodes(session) }
    toast({ title: i18n.t('errors:partNotLoaded'), tone: 'error', action })
    return
  }
  session.viewport?.animateNextMove()
  session.edit((document) =>
    moveNodes(
      document,
      layout.layOut(document, (id) => cardToPlace(session, document, id), only),
    ),
  )
  if (!only) session.viewport?.fit()
}

function cardToPlace(session: Session, document: FlowDocument, id: string): CardToPlace {
  const node = indexOf(document, session.catalog).nodes.get(id)
  if (!node) return { ...CARD_SIZE, inputs: [], outputs: [] }
  const shape = shapeOf(node, document, session.catalog)
  const names = (ports: readonly Port[]) => ports.map(({ name }) => name)
  return {
    ...sizeOfShape(shape),
    inputs: names(shape.inputs),
    outputs: names(shape.outputs),
  }
}

import { connectPorts } from '@/document/edge-actions'
import type { Edit } from '@/document/flow-store'
import type { Session } from '@/document/session'
import { toastWithUndo } from '@/document/undo-toast'
import { nameEnd } from '@/graph/connect'
import { type End, type FlowEdge, parseEnd } from '@/graph/document'
import { connect } from '@/graph/edits/edges'
import { i18n } from '@/lib/i18n'

/** Connects two ports; says which connection that replaced, with an undo. */
export function connectWithNotice(session: Session, from: End, to: End): void {
  withNotice(session, () => connectPorts(session, from, to))
}

/** The same for an edit that moves the edge `moved`, which is not counted as replaced. */
export function editWithNotice(session: Session, edit: Edit, moved: FlowEdge): void {
  withNotice(session, () => session.edit(edit), moved)
}

function withNotice(session: Session, act: () => void, moved?: FlowEdge): void {
  const before = session.document
  act()
  const after = session.document
  const kept = new Set(after.edges)
  const replaced = before.edges.find((edge) => edge !== moved && !kept.has(edge))
  const added = after.edges.find((edge) => edge.to === replaced?.to && !before.edges.includes(edge))
  if (!replaced || !added) return
  const name = (text: string, side: 'source' | 'target') => nameEnd(after, session.catalog, text, side)
  const to = name(replaced.to, 'target')
  const title = i18n.t('canvas:edgeDrop.replaced', {
    port: to.port,
    node: to.node,
    from: name(added.from, 'source').node,
    before: name(replaced.from, 'source').node,
  })
  toastWithUndo(session, { title, duration: 10_000 }, () =>
    session.edit((document) => restored(document, session, replaced)),
  )
}

function restored(document: Parameters<Edit>[0], { catalog }: Session, edge: FlowEdge) {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  return connect(document, catalog, from, to)
}

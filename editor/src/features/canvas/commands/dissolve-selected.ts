import type { TFunction } from 'i18next'
import { selectedNode } from '@/document/actions'
import type { Session } from '@/document/session'
import { toastWithUndo } from '@/document/undo-toast'
import { titleOf } from '@/graph/connect'
import { parseDocument } from '@/graph/parse'
import { flowQuery } from '@/lib/api/flows'
import { versionQuery } from '@/lib/api/versions'
import { fetchFresh } from '@/lib/query-client'
import { toast, toastError } from '@/lib/toasts'

/** Replaces the selected node by the nodes of the agent that it runs: of its published version, or of its draft. */
export async function dissolveSelected(session: Session, t: TFunction<'canvas'>): Promise<void> {
  const node = selectedNode(session)
  const flowId = node && session.catalog.subflowOf(node)
  if (!node || !flowId) return
  try {
    const flow = await fetchFresh(flowQuery(flowId))
    // The nodes of an agent in private beta would run without an invitation.
    if (flow.beta) {
      toast({ title: t('menu.dissolveBeta') })
      return
    }
    const version = session.catalog.versionOf(node) ?? (flow.permissions.edit ? flow.version : null)
    const document =
      version === null ? flow.flow : (await fetchFresh(versionQuery(flowId, String(version)))).flow
    const title = titleOf(node, session.catalog)
    const { dissolve } = await import('@/document/extraction')
    dissolve(session, node.id, parseDocument(document))
    toastWithUndo(session, { title: t('menu.dissolved', { title }) })
  } catch (error) {
    toastError(t('menu.dissolveFailed'), error)
  }
}

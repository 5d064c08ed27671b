import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { useSession, useView } from '@/document/use-session'
import { findNode } from '@/graph/document'
import { portAt } from '@/graph/ports'
import { ConnectChoices } from './connect-choices'

/** Connecting without a mouse: every port and every new node that would take this one, and why others would not. */
export function ConnectDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'connect')
  const from = useView((view) => view.port)
  const node = from && findNode(session.document, from.end.node)
  const port = from && portAt(node ?? undefined, session.catalog, from.end, from.side)
  if (!from || !port) return null
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'connect' : null)}
      title={t('connect.title', { port: port.title })}
      size="sm"
    >
      <ConnectChoices end={from.end} side={from.side} port={port} close={() => session.view.open(null)} />
    </Dialog>
  )
}

import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { NodeTile } from '@/components/node/node-tile'
import { freePlaceFor, insertBridge } from '@/document/actions'
import { useSession } from '@/document/use-session'
import { findNode } from '@/graph/document'
import type { RejectedCandidate } from './connection-candidates'

type ConnectRejectionProps = { candidate: RejectedCandidate; onBack: () => void; close: () => void }

/** Why two ports do not fit, and the nodes that would make them fit. */
export function ConnectRejection({ candidate: refused, onBack, close }: ConnectRejectionProps) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const { from, to, reason, bridges } = refused
  const between = () => {
    const target = findNode(session.document, to.node)?.position ?? { x: 0, y: 0 }
    return freePlaceFor(session, { x: target.x - 320, y: target.y })
  }
  return (
    <div className="flex flex-col gap-4">
      <div role="alert" className="flex items-start gap-2.5 rounded-m bg-sunken p-3.5">
        <CircleAlert aria-hidden className="mt-0.5 size-4 text-madder" />
        <div>
          <p className="font-semibold">{t('refusal.title')}</p>
          <p className="mt-0.5 text-sm">{reason}</p>
        </div>
      </div>
      <div className="flex flex-col gap-1.5">
        {bridges.map((by, at) => (
          <Button
            key={by.type}
            autoFocus={at === 0}
            className="justify-start"
            onClick={() => {
              close()
              insertBridge(session, from, to, by, between())
            }}
          >
            <NodeTile type={session.catalog.type(by.type)} className="size-5" />
            {words('connect.bridge', { title: by.title })}
          </Button>
        ))}
        <Button variant="ghost" autoFocus={bridges.length === 0} className="self-start" onClick={onBack}>
          {words('connect.back')}
        </Button>
      </div>
    </div>
  )
}

import { CircleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { NodeTile } from '@/components/node/node-tile'
import { insertBridge } from '@/document/actions'
import { useSession, useView } from '@/document/use-session'

const WIDTH = 320

/** Says, where the edge was let go, why it does not fit and what would mend it. */
export function RejectionNotice() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const rejection = useView((view) => view.rejection)
  if (!rejection) return null
  const close = () => session.view.setState({ rejection: null })
  const left = Math.max(12, Math.min(rejection.screen.x + 12, window.innerWidth - WIDTH - 12))
  const top = Math.max(12, Math.min(rejection.screen.y + 12, window.innerHeight - 190))
  return (
    <div
      role="alert"
      style={{ left, top, width: WIDTH }}
      className="fixed z-30 animate-appear rounded-m border border-hairline bg-surface p-3.5 shadow-float"
    >
      <div className="flex items-start gap-2.5">
        <CircleAlert aria-hidden className="mt-0.5 size-4 text-madder" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{t('refusal.title')}</p>
          <p className="mt-0.5 text-muted text-sm">{rejection.reason}</p>
        </div>
        <IconButton size="sm" label={t('refusal.close')} icon={<X />} tooltip={false} onClick={close} />
      </div>
      {rejection.bridges.length > 0 && (
        <div className="mt-3 flex flex-col gap-1.5">
          {rejection.bridges.map((by) => (
            <Button
              key={by.type}
              size="sm"
              className="justify-start"
              onClick={() => {
                close()
                insertBridge(session, rejection.from, rejection.to, by, {
                  x: rejection.at.x - 320,
                  y: rejection.at.y - 40,
                })
              }}
            >
              <NodeTile type={session.catalog.type(by.type)} className="size-5" />
              {t('refusal.insert', { title: by.title })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

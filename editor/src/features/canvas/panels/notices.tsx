import { CircleAlert, ImageUp, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { BookingDialog } from '@/components/launch/booking-dialog'
import { NodeTile } from '@/components/node/node-appearance'
import { PortDot } from '@/components/type-icon'
import { insertBridge } from '@/document/edge-actions'
import { useSession, useView } from '@/document/use-session'
import { findNode } from '@/graph/document'
import { describePort, portAt } from '@/graph/ports'
import { isApiError } from '@/lib/api/error'
import { useFileDrop } from '../interactions/use-file-drop'
import { RejectionText } from './rejection-text'

/** Shown after a connection was started with a tap: explains the next tap, and offers to cancel. */
export function ConnectingNotice() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const connecting = useView((view) => (view.connecting?.byTap ? view.connecting : null))
  if (!connecting) return null
  const { end, side } = connecting
  const port = portAt(findNode(session.document, end.node), session.catalog, end, side)
  if (!port) return null
  return (
    <div
      role="status"
      className="absolute bottom-6 left-1/2 z-20 flex max-w-[calc(100%-32px)] -translate-x-1/2 animate-appear items-center gap-2.5 rounded-pill border border-hairline bg-surface py-1.5 pr-2 pl-4 shadow-float max-lg:bottom-26 max-md:w-max"
    >
      <PortDot type={port.type} list={port.list} />
      <span className="min-w-0 truncate text-sm">{t(`linking.${side}`, { type: describePort(port) })}</span>
      <IconButton
        size="sm"
        tooltip={false}
        label={t('linking.cancel')}
        icon={<X />}
        onClick={() => session.view.setState({ connecting: null })}
      />
    </div>
  )
}

const WIDTH = 320

/** Shows, at the drop point, why the edge does not fit and which node would make it fit. */
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
        <RejectionText reason={rejection.reason} />
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

type WithheldNoticeProps = {
  /** What the admin gave as the reason. */
  reason: string | null
}

/** Explains to the owner that an admin has unpublished the agent, until it is closed. */
export function WithheldNotice({ reason }: WithheldNoticeProps) {
  const { t } = useTranslation('common')
  const [closed, setClosed] = useState(false)
  if (closed) return null
  return (
    <section
      aria-labelledby="withheld-title"
      className="absolute top-[128px] left-1/2 z-20 flex w-[min(480px,calc(100%-24px))] -translate-x-1/2 animate-appear items-start gap-2.5 rounded-m border border-hairline bg-surface p-3.5 shadow-float"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 flex-none text-madder" />
      <div className="min-w-0 flex-1">
        <h2 id="withheld-title" className="font-semibold">
          {t('withheld.title')}
        </h2>
        {reason && (
          <p className="mt-0.5 max-h-[30dvh] overflow-y-auto text-sm [overflow-wrap:anywhere]">
            {t('withheld.reason', { reason })}
          </p>
        )}
        <p className="mt-0.5 text-muted text-sm">{t('withheld.help')}</p>
      </div>
      <IconButton size="sm" label={t('close')} icon={<X />} tooltip={false} onClick={() => setClosed(true)} />
    </section>
  )
}

/** Offers a call when a quota or a private beta prevents a run. */
export function LaunchErrorDialog() {
  const { view } = useSession()
  const error = useView((state) => state.launchError)
  const quota = isApiError(error, 'quota_exceeded')
  const booking = isApiError(error)
    ? {
        reason: quota ? ('quota' as const) : ('beta' as const),
        detail: error.message,
        url: error.bookACallUrl,
      }
    : null
  return <BookingDialog booking={booking} onClose={() => view.setState({ launchError: null })} />
}

/** Overlay while files are dragged over the canvas; the canvas stays visible, since the drop point matters. */
export function FileDrop() {
  const { t } = useTranslation('canvas')
  const { over, uploading } = useFileDrop()
  if (!over && !uploading) return null
  return (
    <>
      {over && (
        <div className="pointer-events-none fixed inset-1.5 z-30 animate-fade rounded-xl border-2 border-cobalt border-dashed" />
      )}
      <div
        role="status"
        className="pointer-events-none fixed bottom-8 left-1/2 z-30 flex -translate-x-1/2 animate-appear items-center gap-2.5 rounded-pill border border-hairline bg-surface px-4 py-2.5 font-[550] text-sm shadow-float"
      >
        <ImageUp aria-hidden className="size-4 text-cobalt" />
        {uploading ? t('files.uploading', { name: uploading }) : t('files.drop')}
      </div>
    </>
  )
}

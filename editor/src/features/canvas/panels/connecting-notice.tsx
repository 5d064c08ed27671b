import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { PortDot } from '@/components/port-dot'
import { useSession, useView } from '@/document/use-session'
import { findNode } from '@/graph/document'
import { describePort, portAt } from '@/graph/ports'

/** A connection was begun with a tap: what the next tap is for, and the way out. */
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

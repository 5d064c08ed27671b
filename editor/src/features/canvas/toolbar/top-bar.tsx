import { Link } from '@tanstack/react-router'
import { History, Redo2, Undo2, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { StatusChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { Logo } from '@/components/logo'
import { useHistory, useLive, useRunner, useSession } from '@/document/use-session'
import { isOver } from '@/lib/run/types'
import { useNarrower, WIDTHS } from '@/lib/use-narrower'
import { formatShortcut as keysOf } from '../commands/shortcut-keys'
import { AgentName } from './agent-name'
import { MoreMenu } from './more-menu'
import { RunButton } from './run-button'
import { SaveState } from './save-state'
import { LaunchButton, VisitorActions } from './visitor-actions'

export const pillLook =
  'flex h-12 items-center rounded-pill border border-hairline bg-surface shadow-card pointer-events-auto'

type TopBarProps = {
  status: 'published' | 'draft' | 'deprecated'
  name: string
  /** Whether the person may change it. */
  own: boolean
  /** At the far right: one's own picture. */
  account: ReactNode
}

/** Where one is, how it is saved, and what can be done with the whole agent. */
export function TopBar({ status, name, own, account }: TopBarProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const narrow = useNarrower(WIDTHS.desk)
  const inHand = useNarrower(WIDTHS.tablet)
  const shown = useRunner(({ run }) => run !== null)
  const over = useLive((live) => isOver(live.status))
  return (
    <header
      data-region="actions"
      className="pointer-events-none absolute inset-x-4 top-3.5 z-20 flex items-center gap-3 max-md:inset-x-3 max-md:gap-2"
    >
      <div className={`${pillLook} min-w-0 gap-1.5 pr-4 pl-3 max-md:pr-3`}>
        <Link to="/" aria-label={t('top.home')} className="flex-none rounded-s">
          <Logo />
        </Link>
        <Link to="/flow" className="ml-2 text-muted hover:text-ink max-lg:hidden">
          {t('top.agents')}
        </Link>
        <span aria-hidden className="text-muted max-lg:hidden">
          /
        </span>
        <AgentName name={name} />
        <span className="mx-1.5 max-md:hidden">
          <StatusChip status={status} />
        </span>
        {!narrow && <SaveState />}
      </div>
      <span className="flex-1" />
      <div className={`${pillLook} gap-1 px-2`} role="toolbar" aria-label={t('top.actions')}>
        {session.canEdit && (inHand ? <MoreMenu /> : <EditActions />)}
        {!own && <VisitorActions brief={inHand} />}
        {own || (shown && !over) ? <RunButton own={own} /> : <LaunchButton />}
      </div>
      <span className="pointer-events-auto max-sm:hidden">{account}</span>
    </header>
  )
}

function EditActions() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  return (
    <>
      <UndoButtons />
      <Button
        data-history
        size="sm"
        variant="ghost"
        onClick={() => session.view.setState({ mode: 'history' })}
      >
        <History />
        {t('top.history')}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => void session.saver.save({ keep: true })}>
        {t('top.save')}
      </Button>
      <Button size="sm" className="h-[34px]" onClick={() => session.view.open('publish')}>
        <Upload />
        {t('top.publish')}
      </Button>
    </>
  )
}

/** One step back, one step forth. */
export function UndoButtons() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { canUndo, canRedo } = useHistory()
  return (
    <>
      <IconButton
        size="sm"
        label={t('top.undo')}
        shortcut={keysOf('mod+z')}
        icon={<Undo2 />}
        disabled={!canUndo}
        onClick={() => session.flow.undo()}
      />
      <IconButton
        size="sm"
        label={t('top.redo')}
        shortcut={keysOf('mod+shift+z')}
        icon={<Redo2 />}
        disabled={!canRedo}
        onClick={() => session.flow.redo()}
      />
    </>
  )
}

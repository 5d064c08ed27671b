import { Link } from '@tanstack/react-router'
import {
  ArrowLeft,
  Braces,
  Command,
  Ellipsis,
  History,
  Network,
  Redo2,
  Save,
  StickyNote,
  Undo2,
  Upload,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { StatusChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { Logo } from '@/components/logo'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { insertNote } from '@/document/actions'
import { arrangeNodes } from '@/document/arrange-actions'
import { useHistory, useIsEmpty, useLive, useRunner, useSaving, useSession } from '@/document/use-session'
import { updateFlow } from '@/lib/api/flows'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { isOver } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { formatShortcut as keysOf } from '../commands/shortcut-keys'
import { RunButton } from './run-button'
import { SaveState } from './save-state'
import { LaunchButton, VisitorActions } from './visitor-actions'

export const pillLook =
  'flex h-12 items-center rounded-pill border border-hairline bg-surface shadow-card pointer-events-auto'

type PublishedState = { version: number; revision: number; isAhead: boolean }

type TopBarProps = {
  status: 'published' | 'draft' | 'deprecated'
  /** Whether an admin has unpublished the agent. */
  withheld: boolean
  name: string
  /** The published version, and the revision and state of the draft when it was read; null if none is published. */
  published: PublishedState | null
  /** Whether the user may edit the agent. */
  own: boolean
  /** The agent from which this one was opened, if it was; its name is undefined until it is known. */
  outer: { name: string | undefined; open(): void } | null
  /** Content at the far right: the account menu. */
  account: ReactNode
}

/** Navigation, save status and commands for the whole agent. */
export function TopBar({ status, withheld, name, published, own, outer, account }: TopBarProps) {
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
        <Link to="/" aria-label={t('toolbar.home')} className="flex-none rounded-s">
          <Logo />
        </Link>
        {outer && (
          <IconButton
            size="sm"
            label={outer.name ? t('toolbar.back', { name: outer.name }) : t('toolbar.backUnnamed')}
            icon={<ArrowLeft />}
            onClick={outer.open}
          />
        )}
        <Link to="/flow" className="ml-2 text-muted hover:text-ink max-lg:hidden">
          {t('toolbar.agents')}
        </Link>
        <span aria-hidden className="text-muted max-lg:hidden">
          /
        </span>
        <AgentName name={name} />
        <span className="mx-1.5 max-md:hidden">
          <StatusChip status={status} withheld={withheld} />
        </span>
        {published && <DraftAhead {...published} />}
        {!narrow && <SaveState />}
      </div>
      <span className="flex-1" />
      <div className={`${pillLook} gap-1 px-2`} role="toolbar" aria-label={t('toolbar.actions')}>
        {session.canEdit && (inHand ? <MoreMenu /> : <EditActions />)}
        {!own && <VisitorActions brief={inHand} />}
        {own || (shown && !over) ? <RunButton own={own} /> : <LaunchButton />}
      </div>
      <span className="pointer-events-auto max-sm:hidden">{account}</span>
    </header>
  )
}

/** Says that the draft has changes that the published version does not have. */
function DraftAhead({ version, revision, isAhead }: PublishedState) {
  const { t } = useTranslation('canvas')
  const { canEdit } = useSession()
  const saved = useSaving((state) => state.saved.revision)
  if (!canEdit || !(isAhead || saved > revision)) return null
  return (
    <span className="mr-1.5 truncate text-ochre-text text-xs max-xl:hidden">
      {t('toolbar.ahead', { version })}
    </span>
  )
}

function EditActions() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const isEmpty = useIsEmpty()
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
        {t('toolbar.history')}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => void session.saver.save({ keep: true })}>
        {t('toolbar.save')}
      </Button>
      <Button size="sm" className="h-[34px]" disabled={isEmpty} onClick={() => session.view.open('publish')}>
        <Upload />
        {t('toolbar.publish')}
      </Button>
    </>
  )
}

/** Undo and redo. */
export function UndoButtons() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { canUndo, canRedo } = useHistory()
  return (
    <>
      <IconButton
        size="sm"
        label={t('toolbar.undo')}
        shortcut={keysOf('mod+z')}
        icon={<Undo2 />}
        disabled={!canUndo}
        onClick={() => session.flow.undo()}
      />
      <IconButton
        size="sm"
        label={t('toolbar.redo')}
        shortcut={keysOf('mod+shift+z')}
        icon={<Redo2 />}
        disabled={!canRedo}
        onClick={() => session.flow.redo()}
      />
    </>
  )
}

/** The name of the agent; click to rename. */
export function AgentName({ name }: { name: string }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [text, setText] = useState(name)
  useEffect(() => setText(name), [name])
  if (!session.canEdit) return <h1 className="min-w-0 truncate pl-1 font-semibold">{name}</h1>
  const commit = () => {
    const next = text.trim()
    if (!next || next === name) return setText(name)
    updateFlow(session.flowId, { name: next }).catch((error: unknown) => {
      setText(name)
      toastError(t('save.error'), error)
    })
  }
  return (
    <h1 className="min-w-0">
      <input
        aria-label={t('toolbar.rename')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setText(name)
        }}
        className="field-sizing-content min-w-6 max-w-72 truncate rounded-s bg-transparent px-1 py-0.5 font-semibold hover:bg-sunken focus-visible:field-focus max-lg:max-w-52 max-md:max-w-full"
      />
    </h1>
  )
}

/** On narrow screens, one menu contains the commands of the bar and the tools. */
export function MoreMenu() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const isEmpty = useIsEmpty()
  return (
    <Menu trigger={<IconButton label={t('toolbar.others')} icon={<Ellipsis />} tooltip={false} />}>
      <MenuItem icon={<Save />} onSelect={() => void session.saver.save({ keep: true })}>
        {t('toolbar.save')}
      </MenuItem>
      <MenuItem icon={<Upload />} disabled={isEmpty} onSelect={() => session.view.open('publish')}>
        {t('toolbar.publish')}
      </MenuItem>
      <MenuItem icon={<History />} onSelect={() => session.view.setState({ mode: 'history' })}>
        {t('toolbar.history')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Network />} onSelect={() => void arrangeNodes(session)}>
        {t('tools.tidy')}
      </MenuItem>
      <MenuItem icon={<StickyNote />} onSelect={() => insertNote(session)}>
        {t('tools.note')}
      </MenuItem>
      <MenuItem icon={<Braces />} onSelect={() => session.view.open('variables')}>
        {t('variables.title')}
      </MenuItem>
      <MenuItem icon={<Command />} onSelect={() => session.view.open('commands')}>
        {t('commands.title')}
      </MenuItem>
    </Menu>
  )
}

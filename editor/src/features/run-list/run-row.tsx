import { AudioLines, Ellipsis, Paperclip } from 'lucide-react'
import { type MouseEvent, memo, type ReactNode, type SyntheticEvent } from 'react'
import { AgentCover } from '@/components/agent/agent-cover'
import { Swatches } from '@/components/brand/swatches'
import { Chip, runTone } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { isLive, type ListedRun } from '@/lib/api/run-list'
import { classes } from '@/lib/classes'
import { ago, clock, dollars, moment } from '@/lib/format'
import { i18n } from '@/lib/i18n'

/** The columns of the list, from 1,024 px; the brand and the time of the launch are left out below. */
export const COLUMNS =
  'grid items-center gap-x-3 grid-cols-[52px_minmax(0,1fr)_36px] sm:grid-cols-[178px_minmax(0,1fr)_112px_64px_56px_36px] lg:grid-cols-[178px_minmax(0,1fr)_164px_96px_112px_64px_56px_36px]'

type RunRowProps = {
  run: ListedRun
  /** The agent's image, if it has one. */
  cover: string | null | undefined
  /** The colors of the run's brand. */
  colors: readonly string[]
  /** Whether the menu of this run is open. */
  hasMenu: boolean
  onOpen: (runId: string) => void
  /** The pointer or the focus is on the link. */
  onNear: (event: SyntheticEvent<HTMLElement>) => void
  onMenu: (run: ListedRun, button: HTMLElement, byKeyboard: boolean) => void
}

/**
 * One run: the row opens it, the menu has the other actions. Scrolling renders many rows within a frame, so a row has no
 * hooks: the list opens runs and has the only menu.
 */
export const RunRow = memo(function RunRow({ run, cover, colors, hasMenu, ...actions }: RunRowProps) {
  const title = run.title || i18n.t('runList:noPrompt')
  const status = i18n.t(`common:run.${run.status}`)
  const comparison = run.comparison ? i18n.t('runList:comparison', { title: run.comparison.title }) : ''
  const chip = (
    <Chip dot tone={runTone[run.status]}>
      {status}
    </Chip>
  )
  const measures = { cost: dollars(run.cost_usd), time: run.seconds === null ? '' : clock(run.seconds) }
  return (
    <div
      className={classes(
        COLUMNS,
        'relative h-full border-hairline border-b hover:bg-surface/70 [&:has(a:focus-visible)]:bg-surface',
      )}
    >
      <Preview run={run} />
      <div className="min-w-0">
        <a
          href={`/run/${run.id}`}
          data-run={run.id}
          onClick={(event) => {
            if (!isPlain(event)) return
            event.preventDefault()
            actions.onOpen(run.id)
          }}
          onPointerEnter={actions.onNear}
          onFocus={actions.onNear}
          aria-label={[title, comparison, run.flow_name, status, measures.cost, measures.time]
            .filter(Boolean)
            .join(', ')}
          className="block truncate rounded-xs font-semibold after:absolute after:inset-0 after:rounded-s"
        >
          {title}
        </a>
        <p className="mt-0.5 flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <AgentCover
            seed={run.flow_id ?? run.flow_name}
            src={cover}
            className="size-4 flex-none rounded-[5px]"
          />
          <span className="truncate">{[comparison, run.flow_name].filter(Boolean).join(' · ')}</span>
        </p>
        <p className="mt-1 flex min-w-0 items-center gap-2 text-muted text-xs sm:hidden">
          {chip}
          <span className="truncate">{[ago(run.created_at), measures.cost].join(' · ')}</span>
        </p>
      </div>
      <p className="hidden min-w-0 items-center gap-2 text-sm lg:flex">
        <Swatches colors={colors} className="h-3.5 w-8" />
        <span className={classes('truncate', !run.brand && 'text-muted')}>
          {run.brand?.name ?? i18n.t('runList:noBrand')}
        </span>
      </p>
      <p className="hidden truncate text-muted text-sm lg:block" title={moment(run.created_at)}>
        {ago(run.created_at)}
      </p>
      <p className="hidden min-w-0 sm:block" title={run.error?.message}>
        {chip}
      </p>
      <p className="hidden text-right font-mono text-xs tabular-nums sm:block">{measures.cost}</p>
      <p className="hidden text-right font-mono text-muted text-xs tabular-nums sm:block">{measures.time}</p>
      <IconButton
        size="sm"
        tooltip={false}
        label={i18n.t('runList:more', { title })}
        icon={<Ellipsis />}
        aria-haspopup="menu"
        aria-expanded={hasMenu}
        onClick={(event) => actions.onMenu(run, event.currentTarget, event.detail === 0)}
        className="relative justify-self-end"
      />
    </div>
  )
})

/** Whether a press opens the link here, and not in another tab. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

const MAX_THUMBNAILS = 4

/** The first files of the run, else the first words of its text. */
function Preview({ run }: { run: ListedRun }) {
  const shown = run.assets.slice(0, run.asset_count > MAX_THUMBNAILS ? 3 : MAX_THUMBNAILS)
  if (shown.length === 0 && run.excerpt) {
    return (
      <p className="line-clamp-2 pr-2 font-serif text-[17px] leading-[1.24] max-sm:line-clamp-3 max-sm:pr-0 max-sm:text-xs">
        {run.excerpt}
      </p>
    )
  }
  const more = run.asset_count - shown.length
  return (
    <span aria-hidden className="flex gap-1 overflow-hidden max-sm:w-12">
      {shown.map(({ id, kind, thumbnail_url }) => (
        <Thumbnail key={id} src={thumbnail_url}>
          {kind === 'audio' ? <AudioLines className="text-viridian" /> : <Paperclip />}
        </Thumbnail>
      ))}
      {shown.length === 0 && (
        <span className={classes('size-12 rounded-[9px] bg-sunken', isLive(run) && 'animate-breathe')} />
      )}
      {more > 0 && (
        <span className="grid h-12 w-7.5 flex-none place-items-center rounded-[9px] bg-sunken font-mono text-[11px] text-muted max-sm:hidden">
          +{more}
        </span>
      )}
    </span>
  )
}

function Thumbnail({ src, children }: { src: string | null; children: ReactNode }) {
  return (
    <span className="grid size-12 flex-none place-items-center overflow-hidden rounded-[9px] bg-sunken text-muted [&_svg]:size-5">
      {src ? <img src={src} alt="" decoding="async" className="size-full object-cover" /> : children}
    </span>
  )
}

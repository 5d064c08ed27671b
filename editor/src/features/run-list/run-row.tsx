import { Link, useNavigate } from '@tanstack/react-router'
import { AudioLines, Ellipsis, ExternalLink, Paperclip, RotateCcw, Square, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AgentCover } from '@/components/agent/agent-cover'
import { Swatches } from '@/components/brand/swatches'
import { RunChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { isLive, type ListedRun } from '@/lib/api/run-list'
import { classes } from '@/lib/classes'
import { ago, clock, dollars, moment } from '@/lib/format'

/** The columns of the list, from 1,024 px; the brand and the time of the launch are left out below. */
export const COLUMNS =
  'grid items-center gap-x-3 grid-cols-[52px_minmax(0,1fr)_36px] sm:grid-cols-[178px_minmax(0,1fr)_112px_64px_56px_36px] lg:grid-cols-[178px_minmax(0,1fr)_164px_96px_112px_64px_56px_36px]'

type RunRowProps = {
  run: ListedRun
  /** The agent's image, if it has one. */
  cover: string | null | undefined
  /** The colors of the run's brand. */
  colors: readonly string[]
  onStop: () => void
  onDelete: () => void
}

/** One run: the row opens it, the menu has the other actions. */
export function RunRow({ run, cover, colors, onStop, onDelete }: RunRowProps) {
  const { t } = useTranslation(['runList', 'common'])
  const title = run.title || t('noPrompt')
  const status = t(`common:run.${run.status}`)
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
        <Link
          to="/run/$runId"
          params={{ runId: run.id }}
          data-run={run.id}
          aria-label={[title, run.flow_name, status, measures.cost, measures.time].filter(Boolean).join(', ')}
          className="block truncate rounded-xs font-semibold after:absolute after:inset-0 after:rounded-s"
        >
          {title}
        </Link>
        <p className="mt-0.5 flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <AgentCover
            seed={run.flow_id ?? run.flow_name}
            src={cover}
            className="size-4 flex-none rounded-[5px]"
          />
          <span className="truncate">{run.flow_name}</span>
        </p>
        <p className="mt-1 flex min-w-0 items-center gap-2 text-muted text-xs sm:hidden">
          <RunChip status={run.status} />
          <span className="truncate">{[ago(run.created_at), measures.cost].join(' · ')}</span>
        </p>
      </div>
      <p className="hidden min-w-0 items-center gap-2 text-sm lg:flex">
        <Swatches colors={colors} className="h-3.5 w-8" />
        <span className={classes('truncate', !run.brand && 'text-muted')}>
          {run.brand?.name ?? t('noBrand')}
        </span>
      </p>
      <p className="hidden truncate text-muted text-sm lg:block" title={moment(run.created_at)}>
        {ago(run.created_at)}
      </p>
      <p className="hidden min-w-0 sm:block" title={run.error?.message}>
        <RunChip status={run.status} />
      </p>
      <p className="hidden text-right font-mono text-xs tabular-nums sm:block">{measures.cost}</p>
      <p className="hidden text-right font-mono text-muted text-xs tabular-nums sm:block">{measures.time}</p>
      <RunMenu run={run} title={title} onStop={onStop} onDelete={onDelete} />
    </div>
  )
}

const MAX_THUMBNAILS = 4

/** The first files of the run, else the first words of its text. */
function Preview({ run }: { run: ListedRun }) {
  const shown = run.assets.slice(0, run.asset_count > MAX_THUMBNAILS ? 3 : MAX_THUMBNAILS)
  if (shown.length === 0 && run.excerpt) {
    return (
      <p className="line-clamp-2 pr-2 font-serif text-[17px] leading-[1.24] max-sm:line-clamp-3 max-sm:pr-0 max-sm:text-micro">
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

type RunMenuProps = Pick<RunRowProps, 'run' | 'onStop' | 'onDelete'> & { title: string }

function RunMenu({ run, title, onStop, onDelete }: RunMenuProps) {
  const { t } = useTranslation('runList')
  const navigate = useNavigate()
  const params = { runId: run.id }
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          tooltip={false}
          label={t('more', { title })}
          icon={<Ellipsis />}
          className="relative justify-self-end"
        />
      }
    >
      <MenuItem icon={<ExternalLink />} onSelect={() => void navigate({ to: '/run/$runId', params })}>
        {t('open')}
      </MenuItem>
      {run.flow_id && (
        <MenuItem
          icon={<RotateCcw />}
          onSelect={() => void navigate({ to: '/run/$runId', params, search: { relaunch: true } })}
        >
          {t('relaunch')}
        </MenuItem>
      )}
      <MenuSeparator />
      {isLive(run) ? (
        <MenuItem icon={<Square />} onSelect={onStop}>
          {t('stop')}
        </MenuItem>
      ) : (
        <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
          {t('delete')}
        </MenuItem>
      )}
    </Menu>
  )
}

import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { focusWhenRendered, useListBox } from '@/components/virtual-list'
import { brandsQuery } from '@/lib/api/brands'
import { type FlowSummary, flowsByIdQuery, MAX_FLOW_IDS } from '@/lib/api/flows'
import { isLive, type ListedRun } from '@/lib/api/run-list'
import { longDay } from '@/lib/format'
import { swatchesOf } from '@/lib/launch/brands'
import { dayOf, type Line, linesOf } from './days'
import { RunMenu } from './run-menu'
import { COLUMNS, RunRow } from './run-row'

type RunListProps = {
  runs: readonly ListedRun[]
  more: boolean
  onMore: () => void
  onStop: (run: ListedRun) => void
  onDelete: (run: ListedRun) => void
}

const ROW_HEIGHT = 73
const NARROW_ROW_HEIGHT = 96
const NARROW_WIDTH = 590
const DAY_HEIGHT = 58
const OVERSCAN_LINES = 20

/** Virtualized: only visible lines are rendered. Up and Down move between runs, Delete deletes one. */
export function RunList({ runs, more, onMore, onStop, onDelete }: RunListProps) {
  const { t } = useTranslation('runList')
  const { place, width, top } = useListBox()
  const lines = useMemo(() => linesOf(runs), [runs])
  const rowHeight = width < NARROW_WIDTH ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (isDay(lines[index]) ? DAY_HEIGHT : rowHeight),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 6,
    scrollMargin: top,
    // Rows that come into view are rendered between frames, not within the scroll event.
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height must be measured again.
  useEffect(() => virtual.measure(), [virtual, rowHeight, lines])
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= lines.length - OVERSCAN_LINES) onMore()
  }, [more, last, lines.length, onMore])
  const { data: brands } = useQuery(brandsQuery)
  const covers = useCovers(runs)
  const colors = useMemo(() => new Map(brands?.map(({ id, content }) => [id, swatchesOf(content)])), [brands])

  const { open, preload } = useOpening()
  const [menu, setMenu] = useState<{ run: ListedRun; button: HTMLElement; byKeyboard: boolean } | null>(null)
  const openMenu = useCallback(
    (run: ListedRun, button: HTMLElement, byKeyboard: boolean) => setMenu({ run, button, byKeyboard }),
    [],
  )
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const id = (event.target as HTMLElement).dataset.run
    const at = runs.findIndex((run) => run.id === id)
    const run = runs[at]
    if (!run) return
    if (event.key === 'Delete' && !isLive(run)) {
      moveTo(runs[at + 1] ?? runs[at - 1], event.currentTarget)
      onDelete(run)
      return
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: runs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    moveTo(runs[to], event.currentTarget)
  }
  function moveTo(run: ListedRun | undefined, list: HTMLElement) {
    if (!run) return
    virtual.scrollToIndex(lines.findIndex(({ key }) => key === run.id))
    focusWhenRendered(list, `[data-run="${CSS.escape(run.id)}"]`)
  }
  return (
    <>
      <Columns />
      <ul
        ref={place}
        aria-label={t('list')}
        onKeyDown={onKeyDown}
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, key, start, size }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0 [contain:layout_style]"
              style={{ height: size, transform: `translateY(${start - top}px)` }}
            >
              {isDay(line) ? (
                <DayHeading day={line.day} />
              ) : (
                <RunRow
                  run={line.run}
                  cover={covers.get(line.run.flow_id ?? '')}
                  colors={colors.get(line.run.brand?.brand_id ?? '') ?? NO_COLORS}
                  hasMenu={menu?.run.id === line.run.id}
                  onOpen={open}
                  onNear={preload}
                  onMenu={openMenu}
                />
              )}
            </li>
          )
        })}
      </ul>
      {menu && (
        <RunMenu
          {...menu}
          onClose={() => setMenu(null)}
          onStop={() => onStop(menu.run)}
          onDelete={() => onDelete(menu.run)}
        />
      )}
    </>
  )
}

const NO_COLORS: readonly string[] = []

/** Opens the run of a link, and loads what its page needs once the pointer is near. */
function useOpening() {
  const navigate = useNavigate()
  const router = useRouter()
  const open = useCallback(
    (runId: string) => void navigate({ to: '/run/$runId', params: { runId } }),
    [navigate],
  )
  const preload = useCallback(
    (event: SyntheticEvent<HTMLElement>) => {
      const runId = event.currentTarget.dataset.run
      if (runId) void router.preloadRoute({ to: '/run/$runId', params: { runId } })
    },
    [router],
  )
  return { open, preload }
}

function isDay(line: Line | undefined): line is Extract<Line, { day: string }> {
  return line !== undefined && 'day' in line
}

const DAY_MS = 86_400_000

const DayHeading = memo(function DayHeading({ day }: { day: string }) {
  const { t } = useTranslation('runList')
  const now = new Date()
  const date = new Date(`${day}T12:00:00`)
  const words = longDay(date, date.getFullYear() !== now.getFullYear())
  const isYesterday = day === dayOf(new Date(now.getTime() - DAY_MS))
  return (
    <h2 className="flex h-full items-end border-hairline border-b pb-2.5 font-serif text-[21px] leading-none">
      {day === dayOf(now) ? t('today') : isYesterday ? t('yesterday', { day: words }) : words}
    </h2>
  )
})

/** The titles of the columns. Each row says its values in its name. */
function Columns() {
  const { t } = useTranslation('runList')
  return (
    <div
      aria-hidden
      className={`${COLUMNS} mt-5 border-hairline border-b pb-2 text-muted text-xs max-sm:hidden`}
    >
      <span>{t('columns.result')}</span>
      <span>{t('columns.prompt')}</span>
      <span className="max-lg:hidden">{t('columns.brand')}</span>
      <span className="max-lg:hidden">{t('columns.launched')}</span>
      <span>{t('columns.status')}</span>
      <span className="text-right">{t('columns.cost')}</span>
      <span className="text-right">{t('columns.time')}</span>
      <span />
    </div>
  )
}

/** The cover images of the agents of these runs, by id. */
function useCovers(runs: readonly ListedRun[]): Map<string, string | null> {
  const queries = useMemo(() => {
    const ids = [...new Set(runs.flatMap(({ flow_id }) => flow_id ?? []))]
    const parts = Array.from({ length: Math.ceil(ids.length / MAX_FLOW_IDS) }, (_, index) =>
      ids.slice(index * MAX_FLOW_IDS, (index + 1) * MAX_FLOW_IDS),
    )
    return parts.map(flowsByIdQuery)
  }, [runs])
  return useQueries({ queries, combine: coversOf })
}

function coversOf(
  found: readonly { data?: readonly Pick<FlowSummary, 'id' | 'avatar_url'>[] | undefined }[],
) {
  return new Map(
    found.flatMap(({ data = [] }) => data.map(({ id, avatar_url }) => [id, avatar_url] as const)),
  )
}

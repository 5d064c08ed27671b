import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useDeferredValue, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { focusWhenRendered, useListBox } from '@/components/virtual-list'
import type { Asset } from '@/lib/api/assets'
import { AssetCell } from './asset-cell'
import type { Selection } from './selection'

type AssetGridProps = {
  assets: readonly Asset[]
  selection: Selection
  more: boolean
  onMore: () => void
  onChoose: (asset: Asset, range: boolean) => void
  onOpen: (asset: Asset) => void
  onChooseAll: () => void
  onClear: () => void
}

const GAP = 12
const MIN_CELL_WIDTH = 168
/** Rows above and below the window that are rendered before they are scrolled to. */
const ROWS_AROUND = 3
const OVERSCAN_ROWS = 4

/** Virtualized: only visible rows are rendered. */
export function AssetGrid({
  assets,
  selection,
  more,
  onMore,
  onChoose,
  onOpen,
  onChooseAll,
  onClear,
}: AssetGridProps) {
  const { t } = useTranslation('assets')
  const { place, width, top } = useListBox()
  const columns = Math.max(2, Math.floor((width + GAP) / (MIN_CELL_WIDTH + GAP)))
  const side = Math.max(80, (width - GAP * (columns - 1)) / columns)
  const rows = Math.ceil(assets.length / columns)
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => side + GAP,
    // The rows below the window come in a render of their own, after those in it.
    overscan: useDeferredValue(ROWS_AROUND, 0),
    scrollMargin: top,
    // Rows that come into view are rendered between frames, not within the scroll event.
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height must be measured again.
  useEffect(() => virtual.measure(), [virtual, side])
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= rows - OVERSCAN_ROWS) onMore()
  }, [more, last, rows, onMore])

  const choosing = selection.ids.size > 0
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onChooseAll()
      return
    }
    if (event.key === 'Escape' && choosing) {
      onClear()
      return
    }
    const { from, to } = moveFocus(event, assets, columns, virtual.scrollToIndex)
    if (!event.shiftKey || !from || !to) return
    if (!choosing) onChoose(from, false)
    onChoose(to, true)
  }

  return (
    <ul
      ref={place}
      aria-label={t('grid')}
      onKeyDown={onKeyDown}
      className="relative mt-5"
      style={{ height: virtual.getTotalSize() }}
    >
      {shown.flatMap((row) =>
        assets.slice(row.index * columns, (row.index + 1) * columns).map((asset, column) => (
          <li
            key={asset.id}
            className="absolute top-0 left-0 [contain:layout_style]"
            style={{
              width: side,
              height: side,
              transform: `translate(${column * (side + GAP)}px, ${row.start - top}px)`,
            }}
          >
            <AssetCell
              asset={asset}
              chosen={selection.ids.has(asset.id)}
              choosing={choosing}
              onChoose={onChoose}
              onOpen={onOpen}
            />
          </li>
        )),
      )}
    </ul>
  )
}

/** Arrow keys move across the whole library, including rows that are not rendered. Returns the ends of the move. */
function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  assets: readonly Asset[],
  columns: number,
  reveal: (row: number) => void,
): { from?: Asset; to?: Asset } {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
  const focused = (event.target as HTMLElement).dataset.asset
  if (by === undefined || focused === undefined) return {}
  const index = assets.findIndex(({ id }) => id === focused)
  const next = assets[index + by]
  const from = assets[index]
  if (!next || !from) return {}
  event.preventDefault()
  reveal(Math.floor(assets.indexOf(next) / columns))
  focusWhenRendered(event.currentTarget, `[data-asset="${CSS.escape(next.id)}"]`)
  return { from, to: next }
}

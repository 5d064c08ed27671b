import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { AudioTile, ContentTile, FileTile, TextTile } from './card-tiles'
import { DataTile } from './data-tile'
import type { FindAsset } from './downloads'
import { ImageTile, VideoTile } from './media-tiles'
import { type Box, GAP, layOutImages } from './model/image-layout'
import { isVisual, type Tile } from './model/tiles'
import { PendingTile } from './pending-tile'
import type { TileActionHandlers } from './tile-actions'

type GalleryProps = {
  tiles: readonly Tile[]
  find: FindAsset
  actions: TileActionHandlers
  elapsed: number
  /** The keys of the tiles selected for comparison. */
  picked: readonly string[]
}

/** All results, with their final positions from the start. Arrow keys move between tiles. */
export function Gallery({ tiles, ...shared }: GalleryProps) {
  const { t } = useTranslation('runs')
  const { place, width } = useWidth()
  const images = tiles.filter(isVisual)
  const cards = tiles.filter((tile) => !isVisual(tile))
  // A single image shares the row with audio and text.
  const beside = images.length === 1 && cards.length > 0 && width >= MIN_SIDE_BY_SIDE_WIDTH
  const room = beside ? Math.max(width * 0.5, width - GAP - MAX_CARD_WIDTH) : width
  const { boxes, height } = layOutImages(
    images.map((tile) => tile.ratio ?? 1),
    room,
  )
  return (
    <section
      ref={place}
      aria-label={t('results')}
      onKeyDown={(event) => {
        if (event.key === 'Enter') openCard(event, tiles, shared.actions)
        else moveFocus(event, place.current)
      }}
      className={classes('mt-4.5 flex gap-3.5', beside ? 'items-start' : 'flex-col')}
    >
      {images.length > 0 && (
        <ul
          aria-label={t('visuals')}
          className="relative flex-none"
          style={{ height, width: beside ? boxes[0]?.width : undefined }}
        >
          {boxes.length > 0 &&
            images.map((tile, index) => (
              <AnyTile key={tile.key} tile={tile} box={boxes[index] ?? null} place={index} {...shared} />
            ))}
        </ul>
      )}
      {cards.length > 0 && (
        <ul
          aria-label={t('textAndAudio')}
          className={classes(
            'grid min-w-0 flex-1 gap-3.5',
            !beside && cards.length > 1 && 'md:grid-cols-2 md:[&>li:last-child:nth-child(odd)]:col-span-2',
          )}
        >
          {cards.map((tile, index) => (
            <AnyTile key={tile.key} tile={tile} box={null} place={images.length + index} {...shared} />
          ))}
        </ul>
      )}
    </section>
  )
}

const MIN_SIDE_BY_SIDE_WIDTH = 860
const MAX_CARD_WIDTH = 520

/** The width of the gallery, measured before the first paint. */
function useWidth() {
  const place = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    setWidth(element.clientWidth)
    const watching = new ResizeObserver(() => setWidth(element.clientWidth))
    watching.observe(element)
    return () => watching.disconnect()
  }, [])
  return { place, width }
}

type AnyTileProps = Omit<GalleryProps, 'tiles'> & {
  tile: Tile
  box: Box | null
  place: number
}

function AnyTile({ tile, box, place, find, actions, elapsed, picked: chosen }: AnyTileProps) {
  const asset = tile.media ? find(tile.media.asset_id) : undefined
  const picked = chosen.includes(tile.key)
  if (tile.state !== 'ready' && !(tile.kind === 'text' && tile.text)) {
    const preview = tile.preview ? find(tile.preview.asset_id) : undefined
    return <PendingTile {...{ tile, box, elapsed, place, preview, title: actions.titleOf(tile) }} />
  }
  if (tile.content) return <ContentTile {...{ tile, actions }} />
  switch (tile.kind) {
    case 'image':
    case 'mask':
      return <ImageTile {...{ tile, box, asset, actions, picked }} />
    case 'video':
      return <VideoTile {...{ tile, box, asset, actions, picked }} />
    case 'audio':
      return <AudioTile {...{ tile, asset, actions }} />
    case 'file':
      return <FileTile {...{ tile, asset, actions }} />
    case 'data':
      return <DataTile {...{ tile, actions }} />
    default:
      return <TextTile {...{ tile, actions }} />
  }
}

const DIRECTIONS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Arrow keys focus the title of a text tile; Enter opens it in the viewer, as for an image. */
function openCard(event: KeyboardEvent, tiles: readonly Tile[], actions: TileActionHandlers): void {
  const { dataset, tagName } = event.target as HTMLElement
  const tile = tagName === 'H2' && tiles.find(({ key, state }) => key === dataset.tile && state === 'ready')
  if (tile) actions.view(tile)
}

/** Moves the focus to the nearest tile in that direction. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const way = DIRECTIONS[event.key]
  const from = event.target as HTMLElement
  if (!way || !list || !from.matches('[data-tile]')) return
  const tiles = [...list.querySelectorAll<HTMLElement>('[data-tile]')]
  const next = nearest(from, tiles, way)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function nearest(
  from: HTMLElement,
  tiles: readonly HTMLElement[],
  [x, y]: [number, number],
): HTMLElement | null {
  const here = middle(from)
  let best: HTMLElement | null = null
  let least = Number.POSITIVE_INFINITY
  for (const tile of tiles) {
    const there = middle(tile)
    const along = (there.x - here.x) * x + (there.y - here.y) * y
    const aside = Math.abs((there.x - here.x) * y) + Math.abs((there.y - here.y) * x)
    if (along > 8 && along + aside * 2 < least) [best, least] = [tile, along + aside * 2]
  }
  return best
}

function middle(tile: HTMLElement): { x: number; y: number } {
  const box = (tile.closest('li') ?? tile).getBoundingClientRect()
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

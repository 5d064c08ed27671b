import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { assetsWithVersionsQuery, newestOf } from '@/lib/api/asset-versions'
import type { Asset } from '@/lib/api/assets'
import type { Run } from '@/lib/api/runs'
import { assetIdsIn } from '@/lib/launch/inputs'
import type { RunState } from '@/lib/run/types'
import { ratioName } from './model/expected-results'
import { shownTiles, type Tile } from './model/tiles'
import { tilesOfRun, useKeptTiles } from './use-kept-tiles'

/** The tiles of a live run, with their assets. */
export function useTiles(run: Run, state: RunState) {
  const { t } = useTranslation('runs')
  const own = useMemo(() => tilesOfRun(run, state), [run, state])
  const every = useKeptTiles(run, own)
  const found = useMemo(() => shownTiles(every), [every])
  const shown = found.flatMap((tile) => [tile.media, tile.preview].flatMap((media) => media?.asset_id ?? []))
  const ids = [...shown, ...assetIdsIn(run.inputs)]
  const { data } = useQuery({ ...assetsWithVersionsQuery(ids), enabled: ids.length > 0 })
  const known = useMemo(() => new Map(data?.map((asset) => [asset.id, asset])), [data])
  const tiles = useMemo(() => found.map((tile) => inNewestVersion(tile, known)), [found, known])
  const find = useCallback((id: string): Asset | undefined => known.get(id), [known])
  const titleOf = useCallback(
    (tile: Tile) =>
      tile.of > 1 ? t('of', { title: tile.title, number: tile.number, of: tile.of }) : tile.title,
    [t],
  )
  return {
    tiles,
    ready: tiles.filter((tile) => tile.state === 'ready'),
    find,
    titleOf,
    assetOf: (tile: Tile) => (tile.media ? known.get(tile.media.asset_id) : undefined),
  }
}

/** A tile with the newest version of its file: it may have been cropped, or composed for another format. */
function inNewestVersion(tile: Tile, known: ReadonlyMap<string, Asset>): Tile {
  const newest = tile.media && newestOf(known, tile.media.asset_id)
  if (!tile.media || tile.kind === 'mask' || !newest || newest.id === tile.media.asset_id) return tile
  const { id, width, height, media_type } = newest
  const media = { ...tile.media, asset_id: id, width, height, media_type }
  const ratio = width && height ? width / height : tile.ratio
  return { ...tile, media, value: media, ratio, ratioName: ratioName(ratio) }
}

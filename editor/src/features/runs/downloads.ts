import { exportAsset } from '@/lib/api/asset-files'
import type { Asset } from '@/lib/api/assets'
import { saveBlob } from '@/lib/files/download'
import { extensionOf, fileStem } from '@/lib/files/file-names'
import { type ZipEntry, zip } from '@/lib/files/zip'
import { textFile, tileText } from './model/tile-file'
import type { Tile } from './model/tiles'

/** The asset of a tile, from those that the page has loaded. */
export type FindAsset = (assetId: string) => Asset | undefined

function stemOf(tile: Tile): string {
  return fileStem(tile.of > 1 ? `${tile.title} ${tile.number}` : tile.title)
}

async function entryOf(tile: Tile, find: FindAsset): Promise<ZipEntry> {
  if (tile.media) {
    const asset = find(tile.media.asset_id)
    if (!asset) throw new Error('The asset is gone.')
    return { name: `${stemOf(tile)}.${extensionOf(asset.media_type)}`, ...(await exportAsset(asset)) }
  }
  const { text, extension } = textFile(tile)
  return { name: `${stemOf(tile)}.${extension}`, data: new TextEncoder().encode(text) }
}

export async function downloadTile(tile: Tile, find: FindAsset): Promise<void> {
  const { name, data } = await entryOf(tile, find)
  saveBlob(new Blob([data]), name)
}

type AllOptions = { name: string; find: FindAsset; onProgress: (done: number) => void }

/** Downloads all finished files as one zip. */
export async function downloadAll(
  tiles: readonly Tile[],
  { name, find, onProgress }: AllOptions,
): Promise<void> {
  const entries: ZipEntry[] = []
  for (const tile of tiles) {
    entries.push(await entryOf(tile, find))
    onProgress(entries.length)
  }
  saveBlob(await zip(entries), `${fileStem(name)}.zip`)
}

/** Copies a tile: text as text, images as PNG, the format that most programs accept. */
export async function copyTile(tile: Tile, find: FindAsset): Promise<void> {
  const asset = tile.media ? find(tile.media.asset_id) : undefined
  if (asset) {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(asset) })])
    return
  }
  await navigator.clipboard.writeText(tileText(tile))
}

async function pngOf(asset: Asset): Promise<Blob> {
  const blob = new Blob([(await exportAsset(asset)).data], { type: asset.media_type })
  if (asset.media_type === 'image/png') return blob
  const image = await createImageBitmap(blob)
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}

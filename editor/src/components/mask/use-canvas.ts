import { useQuery } from '@tanstack/react-query'
import { type Asset, assetsQuery, imageUrl } from '@/lib/api/assets'
import type { Canvas } from './painter'
import type { Size } from './raster'
import { greyRows } from './render-mask'
import { workingSize } from './view'

/** What is painted on: `gone` if the image no longer exists. `start` is the mask to start from, at its own size. */
export type CanvasState =
  | { readonly status: 'loading' }
  | { readonly status: 'gone' }
  | { readonly status: 'failed'; readonly retry: () => void }
  | { readonly status: 'ready'; readonly canvas: Canvas; readonly start: ImageBitmap | null }

/** Loads an image to paint on, and the mask that the painting starts from. */
export function useCanvas(imageId: string, maskId: string | null): CanvasState {
  const ids = maskId ? [imageId, maskId] : [imageId]
  // What is cached may have been deleted since.
  const assets = useQuery({ ...assetsQuery(ids), refetchOnMount: 'always' })
  const known = assets.isFetchedAfterMount && !assets.isPlaceholderData ? assets.data : undefined
  const image = known?.find(({ id }) => id === imageId)
  const mask = known?.find(({ id }) => id === maskId)
  const loaded = useQuery({
    queryKey: ['mask-canvas', imageId, maskId],
    queryFn: () => loadCanvas(image as Asset, mask),
    enabled: image !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Bitmaps are large: they go with the dialog.
    gcTime: 0,
    retry: false,
  })
  if (loaded.data) return { status: 'ready', ...loaded.data }
  if (known && !image) return { status: 'gone' }
  if (assets.error || loaded.error) {
    const retry = () => void (assets.error ? assets.refetch() : loaded.refetch())
    return { status: 'failed', retry }
  }
  return { status: 'loading' }
}

async function loadCanvas(image: Asset, mask: Asset | undefined) {
  const blob = await download(image)
  const size = image.width && image.height ? { width: image.width, height: image.height } : await sizeOf(blob)
  const working = workingSize(size)
  const bitmap = await createImageBitmap(blob, {
    resizeWidth: working.width,
    resizeHeight: working.height,
    resizeQuality: 'high',
  })
  const start = mask ? await createImageBitmap(await download(mask)) : null
  const base = start && greyRows(start, working, 0, working.height)
  return { canvas: { bitmap, size, working, base }, start }
}

async function download(asset: Asset): Promise<Blob> {
  const response = await fetch(imageUrl(asset))
  if (!response.ok) throw new Error(`The asset answered ${response.status}.`)
  return response.blob()
}

async function sizeOf(blob: Blob): Promise<Size> {
  const bitmap = await createImageBitmap(blob)
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

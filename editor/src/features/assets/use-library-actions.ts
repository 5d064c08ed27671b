import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportAsset } from '@/lib/api/asset-files'
import { setFavourite } from '@/lib/api/asset-labels'
import { type Asset, deleteAssets, refreshLibrary } from '@/lib/api/assets'
import { addToCollection, removeFromCollection } from '@/lib/api/collections'
import { uploadAsset } from '@/lib/api/uploads'
import { titleOf } from '@/lib/asset-title'
import { saveBlob } from '@/lib/files/download'
import { extensionOf, fileStem } from '@/lib/files/file-names'
import { type ZipEntry, zip, zipBatches } from '@/lib/files/zip'
import { mapWithConcurrency } from '@/lib/map-with-concurrency'
import { toast, toastError, toastSuccess } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'

export type Sending = { name: string; progress: number }

/** The actions of the library: download, upload, delete with undo. */
export function useLibraryActions() {
  const { t } = useTranslation(['assets', 'common'])
  const [packing, setPacking] = useState(false)
  const [sending, setSending] = useState<Sending | null>(null)

  async function download(assets: readonly Asset[]) {
    setPacking(true)
    try {
      const [only] = assets
      if (assets.length === 1 && only) await saveOne(only)
      else await saveBatches(zipBatches(assets))
    } catch (error) {
      toastError(t('downloadFailed'), error)
    } finally {
      setPacking(false)
    }
  }

  function remove(assets: readonly Asset[]) {
    withUndo({
      ids: assets.map(({ id }) => id),
      title: t('deleted', { count: assets.length }),
      failed: t('deleteFailed'),
      commit: (leaving) =>
        deleteAssets(
          assets.map(({ id }) => id),
          leaving,
        ),
    })
  }

  /** Marks all as favourites; if all of them are, none. */
  function star(assets: readonly Asset[]) {
    const favourite = !assets.every((asset) => asset.favourite)
    setFavourite(assets, favourite).catch((error: unknown) => toastError(t('labelsFailed'), error))
  }

  async function uncollect(collectionId: string, assetIds: readonly string[]) {
    const failed = (error: unknown) => toastError(t('labelsFailed'), error)
    const undo = {
      label: t('common:undo'),
      onPress: () => void addToCollection(collectionId, assetIds).catch(failed),
    }
    try {
      await removeFromCollection(collectionId, assetIds)
      toast({ title: t('removed', { count: assetIds.length }), action: undo })
    } catch (error) {
      failed(error)
    }
  }

  async function upload(files: readonly File[]) {
    for (const file of files) {
      try {
        setSending({ name: file.name, progress: 0 })
        await uploadAsset(file, { onProgress: (progress) => setSending({ name: file.name, progress }) })
        toastSuccess(t('uploaded', { name: file.name }))
      } catch (error) {
        toastError(t('uploadFailed', { name: file.name }), error)
      }
    }
    setSending(null)
    await refreshLibrary()
  }

  return { download, remove, upload, star, uncollect, packing, sending }
}

async function saveOne(asset: Asset): Promise<void> {
  const { name, data } = await entryOf(asset)
  saveBlob(new Blob([data]), name)
}

async function saveBatches(batches: Asset[][]): Promise<void> {
  for (const [index, batch] of batches.entries()) {
    const name = batches.length === 1 ? 'assets.zip' : `assets-${index + 1}.zip`
    saveBlob(await zip(await mapWithConcurrency(batch, entryOf)), name)
  }
}

async function entryOf(asset: Asset): Promise<ZipEntry> {
  const stem = fileStem(asset.number ? titleOf(asset) : titleOf(asset).replace(/\.[^.]+$/, ''))
  return { name: `${stem}.${extensionOf(asset.media_type)}`, ...(await exportAsset(asset)) }
}

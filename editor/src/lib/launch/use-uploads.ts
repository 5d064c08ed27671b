import { useCallback, useEffect, useRef, useState } from 'react'
import { isApiError, messageOf } from '../api/error'
import { uploadAsset } from '../api/uploads'
import { randomId } from '../ids'

export type Upload = {
  key: string
  name: string
  /** The preview of the image, until the library has it. */
  preview: string | null
  assetId: string | null
  /** 0 to 1 during the upload. */
  progress: number
  error: string | null
  /** The server has refused the file, so a retry is useless. */
  isUnusable: boolean
}

export type Uploads = {
  items: Upload[]
  /** The asset ids of the finished uploads, in order. */
  assetIds: string[]
  busy: boolean
  add: (files: readonly File[]) => void
  /** Adds images of the library to the row, without an upload. */
  adopt: (assetIds: readonly string[]) => void
  remove: (key: string) => void
  retry: (key: string) => void
}

type Sending = { file: File; stop: AbortController }

const UNUSABLE_STATUSES = new Set([413, 415, 422])

const uploadFromLibrary = (assetId: string): Upload => ({
  key: assetId,
  name: '',
  preview: null,
  assetId,
  progress: 1,
  error: null,
  isUnusable: false,
})

/** A row of files being uploaded to the library, with progress, cancel and retry. */
export function useUploads(start: readonly string[] = []): Uploads {
  const [items, setItems] = useState<Upload[]>(() => start.map(uploadFromLibrary))
  const sending = useRef(new Map<string, Sending>())

  const change = useCallback((key: string, part: Partial<Upload>) => {
    setItems((known) => known.map((item) => (item.key === key ? { ...item, ...part } : item)))
  }, [])

  const send = useCallback(
    (key: string, file: File) => {
      const stop = new AbortController()
      sending.current.set(key, { file, stop })
      return uploadAsset(file, {
        signal: stop.signal,
        onProgress: (progress) => change(key, { progress }),
      }).then(
        (asset) => change(key, { assetId: asset.id, progress: 1 }),
        (error) =>
          stop.signal.aborted ||
          change(key, {
            error: messageOf(error),
            isUnusable: isApiError(error) && UNUSABLE_STATUSES.has(error.status),
          }),
      )
    },
    [change],
  )

  const add = useCallback(
    (files: readonly File[]) => {
      const made = files.map((file) => ({ key: randomId(), file }))
      setItems((known) => [...known, ...made.map(({ key, file }) => started(key, file))])
      for (const { key, file } of made) void send(key, file)
    },
    [send],
  )

  const remove = useCallback((key: string) => {
    sending.current.get(key)?.stop.abort()
    sending.current.delete(key)
    setItems((known) => known.filter((item) => item.key !== key))
  }, [])

  const retry = useCallback(
    (key: string) => {
      const file = sending.current.get(key)?.file
      if (!file) return
      change(key, { error: null, isUnusable: false, progress: 0 })
      void send(key, file)
    },
    [change, send],
  )

  const adopt = useCallback((assetIds: readonly string[]) => {
    setItems((known) => [
      ...known,
      ...assetIds.filter((id) => !known.some((item) => item.assetId === id)).map(uploadFromLibrary),
    ])
  }, [])

  useReleasedPreviews(items)
  useEffect(() => {
    const flights = sending.current
    return () => {
      for (const { stop } of flights.values()) stop.abort()
      flights.clear()
    }
  }, [])

  return {
    items,
    assetIds: items.flatMap((item) => item.assetId ?? []),
    busy: items.some((item) => item.assetId === null && item.error === null),
    add,
    adopt,
    remove,
    retry,
  }
}

function started(key: string, file: File): Upload {
  const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
  return { key, name: file.name, preview, assetId: null, progress: 0, error: null, isUnusable: false }
}

/** Revokes preview URLs that are no longer shown. */
function useReleasedPreviews(items: readonly Upload[]): void {
  const held = useRef(new Set<string>())
  useEffect(() => {
    const shown = new Set(items.flatMap((item) => item.preview ?? []))
    for (const url of held.current) if (!shown.has(url)) URL.revokeObjectURL(url)
    held.current = shown
  }, [items])
}

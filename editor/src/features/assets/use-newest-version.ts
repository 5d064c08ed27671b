import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { versionsQuery } from '@/lib/api/asset-versions'
import { type Asset, assetQuery } from '@/lib/api/assets'

/**
 * An asset as it is now, and of an image the newest version, as versions are made and undone. They are looked up by
 * the oldest version, since undo deletes the newest.
 */
export function useNewestVersion(listed: Asset | null): Asset | null {
  const [root, setRoot] = useState<{ listed: string; oldest: string } | null>(null)
  const id = (root && root.listed === listed?.id ? root.oldest : listed?.id) ?? ''
  const { data, isPlaceholderData } = useQuery({
    ...versionsQuery(id),
    enabled: listed?.kind === 'image',
  })
  const versions = isPlaceholderData ? [] : (data?.items ?? [])
  const [oldest] = versions
  if (listed && oldest && oldest.id !== id) setRoot({ listed: listed.id, oldest: oldest.id })
  const newest = versions.at(-1) ?? listed
  const { data: current } = useQuery({ ...assetQuery(newest?.id ?? ''), enabled: newest !== null })
  // The list may be older than the signed URLs in it are valid.
  return newest && current?.id === newest.id ? current : newest
}

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BrandContent,
  type BrandDetail,
  brandQuery,
  refreshBrands,
  saveBrandDraft,
} from '@/lib/api/brand-edits'
import { isApiError, messageOf } from '@/lib/api/error'
import { toast } from '@/lib/toasts'
import { useUnsavedWork } from '@/lib/unsaved-work'

const SAVE_AFTER_MS = 700

export type Saving = 'saved' | 'saving' | 'failed'

export type BrandEditor = {
  content: BrandContent
  change: (part: Partial<BrandContent>) => void
  saving: Saving
  /** Why the draft could not be saved. */
  problem: string | null
  /** Saves now; returns false if that failed. */
  flush: () => Promise<boolean>
}

/** The draft of a brand: edited in place and saved while typing. */
export function useBrandEditor(brand: BrandDetail): BrandEditor {
  const { t } = useTranslation('brands')
  const client = useQueryClient()
  const [content, setContent] = useState(brand.content)
  const [saving, setSaving] = useState<Saving>('saved')
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(brand.content)
  const savedContent = useRef(brand.content)
  const revision = useRef(brand.revision)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const inFlight = useRef<Promise<boolean> | null>(null)
  const id = brand.id
  useUnsavedWork(saving !== 'saved')

  // A restored or discarded draft arrives with a newer revision.
  useEffect(() => {
    if (brand.revision <= revision.current || latest.current !== savedContent.current) return
    revision.current = brand.revision
    latest.current = brand.content
    savedContent.current = brand.content
    setContent(brand.content)
  }, [brand])

  const save = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    while (inFlight.current) await inFlight.current
    if (latest.current === savedContent.current) return true
    const sent = latest.current
    setSaving('saving')
    const sending = saveBrandDraft(id, sent, revision.current).then(
      async (saved) => {
        revision.current = saved.revision
        savedContent.current = sent
        client.setQueryData(
          brandQuery(id).queryKey,
          (known) =>
            known && {
              ...known,
              revision: saved.revision,
              draft_changes: saved.changes,
              changes: saved.changes.length,
              updated_at: saved.saved_at,
              content: sent,
            },
        )
        setProblem(null)
        if (latest.current === sent) setSaving('saved')
        return true
      },
      async (error: unknown) => {
        setSaving('failed')
        setProblem(messageOf(error))
        if (isApiError(error, 'stale_revision')) {
          const fresh = await client.fetchQuery({ ...brandQuery(id), staleTime: 0 })
          revision.current = fresh.revision
          latest.current = fresh.content
          savedContent.current = fresh.content
          setContent(fresh.content)
          setSaving('saved')
          setProblem(null)
          toast({ title: t('stale'), tone: 'error' })
        }
        return false
      },
    )
    inFlight.current = sending.finally(() => {
      inFlight.current = null
    })
    const ok = await sending
    return ok && latest.current !== sent ? save() : ok
  }, [client, id, t])

  // Leaving the page saves at once.
  useEffect(
    () => () => {
      void save().then((ok) => {
        if (ok) void refreshBrands()
      })
    },
    [save],
  )

  function change(part: Partial<BrandContent>) {
    latest.current = { ...latest.current, ...part }
    setContent(latest.current)
    setSaving('saving')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
  }

  return { content, change, saving, problem, flush: save }
}

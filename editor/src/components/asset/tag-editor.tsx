import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Input } from '@/components/input'
import { addTag, removeTag, tagsQuery } from '@/lib/api/asset-labels'
import type { Asset } from '@/lib/api/assets'
import { useExclusive } from '@/lib/attempt'
import { classes } from '@/lib/classes'
import { toastError } from '@/lib/toasts'

type TagEditorProps = { assets: readonly Asset[]; className?: string }

const MAX_CHARS = 40

/** The tags of one or several assets: each can be removed from all, and a new one added to all. */
export function TagEditor({ assets, className }: TagEditorProps) {
  const { t } = useTranslation('assets')
  const suggestions = useId()
  const [text, setText] = useState('')
  const { data: known = [] } = useQuery(tagsQuery)
  const change = useExclusive(async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      toastError(t('labelsFailed'), error)
    }
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const name = text.trim()
    if (!name) return
    void change(async () => {
      await addTag(assets, name)
      setText((typed) => (typed === text ? '' : typed))
    })
  }
  return (
    <div className={classes('flex flex-wrap items-center gap-1.5', className)}>
      <ul aria-label={t('tags')} className="contents">
        {sharesOf(assets).map(({ name, count }) => (
          <li
            key={name}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-pill bg-sunken pr-0.5 pl-2.5 text-sm"
          >
            <span className="min-w-0 truncate">{name}</span>
            {count < assets.length && (
              <span className="text-muted text-xs">{t('tagShare', { some: count, all: assets.length })}</span>
            )}
            <button
              type="button"
              aria-label={t('removeTag', { tag: name })}
              onClick={() => void change(() => removeTag(assets, name))}
              className="grid size-6 flex-none place-items-center rounded-pill text-muted hover:text-ink"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="flex items-center gap-1.5">
        <Input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={MAX_CHARS}
          list={suggestions}
          aria-label={t('addTag')}
          placeholder={t('addTag')}
          className="h-7 w-32 text-sm"
        />
        <datalist id={suggestions}>
          {known.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {text.trim() && (
          <Button size="sm" type="submit">
            {t('addTag')}
          </Button>
        )}
      </form>
    </div>
  )
}

/** Each tag of the assets, and how many of them have it; spellings that differ in case are one tag. */
export function sharesOf(assets: readonly Asset[]): { name: string; count: number }[] {
  const shares = new Map<string, { name: string; count: number }>()
  for (const name of assets.flatMap(({ tags = [] }) => tags)) {
    const key = name.normalize('NFKC').toLowerCase()
    const share = shares.get(key)
    if (share) share.count += 1
    else shares.set(key, { name, count: 1 })
  }
  return [...shares.values()]
}

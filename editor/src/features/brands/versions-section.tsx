import { useQuery } from '@tanstack/react-query'
import { Columns2, Ellipsis, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem } from '@/components/menu'
import { Skeleton } from '@/components/surfaces'
import {
  type BrandChange,
  type BrandDetail,
  brandDiffQuery,
  brandVersionsQuery,
  restoreBrandVersion,
} from '@/lib/api/brand-edits'
import { messageOf } from '@/lib/api/error'
import { useExclusive } from '@/lib/attempt'
import { ago } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'
import { Dot } from './brand-status'
import { Section } from './section'

type VersionsSectionProps = { brand: BrandDetail; flush: () => Promise<boolean> }

/** The draft and the published versions, each with what it changed. */
export function VersionsSection({ brand, flush }: VersionsSectionProps) {
  const { t } = useTranslation('brands')
  const { data, error, isPending } = useQuery(brandVersionsQuery(brand.id))
  const [compared, setCompared] = useState<number | null>(null)
  const [first] = brand.draft_changes
  const restore = useExclusive(async (number: number) => {
    try {
      await flush()
      await restoreBrandVersion(brand.id, number)
      toastSuccess(t('versions.restored', { number }))
    } catch (failure) {
      toastError(t('failed'), failure)
    }
  })
  return (
    <Section title={t('versions.title')}>
      <ol className="divide-y divide-hairline text-sm">
        {!brand.example && (
          <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 pb-2.5">
            <Dot tone="bg-ochre">{t('versions.draft')}</Dot>
            <span className="text-muted">{t('versions.now')}</span>
            <span className="col-span-2 pl-3.75 text-muted">
              {brand.version === null
                ? t('versions.none')
                : first
                  ? first.sentence
                  : t('versions.same', { number: brand.version })}
            </span>
          </li>
        )}
        {isPending && <Skeleton className="my-2.5 h-10" />}
        {error && <li className="py-2.5 text-muted">{messageOf(error)}</li>}
        {data?.items.map(({ number, note, summary, created_at }) => (
          <li key={number} className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 py-2.5">
            <Dot tone={number === brand.version ? 'bg-viridian' : 'bg-hairline-strong'}>
              {t('versions.number', { number })}
            </Dot>
            <time dateTime={created_at} className="text-muted">
              {ago(created_at)}
            </time>
            {!brand.example && (
              <Menu
                trigger={
                  <IconButton
                    size="sm"
                    tooltip={false}
                    label={t('versions.menuOf', { number })}
                    icon={<Ellipsis />}
                    className="text-muted"
                  />
                }
              >
                <MenuItem icon={<Columns2 />} onSelect={() => void flush().then(() => setCompared(number))}>
                  {t('versions.compare')}
                </MenuItem>
                <MenuItem icon={<Undo2 />} onSelect={() => void restore(number)}>
                  {t('versions.restore')}
                </MenuItem>
              </Menu>
            )}
            <span className="col-span-3 break-words pl-3.75 text-muted">
              {note ? `“${note}”` : summary || t('versions.first')}
            </span>
          </li>
        ))}
      </ol>
      {compared !== null && (
        <CompareDialog id={brand.id} number={compared} onClose={() => setCompared(null)} />
      )}
    </Section>
  )
}

function CompareDialog({ id, number, onClose }: { id: string; number: number; onClose: () => void }) {
  const { t } = useTranslation('brands')
  const { data, error } = useQuery({ ...brandDiffQuery(id, String(number), 'draft'), staleTime: 0 })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('versions.compareTitle', { number })}>
      {error && <p className="text-muted">{messageOf(error)}</p>}
      {!data && !error && <Skeleton className="h-24" />}
      {data && <Changes changes={data.changes} />}
    </Dialog>
  )
}

/** Differences as sentences, colors with their swatches. */
export function Changes({ changes }: { changes: readonly BrandChange[] }) {
  const { t } = useTranslation('brands')
  if (changes.length === 0) return <p className="text-muted">{t('versions.noDifference')}</p>
  return (
    <ul className="grid gap-2">
      {changes.map(({ field, sentence, before, after }) => (
        <li key={field + sentence} className="flex items-start gap-2.5">
          <Sample colors={[before, after]} />
          <span dir="auto" className="min-w-0 break-words">
            {sentence}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Sample({ colors }: { colors: readonly unknown[] }) {
  const shown = colors.filter(
    (color) => typeof color === 'string' && /^#[0-9a-f]{6}$/.test(color),
  ) as string[]
  if (shown.length === 0) return null
  return (
    <span aria-hidden className="mt-0.75 flex flex-none overflow-hidden rounded-xs border border-ink/15">
      {shown.map((color) => (
        <i key={color} className="size-4" style={{ background: color }} />
      ))}
    </span>
  )
}

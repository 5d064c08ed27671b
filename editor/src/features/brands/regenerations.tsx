import { Check, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card } from '@/components/surfaces'
import { cancelRegeneration, decide, type Regeneration } from '@/lib/api/impact'
import { titleOf } from '@/lib/asset-title'
import { toastError } from '@/lib/toasts'
import { AssetPreview } from './asset-preview'
import { Section } from './section'

type RegenerationsProps = {
  brandId: string
  items: Regeneration[]
  isLoading: boolean
  /** Missing where all are shown. */
  onMore: (() => void) | undefined
}

/** Assets that were made again: before, after, and which of them stays. */
export function Regenerations({ brandId, items, isLoading, onMore }: RegenerationsProps) {
  const { t } = useTranslation('brands')
  const running = items.filter(({ state }) => state === 'running').length
  const ready = items.filter(({ state }) => state === 'ready').map(({ id }) => id)
  async function set(ids: string[], state: 'replaced' | 'kept' | 'ready') {
    try {
      await decide(brandId, ids, state)
    } catch (error) {
      toastError(t('failed'), error)
    }
  }
  async function cancel() {
    try {
      await cancelRegeneration(brandId)
    } catch (error) {
      toastError(t('failed'), error)
    }
  }
  return (
    <Section title={t('impact.madeAgain')} className="mt-5">
      {(ready.length > 1 || running > 0) && (
        <div className="mb-3.5 flex flex-wrap gap-2">
          {ready.length > 1 && (
            <>
              <Button size="sm" onClick={() => void set(ready, 'replaced')}>
                {t('impact.replaceAll', { count: ready.length })}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => void set(ready, 'kept')}>
                {t('impact.keepAll')}
              </Button>
            </>
          )}
          {running > 0 && (
            <Button size="sm" variant="ghost" onClick={() => void cancel()}>
              {t('impact.cancel')}
            </Button>
          )}
        </div>
      )}
      <ul className="grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {items.map((item) => (
          <Card asChild key={item.id}>
            <li className="min-w-0 p-2">
              <div className="grid grid-cols-2 gap-1 text-muted text-xs">
                <span className="px-1">{t('impact.before')}</span>
                <span className="px-1">{t('impact.after')}</span>
                <AssetPreview asset={item.before} className="rounded-l-m" />
                <AssetPreview asset={item.after} className="rounded-r-m" />
              </div>
              <p dir="auto" className="truncate px-1 pt-2.5 text-sm">
                {titleOf(item.before)}
              </p>
              <div className="flex flex-wrap items-center gap-2 px-1 pt-2 pb-1">
                <Actions item={item} onDecide={(state) => void set([item.id], state)} />
              </div>
            </li>
          </Card>
        ))}
      </ul>
      {onMore && (
        <Button size="sm" className="mt-3.5" busy={isLoading} onClick={onMore}>
          {t('impact.showMore')}
        </Button>
      )}
    </Section>
  )
}

type ActionsProps = { item: Regeneration; onDecide: (state: 'replaced' | 'kept' | 'ready') => void }

function Actions({ item: { state, before }, onDecide }: ActionsProps) {
  const { t } = useTranslation('brands')
  const named = (action: string) => `${action}: ${titleOf(before)}`
  if (state === 'ready') {
    return (
      <>
        <Button size="sm" aria-label={named(t('impact.replace'))} onClick={() => onDecide('replaced')}>
          {t('impact.replace')}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label={named(t('impact.keep'))}
          onClick={() => onDecide('kept')}
        >
          {t('impact.keep')}
        </Button>
      </>
    )
  }
  return (
    <>
      <span role="status" className="flex min-h-7 flex-1 items-center gap-1.5 text-sm">
        {(state === 'replaced' || state === 'kept') && <Check aria-hidden className="size-4 text-viridian" />}
        {t(`impact.state.${state}`)}
      </span>
      {(state === 'replaced' || state === 'kept') && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={named(t('impact.undo'))}
          onClick={() => onDecide('ready')}
        >
          <Undo2 aria-hidden />
          {t('impact.undo')}
        </Button>
      )}
    </>
  )
}

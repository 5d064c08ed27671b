import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { lazyPart } from '@/components/lazy-part'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { createBrand } from '@/lib/api/brand-edits'
import { brandsQuery } from '@/lib/api/brands'
import { messageOf } from '@/lib/api/error'
import { currentUserQuery } from '@/lib/api/users'
import { useAttempt } from '@/lib/attempt'
import { useTitle } from '@/lib/browser-hooks'
import { usePendingDeletions } from '@/lib/with-undo'
import { BrandCard } from './brand-card'
import { type ImportSource, ImportSources } from './import-sources'
import { NewBrandDialog } from './new-brand-dialog'
import { useBrandActions } from './use-brand-actions'

const ImportDialog = lazyPart(() => import('./import-dialog').then((file) => file.default))

type BrandsPageProps = {
  /** Whether the form of a new brand is open: it is stored in the address, so that it can be linked. */
  creating: boolean
  onCreating: (creating: boolean) => void
  /** What a brand is being imported from, stored in the address too. */
  importing: ImportSource | null
  onImporting: (source: ImportSource | null) => void
}

/** All brands of the user, and the example. */
export function BrandsPage({ creating, onCreating, importing, onImporting }: BrandsPageProps) {
  const { t } = useTranslation(['brands', 'common'])
  useTitle(t('brands:title'))
  const { data, error, isPending, refetch } = useQuery(brandsQuery)
  const { data: user } = useQuery(currentUserQuery)
  const navigate = useNavigate()
  const attempt = useAttempt()
  const going = usePendingDeletions()
  const actions = useBrandActions()
  const brands = (data ?? []).filter(({ id }) => !going.has(id))
  const hasOwn = brands.some(({ example }) => !example)
  const create = (
    <Button variant="primary" onClick={() => onCreating(true)}>
      <Plus aria-hidden />
      {t('brands:new')}
    </Button>
  )
  return (
    <div className="mx-auto max-w-280 px-4 pt-6 pb-20 sm:px-6 sm:pt-8.5 xl:px-0">
      <div className="flex flex-wrap items-center gap-2.5">
        <h1 className="flex-1 font-serif text-heading">{t('brands:title')}</h1>
        {(isPending || hasOwn) && create}
      </div>
      <p className="mt-1.5 text-muted">{t('brands:subtitle')}</p>
      {isPending && (
        <div aria-busy className="mt-6.5 grid gap-5 md:grid-cols-2">
          <Skeleton className="h-87 rounded-l" />
          <Skeleton className="h-87 rounded-l" />
        </div>
      )}
      {error && !data && (
        <EmptyState
          className="mt-6.5"
          title={messageOf(error)}
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:retry')}
            </Button>
          }
        />
      )}
      {data && !hasOwn && (
        <EmptyState className="mt-6.5" title={t('brands:none')} action={create}>
          {t('brands:noneHelp')}
        </EmptyState>
      )}
      {data && (
        <ul className="mt-6.5 grid gap-5 md:grid-cols-2">
          {brands.map((brand) => (
            <BrandCard key={brand.id} brand={brand} actions={actions} />
          ))}
          <li className="min-w-0">
            <ImportSources onChoose={onImporting} />
          </li>
        </ul>
      )}
      {importing && (
        <ImportDialog
          key={importing}
          source={importing}
          brand={{ name: user?.info?.company ?? '' }}
          isNew
          onApprove={async (content) => {
            const { id } = await createBrand(content, attempt.keyOf(content))
            attempt.done()
            await navigate({ to: '/brands/$brandId', params: { brandId: id } })
          }}
          onClose={() => onImporting(null)}
        />
      )}
      {creating && <NewBrandDialog onClose={() => onCreating(false)} />}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/surfaces'

/** Shown while the code or the data of a page loads. */
export function PagePlaceholder() {
  const { t } = useTranslation('common')
  return (
    <div aria-busy className="mx-auto w-full max-w-228 px-4 pt-6 sm:pt-9">
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <Skeleton className="h-10 w-56" />
      <div className="mt-5.5 grid gap-4.5 md:grid-cols-[300px_minmax(0,1fr)]">
        <Skeleton className="h-72 rounded-l" />
        <Skeleton className="h-72 rounded-l" />
      </div>
    </div>
  )
}

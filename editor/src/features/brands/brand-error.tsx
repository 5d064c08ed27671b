import { useTranslation } from 'react-i18next'
import { PageError } from '@/components/page-error'

/** Shown on the pages of a brand that does not exist or could not be loaded. */
export function BrandError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('brands')
  const missing = {
    title: t('missing'),
    help: t('missingHelp'),
    to: '/brands',
    link: t('missingLink'),
  } as const
  return <PageError className="mt-5" error={error} missing={missing} onRetry={onRetry} />
}

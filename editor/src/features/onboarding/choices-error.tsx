import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import '@/lib/i18n/onboarding'

/** Shown in place of choices that could not be loaded. */
export function ChoicesError({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation(['onboarding', 'common'])
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 sm:col-span-2">
      <p className="text-madder-text text-sm">{t('onboarding:company.loadFailed')}</p>
      <Button size="sm" onClick={onRetry}>
        {t('common:retry')}
      </Button>
    </div>
  )
}

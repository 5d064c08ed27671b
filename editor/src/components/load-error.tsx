import { useTranslation } from 'react-i18next'
import { Button } from './button'

/** Says within a card that its content could not be loaded, and loads it again. */
export function LoadError({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation('common')
  return (
    <p className="text-muted">
      {text}{' '}
      <Button size="sm" onClick={onRetry}>
        {t('retry')}
      </Button>
    </p>
  )
}

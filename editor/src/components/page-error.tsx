import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError, messageOf } from '@/lib/api/error'
import { Button } from './button'
import { EmptyState } from './surfaces'

type PageErrorProps = {
  error: Error
  /** What a page says of a thing that does not exist, with the way to the others of its kind. */
  missing: { title: string; help: string; to: '/runs' | '/brands'; link: string }
  onRetry: () => void
  className?: string
}

/** Shown instead of the thing that a page is about: it does not exist, or could not be loaded. */
export function PageError({ error, missing, onRetry, className }: PageErrorProps) {
  const { t } = useTranslation('common')
  if (!(error instanceof ApiError && error.status === 404)) {
    const again = (
      <Button size="sm" onClick={onRetry}>
        {t('retry')}
      </Button>
    )
    return <EmptyState isPage className={className} title={messageOf(error)} action={again} />
  }
  const others = (
    <Button size="sm" asChild>
      <Link to={missing.to}>{missing.link}</Link>
    </Button>
  )
  return (
    <EmptyState isPage className={className} title={missing.title} action={others}>
      {missing.help}
    </EmptyState>
  )
}

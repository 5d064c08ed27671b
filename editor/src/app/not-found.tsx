import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useTitle } from '@/lib/use-title'
import { MessagePage } from './message-page'

export function NotFound() {
  const { t } = useTranslation('errors')
  useTitle(t('notFound'))
  return (
    <MessagePage title={t('notFound')} help={t('notFoundHelp')}>
      <Button variant="primary" asChild>
        <Link to="/">{t('goHome')}</Link>
      </Button>
    </MessagePage>
  )
}

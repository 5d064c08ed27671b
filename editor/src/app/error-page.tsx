import { Button } from '@/components/button'
import { i18n } from '@/lib/i18n'
import { MessagePage } from './message-page'

/** Shown where a page broke. It leans on nothing that may itself be broken. */
export function ErrorPage() {
  return (
    <MessagePage title={i18n.t('errors:fallback')} help={i18n.t('errors:fallbackHelp')}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        {i18n.t('common:reload')}
      </Button>
    </MessagePage>
  )
}

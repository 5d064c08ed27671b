import '@/lib/i18n/signed-in'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFocusRestore } from '../use-focus-restore'
import { TopNav } from './top-nav'

/** Every page of the signed-in but the editor. */
export function SignedInLayout() {
  const { t } = useTranslation('common')
  useFocusRestore()
  return (
    <>
      <a
        href="#content"
        className="sr-only z-70 rounded-pill bg-ink px-4 py-2 text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('nav.skip')}
      </a>
      <TopNav />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

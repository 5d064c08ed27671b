import '@/lib/i18n/signed-in'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '@/components/logo'
import { useContinuedRequests } from '@/lib/api/use-continued-requests'
import { clearHomeDraft } from '@/lib/launch/saved-launch'
import { useContinuedLaunch } from '@/lib/launch/use-continued-launch'
import { InsideMain, NotFound } from '../error-pages'
import { SlicedOutlet } from '../sliced-outlet'
import { useFocusRestore } from '../use-focus-restore'
import { AccountMenu } from './account-menu'
import { QuotaChip } from './quota-chip'

/** Layout of every page that requires sign-in, except the editor. */
export function SignedInLayout({ children = <SlicedOutlet /> }: { children?: ReactNode }) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  useContinuedLaunch((run) => {
    if (window.location.pathname === '/') clearHomeDraft()
    void navigate({ to: '/run/$runId', params: { runId: run.id } })
  })
  useContinuedRequests()
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
        <InsideMain value>{children}</InsideMain>
      </main>
    </>
  )
}

/** The page of an unknown address, with the navigation. */
export function SignedInNotFound() {
  return (
    <SignedInLayout>
      <NotFound />
    </SignedInLayout>
  )
}

const tab =
  'rounded-pill px-3 py-[7px] font-[550] text-muted transition-colors hover:text-ink data-[status=active]:bg-sunken data-[status=active]:text-ink'

export function TopNav() {
  const { t } = useTranslation('common')
  return (
    <header className="relative z-10 flex min-h-14 flex-wrap items-center gap-x-1.5 px-4 max-sm:gap-y-1.5 max-sm:py-2 sm:px-5">
      <Link
        to="/"
        className="mr-1.5 flex items-center gap-[9px] rounded-s font-serif text-[23px] leading-none tracking-[-0.01em] sm:mr-4.5"
      >
        <Logo />
        <span className="max-sm:sr-only">{t('product')}</span>
      </Link>
      <nav
        aria-label={t('nav.label')}
        className="flex flex-1 gap-1.5 max-sm:order-last max-sm:w-full max-sm:flex-none max-sm:justify-between max-sm:gap-0"
      >
        <Link to="/" activeOptions={{ exact: true }} className={tab}>
          {t('nav.home')}
        </Link>
        <Link to="/flow" className={tab}>
          {t('nav.agents')}
        </Link>
        <Link to="/runs" className={tab}>
          {t('nav.runs')}
        </Link>
        <Link to="/library" className={tab}>
          {t('nav.library')}
        </Link>
        <Link to="/brands" className={tab}>
          {t('nav.brands')}
        </Link>
      </nav>
      <span className="flex-1 sm:hidden" />
      <QuotaChip />
      <AccountMenu />
    </header>
  )
}

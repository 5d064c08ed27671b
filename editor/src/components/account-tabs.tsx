import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

const look =
  '-mb-px border-transparent border-b-2 px-0.5 pb-2.5 font-[550] text-muted transition-colors hover:text-ink data-[status=active]:border-ink data-[status=active]:text-ink'

/** The sections of the account, each a page. */
export function AccountTabs() {
  const { t } = useTranslation('account')
  return (
    <nav aria-label={t('sections')} className="mt-4 flex gap-6 border-hairline border-b">
      <Link to="/account" activeOptions={{ exact: true }} className={look}>
        {t('profileTab')}
      </Link>
      <Link to="/account/connections" className={look}>
        {t('connectionsTab')}
      </Link>
    </nav>
  )
}

import { Link, Navigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTitle } from '@/lib/browser-hooks'
import { AgentsSection } from './agents-section'
import { AuditSection } from './audit-section'
import { InvitationsSection } from './invitations-section'
import { PeopleSection } from './people-section'
import { RunsSection } from './runs-section'
import { UsageSection } from './usage-section'

const SECTIONS = {
  people: PeopleSection,
  invitations: InvitationsSection,
  agents: AgentsSection,
  runs: RunsSection,
  usage: UsageSection,
  audit: AuditSection,
} as const
type Section = keyof typeof SECTIONS
const names = Object.keys(SECTIONS) as Section[]

const tab =
  'whitespace-nowrap rounded-pill px-3 py-[7px] font-[550] text-muted transition-colors hover:text-ink data-[status=active]:bg-sunken data-[status=active]:text-ink'

/** The pages for admins. Their route shows others that they do not exist. */
export function AdminPage() {
  const { t } = useTranslation('admin')
  const { section } = useParams({ from: '/signed-in/admin/$section' })
  const name = names.find((one) => one === section)
  useTitle(t('title'))
  if (!name) return <Navigate to="/admin/$section" params={{ section: 'people' }} replace />
  const Shown = SECTIONS[name]
  return (
    <div className="mx-auto w-full max-w-270 px-4 pt-6 pb-16 sm:pt-9">
      <h1 className="font-serif text-heading">{t('title')}</h1>
      <nav
        aria-label={t('sections')}
        className="-mx-1 mt-4 flex gap-1 overflow-x-auto p-1 [scrollbar-width:none]"
      >
        {names.map((one) => (
          <Link key={one} to="/admin/$section" params={{ section: one }} className={tab}>
            {t(one)}
          </Link>
        ))}
      </nav>
      <div className="mt-5 flex flex-col gap-4">
        <h2 className="font-serif text-title">{t(name)}</h2>
        <Shown />
      </div>
    </div>
  )
}

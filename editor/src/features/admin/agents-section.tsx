import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Dialog } from '@/components/dialog'
import { type AdminAgent, adminAgentsQuery, republish, setFeatured, unpublish } from '@/lib/api/admin'
import { toastError } from '@/lib/toasts'
import { FilterRow, SearchFilter, StatusFilter, statusOf, useFilters } from './filters'
import { Pages } from './list'
import { ReasonForm } from './reason-form'

const STATUSES = ['published', 'featured', 'withheld', 'deprecated'] as const

export function AgentsSection() {
  const { t } = useTranslation('admin')
  const { filters } = useFilters()
  const [moved, setMoved] = useState<AdminAgent>()
  const query = useInfiniteQuery(adminAgentsQuery(filters.q ?? '', statusOf(filters, STATUSES)))
  return (
    <>
      <FilterRow>
        <SearchFilter label={t('search.agents')} />
        <StatusFilter
          label={t('status')}
          any={t('anyStatus')}
          statuses={STATUSES}
          labelOf={(status) => t(`agent.${status}`)}
        />
      </FilterRow>
      <Pages
        query={query}
        label={t('agents')}
        empty={t('agent.none')}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), cell: ({ name }) => <span className="font-semibold">{name}</span> },
          {
            title: t('owner'),
            cell: ({ owner }) => (owner ? (owner.username ?? t('deletedUser')) : t('builtIn')),
          },
          { title: t('status'), cell: (agent) => <Status agent={agent} /> },
          {
            title: t('actions'),
            end: true,
            cell: (agent) => <Actions agent={agent} onMove={() => setMoved(agent)} />,
          },
        ]}
      />
      {moved && <MoveDialog agent={moved} onClose={() => setMoved(undefined)} />}
    </>
  )
}

function Status({ agent }: { agent: AdminAgent }) {
  const { t } = useTranslation('admin')
  if (agent.withheld_at) return <Chip tone="madder">{t('agent.withheld')}</Chip>
  return (
    <span className="flex gap-1.5">
      <Chip dot tone={agent.status === 'published' ? 'viridian' : 'faint'}>
        {t(agent.status === 'published' ? 'agent.published' : 'agent.deprecated')}
      </Chip>
      {agent.featured_at && <Chip tone="cobalt">{t('agent.featured')}</Chip>}
    </span>
  )
}

function Actions({ agent, onMove }: { agent: AdminAgent; onMove: () => void }) {
  const { t } = useTranslation('admin')
  const withheld = agent.withheld_at !== null
  const featured = agent.featured_at !== null
  const named = (action: string) => `${action}: ${agent.name}`
  const feature = t(featured ? 'agent.unfeature' : 'agent.feature')
  const move = t(withheld ? 'agent.republish' : 'agent.unpublish')
  return (
    <span className="inline-flex gap-1.5">
      <Button size="sm" variant="ghost" asChild>
        <Link
          to="/admin/$section"
          params={{ section: 'runs' }}
          search={{ flow_id: agent.id }}
          aria-label={t('agent.runsOf', { name: agent.name })}
        >
          {t('runs')}
        </Link>
      </Button>
      {!withheld && agent.status === 'published' && (
        <Button
          size="sm"
          aria-label={named(feature)}
          onClick={() =>
            void setFeatured(agent.id, !featured).catch((error: unknown) => toastError(feature, error))
          }
        >
          {feature}
        </Button>
      )}
      <Button size="sm" aria-label={named(move)} onClick={onMove}>
        {move}
      </Button>
    </span>
  )
}

function MoveDialog({
  agent: { id, name, withheld_at },
  onClose,
}: {
  agent: AdminAgent
  onClose: () => void
}) {
  const { t } = useTranslation('admin')
  const withheld = withheld_at !== null
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t(withheld ? 'agent.republishTitle' : 'agent.unpublishTitle', { name })}
    >
      <ReasonForm
        danger={!withheld}
        help={t(withheld ? 'agent.republishHelp' : 'agent.unpublishHelp')}
        action={t(withheld ? 'agent.republish' : 'agent.unpublish')}
        onSubmit={(reason) => (withheld ? republish : unpublish)(id, reason).then(onClose)}
      />
    </Dialog>
  )
}

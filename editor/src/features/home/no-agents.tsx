import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { EmptyState } from '@/components/surfaces'
import type { AgentTab } from '@/lib/agents/categories'
import { ownFlowsQuery } from '@/lib/api/flows'

type NoAgentsProps = { tab: AgentTab; searching: boolean; onCreate: () => void; onClear: () => void }

/** Says why no agent is listed, and what to do. */
export function NoAgents({ tab, searching, onCreate, onClear }: NoAgentsProps) {
  const { t } = useTranslation(['agents', 'home'])
  if (searching) {
    return (
      <EmptyState
        title={t('agents:empty.found')}
        action={
          <Button size="sm" onClick={onClear}>
            {t('agents:empty.clear')}
          </Button>
        }
      />
    )
  }
  if (tab === 'product') return <EmptyState title={t('agents:empty.public')} />
  return <NoOwnAgents onCreate={onCreate} />
}

/** Agents that are not published are not on Home: says so, instead of that there are none. */
function NoOwnAgents({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation(['agents', 'home'])
  const { data } = useQuery(ownFlowsQuery)
  const count = data?.length ?? 0
  if (count > 0) {
    return (
      <EmptyState
        title={t('agents:empty.unpublished', { count })}
        action={
          <Button size="sm" asChild>
            <Link to="/flow" search={{ tab: 'own' }}>
              {t('agents:empty.open')}
            </Link>
          </Button>
        }
      />
    )
  }
  return (
    <EmptyState
      title={t('agents:empty.private')}
      action={
        <Button size="sm" onClick={onCreate}>
          <Plus aria-hidden />
          {t('home:create')}
        </Button>
      }
    >
      {t('agents:empty.none')}
    </EmptyState>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AgentsPage } from '@/features/agents'
import { ownFlowsQuery } from '@/lib/api/flows'

export function AgentsRoutePage() {
  const { tab, category } = useSearch({ strict: false })
  const { data } = useQuery(ownFlowsQuery)
  const hasNone = data?.length === 0
  const navigate = useNavigate()
  return (
    <AgentsPage
      tab={tab ?? (hasNone ? 'product' : 'own')}
      category={category ?? null}
      onNarrow={(next) =>
        void navigate({
          to: '/flow',
          search: { tab: next.tab, category: next.category ?? undefined },
          replace: true,
        })
      }
    />
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { AgentsPage } from '@/features/agents'

export function AgentsRoutePage() {
  const { tab = 'own', category } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <AgentsPage
      tab={tab}
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

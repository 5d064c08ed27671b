import { useNavigate, useSearch } from '@tanstack/react-router'
import { RunsPage } from '@/features/run-list'
import { changedSearch } from '../changed-search'

export function RunsRoutePage() {
  const filters = useSearch({ from: '/signed-in/runs' })
  const navigate = useNavigate()
  return (
    <RunsPage
      filters={filters}
      onFilters={(next) =>
        void navigate({
          to: '/runs',
          search: changedSearch(filters, next),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}

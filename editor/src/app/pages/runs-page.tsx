import { useNavigate, useSearch } from '@tanstack/react-router'
import { RunsPage } from '@/features/run-list'

export function RunsRoutePage() {
  const filters = useSearch({ from: '/signed-in/runs' })
  const navigate = useNavigate()
  return (
    <RunsPage
      filters={filters}
      onFilters={(search) => void navigate({ to: '/runs', search, replace: true, resetScroll: false })}
    />
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { LibraryPage } from '@/features/assets'
import { librarySearch } from '../route-search'

export function LibraryRoutePage() {
  const filters = librarySearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <LibraryPage
      filters={filters}
      onFilters={(search) => void navigate({ to: '/library', search, replace: true, resetScroll: false })}
    />
  )
}

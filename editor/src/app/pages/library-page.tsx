import { useNavigate, useSearch } from '@tanstack/react-router'
import { LibraryPage } from '@/features/assets'
import { changedSearch } from '../changed-search'
import { librarySearch } from '../route-search'

export function LibraryRoutePage() {
  const filters = librarySearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <LibraryPage
      filters={filters}
      onFilters={(next) =>
        void navigate({
          to: '/library',
          search: changedSearch(filters, next),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}

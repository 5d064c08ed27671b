import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SearchField } from '@/components/search-field'
import { Select } from '@/components/select'
import type { AdminFilters } from '@/lib/api/admin'
import { useTypedText } from '@/lib/use-typed-text'

const ALL = 'all'

/** The filters of the section, which are kept in the address, and a function that changes some of them. */
export function useFilters() {
  const filters = useSearch({ from: '/signed-in/admin/$section' })
  const navigate = useNavigate({ from: '/admin/$section' })
  // The address may be newer than what is shown: a text is committed when typing pauses.
  const change = (part: AdminFilters) =>
    void navigate({
      to: '.',
      search: (latest) => ({ ...latest, ...part }),
      replace: true,
      resetScroll: false,
    })
  return { filters, change }
}

/** The filter `status` as one of the given values; undefined for any other. */
export function statusOf<Status extends string>(
  filters: AdminFilters,
  statuses: readonly Status[],
): Status | undefined {
  return statuses.find((status) => status === filters.status)
}

export function FilterRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2.5">{children}</div>
}

/** Searches a list; the address follows when typing pauses. */
export function SearchFilter({ label }: { label: string }) {
  const { filters, change } = useFilters()
  const [text, setText] = useTypedText(filters.q ?? '', (q) => change({ q: q || undefined }))
  return (
    <SearchField
      className="min-w-50 flex-1"
      value={text}
      label={label}
      placeholder={label}
      onChange={setText}
    />
  )
}

type StatusFilterProps<Status extends string> = {
  label: string
  /** The choice of no filter. */
  any: string
  statuses: readonly Status[]
  labelOf: (status: Status) => string
}

/** Chooses one status, or all. */
export function StatusFilter<Status extends string>({
  label,
  any,
  statuses,
  labelOf,
}: StatusFilterProps<Status>) {
  const { filters, change } = useFilters()
  return (
    <Select
      aria-label={label}
      className="h-9 sm:w-44"
      value={statusOf(filters, statuses) ?? ALL}
      onValueChange={(status) => change({ status: status === ALL ? undefined : status })}
      choices={[{ value: ALL, label: any }, ...statuses.map((value) => ({ value, label: labelOf(value) }))]}
    />
  )
}

import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { fieldLook } from './input'

type SearchFieldProps = {
  value: string
  onChange: (text: string) => void
  label: string
  placeholder: string
  /** Without a border until focused. */
  quiet?: boolean
  className?: string
}

/** Searches while typing; Escape clears it. */
export function SearchField({ value, onChange, label, placeholder, quiet, className }: SearchFieldProps) {
  const { t } = useTranslation('common')
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className={classes('relative', className)}>
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-muted"
      />
      <input
        ref={field}
        type="search"
        value={value}
        aria-label={label}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          onChange('')
        }}
        className={classes(
          fieldLook,
          'h-9 pl-8.5 [&::-webkit-search-cancel-button]:hidden',
          value ? 'pr-8' : 'pr-2',
          quiet &&
            'h-7 w-28 border-transparent bg-transparent font-[550] placeholder:text-muted hover:border-transparent focus:w-48 focus:bg-surface focus:font-normal not-placeholder-shown:w-48',
        )}
      />
      {value && (
        <button
          type="button"
          aria-label={t('clear')}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
          className="-translate-y-1/2 absolute top-1/2 right-1.5 grid size-6 place-items-center rounded-pill text-muted hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  )
}

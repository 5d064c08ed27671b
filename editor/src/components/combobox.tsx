import { Command } from 'cmdk'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { fieldLook } from './input'
import { panelClass, panelItemClass } from './overlay'
import { overlayRoot } from './overlay-root'
import type { Choice } from './select'

export type ComboboxChoice = Choice & {
  /** Beside the label on the right: a price. */
  detail?: string
  /** Below the label, and beside it once chosen: who provides it. */
  note?: string
  /** What choosing it does first, such as connecting its provider. */
  action?: string
}

type ComboboxProps = {
  value: string | undefined
  /** `choice` is the one picked, unless the typed text is the value: several may have the same value. */
  onValueChange: (value: string, choice?: ComboboxChoice) => void
  choices: readonly ComboboxChoice[]
  /** The unit of a value that is not among the choices, which have theirs in the label. */
  unit?: string | null | undefined
  placeholder?: string
  searchPlaceholder?: string
  /** Called while typing, for choices from the server. Without it the given choices are filtered. */
  onSearch?: (query: string) => void
  /** Whether the typed text itself may be the value. */
  free?: boolean
  loading?: boolean
  /** Message when the choices could not be loaded. */
  errorText?: string | undefined
  /** What the list lacks, and why; shown above the choices. */
  notes?: readonly string[]
  disabled?: boolean
  id?: string
  className?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** A searchable select for many choices. */
export function Combobox(props: ComboboxProps) {
  const { value, onValueChange, choices, unit, placeholder, disabled, className, id } = props
  const [open, setOpen] = useState(false)
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger
        id={id}
        disabled={disabled}
        role="combobox"
        aria-expanded={open}
        aria-label={props['aria-label']}
        aria-invalid={props['aria-invalid']}
        aria-describedby={props['aria-describedby']}
        className={classes(fieldLook, 'flex h-10 items-center gap-2 px-3 text-left', className)}
      >
        <span className={classes('min-w-0 flex-1 truncate', !value && 'text-faint')}>
          {chosen?.label ?? (value ? [value, unit].filter(Boolean).join(' ') : placeholder)}
          {chosen?.note && <span className="text-muted"> {chosen.note}</span>}
        </span>
        <ChevronsUpDown className="size-4 flex-none text-muted" />
      </Radix.Trigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={classes(
            panelClass,
            'w-(--radix-popover-trigger-width)',
            choices.some(({ note }) => note) ? 'min-w-[min(26rem,calc(100vw-16px))]' : 'min-w-64',
          )}
        >
          <Finder
            {...props}
            onPick={(next, choice) => {
              onValueChange(next, choice)
              setOpen(false)
            }}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Finder({
  value,
  choices,
  searchPlaceholder,
  onSearch,
  free,
  loading,
  errorText,
  notes,
  onPick,
}: ComboboxProps & { onPick: (value: string, choice?: ComboboxChoice) => void }) {
  const { t } = useTranslation('common')
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const ids = idsOf(choices)
  const chosen = choices.findIndex((choice) => choice.value === value)
  const offerTyped = free && typed && !choices.some((choice) => choice.value === typed)
  return (
    <Command shouldFilter={!onSearch} label={searchPlaceholder ?? t('search')}>
      <div className="flex items-center gap-2 border-hairline border-b px-3">
        <Search className="size-4 text-faint" />
        <Command.Input
          value={query}
          onValueChange={(next) => {
            setQuery(next)
            onSearch?.(next)
          }}
          placeholder={searchPlaceholder ?? t('search')}
          className="h-10 w-full bg-transparent outline-none"
        />
      </div>
      {notes && notes.length > 0 && (
        <div role="status" className="border-hairline border-b px-3 py-2 text-ochre-text text-xs">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      <Command.List className="scrollbar-quiet max-h-72 overflow-y-auto p-1">
        <Command.Empty className="px-3 py-6 text-center text-muted">
          {loading ? t('loading') : !errorText && t('noResults')}
          {!loading && errorText && <span role="alert">{errorText}</span>}
        </Command.Empty>
        {offerTyped && (
          <Command.Item value={typed} forceMount onSelect={() => onPick(typed)} className={panelItemClass}>
            {t('useTyped', { text: typed })}
          </Command.Item>
        )}
        {choices.map((choice, at) => (
          <Command.Item
            key={ids[at]}
            value={ids[at]}
            keywords={[choice.label]}
            disabled={choice.disabled}
            onSelect={() => onPick(choice.value, choice)}
            className={panelItemClass}
          >
            {choice.icon}
            <span className="min-w-0 flex-1">
              <span className="block truncate">{choice.label}</span>
              {choice.note && (
                <span className="block truncate text-muted text-xs leading-tight">{choice.note}</span>
              )}
            </span>
            {choice.detail && (
              <span
                className={classes(
                  'text-xs',
                  choice.note === undefined ? 'text-muted' : 'flex-none font-mono',
                )}
              >
                {choice.detail}
              </span>
            )}
            {choice.action && (
              <span className="flex-none font-semibold text-xs underline">{choice.action}</span>
            )}
            {at === chosen && <Check className="size-4 flex-none" />}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}

/** Returns an id for each choice: its value, numbered where others have the same. */
function idsOf(choices: readonly ComboboxChoice[]): string[] {
  const counts = new Map<string, number>()
  return choices.map(({ value }) => {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    return count === 1 ? value : `${value} ${count}`
  })
}

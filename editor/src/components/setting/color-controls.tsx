import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/input'
import { toHexColor } from '@/graph/validate'
import { access, type ControlProps, groupAccess } from './control-props'

export function ColorControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const text = typeof value === 'string' ? value : ''
  return (
    <div className="flex items-center gap-2">
      <Swatch
        label={t('colors.pick', { title: field.title })}
        value={text}
        onChange={onChange}
        onSettle={onSettle}
        disabled={disabled}
      />
      <Input
        {...access(props)}
        value={text}
        placeholder="#2f57e0"
        spellCheck={false}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onSettle}
        className="font-mono text-sm"
      />
    </div>
  )
}

/** A palette: a row of colors; press one to edit it. */
export function ColorListControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const colors = Array.isArray(value) ? value.map(String) : []
  const put = (next: string[]) => onChange(next)
  return (
    <fieldset {...groupAccess(props)} className="flex flex-wrap items-center gap-1.5">
      {colors.map((color, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: colors have no identity but their place
        <span key={at} className="group relative flex">
          <Swatch
            label={t('colors.one', { number: at + 1 })}
            value={color}
            disabled={disabled}
            onSettle={onSettle}
            onChange={(next) => put(colors.with(at, next))}
          />
          {!disabled && (
            <button
              type="button"
              aria-label={t('colors.remove', { number: at + 1 })}
              onClick={() => {
                put(colors.toSpliced(at, 1))
                onSettle()
              }}
              className="absolute -top-1.5 -right-1.5 grid size-4 place-items-center rounded-pill border border-hairline-strong bg-surface opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
            >
              <X className="size-2.5" />
            </button>
          )}
        </span>
      ))}
      {!disabled && (
        <button
          type="button"
          aria-label={t('colors.add')}
          onClick={() => {
            put([...colors, colors.at(-1) ?? '#2f57e0'])
            onSettle()
          }}
          className="grid h-8 w-10 place-items-center rounded-s border border-hairline-strong border-dashed text-muted hover:bg-sunken"
        >
          <Plus className="size-4" />
        </button>
      )}
    </fieldset>
  )
}

type SwatchProps = {
  label: string
  value: string
  onChange: (value: string) => void
  onSettle: () => void
  disabled?: boolean | undefined
}

/** A swatch of the color; crossed out if there is none, or an invalid one. */
function Swatch({ label, value, onChange, onSettle, disabled }: SwatchProps) {
  const hex = toHexColor(value)
  return (
    <input
      type="color"
      aria-label={label}
      title={hex ?? undefined}
      value={hex ?? '#ffffff'}
      data-none={hex === null || undefined}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onSettle}
      className="h-8 w-10 flex-none cursor-pointer appearance-none overflow-hidden rounded-s border border-hairline-strong bg-transparent p-0 data-none:bg-[linear-gradient(to_top_right,transparent_48%,var(--color-madder)_48%,var(--color-madder)_52%,transparent_52%)] data-none:[&::-webkit-color-swatch]:bg-transparent! [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:border-0"
    />
  )
}

import { Braces } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FlowVariable } from '@/graph/document'
import { colorOf, textOfValue } from '@/graph/variables'
import { classes } from '@/lib/classes'

type VariableChipProps = { name: string; isMissing?: boolean; className?: string }

/** A variable by its name. */
export function VariableChip({ name, isMissing = false, className }: VariableChipProps) {
  return (
    <span
      className={classes(
        'inline-flex min-w-0 max-w-full items-center gap-1 rounded-pill border px-2 py-px font-medium text-xs',
        isMissing
          ? 'border-madder/35 bg-surface text-madder-text'
          : 'border-cobalt/30 bg-surface text-cobalt-text',
        className,
      )}
    >
      <Braces aria-hidden className="size-3 flex-none" />
      <span className="truncate">{name}</span>
    </span>
  )
}

const MAX_CHARACTERS = 80

/** A variable's value in one line: its color, Yes or No, or its text. */
export function VariableValue({ variable }: { variable: FlowVariable }) {
  const { t } = useTranslation('canvas')
  const color = colorOf(variable)
  const { value } = variable
  const text = typeof value === 'boolean' ? t(value ? 'variables.yes' : 'variables.no') : textOfValue(value)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      {color && (
        <i
          aria-hidden
          style={{ background: color }}
          className="size-3.5 flex-none rounded-xs border border-ink/10"
        />
      )}
      <span className="truncate">
        {text.slice(0, MAX_CHARACTERS) || <span className="text-faint">{t('variables.noValue')}</span>}
      </span>
    </span>
  )
}

import { Minus, Plus } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'

type StepperProps = {
  value: number
  onValueChange: (value: number) => void
  min: number
  max: number
  disabled?: boolean | undefined
  id?: string | undefined
  className?: string
  'aria-label'?: string | undefined
  'aria-invalid'?: boolean | undefined
  'aria-describedby'?: string | undefined
}

/** A small whole number with a button on either side; arrow keys, Home and End work, too. */
export function Stepper({ value, onValueChange, min, max, disabled, id, className, ...rest }: StepperProps) {
  const { t } = useTranslation('common')
  const set = (next: number) => {
    const within = Math.min(max, Math.max(min, next))
    if (!disabled && within !== value) onValueChange(within)
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = { ArrowUp: value + 1, ArrowRight: value + 1, ArrowDown: value - 1, ArrowLeft: value - 1 }
    const ends = { Home: min, End: max }
    const wanted = { ...next, ...ends }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    set(wanted)
  }
  return (
    <div
      className={classes(
        'inline-flex h-10 items-center self-start rounded-field border border-hairline-strong bg-surface',
        className,
      )}
    >
      <StepButton label={t('less')} isOff={disabled || value <= min} onPress={() => set(value - 1)}>
        <Minus aria-hidden />
      </StepButton>
      <span
        role="spinbutton"
        tabIndex={disabled ? -1 : 0}
        id={id}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-disabled={disabled}
        aria-labelledby={rest['aria-label'] ? undefined : id && `${id}-label`}
        onKeyDown={onKeyDown}
        className="grid h-full min-w-8 place-items-center font-[500] font-mono text-base"
        {...rest}
      >
        {value}
      </span>
      <StepButton label={t('more')} isOff={disabled || value >= max} onPress={() => set(value + 1)}>
        <Plus aria-hidden />
      </StepButton>
    </div>
  )
}

type StepButtonProps = { label: string; isOff: boolean; onPress: () => void; children: ReactNode }

/** The keyboard changes the number itself. */
function StepButton({ label, isOff, onPress, children }: StepButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={onPress}
      className="grid h-full w-9 place-items-center rounded-field text-ink hover:bg-sunken aria-disabled:opacity-40 [&_svg]:size-3.5"
    >
      {children}
    </button>
  )
}
